"""Captures of a URL and what is compared of each: its text as its run left it, its words, its template."""

import re
from collections.abc import Sequence
from enum import IntFlag
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce import html
from dbce.formats import NO_LIMITS, content_of, paragraphs_of
from dbce.history.alignment import TextUnit, units_of
from dbce.history.wording import WORD_LISTS
from dbce.metadata import MONTHS
from dbce.model import WORD, Hashes, InputError, Page, Reason, hash_strings, key_of
from dbce.output import INDEX, Row, WholeTable, annotated_page, find_snapshots, has_text
from dbce.output.index import CAPTURE
from dbce.quality import replacement_kind
from dbce.storage import Folder

_END = "\0"  # separator of texts: no text has it (dbce.html.parse).

_OF_PROSE = re.compile(rf"{_END}|{WORD.pattern}")
_OF_CODE = re.compile(rf"{_OF_PROSE.pattern}|[^\w\s]")  # a sign is a word: `- 20` is not `+ 20`


class WordTrait(IntFlag):
    """Properties of a word that make a change of it matter."""

    NUMBER = 1
    DATE = 2
    NAME = 4
    NEGATION = 8
    SIGN = 16


NEGATIONS = frozenset(WORD_LISTS["negation"])
"""Words that negate a sentence, in the most common languages of archives; with n't, the part before it."""


class TextWords(NamedTuple):
    """Words of some texts: their hashes, their traits (WordTrait), and the end of each text's words."""

    hashes: Hashes
    traits: NDArray[np.uint8]
    ends: NDArray[np.int64]


def text_words(texts: Sequence[str], code: Sequence[str] = ()) -> TextWords:
    """Return the words of texts of prose, in lower case, followed by those of texts of code."""
    pieces = _OF_PROSE.findall(_END.join([*texts, ""])) + _OF_CODE.findall(_END.join([*code, ""]))
    encoded = pa.array(pieces, pa.string()).dictionary_encode()
    distinct, numbers = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    hashes = hash_strings([word.lower() for word in distinct])[numbers]
    traits = np.array([_trait(word) for word in distinct], np.uint8)[numbers]
    is_end = hashes == hash_strings([_END])[0]
    stops = np.flatnonzero(is_end)
    return TextWords(hashes[~is_end], traits[~is_end], stops - np.arange(len(stops)))


def _trait(word: str) -> int:
    lower = word.lower()
    return (
        WordTrait.NUMBER * (word[0].isdigit() or word[-1].isdigit())
        | WordTrait.DATE * (lower in MONTHS)
        | WordTrait.NAME * word[0].isupper()
        | WordTrait.SIGN * (not (word[0].isalnum() or word[0] == "_"))
        | WordTrait.NEGATION * (lower in NEGATIONS)
    )


LARGEST_SEARCH = 400_000_000  # texts by the words among which they are looked for: two seconds
SOME = 4  # minimum words for a text to be recognised in another: shorter ones are in many by chance


def is_within(words: Hashes, haystack_words: Hashes, count: int) -> bool:
    """Return whether words occur consecutively in others; False, unsearched, if `count` such searches would take too long."""
    if count * len(haystack_words) > LARGEST_SEARCH:
        return False
    needle, haystack, width = words.tobytes(), haystack_words.tobytes(), words.itemsize
    place = haystack.find(needle)
    while place > 0 and place % width:  # by chance, inside of another hash
        place = haystack.find(needle, place + 1)
    return place >= 0


HELD = 16  # texts of captures in memory at a time; more than the captures looked ahead

_OF_INDEX = {name: name for name in ("record_id", "url", "status", "reason", "detail")}
_OF_INDEX |= {"fetch_time": "timestamp", "content_digest": "digest"}


class PageText(NamedTuple):
    """Text of a capture: the units of its main text, and all text of the page."""

    units: tuple[TextUnit, ...]
    on_page: frozenset[str]  # keys of its units and of all texts of the page, boilerplate too
    words: Hashes  # of all texts of the page
    places: NDArray[np.uint32]  # hashes of the places of its lines in the template
    gone: str = ""  # kind of page that replaced it, "" if none did
    evidence: str = ""  # of that

    def has(self, unit: TextUnit, count: int) -> bool:
        """Return whether a unit, one of `count` looked for, stands anywhere on the page, from SOME words on also within other units."""
        if unit.key in self.on_page:
            return True
        words = text_words([unit.text]).hashes
        return len(words) >= SOME and is_within(words, self.words, count)


