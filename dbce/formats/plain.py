"""The content of a page as plain text: one line a paragraph, the lines of code as they stand.

Most pages read the same without markup: their lines are made of text nodes, without leaves.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from dbce import html
from dbce.formats import leaves
from dbce.formats.lines import ContentNodes
from dbce.formats.notes import read_notes
from dbce.formats.part import NOTE_MARK, Part
from dbce.formats.places import CONTAINERS
from dbce.html import HEADINGS, VERBATIM
from dbce.kernel import compiled
from dbce.model import Page, printable

ORDINAL = re.compile(r"(?:st|nd|rd|th|ers?|re|[eèoaªº]|ème|nde?)[\s.,;:)]*", re.IGNORECASE)
"""Superscript of a number that reads as it is: 1st."""

SIGNED = re.compile(r"(?:[+\-\u2212]?\w+|\d*[+\-\u2212])[\s.,;:)]*")
"""Superscript that needs no brackets."""

MARK_BEHIND = re.compile(r"[.,;:!?…”’»]\d{1,3}(?:\W\d{1,3})*|\D\d{1,3}(?:, ?\d{1,3})+")
"""Superscript that is the mark of a note, with what is before it: a sign of punctuation, or no digit if it has several numbers."""

VARIABLE = re.compile(r"(?:^|[^\w])(?:[A-Za-z_]{1,2}_)?[^\W\d_]{1,2}$|[)\]]$")
LONGEST_VARIABLE = 10  # characters at the end of a text that VARIABLE looks at, and more


MARKED = frozenset({"q", "sub", "sup", "ruby", "thead", "tfoot", *VERBATIM})
"""Elements that have signs of their own in a text, stand elsewhere in it, or as they are written."""

BLOCKS = frozenset({*CONTAINERS, *HEADINGS})


def plain_text(blocks: Iterable[Part]) -> str:
    return "\n".join(map(plain_line, blocks))


def plain_line(block: Part) -> str:
    """The text of a paragraph, a heading or code; line breaks in it are kept, formulas are TeX."""
    text = _inline_text(block.children)
    return leaves.code_line(text) if block.tag == "pre" else text


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


# Lines of pages that read the same without markup.


def plain_lines(nodes: ContentNodes, left_out: frozenset[int]) -> Iterator[str | None]:
    """The text of each line of the content as its leaf has it, "" where nothing is seen, None where only leaves tell it."""
    page, details = nodes.page, nodes.markup.details
    code = nodes.having["text"]
    code_of, caption_of = html.enclosing_elements(page, code), leaves.captions_around(page)
    content = [n for n in nodes.numbers if n not in left_out]
    if _is_marked(nodes, content, code_of):
        yield None
        return
    holder = html.holders(page, code)
    # Lines are numbered from 0 on, code by its element from -1 down.
    units = html.lines(page, holder)
    for n in html.texts_within(page, code):
        units[n] = ~code_of[page.nodes[n].element]
    elements = (page.nodes[n].element for n in content if caption_of)
    captioned = {holder[element] for element in elements if caption_of[element] >= 0}
    for first, behind, joined in compiled.join_lines(page.nodes, content, units):
        numbers, text = content[first:behind], joined
        if (unit := units[numbers[0]]) < 0:
            has_all = leaves.is_whole(page, ~unit, len(numbers), left_out)
            yield leaves.code_line(details[~unit]["text"]) if has_all else None
            continue
        if text is None:
            text = _line(page, numbers, content[first - 1] if first else -1)
        in_caption = captioned and holder[page.nodes[numbers[0]].element] in captioned
        yield None if in_caption and text and leaves.CREDIT.search(text) else text


def _is_marked(nodes: ContentNodes, content: Sequence[int], code_of: Sequence[int]) -> bool:
    """True if content is in elements that change how a text reads, or has beside it what is no text."""
    page, having = nodes.page, nodes.having
    signs = (*having["sign"], *having["checked"])
    behind = [html.first_node(page.nodes, element) for element in signs]
    around = {number for n in behind for number in (n - 1, n)}
    if nodes.images or nodes.markup.formulas or not around.isdisjoint(nodes.numbers):
        return True
    marked = {*having["raised"], *having["white-space"]}
    marked.update(chain.from_iterable(read_notes(page)))
    for n in html.elements_of_tags(page, *MARKED):
        tag = page.tags[n]
        if tag in VERBATIM and code_of[n] >= 0:
            is_plain = BLOCKS.isdisjoint(page.tags[n + 1 : html.subtree_end(page.parents, n)])
        else:  # the head of a table where it is shown
            is_plain = tag == "thead" and page.parents[n] == n - 1 and page.tags[n - 1] == "table"
        if not is_plain:
            marked.add(n)
    nearest = html.enclosing_elements(page, marked) if marked else []
    return marked != set() and any(nearest[page.nodes[n].element] >= 0 for n in content)


def _line(page: Page, numbers: Sequence[int], last: int) -> str | None:
    """The texts of a line as one behind the `last` one, None if they may be more: signs without width alone, shortcodes, TeX, scripts without spaces."""
    pairs = zip((last, *numbers), (page.nodes[n] for n in numbers), numbers, strict=False)
    texts = [f" {t.text}" if t.spaced or n - last > 1 else t.text for last, t, n in pairs]
    joined = "".join(texts).strip()
    text = leaves.in_one_line(joined)
    if not text.isprintable():
        joined = printable(joined)
        text = leaves.in_one_line(joined)
        if text and not leaves.SEEN.search(text):
            return None
    if "[" in text and leaves.SHORTCODE.search(joined):
        return None
    if ("\\" in text or text.count("$") > 1) and (
        html.RAW_TEX.search(text) or html.TEX_BEGINS.search(text)
    ):
        return None
    if len(texts) == 1:
        return text
    # Pieces of other markup each by itself.
    ends_in_tex = "$" in text and any("$" in (t[:1], t[-1:]) for t in map(str.strip, texts))
    is_wide = "\n" in joined and not joined.isascii() and leaves.BREAK.search(joined)
    return None if is_wide or (ends_in_tex and text.count("$") > 1) else text
