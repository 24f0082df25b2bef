"""Texts that a page has for those who use it and not for those who read: they are in no format."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress, count, groupby

from dbce import html
from dbce.formats.lines import ContentNodes
from dbce.formats.notes import NOTE_WORDS, WORDS, back_links, texts_of
from dbce.html import Details
from dbce.kernel import compiled
from dbce.model import WORD_RUN, Page

PERMALINK_TEXT = re.compile(
    r"\W*(perma(nent)?[ -]?link|(direct )?link (to|here)|section link|anchor)\b", re.IGNORECASE
)

ANCHOR_CLASSES = frozenset(WORDS["anchors"].split())
"""Classes of such links, as generators of documents give them."""

NESTED = 8  # elements for windows of some widths within each other, at most
DOTS = frozenset(".… ")  # what stands for the hidden rest of a paragraph until it is shown
LONGEST_NOTE = 40
"""Words of a hidden element that repeats a note: a quotation that unfolds has more."""

ICON = re.compile(r"[\s\ue000-\uf8ff]+")
"""Text in a font of icons, whose signs stand where Unicode has none."""

_LABEL = r"\s*[^\W\d_][^\W_ ]*(?: [^\W_]+)?\s*"
EDIT_LABEL = re.compile(rf"\s*\[{_LABEL}(?:\|{_LABEL})*\]\s*")
"""Text of links that are for those who write the page or fold it, such as [edit | edit source] and [hide]."""

CREDIT_CLASS = html.NamePattern(
    r"(?:^|[\s_-])(?:credits?|copyright|photographer)(?:$|[\s_-])", "credit copyright photographer"
)
"""Classes of what names the source of a picture, in its caption."""

FOR_EARS = html.NamePattern(
    r"(?<![^\W_])(?<!not-)(?:sr-?only|visually-?hidden|screen-?reader-?(?:text|only)|element-invisible)(?![^\W_])",
    "sr-only sronly visually screen element-inv",
)
"""Parts of the classes of what is read to the blind alone, by Bootstrap, WordPress, Drupal, and programs that make up names."""

_WIDTH = r"(?:xs|sm|md|lg|xl|2xl|mobile|tablet|desktop|phone|small|medium|large)"
FOR_WINDOWS = html.NamePattern(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|2xl):(?:hidden|block|flex|grid|inline\S*|table\S*)|d-(?:sm|md|lg|xl)-\S+|"
    rf"(?:hidden-|(?:only|visible|show-for|hide-for)-?){_WIDTH}\S*|\S*(?:desktop|mobile)-only|(?:desktop|mobile)\S*"
    r"|is-hidden-\S+|hide-?(?:on-|for-)?(?:desktop|mobile|medium|large)\S*)(?:$|\s)",
    "hidden visible mobile hide desktop show-for only sm: md: lg: xl: d-sm- d-md- d-lg- d-xl-",
    re.NOFLAG,
)
"""Classes of what windows of some widths show alone: Tailwind, Bootstrap, Foundation, Bulma."""


def omitted_nodes(nodes: ContentNodes) -> frozenset[int]:
    """Numbers of text nodes in no format: permalinks, links back from notes, line numbers and buttons of code, and repetitions within a paragraph."""
    page, content, having = nodes.page, nodes.numbers, nodes.having
    marks = _permalinks(page, nodes.markup.details, having["href"]) | back_links(page)
    marks |= _copies_for_windows(page, content) | _credits(page)
    marks.update(having["beside"])
    omitted = _column_labels(page).union(_unseen_nodes(page, content))
    beyond_ascii = (n for n in content if not page.nodes[n].text.isascii())
    omitted.update(n for n in beyond_ascii if ICON.fullmatch(page.nodes[n].text))
    if any(page.hidden):
        omitted.update(_repeated_nodes(page, having["text"], content))
    return frozenset(omitted.union(html.texts_within(page, marks)))


def _repeated_nodes(page: Page, code: Sequence[int], content: Sequence[int]) -> Iterator[int]:
    """Hidden text nodes of paragraphs whose other text has all of their words, and of small elements all of whose paragraphs are shown, or begin some.

    They are for windows of other widths, for eyes, for ears. Code is left as it stands.
    """
    nodes = page.nodes
    outer = html.outermost_elements(page, {*compress(count(), page.hidden)})
    if all(outer[nodes[n].element] < 0 for n in content):  # as in most pages
        return
    verbatim = html.enclosing_elements(page, code)
    holder = html.holders(page)
    shown_lines: set[tuple[str, ...]] = set()
    hidden: dict[int, list[tuple[tuple[str, ...], list[int]]]] = defaultdict(list)
    for _, paragraph in groupby(content, key=lambda n: holder[nodes[n].element]):
        of_element: dict[int, list[int]] = {}
        for n in paragraph:
            of_element.setdefault(outer[nodes[n].element], []).append(n)
        loose = of_element.pop(-1, ())
        loose_words = _words(page, loose)
        shown_lines.add(loose_words)
        known = {*loose_words}
        for element, again in of_element.items():
            wording = _words(page, again)
            if again[0] - 1 in loose and DOTS.issuperset(nodes[again[0] - 1].text):
                yield again[0] - 1
            if wording and verbatim[nodes[again[0]].element] < 0:
                if known.issuperset(wording):
                    yield from again
                hidden[element].append((wording, again))
    of_excerpts = {len(wording) for lines in hidden.values() for wording, _ in lines}
    of_excerpts &= {*range(NOTE_WORDS, LONGEST_NOTE)}
    shown_lines.update([line[:words] for line in shown_lines for words in of_excerpts])
    for lines in hidden.values():
        words = sum(len(wording) for wording, _ in lines)
        if NOTE_WORDS <= words <= LONGEST_NOTE and all(
            wording in shown_lines for wording, _ in lines
        ):
            yield from (n for _, again in lines for n in again)


def _unseen_nodes(page: Page, content: Sequence[int]) -> Iterator[int]:
    """The words that nobody sees, in paragraphs with other text: the verdict is that of the whole line. A colon read out parts words."""
    hiding = page.unseen | html.elements_like(page.classes, FOR_EARS)
    if not hiding:
        return
    outer = html.outermost_elements(page, hiding)
    nodes = [page.nodes[n] for n in content]
    if all(outer[node.element] < 0 for node in nodes):  # as in most pages
        return
    worded = {outer[node.element] for node in nodes if WORD_RUN.search(node.text)} - {-1}
    hidden = worded | page.unseen
    holder = html.holders(page)
    seen = {holder[node.element] for node in nodes if outer[node.element] < 0}
    for n, node in zip(content, nodes, strict=True):
        if outer[node.element] in hidden and holder[node.element] in seen:
            yield n


def _column_labels(page: Page) -> set[int]:
    """Text nodes that begin most cells of a table with what a header of it says, for windows too narrow for columns."""
    headers = html.elements_of_tags(page, "th")
    if not headers:
        return set()
    tables = html.elements_of_tags(page, "table")
    table_of = html.enclosing_elements(page, tables)
    cell_of = html.enclosing_elements(page, headers | html.elements_of_tags(page, "td"))
    names: dict[int, set[str]] = defaultdict(set)
    begun: dict[int, list[int]] = defaultdict(list)
    labels: dict[int, list[int]] = defaultdict(list)
    for cell, inside in groupby(range(len(page.nodes)), lambda n: cell_of[page.nodes[n].element]):
        first, *others = inside
        text = " ".join(page.nodes[first].text.split()).rstrip(":")
        if cell in headers:
            names[table_of[cell]].add(text)
        elif cell >= 0:
            begun[table_of[cell]].append(first)
            if others and text in names[table_of[cell]]:
                labels[table_of[cell]].append(first)
    of_tables = (nodes for table, nodes in labels.items() if 2 * len(nodes) > len(begun[table]))
    return {n for nodes in of_tables for n in nodes if len(nodes) > 2}


def _copies_for_windows(page: Page, content: Sequence[int]) -> set[int]:
    """The elements beside content that say what a neighbour says, one of which is for a window of another width."""
    copies: set[int] = set()
    likely = html.elements_like(page.classes, FOR_WINDOWS)
    if not likely:
        return copies
    around = html.elements_around(page, {page.nodes[n].element for n in content})
    nearest = html.enclosing_elements(page, likely)
    levels = {-1: 0}
    for element in sorted(likely):
        above = nearest[page.parents[element]] if element else -1
        levels[element] = levels[above] + 1
        if levels[element] > NESTED:  # else the same text would be read as often as it is nested
            continue
        siblings = _siblings_behind(page, element) if around[page.parents[element]] else ()
        other = next((n for n in siblings if html.nodes_within(page, n)), -1)
        if other < 0:
            continue
        wording, behind = _wording(page, element), _wording(page, other)
        if behind == wording or (other in likely and _repeats(behind, wording)):
            copies.add(other)
        elif other in likely and _repeats(wording, behind):
            copies.add(element)
    return copies


def _repeats(wording: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether a text says nothing but most of the words of another, such as cards without the header of a table."""
    words, known = {*wording}, {*other}
    return words <= known and 2 * len(words) > len(known)


