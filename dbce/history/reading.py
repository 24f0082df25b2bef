"""Captures of a URL, the text of each as its run left it, and the likeness of their templates."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
import pyarrow.compute as pc

from dbce import html
from dbce.formats import NO_LIMITS, content_of, paragraphs_of
from dbce.history.hashed_words import SOME, is_within, word_hashes
from dbce.history.units import units_of
from dbce.model import InputError, Reason, key_of
from dbce.output import INDEX, WholeTable, annotated_page, find_snapshots, has_text
from dbce.output.index import CAPTURE
from dbce.quality import kind_in_its_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.history.units import TextUnit
    from dbce.model import Hashes, Page
    from dbce.output import Row
    from dbce.storage import Folder

HELD = 16
"""Texts of captures that are in memory at a time; more than are looked ahead."""

_OF_INDEX = {
    "record_id": "record_id",
    "url": "url",
    "fetch_time": "timestamp",
    "content_digest": "digest",
    "status": "status",
    "reason": "reason",
}


class PageText(NamedTuple):
    """The text of a capture: the units of its main text, and what stands on the page besides.

    `on_page` are the keys of its units and of all texts of the page, boilerplate too. `words` are the hashes of all its
    words, `places` those of the places of its lines in the template. `gone` is what it is instead of a page, "" if it is one.
    """

    units: tuple[TextUnit, ...]
    on_page: frozenset[str]
    words: Hashes
    places: NDArray[np.uint32]
    gone: str

    def has(self, unit: TextUnit) -> bool:
        """Return whether a unit stands anywhere on the page; one of some words also as a part of other units."""
        if unit.key in self.on_page:
            return True
        words, _ = word_hashes([unit.text])
        return len(words) >= SOME and is_within(words, self.words)


def captures_of(folder: Folder, surt: str) -> list[Row]:
    """Return the captures of a URL that have a date, the earliest first, and those that are no HTML among them."""
    rows = find_snapshots(folder, surt)
    others = WholeTable(folder, f"{INDEX}/*.parquet", CAPTURE).to_table(
        columns=list(_OF_INDEX.values()),
        where=(pc.field("surt") == surt) & ~pc.field("is_html") & pc.field("timestamp").is_valid(),
    )
    known = {row["record_id"] for row in rows}
    for row in others.to_pylist():
        if row["record_id"] not in known and row["reason"] != Reason.DUPLICATE_RECORD:
            rows.append({name: row[own] for name, own in _OF_INDEX.items()})
    return sorted(rows, key=lambda row: (row["fetch_time"], row["record_id"]))


class Texts:
    """The texts of the captures of a URL, read when they are asked for; those of the last are held.

    A capture that repeats another has the text of that one. One that was not judged has none, nor has one whose
    annotated page is damaged.
    """

    def __init__(self, folder: Folder, captures: Sequence[Row]) -> None:
        self._folder = folder
        self._captures = {row["record_id"]: row for row in captures}
        self._held: OrderedDict[str, PageText | None] = OrderedDict()

    def of(self, capture: Row) -> PageText | None:
        """Return the text of a capture, None if it has none."""
        source = self._captures.get(capture.get("original") or "", capture)
        row = source if capture["reason"] == Reason.UNCHANGED else capture
        if not has_text(row):
            return None
        # Shells of equal bytes have texts of their own.
        is_stored = row.get("text_record")
        name = row["record_id"] if is_stored else row["content_digest"] or row["record_id"]
        if name not in self._held:
            self._held[name] = self._read(row)
            if len(self._held) > HELD:
                self._held.popitem(last=False)
        self._held.move_to_end(name)
        return self._held[name]

    def _read(self, row: Row) -> PageText | None:
        if row.get("text_record"):
            return plain_page_text(row["text"])
        try:
            gone = kind_in_its_place(row["damage"], row["words"], row["words_content"])
            return read_text(annotated_page(self._folder, row), row["url"], gone)
        except InputError:
            return None


def read_text(annotated: bytes, url: str, gone: str) -> PageText:
    """Return the text of an annotated page; `gone` is what it is instead of one, "" if it is one."""
    document = html.load(annotated, "text/html; charset=utf-8", NO_LIMITS)
    page = document.page
    content = html.marked_content(document.handles)
    details = html.read_details(document.page, document.elements)
    units = tuple(units_of(content_of(page, content, details, url)))
    texts = [node.text for node in page.nodes]
    words, _ = word_hashes(texts)
    return PageText(
        units,
        frozenset({*(unit.key for unit in units), *map(key_of, texts)}),
        words,
        template_places(page),
        gone,
    )


def plain_page_text(text: str) -> PageText:
    """Return the text of a page of which nothing else is known, as one that its crawler stored."""
    units = tuple(units_of(paragraphs_of(text)))
    words, _ = word_hashes([text])
    return PageText(units, frozenset(unit.key for unit in units), words, NO_PLACES, "")


NO_PLACES = np.zeros(1, np.uint32)
"""The places of lines that are in no template: like each other, and unlike all that are."""


def template_places(page: Page) -> NDArray[np.uint32]:
    """Return hashes of the places of a page's lines: the tags from the root to the block that sets each."""
    hashes: list[int] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        hashes.append(
            crc32(f"/{tag}".encode("utf-8", "replace"), hashes[parent] if parent >= 0 else 0)
        )
    holder = html.holders(page)
    return np.array([hashes[holder[node.element]] for node in page.nodes], np.uint32)


REDESIGNED = 0.4
"""Template similarity below which a template is another one; chosen on pairs whose eras are known.

Between .3 and .5 the result moves by less than .01 (docs/changes.md).
"""


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Jaccard similarity of two sets, 0 to 1; 1 if both are empty."""
    sets = [np.unique(side) for side in (left, right)]
    both = len(np.unique(np.concatenate(sets)))
    return (sum(map(len, sets)) - both) / both if both else 1.0
