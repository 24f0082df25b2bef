"""The article of a page, told from what stands beside it: its headline, other articles, second copies."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice, pairwise, takewhile

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.decide.asides import LISTS, is_linked
from dbce.boilerplate.decide.tree import BOXES, CELLS, SIBLINGS, SURE, Structures
from dbce.html import (
    HEADINGS,
    NamePattern,
    ancestors,
    elements_like,
    elements_of_tags,
    enclosing_elements,
    nearest_of_tags,
    nodes_within,
    outermost_elements,
    subtree_end,
    subtree_mask,
)
from dbce.kernel import compiled
from dbce.metadata import Opening, letters, names_page, title_keys
from dbce.model import Page

# The opening of a page, which is content always: the headline, and the standfirst below it.
#
# The headline is the first heading that one of the page's titles names, the standfirst the first
# text soon behind it that its description begins with. Sites set both in places of their
# template; what they say is the page's own.

SOON = 20
"""Lines searched for the standfirst behind the headline: byline, date, share bar and caption may be between."""

LEAST, MOST = 40, 60
"""Letters and digits that a standfirst shares with the beginning of a description: minimum, and number compared."""


def opening_lines(lines: LineValues, headings: Collection[int], opening: Opening) -> Iterator[int]:
    """Lines of headline and standfirst, if the page has them."""
    keys = title_keys({*opening.titles, lines.page.title})
    named = (n for n, text in _texts(lines, headings) if names_page(text, keys))
    headline = next(named, None)
    if headline is not None:
        yield headline
        soon = range(headline + 1, min(headline + 1 + SOON, len(lines.gains)))
        yield from standfirst(lines, [n for n in soon if n not in headings], opening)


def beside_article(
    lines: LineValues,
    headings: Mapping[int, int],
    headline: Sequence[int],
    kept: Sequence[bool],
    opening: Opening,
) -> Iterator[int]:
    """Lines of other articles and, on a page with one article and nothing else, of comments and of what stands apart."""
    yield from further_articles(lines, headings, headline)
    if opening.is_article:
        yield from comment_threads(lines, headings, headline)
        yield from apart_from_article(lines, kept)


ARTICLE_WORDS = 50  # minimum words of the article of the headline, where others are told from it


def further_articles(
    lines: LineValues, headings: Mapping[int, int], headline: Sequence[int]
) -> list[int]:
    """Lines of `<article>` beside that of the headline, if there is one, with a heading of its level: they have pages of their own.

    One whose heading has the headline in it, such as "Re: ...", is an answer. Siblings without the tag are often sections.
    """
    page, element = lines.page, lines.elements
    articles = elements_of_tags(page, "article") if headline else set()
    if len(articles) < 2:  # as on most pages
        return []
    article_of = outermost_elements(page, articles)
    main = article_of[element[headline[0]]]
    words = sum(lines.words[line] for line, its in enumerate(element) if article_of[its] == main)
    if main < 0 or words < ARTICLE_WORDS:
        return []
    key = letters(lines.text(headline[0]))
    heading_of = {article_of[element[line]]: line for line in sorted(headings, reverse=True)}
    others = {
        article
        for article, line in heading_of.items()
        if article not in (main, -1) and headings[line] <= headings[headline[0]]
        if key not in letters(lines.text(line))
    }
    return [line for line, its in enumerate(element) if article_of[its] in others]


THREADS = NamePattern(
    r"(?:^|\s)(?:comment(?:s|list)|comments?[-_]?(?:list|area|section|box|thread)|disqus_thread|webmentions)(?:$|\s)",
    "comment disqus webmentions",
)
"""Names of the comments of an article, as classes and ids."""

COUNTED = re.compile(
    rf"\W{{0,9}}(?:[^\W\d]{{1,10}}\s(?=\d))?(?:(\d{{1,6}})\s?(?:条|件の|개의 )?)?[\w-]{{0,20}}(?:{'|'.join(LISTS['comments'])})(?:\W{{0,9}}(\d{{1,6}}))?\W{{0,9}}",
    re.IGNORECASE,
)
"""Labels that may count comments, in front or behind."""

COMMENT_STEMS = tuple(re.split(r"\w?\W", stem)[0] for stem in LISTS["comments"])  # as they begin
COUNT_WORDS = 3  # maximum words of such a label
LABELS = 20  # maximum number of labels that are looked at: lists of teasers have one each


def comment_threads(
    lines: LineValues, headings: Collection[int], headline: Sequence[int]
) -> Iterator[int]:
    """Lines, behind the headline, of what is called the comments, or has a label behind the article that counts them."""
    if not headline:
        return
    page = lines.page
    threads = elements_like(page.classes, THREADS) | elements_like(page.ids, THREADS)
    for line, number in islice(_labels(lines, headline[0] + 1), LABELS):
        threads.update(_comments_of_label(lines, line, number, is_heading=line in headings))
    if threads:
        threads.difference_update(ancestors(page.parents, lines.elements[headline[0]]))
        inside = subtree_mask(page, threads)
        behind = range(headline[0] + 1, len(lines.gains))
        yield from (line for line in behind if inside[lines.elements[line]])


def _labels(lines: LineValues, start: int) -> Iterator[tuple[int, int]]:
    """Lines that may count comments, behind the words of an article, each with the number."""
    likely = {lines.of_node[n] for n in compiled.texts_with(lines.page.nodes, COMMENT_STEMS)}
    behind = sorted(line for line in likely if line > start and lines.words[line] <= COUNT_WORDS)
    words, end = 0.0, start
    for line in behind:
        while end < line and words < ARTICLE_WORDS:
            words += lines.words[end] * (lines.gains[end] >= 0)
            end += 1
        if words >= ARTICLE_WORDS and (counted := COUNTED.fullmatch(lines.text(line))):
            yield line, int(counted[1] or counted[2] or 0)


def _comments_of_label(
    lines: LineValues, line: int, number: int, *, is_heading: bool
) -> Sequence[int]:
    """The box that a heading begins which counts anything; else a label and just as many siblings of one tag behind it, two at least."""
    page, label = lines.page, lines.elements[line]
    if is_heading:
        label = nearest_of_tags(page, label, HEADINGS)
        box = page.parents[label]
        if number and lines.of_node[nodes_within(page, box)[0]] == line:
            return [box]
    around = {*ancestors(page.parents, label)}
    behind = lines.elements[line + 1 : line + 2]
    path = chain.from_iterable(ancestors(page.parents, each) for each in behind)
    for first in takewhile(lambda each: each not in around, path):
        siblings = [*islice(_alike_behind(page, first), number + 1)]
        if len(siblings) == number > 1:
            return [label, *siblings]
    return []


def _alike_behind(page: Page, element: int) -> Iterator[int]:
    """An element and the siblings of its tag behind it, up to another one."""
    kind = page.parents[element], page.tags[element]
    while element < len(page.tags) and (page.parents[element], page.tags[element]) == kind:
        yield element
        element = subtree_end(page.parents, element)


GAP = 3  # minimum dropped lines between an article and what stands apart from it
LIKELY = 0.2  # minimum gain of a line that is likely content
UNLIKELY = 0.75  # share of words in other lines above which what stands apart is dropped


def apart_from_article(lines: LineValues, kept: Sequence[bool]) -> Iterator[int]:
    """Kept lines that stand apart behind an article and are hardly content: teasers, comments, other columns."""
    stays = [line for line, its in enumerate(kept) if its]
    starts = [n for n, (a, b) in enumerate(pairwise(stays), 1) if b - a > GAP]
    has_article = False
    for start, end in pairwise([0, *starts, len(stays)]):
        part = stays[start:end]
        words = sum(lines.words[line] for line in part)
        unlikely = sum(lines.words[line] for line in part if lines.gains[line] < LIKELY)
        if has_article and unlikely > UNLIKELY * words:
            yield from part
        has_article |= sum(lines.words[line] * lines.gains[line] for line in part) > SURE * words


def link_bars(lines: LineValues, structures: Structures) -> Iterator[int]:
    """Lines of links alone that are the first or last rows of tables of other rows: menus above and below data."""
    first, last, words = structures.first, structures.last, structures.words
    for row, (tag, table) in enumerate(zip(structures.tag, structures.outer, strict=True)):
        if tag == "tr" and first[row] == last[row] and table >= 0:
            is_end = first[row] in (first[table], last[table]) and 2 * words[row] < words[table]
            if is_end and len(lines.nodes(first[row])) > 2 and is_linked(lines, first[row]):
                yield first[row]


SENTENCE = 8
"""Minimum words of a sentence that tells a copy; labels and lines of code repeat themselves."""

SENTENCE_ENDS = frozenset('.!?…:。！？।"”»')

LETTER_BYTES = b"abcdefghijklmnopqrstuvwxyz0123456789\xd0\xd1\xe5\xe6\xe7\xe8\xeb\xec"
"""Bytes of UTF-8 that are a letter or digit of ASCII, or begin one of Russian, Chinese and Korean alone."""

COPY_WORDS = 20  # minimum words of the sentences in a copy, of which it has two at least

REPEATING = frozenset(("blockquote", "pre", "code"))
"""Elements that repeat what stands above on purpose."""

CONTAINERS = BOXES | SIBLINGS | CELLS
"""Elements of which a copy has others than what it repeats; in one, an author repeats it."""


def second_copies(
    lines: LineValues, decided_with: Sequence[int], kept: Sequence[bool]
) -> list[int]:
    """Kept lines that stand above in the same order: a version for print, or a box for each kind of visitor.

    Of a hidden and a visible copy it is the hidden one. A structure of which a part is no copy stays.
    """
    page, element = lines.page, lines.elements
    stays = [line for line, its in enumerate(kept) if its]
    long = [(n, line) for n, line in enumerate(stays) if lines.words[line] >= SENTENCE]
    lasts = (page.nodes[lines.starts[line + 1] - 1].text.rstrip() for _, line in long)
    sentences = {
        n: lines.text(line)
        for (n, line), last in zip(long, lasts, strict=True)
        if last[-1:] in SENTENCE_ENDS
    }
    first: dict[str, int] = {}
    # To compare all letters of each costs twenty times as much.
    keys = compiled.hash_letters([*sentences.values()], LETTER_BYTES)
    if len({*keys}) == len(keys):  # as on most pages
        return []
    alike = Counter(keys)
    repeats = [
        (n, at)
        for (n, text), key in zip(sentences.items(), keys, strict=True)
        if alike[key] > 1 and (at := first.setdefault(letters(text), n)) < n
    ]
    key = cache(lambda n: letters(lines.text(stays[n])))
    box_of = enclosing_elements(page, elements_of_tags(page, *CONTAINERS))
    meant = subtree_mask(page, elements_of_tags(page, *REPEATING))
    copies: set[int] = set()
    end = 0
    for n, at in repeats:
        here, above = element[stays[n]], element[stays[at]]
        if n < end or meant[here] or meant[above] or box_of[here] == box_of[above]:
            continue
        ahead = _number_alike(key, range(at, n), range(n, len(stays)))
        lowest = max(end, at + ahead)
        before = _number_alike(key, range(at - 1, -1, -1), range(n - 1, lowest - 1, -1))
        original, copy = (stays[place - before : place + ahead] for place in (at, n))
        sentence_words = [
            lines.words[stays[m]] for m in range(n - before, n + ahead) if m in sentences
        ]
        if len(sentence_words) > 1 and sum(sentence_words) >= COPY_WORDS:
            is_instead = lines.shown[copy[0]] and not lines.shown[original[0]]
            copies.update(original if is_instead else copy)
            end = n + ahead
    torn = {decided_with[line] for line in stays if line not in copies} - {-1}
    return [line for line in copies if decided_with[line] not in torn]


def _number_alike(key: Callable[[int], str], some: range, others: range) -> int:
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: key(pair[0]) == key(pair[1]), pairs))


def standfirst(lines: LineValues, behind: Sequence[int], opening: Opening) -> Iterator[int]:
    """First of some lines that begins like a description of the page, if there is one."""
    begins = [text[:MOST] for text in map(letters, {*opening.descriptions}) if len(text) >= LEAST]
    for line, text in _texts(lines, behind if begins else ()):
        cut = letters(text[: 4 * MOST])[:MOST] if len(text) >= LEAST else ""
        if len(cut) >= LEAST and any(key.startswith(cut) or cut.startswith(key) for key in begins):
            yield line
            return


def _texts(lines: LineValues, wanted: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Visible lines that are no asides, with their texts, in order."""
    for line in wanted:
        if lines.shown[line] and not lines.aside[line]:
            yield line, lines.text(line)