def captures_of(folder: Folder, surt: str) -> list[Row]:
    """Return the dated captures of a URL as rows of `pages` with `detail`, earliest first, also other than HTML."""
    rows = find_snapshots(folder, surt)
    indexed = WholeTable(folder, f"{INDEX}/*.parquet", CAPTURE).to_table(
        columns=[*_OF_INDEX.values(), "is_html"],
        where=(pc.field("surt") == surt) & pc.field("timestamp").is_valid(),
    )
    known = {row["record_id"]: row for row in rows}
    for row in indexed.to_pylist():
        if row["record_id"] in known:
            known[row["record_id"]]["detail"] = row["detail"]
        elif not row["is_html"] and row["reason"] != Reason.DUPLICATE_RECORD:
            rows.append({name: row[column] for name, column in _OF_INDEX.items()})
    return sorted(rows, key=lambda row: (row["fetch_time"], row["record_id"]))


class Texts:
    """Texts of the captures of a URL, read on demand; the last HELD are cached.

    A capture that repeats another has the text of that one. One that was not judged has none, nor has one whose
    annotated page is damaged.
    """

    def __init__(self, folder: Folder, captures: Sequence[Row]) -> None:
        self._folder = folder
        self._captures = {row["record_id"]: row for row in captures}
        self._rows: dict[str, Row] = {}
        self._text_of_row = lru_cache(HELD)(lambda name: self._read(self._rows[name]))

    def text_of(self, capture: Row) -> PageText | None:
        source = self._captures.get(capture.get("original") or "", capture)
        row = source if capture["reason"] == Reason.UNCHANGED else capture
        if not has_text(row):
            return None
        # Shells of equal bytes have texts of their own.
        is_stored = row.get("text_record")
        name = row["record_id"] if is_stored else row["content_digest"] or row["record_id"]
        self._rows[name] = row
        return self._text_of_row(name)

    def _read(self, row: Row) -> PageText | None:
        if row.get("text_record"):
            units = tuple(units_of(paragraphs_of(row["text"])))
            on_page = frozenset(unit.key for unit in units)
            # No template: equal to each other, and unlike any template.
            nowhere = np.zeros(1, np.uint32)
            return PageText(units, on_page, text_words([row["text"]]).hashes, nowhere)
        try:
            gone = replacement_kind(row["damage"], row["words"], row["words_content"])
            text = read_text(annotated_page(self._folder, row), row["url"])
            return text._replace(gone=gone, evidence=row["damage_reason"] or "")
        except InputError:
            return None


def read_text(annotated: bytes, url: str) -> PageText:
    document = html.load(annotated, "text/html; charset=utf-8", NO_LIMITS)
    page = document.page
    content = html.content_nodes(html.marks(document.handles))
    details = html.read_details(page, document.elements, document.attributes)
    units = tuple(units_of(content_of(page, content, details, url)))
    texts = [node.text for node in page.nodes]
    on_page = frozenset({*(unit.key for unit in units), *map(key_of, texts)})
    return PageText(units, on_page, text_words(texts).hashes, template_places(page))


def template_places(page: Page) -> NDArray[np.uint32]:
    """Return hashes of the places of a page's lines: the tags from the root to the block that sets each."""
    hashes: list[int] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        above = hashes[parent] if parent >= 0 else 0
        hashes.append(crc32(f"/{tag}".encode("utf-8", "replace"), above))
    holder = html.holders(page)
    return np.array([hashes[holder[node.element]] for node in page.nodes], np.uint32)


REDESIGNED = 0.4
"""Template similarity below which a page was redesigned; chosen on pairs whose eras are known.

Between .3 and .5 the result moves by less than .01 (docs/changes.md).
"""


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Jaccard similarity of two sets, 0 to 1; 1 if both are empty."""
    sets = [np.unique(side) for side in (left, right)]
    both = len(np.unique(np.concatenate(sets)))
    return (sum(map(len, sets)) - both) / both if both else 1.0
