"""Units of a main text, by which a history tells what changed: sentences, headings, items, rows of tables, lines of code."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.formats import block_rows
from dbce.model import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.formats import Part

HEADING = "heading"
SENTENCE = "sentence"
ITEM = "item"
ROW = "row"
CODE = "code"

KINDS = {
    "heading": HEADING,
    "paragraph": SENTENCE,
    "quotation": SENTENCE,
    "caption": SENTENCE,
    "item": ITEM,
    "term": ITEM,
    "definition": ITEM,
    "code": CODE,
}
"""The kind of unit that the text of a block consists of, by the type of the block."""

LONGEST_ROW = 400
"""Characters of a table's row that is one unit: of a longer one, which holds prose, each sentence is."""

BETWEEN_CELLS = " | "


class TextUnit(NamedTuple):
    """A unit of a main text, and the last heading above it.

    Units whose `key` is equal say the same: white space, hyphenation, forms of quotation marks and dashes make no
    difference, for templates set them as they like.
    """

    kind: str
    text: str
    key: str
    section: str


def units_of(blocks: Sequence[Part]) -> Iterator[TextUnit]:
    """Yield the units of a main text, in order."""
    section = ""
    for kind, text in _texts(blocks):
        if key := key_of(text):
            yield TextUnit(kind, text, key, section)
            if kind == HEADING:
                section = text


_KINDS_OF_TAGS = {
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), CODE),
    **dict.fromkeys(("td", "th"), ROW),
    **dict.fromkeys(("li", "dt", "dd"), ITEM),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
}


def units_of_line(tags: Sequence[str], text: str) -> Iterator[TextUnit]:
    """Yield the units of a line of a page by the elements around it, the innermost last: cells of tables one by one."""
    kind = next((k for k in map(_KINDS_OF_TAGS.get, reversed(tags)) if k), SENTENCE)
    if kind in (HEADING, ROW):
        texts: Iterable[str] = [_in_a_line(text)]
    else:
        texts = text.split("\n") if kind == CODE else sentences(text)
    yield from (TextUnit(kind, one, key, "") for one in texts if (key := key_of(one)))


def _texts(blocks: Sequence[Part]) -> Iterator[tuple[str, str]]:
    for (_, row), group in groupby(
        block_rows(blocks), key=lambda block: (block["structure"], block["row"])
    ):
        if row is None:
            for block in group:
                yield from _of_block(block)
        else:
            yield from _of_row(group)


def _of_block(block: dict[str, Any]) -> Iterator[tuple[str, str]]:
    kind = KINDS[block["type"]]
    if kind == CODE:
        yield from ((CODE, line.rstrip()) for line in block["text"].split("\n"))
    elif kind == HEADING:
        yield HEADING, _in_a_line(block["text"])
    else:
        yield from ((kind, text) for text in sentences(block["text"]))


def _of_row(blocks: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    cells = [
        " ".join(_in_a_line(block["text"]) for block in of_cell)
        for _, of_cell in groupby(blocks, key=lambda block: block["column"])
    ]
    row = BETWEEN_CELLS.join(filter(None, cells))
    if len(row) <= LONGEST_ROW:
        yield ROW, row
    else:
        yield from ((ROW, text) for cell in cells for text in sentences(cell))


def _in_a_line(text: str) -> str:
    return " ".join(text.split())


ABBREVIATED = frozenset(
    "abb abs adj adm al allg approx art aufl ausg bd bzw ca cf chap col dept dr ed eds engl etc evtl ff fig figs "
    "gen gov hon hr hrsg inkl jh jr kap lt mio mlle mme mr mrs ms mt nr num op phil pp prof rep rev resp sen sgt sog "
    "sr st str tel trans univ usw vgl vol vs".split()
)
"""Words before a full stop that ends no sentence, in lower case."""

LONGEST_ABBREVIATION = 20
"""Characters before a full stop that are looked at."""

_STOP = re.compile(
    r"(?:(?<![.!?…])[.!?…]++[\"'”’»)\]]*\s+|(?<![。！？｡])[。！？｡]++[」』”’）\"]*\s*|\n)"  # noqa: RUF001
)
_LAST_WORD = re.compile(r"(?<![\d.,:])\w+$")
_OPENING = "\"'“‘«([¿¡„»"  # noqa: RUF001


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line end ends one, too."""
    start = 0
    for stop in _STOP.finditer(text):
        before = text[max(start, stop.start() - LONGEST_ABBREVIATION) : stop.start()]
        if _ends_sentence(before, stop[0], text[stop.end() : stop.end() + 2]):
            yield _in_a_line(text[start : stop.end()])
            start = stop.end()
    yield _in_a_line(text[start:])


def _ends_sentence(before: str, stop: str, after: str) -> bool:
    """Return whether a sentence ends where something stands that may end one.

    **choice**: a number of two digits and a full stop is an ordinal, or begins an item: "3. Mai", "2. Methods".
    """
    if not stop.startswith(".") or stop.startswith(".."):
        return stop[0] in "\n。！？｡" or not after.lstrip(_OPENING)[:1].islower()
    if after.lstrip(_OPENING)[:1].islower():
        return False
    last = _LAST_WORD.search(before)
    word = last[0].lower() if last else ""
    is_ordinal = word.isdigit() and len(word) <= 2
    return not (is_ordinal or word in ABBREVIATED or (len(word) == 1 and word.isalpha()))
