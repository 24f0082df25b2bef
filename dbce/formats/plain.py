"""The content of a page as plain text: one line a paragraph, the lines of code as they stand.

Most lines read the same without markup: they are made of text nodes, without
leaves.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import TypeAlias

from dbce import html
from dbce.formats.leaves import (
    BREAK,
    CREDIT,
    SHORTCODE,
    captions_around,
    code_line,
    in_one_line,
    is_whole,
    leaves_of,
)
from dbce.formats.lines import ContentNodes
from dbce.formats.notes import Notes, read_notes
from dbce.formats.part import NOTE_MARK, Part
from dbce.formats.places import CONTAINERS
from dbce.html import HEADINGS, VERBATIM
from dbce.kernel import compiled
from dbce.model import Page

ORDINAL = re.compile(r"(?:st|nd|rd|th|ers?|re|[eèoaªº]|ème|nde?)[\s.,;:)]*", re.IGNORECASE)
"""Superscript of a number that reads as it is: 1st."""

SIGNED = re.compile(r"(?:[+\-\u2212]?\w+|\d*[+\-\u2212])[\s.,;:)]*")
"""Superscript that needs no brackets."""

MARK_BEHIND = re.compile(r"[.,;:!?…”’»]\d{1,3}(?:\W\d{1,3})*|\D\d{1,3}(?:, ?\d{1,3})+")
"""Superscript that is the mark of a note, with what is before it: a sign of punctuation, or no digit if it has several numbers."""

VARIABLE = re.compile(r"(?:^|[^\w])(?:[A-Za-z_]{1,2}_)?[^\W\d_]{1,2}$|[)\]]$")
LONGEST_VARIABLE = 10  # characters at the end of a text that VARIABLE looks at, and more


SIGNED_TAGS = ("q", "sub", "sup", "ruby")
"""Elements that have signs of their own in a text."""

PLACED_TAGS = ("thead", "tfoot", *VERBATIM)
"""Elements that stand elsewhere in a text, or as they are written."""

_JoinedLine: TypeAlias = "tuple[Sequence[int], str | None]"
"""The text nodes of a line, and its text as its leaf has it; None where only that tells it."""

BLOCKS = frozenset({*CONTAINERS, *HEADINGS})


def plain_text(blocks: Iterable[Part]) -> str:
    return "\n".join(map(plain_line, blocks))


def plain_line(block: Part) -> str:
    """The text of a paragraph, a heading or code; line breaks in it are kept, formulas are TeX."""
    text = _inline_text(block.children)
    return code_line(text) if block.tag == "pre" else text


def _inline_text(children: Sequence[Part | str]) -> str:
    text = ""
    for child in children:
        inner = child if isinstance(child, str) else _inline_text(child.children)
        tag, link = ("", "") if isinstance(child, str) else (child.tag, child.link)
        if tag == "br":
            inner = "\n"
        elif tag == "sup" and (link == NOTE_MARK or MARK_BEHIND.fullmatch(text[-1:] + inner)):
            inner = inner if inner[:1] in "[(" else f"[{inner}]"
        elif tag in ("sup", "sub"):
            inner = f"{_sign_before(tag, inner, text)}{inner}"
            if inner[:1] in "^_" and not SIGNED.fullmatch(inner[1:]):
                inner = f"{inner[0]}({inner[1:]})"
        text += inner
    return text


def _sign_before(tag: str, raw: str, text: str) -> str:
    """The sign by which what stands higher or lower is told from the text that it stands at, "" where none is needed."""
    if not re.search(r"[\w+\-\u2212]", raw) or raw[:1] in "[(":
        return ""
    is_number = raw.isdecimal()
    text = text[-LONGEST_VARIABLE:]
    if tag == "sub":
        is_index = VARIABLE.search(text) and not is_number
        return "_" if text[-1:].isdecimal() or is_index else ""
    if text[-1:].isdecimal():
        return "" if ORDINAL.fullmatch(raw) else "^"
    is_power = VARIABLE.search(text) and (is_number or not raw.isalpha() or raw in "ijkmnpqtxyz")
    return "^" if is_power else ""


def text_of_content(nodes: ContentNodes, left_out: frozenset[int]) -> str:
    """The text of content, without the text nodes `left_out`: that of its leaves, which are made only for lines that need theirs."""
    content = [n for n in nodes.numbers if n not in left_out]
    notes = read_notes(nodes.page)
    if _is_set_apart(nodes, content, notes):
        return plain_text(leaf for _, leaf in leaves_of(nodes, left_out) if leaf)
    lines = _joined_lines(nodes, content, left_out, notes)
    placed, to_make = list[tuple[int, str]](), list[int]()
    for rows in _paragraphs(nodes.page, lines):
        if None in (text for _, text in rows):
            to_make += chain.from_iterable(numbers for numbers, _ in rows)
        else:
            placed += ((numbers[0], text) for numbers, text in rows if text)
    if to_make:
        made = leaves_of(nodes._replace(numbers=to_make), left_out)
        placed += ((line.rows[0][0].node, plain_line(leaf)) for line, leaf in made if leaf)
        placed.sort(key=itemgetter(0))
    return "\n".join(text for _, text in placed)


def _paragraphs(page: Page, lines: Sequence[_JoinedLine]) -> Iterator[Sequence[_JoinedLine]]:
    """The lines, those together of which `<br>` may make rows of one paragraph; all of them at once if each has its text."""
    if all(text is not None for _, text in lines):  # as of most pages
        yield lines
        return
    rows = [lines[0]]
    for (before, _), line in pairwise(lines):
        start, end = page.nodes[before[-1]].after, page.nodes[line[0][0]].after
        if "br" not in page.tags[start + 1 : end + 1]:
            yield rows
            rows = []
        rows.append(line)
    yield rows


# Lines that read the same without markup.


def _joined_lines(
    nodes: ContentNodes, content: list[int], left_out: frozenset[int], notes: Notes
) -> list[_JoinedLine]:
    """The lines of the content, joined without leaves."""
    page, details = nodes.page, nodes.markup.details
    code = nodes.having["text"]
    code_of, caption_of = html.enclosing_elements(page, code), captions_around(page)
    holder = html.holders(page, code)
    # Lines are numbered from 0 on, code by its element from -1 down.
    units = html.lines(page, holder)
    for n in html.texts_within(page, code):
        units[n] = ~code_of[page.nodes[n].element]
    elements = (page.nodes[n].element for n in content if caption_of)
    captioned = {holder[element] for element in elements if caption_of[element] >= 0}
    signed = html.elements_of_tags(page, *SIGNED_TAGS) | notes.raised_marks | notes.styled_marks
    signed.update(nodes.having["raised"], nodes.having["white-space"])
    sign_of = html.enclosing_elements(page, signed) if signed else ()
    lines: list[_JoinedLine] = []
    for first, behind, joined in compiled.join_lines(page.nodes, content, units):
        numbers, text = content[first:behind], joined
        if (unit := units[numbers[0]]) < 0:
            has_all = is_whole(page, ~unit, len(numbers), left_out)
            text = code_line(details[~unit]["text"]) if has_all else None
        elif signed and any(sign_of[page.nodes[n].element] >= 0 for n in numbers):
            text = None
        elif text is None:
            text = _line(page, numbers, content[first - 1] if first else -1)
        in_caption = captioned and holder[page.nodes[numbers[0]].element] in captioned
        lines.append((numbers, None if in_caption and text and CREDIT.search(text) else text))
    return lines


def _is_set_apart(nodes: ContentNodes, content: Sequence[int], notes: Notes) -> bool:
    """True if content has beside it what is no text, or is in elements that are moved or kept as they are written."""
    page, having = nodes.page, nodes.having
    signs = (*having["sign"], *having["checked"])
    behind = [html.first_node(page.nodes, element) for element in signs]
    around = {number for n in behind for number in (n - 1, n)}
    if nodes.images or nodes.markup.formulas or not around.isdisjoint(nodes.numbers):
        return True
    code_of = html.enclosing_elements(page, having["text"])
    apart = {*notes.inline_notes, *notes.labels}
    for n in html.elements_of_tags(page, *PLACED_TAGS):
        tag = page.tags[n]
        if tag in VERBATIM and code_of[n] >= 0:
            is_plain = BLOCKS.isdisjoint(page.tags[n + 1 : html.subtree_end(page.parents, n)])
        else:  # the head of a table where it is shown
            is_plain = tag == "thead" and page.parents[n] == n - 1 and page.tags[n - 1] == "table"
        if not is_plain:
            apart.add(n)
    nearest = html.enclosing_elements(page, apart) if apart else []
    return apart != set() and any(nearest[page.nodes[n].element] >= 0 for n in content)


def _line(page: Page, numbers: Sequence[int], last: int) -> str | None:
    """The texts of a line as one behind the `last` one, None if only a leaf tells it: of signs without width, shortcodes, TeX, scripts without spaces."""
    pairs = zip((last, *numbers), (page.nodes[n] for n in numbers), numbers, strict=False)
    texts = [f" {t.text}" if t.spaced or n - last > 1 else t.text for last, t, n in pairs]
    joined = "".join(texts).strip()
    text = in_one_line(joined)
    if not text.isprintable() or "\\" in text or text.count("$") > 1:
        return None
    if "[" in text and SHORTCODE.search(joined):
        return None
    # Pieces of other markup each by itself.
    is_wide = texts[1:] and "\n" in joined and not joined.isascii() and BREAK.search(joined)
    return None if is_wide else text