def _siblings_behind(page: Page, element: int) -> Iterator[int]:
    end = html.subtree_end(page.parents, element)
    while end < len(page.tags) and page.parents[end] == page.parents[element]:
        yield end
        end = html.subtree_end(page.parents, end)


def _credits(page: Page) -> set[int]:
    """The elements of captions that are called credits, beside other text of theirs."""
    captions = html.elements_of_tags(page, "figcaption")
    if not captions:
        return captions
    named = html.elements_like(page.classes, CREDIT_CLASS)
    caption_of = html.enclosing_elements(page, captions)
    within = {n for n in named if caption_of[page.parents[n]] >= 0}
    captions = {caption_of[n] for n in within}
    whole = {caption: html.nodes_within(page, caption) for caption in captions}
    return {n for n in within if whole[caption_of[n]] != html.nodes_within(page, n)}


def _wording(page: Page, element: int) -> list[str]:
    inside = html.nodes_within(page, element)
    return " ".join(page.nodes[n].text for n in inside).lower().split()


def _words(page: Page, nodes: Sequence[int]) -> tuple[str, ...]:
    return tuple(word.lower() for n in nodes for word in WORD_RUN.findall(page.nodes[n].text))


def _permalinks(page: Page, details: Details, links: Sequence[int]) -> set[int]:
    """Links to the place where they stand, by element."""
    anchors = {n for n in html.elements_of_classes(page, ANCHOR_CLASSES) if page.tags[n] == "a"}
    near = {link for link in links if "#" in details[link]["href"]}
    near &= html.sign_links(page) if near else near
    near |= (edits := _edit_links(page))
    return {
        link
        for link, text in texts_of(page, anchors | near).items()
        if html.ANCHOR_SIGNS.fullmatch(text)
        or (link in anchors and PERMALINK_TEXT.match(text))
        or link in edits
    }


def _edit_links(page: Page) -> set[int]:
    """Elements in brackets behind the words of a heading or term, with links to what one may do with its section, or to its source."""
    opening = compiled.texts_holding(page.nodes, "[")
    if not opening:  # as on most pages
        return set()
    headings = html.elements_of_tags(page, *html.HEADINGS, "dt")
    heading_of = html.enclosing_elements(page, headings)
    around = {
        element
        for before, node in ((page.nodes[n - 1], page.nodes[n]) for n in opening if n)
        if heading_of[before.element] == heading_of[node.element] >= 0
        for element in html.ancestors(page.parents, node.element)
        if heading_of[element] >= 0 and element not in headings
    }
    return {
        element
        for element, text in texts_of(page, around).items()
        if EDIT_LABEL.fullmatch(text)
        if "a" in page.tags[element : html.subtree_end(page.parents, element)]
    }
