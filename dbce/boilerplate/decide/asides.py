"""Asides: lines in hidden or site-wide elements (dbce.html.exclusions), tables of contents, and notices and credits known by their wording."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby
from string import digits

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.word_labels import OF_SITE, UNSEEN
from dbce.html import (
    GUTTERS,
    HEADINGS,
    NamePattern,
    ancestors,
    elements_like,
    elements_of_classes,
    elements_of_tags,
    nearest_of_tags,
    nodes_that_may_begin,
    nodes_within,
    outermost_elements,
    texts_within,
)
from dbce.kernel import compiled
from dbce.metadata import letters
from dbce.model import LETTER_RUN, Page, TextNode, word_lists

NEITHER = 0  # stands for no rule, and is no truth: the line is in no aside
CREDIT_WORDS = 8  # maximum words of a credit, or of an offer to enlarge a picture

PICTURED = NamePattern("caption|credit", "caption credit")
"""Parts of the class names of captions and credits, in lower or upper case or within a word."""

ENTRIES = 3  # minimum links of a table of contents
WORD = re.compile(r"[^\W\d_]{2}")
NUMBER = re.compile(r"[\W_]*\d[\W\d_]*")  # alone, with signs beside it
HARDLY_ANY = 100  # words of other content below which a page is about the site itself
NOTICE_WORDS = 40  # maximum words of a notice

LARGEST_PART = 4
"""A lead is that of links and teasers if they have at most one in so many words of the page."""

RIGHTS = re.compile(
    r"(?:[^\w©(]*(?:(?:copyright\b|\(c\)|©)[^\w©(]*)+|\W{0,9}(?:copyright\W{1,9})?©\W{0,9}(?:\w{1,30}\W{1,9}){1,3})"
    r"(?:19|20)\d\d",
    re.IGNORECASE,
)
"""Beginning of a note on rights, with a year."""

RIGHTS_STEMS = "copyright", "(c)", "©"

FOOTER_WORDS = 12  # maximum words of content below it

LISTS = {name: words.splitlines() for name, words in word_lists("dbce.boilerplate.decide").items()}

ADVERTISEMENTS, GO_ON, LOADING, OTHERS = (
    "|".join(LISTS[name])
    for name in ("advertisements", "articles that go on", "loading", "other notices")
)
NOTICE = re.compile(
    rf"(?:{ADVERTISEMENTS})(?:\W+(?:scroll|skip|continue|article|story)\b.*)?[\s:.…-]*$"
    rf"|(?:{GO_ON})\b[^.!?]{{0,20}}\b(?:publicité|publicidade|pubblicità|annonce\w*|annons\w*|reklam\w*|wideo|foto|advertentie|anzeige)\W*$"
    rf"|(?:{LOADING})\b[^.!?…]{{0,40}}(?:…|\.\.\.)$|{OTHERS}"
)
"""Beginnings, in lower case, of placeholders for advertisements, for embedded content that needs consent, and for what
a browser cannot show."""
REST = re.compile(r".?[?*].*|[(\[\\+$.{].*")  # of a pattern, behind the letters that it begins with

CONTROL_LABELS = frozenset(LISTS["labels of controls"])
"""Labels of buttons, in lower case: what one may do with a page."""

COUNTER = re.compile(
    r"(?:(?:(?:total |post )?(?:views|shares)\W{1,3}[\d.,]+[km]?"
    rf"|(?:total )?[\d.,]+[km]? (?:views?|shares?|likes?|votes?|claps?|reactions?|repl(?:y|ies)|aufrufe|antworten|{'|'.join(LISTS['comments'])})"
    r"|\d+[ -]min(?:ute)?s?\.? (?:read|lesezeit|de lecture|de lectura)|\d+:\d\d\s*/\s*\d+:\d\d"
    r"|(?:(?:estimated )?reading time|lesezeit|temps de lecture|tiempo de lectura|tempo di lettura|время чтения)\W{0,3}\d+\s?min[^\W\d]*\.?)[\s·•|,]*+)+"
)
"""Counters of what others did with a page, and the time that it takes to read."""

TO_PAGES, TO_TOPICS = (frozenset(LISTS[f"leads to {what}"]) for what in ("pages", "topics"))
LEADS = TO_PAGES | TO_TOPICS
"""Words before links to other pages, "read also", and to what else belongs to one, "filed under", in lower case."""

LISTED = frozenset(("ul", "ol", "dl"))
LEADS_ABOVE = 200  # of a page that are looked at
ABOVE_LINKS = TO_PAGES - CONTROL_LABELS  # those that stand above links, too

LEAD_SIGNS = " \n\t.,;:：…!?[]()【】「」『』《》«»‹›<>←→|-–—*•·/▶►▷■●◆"  # signs beside them  # noqa: RUF001
LEAD_END = re.compile(r"[:：|\])】]")  # noqa: RUF001
CALL = re.compile("|".join(LISTS["calls"]))
"""Calls to subscribe to letters of the site, or to follow it elsewhere, in lower case."""

CREDIT = re.compile("|".join(LISTS["credits"]))
"""Beginnings of credits, in lower case: English, German, French, Spanish."""

CALL_STEMS = tuple(LISTS["stems of calls"])
"""A part of each: most pages have none of them."""

YOU_ARE_HERE, FIRST_PAGES = LISTS["you are here"], LISTS["first pages"]
TRAIL = re.compile(rf"(?:(?:{'|'.join(YOU_ARE_HERE)})\W+)?(?:{'|'.join(FIRST_PAGES)})\s*[>»›→▸▶/]")  # noqa: RUF001
"""Beginning of the way from the first page of a site to this one, in lower case."""

SENTENCES = re.compile(r"[.!?…](?:\s|$)")
CALL_SENTENCES = 2  # maximum sentences of a call

LABEL_WORDS = 5  # maximum words of a label
COUNTER_WORDS = 8  # maximum words of a line of counters
LENGTH = re.compile(r"\d+(?:\s?min(?:ute)?s?|:\d\d|\s?/\s?\d+)?")  # or number, of what is offered
LABEL_SIGNS = " \n\t.:…!?[]()«»‹›<>→|·•"  # signs beside a label  # noqa: RUF001
HEAD = 4  # letters of the head of a text, a quick test that few texts pass
LABEL_HEADS = {label[:HEAD] for label in (*CONTROL_LABELS, *LISTS["heads of counters"])}

NOTICES = re.sub(r"\([^()]*\)", "(", f"{ADVERTISEMENTS}|{GO_ON}|{LOADING}|{OTHERS}").split("|")
LEAD_HEADS = {
    text[:HEAD]
    for text in chain((REST.sub("", raw) for raw in NOTICES), YOU_ARE_HERE, FIRST_PAGES, LEADS)
}
HEADS = LEAD_HEADS | LABEL_HEADS | {*digits}
NO_WORD = "".join(sign for sign in map(chr, range(128)) if not sign.isalnum())


def likely_nodes(page: Page) -> tuple[list[int], list[int]]:
    """Text nodes that may begin a notice or a lead, and those that may begin the label of a button or a counter."""
    likely = nodes_that_may_begin(page, HEADS, NO_WORD)
    heads = [(n, page.nodes[n].text.lstrip(LEAD_SIGNS)[:HEAD].lower()) for n in likely]
    labels = [n for n, head in heads if head in LABEL_HEADS or head[:1].isdecimal()]
    return [n for n, head in heads if head in LEAD_HEADS], labels


def control_labels(lines: LineValues, likely: Sequence[int]) -> list[int]:
    """Lines that are labels of buttons and counters; `likely` are nodes that may begin one."""
    return [
        line
        for line, text in _short_texts(lines, likely, COUNTER_WORDS)
        if _is_label(text.strip(LABEL_SIGNS)) or _are_labels(lines.nodes(line))
    ]


def _is_label(text: str) -> bool:
    return text in CONTROL_LABELS or COUNTER.fullmatch(text) is not None


def _are_labels(nodes: Sequence[TextNode]) -> bool:
    """Return whether each of several texts is a label, or the length of what one offers to play."""
    texts = (node.text.strip(LABEL_SIGNS).lower() for node in (nodes if len(nodes) > 1 else ()))
    are_labels = (_is_label(text) for text in texts if text and not LENGTH.fullmatch(text))
    return next(are_labels, False) and all(are_labels)


def aside_lines(lines: LineValues, likely: Sequence[int]) -> list[int]:
    """Rule of each line: UNSEEN or OF_SITE if all of it is in such an aside, else NEITHER; `likely` are nodes that may begin a notice.

    Hidden text stays where it has more content than visible text: scripts show such a page, or the site sells it.
    Text of the site stays where hardly anything else is content, as on a sign-in page.
    """
    worded = [*_notices(lines, likely), *_calls(lines), *_credits(lines), *_contents(lines)]
    worded += _line_numbers(lines)
    rights = _note_on_rights(lines)
    rules = aside_rules(lines)
    for line in worded:
        rules[line] = OF_SITE
    if any(rules):
        words = content_words(lines, rules)
        off = {UNSEEN} if words[UNSEEN] > words[NEITHER] else set()
        if words[NEITHER] < HARDLY_ANY and 2 * words[OF_SITE] > words[NEITHER]:
            off.add(OF_SITE)
        rules = [NEITHER if rule in off else rule for rule in rules] if off else rules
    for line in rights:
        rules[line] = rules[line] or OF_SITE
    return rules


def _note_on_rights(lines: LineValues) -> range:
    """Lines from a note on rights on, with hardly a word of content below: a footer, also of a page with little else."""
    first = end = len(lines.gains)
    below = 0.0
    while first and below <= FOOTER_WORDS:
        first -= 1
        below += lines.words[first] if lines.gains[first] >= 0 else 0.0
    start = lines.starts[first]
    likely = compiled.texts_with(lines.page.nodes[start:], RIGHTS_STEMS)
    texts = _short_texts(lines, [start + n for n in likely], NOTICE_WORDS)
    notes = [line for line, _ in texts if RIGHTS.match(lines.text(line))]
    return range(max(notes, default=end), end)


def _line_numbers(lines: LineValues) -> list[int]:
    """Lines that are all in gutters of code, and have no letters."""
    page = lines.page
    numbers = texts_within(page, elements_of_classes(page, GUTTERS))
    return _whole_lines(lines, [n for n in numbers if not LETTER_RUN.search(page.nodes[n].text)])


def aside_rules(lines: LineValues) -> list[int]:
    page = lines.page
    rules = [NEITHER] * len(lines.gains)
    unseen, of_site = ({*texts_within(page, some)} for some in (page.unseen, page.of_site))
    for rule, nodes in ((UNSEEN, unseen), (OF_SITE, of_site - unseen)):
        for line in _whole_lines(lines, nodes):
            rules[line] = rule
    return rules


def _whole_lines(lines: LineValues, nodes: Collection[int]) -> list[int]:
    """Lines of which all text nodes are among some."""
    numbers = Counter(map(lines.of_node.__getitem__, nodes)) if nodes else {}
    starts = lines.starts
    return [n for n, number in numbers.items() if number == starts[n + 1] - starts[n]]


def _notices(lines: LineValues, likely: Sequence[int]) -> Iterator[int]:
    """Lines that stand for an advertisement, for content shown only after consent, or for other pages."""
    leads = 0
    for line, text in _short_texts(lines, likely, NOTICE_WORDS):
        has_link = any(lines.links(line))  # names of menus have none
        is_worded = NOTICE.match(text) or (has_link and TRAIL.match(text))
        if is_worded or (has_link and _is_pointer(lines, line, text)):
            yield line
        elif text.strip(LEAD_SIGNS) in ABOVE_LINKS and not is_linked(lines, line):
            leads += 1
            yield from _pointed_to(lines, line) if leads <= LEADS_ABOVE else ()


def _is_pointer(lines: LineValues, line: int, text: str) -> bool:
    """Return whether all of a line with links but these are leads, or a lead begins a line that is one link."""
    nodes, links = lines.nodes(line), lines.links(line)
    others = [node.text for node, is_link in zip(nodes, links, strict=True) if not is_link]
    if len(nodes) == 1 and not LEAD_END.search(text):
        return False
    leads = {*map(_plain, others)} - {""}
    if leads and not leads <= LEADS:
        leads = {_plain(" ".join(others))}
    if not leads:
        begins = {_plain(nodes[0].text), LEAD_END.split(text, 1)[0].strip(LEAD_SIGNS)}
        leads = (begins - {text.strip(LEAD_SIGNS)}) & LEADS
    if not leads or not leads <= LEADS:
        return False
    is_clear = LEAD_END.search(text) is not None or any(" " in lead for lead in leads & TO_TOPICS)
    return is_clear or (lines.words[line] > LABEL_WORDS and not leads.isdisjoint(TO_PAGES))


def _pointed_to(lines: LineValues, lead: int) -> range:
    """A lead with what it leads to: all of a box of links and teasers that it begins, else a list of them or lines of links behind it."""
    page, last, end = lines.page, lead, lead
    for box in ancestors(page.parents, lines.nodes(lead)[0].element):
        inside = nodes_within(page, box)
        end = lines.of_node[inside[-1]]
        if lines.of_node[inside[0]] < lead or not _are_teasers(lines, range(lead + 1, end + 1)):
            break
        last = end
    if last < end and (box := nearest_of_tags(page, lines.nodes(last + 1)[0].element, LISTED)) >= 0:
        inside = nodes_within(page, box)
        behind = range(lines.of_node[inside[0]], lines.of_node[inside[-1]] + 1)
        last = behind[-1] if behind[0] == last + 1 and _are_teasers(lines, behind) else last
    while last < end and is_linked(lines, last + 1):
        last += 1
    pointed = range(lead, last + 1 if last > lead else lead)
    is_part = LARGEST_PART * sum(lines.words[line] for line in pointed) <= sum(lines.words)
    return pointed if is_part else range(lead, lead)


def _are_teasers(lines: LineValues, some: range) -> bool:
    """Return whether each line is a link, a label, or a short text behind a link of its own."""
    links = teasers = 0
    for line in some:
        if is_linked(lines, line):
            links += 1
        elif lines.words[line] > LABEL_WORDS:
            teasers += 1
            if teasers > links or lines.words[line] > NOTICE_WORDS:
                return False
    return links > 0 or not some


def is_linked(lines: LineValues, line: int) -> bool:
    of_nodes = zip(lines.nodes(line), lines.links(line), strict=True)
    return {is_link for node, is_link in of_nodes if _plain(node.text)} == {True}


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(LEAD_SIGNS)


def _calls(lines: LineValues) -> list[int]:
    """Lines with a link, or above one, that call upon readers to subscribe or to follow the site, and the label above them."""
    likely = compiled.texts_with(lines.page.nodes, CALL_STEMS)  # few texts of few pages
    calls = [
        line
        for line, text in _short_texts(lines, likely, NOTICE_WORDS)
        if (any(lines.links(line)) or is_linked(lines, min(line + 1, len(lines.words) - 1)))
        and CALL.search(text)
        and len(SENTENCES.findall(text)) <= CALL_SENTENCES
    ]
    above = [line - 1 for line in calls if line and lines.words[line - 1] < LABEL_WORDS]
    return [*calls, *(line for line, text in _texts(lines, above) if "newsletter" in text)]


def _credits(lines: LineValues) -> list[int]:
    """Lines beside pictures that name their source, or offer to enlarge them."""
    page = lines.page
    pictures = elements_like(page.classes, PICTURED)
    pictures |= elements_of_tags(page, "figure")
    near_pictures = _short_texts(lines, texts_within(page, pictures), CREDIT_WORDS)
    return [line for line, text in near_pictures if CREDIT.search(text)]


def _short_texts(lines: LineValues, nodes: Sequence[int], most: int) -> Iterator[tuple[int, str]]:
    """Lines with some text nodes, in order, that have so many words at most, each with its text."""
    those_lines = dict.fromkeys(map(lines.of_node.__getitem__, nodes))
    return _texts(lines, [line for line in those_lines if lines.words[line] <= most])


def _contents(lines: LineValues) -> Iterator[int]:
    """Lines that are links to other places of the page, in a list or one behind the other, of which most repeat a heading, with the label above them; and those of links to headings alone."""
    page = lines.page
    links = {link for link, _ in page.jumps}
    in_jumps, of_node = texts_within(page, links), lines.of_node
    if min(len(links), len(in_jumps)) < ENTRIES:
        return
    headings = {of_node[n] for n in texts_within(page, elements_of_tags(page, *HEADINGS))}
    linked = {of_node[n] for n in in_jumps} - headings
    jumps = {*in_jumps}
    named = {letters(text) for _, text in _texts(lines, headings)}
    for line, some in groupby(in_jumps, of_node.__getitem__):
        names = [page.nodes[n].text for n in some]
        of_line = range(lines.starts[line], lines.starts[line + 1])
        between = (page.nodes[n].text for n in of_line if n not in jumps)
        is_bar = len(names) >= ENTRIES and named.issuperset(map(letters, names))
        if is_bar and not any(map(WORD.search, between)):  # letters above a glossary
            yield line
    repeated = {n for n, text in _texts(lines, linked if named else ()) if letters(text) in named}
    if 2 * len(repeated) < ENTRIES:  # as on most pages
        return
    in_list = outermost_elements(page, elements_of_tags(page, "ul", "ol"))
    first, end = min(linked), max(linked) + 1
    # Numbers may stand between the links, and in a list other texts beside them.
    others = {
        of_node[n]
        for n in range(lines.starts[first], lines.starts[end])
        if n not in jumps and not NUMBER.fullmatch(page.nodes[n].text)
        if in_list[page.nodes[n].element] < 0 or of_node[n] not in linked
    }
    breaks = [*accumulate(line in others or line in headings for line in range(end))]
    for _, group in groupby(sorted(linked - others), breaks.__getitem__):
        run = [*group]
        if len(run) >= ENTRIES and 2 * len(repeated.intersection(run)) >= len(run):
            above = run[0] - 1
            if above >= 0 and above not in headings and lines.words[above] <= LABEL_WORDS:
                yield above
            yield from run


def _texts(lines: LineValues, some: Iterable[int]) -> Iterator[tuple[int, str]]:
    nodes, starts = lines.page.nodes, lines.starts
    for line in some:
        start, end = starts[line], starts[line + 1]
        text = nodes[start].text
        if end > start + 1:
            text += "".join([" " * n.spaced + n.text for n in nodes[start + 1 : end]])
        yield line, " ".join(text.lower().split())


def content_words(lines: LineValues, rules: Sequence[int]) -> dict[int, float]:
    """Words of content by the rule of their line."""
    words = dict.fromkeys((NEITHER, UNSEEN, OF_SITE), 0.0)
    for of_line, gain, rule in zip(lines.words, lines.gains, rules, strict=True):
        if gain >= 0:
            words[rule] += of_line
    return words
