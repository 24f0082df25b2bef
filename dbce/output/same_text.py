"""Captures with the same text, at other URLs and on other sites: pairs, never groups that grow by chains.

Exact pairs follow from the digests of texts. Near ones are proposed by signatures and measured on the texts; each is a pair of two
texts that are so much alike themselves. All is made of columns of `pages`, whoever wrote them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dbce.boilerplate import PERMUTATIONS, bands_and_rows, text_similarity
from dbce.output.schemas import PAGES
from dbce.output.whole_tables import WholeTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from dbce.storage import Folder

    Signatures = NDArray[np.uint32]

_COLUMNS = ["record_id", "url", "url_surtkey", "site", "fetch_time", "text_digest"]

BESIDE = 16
"""Texts of a bucket that each is compared with, the next ones by their signatures: a form letter of 10,000 pages has 50 million pairs."""

MARGIN = 0.15
"""A pair is measured if its signatures promise the similarity asked for less this, more than two standard errors."""

AT_ONCE = 10_000
"""Pairs whose texts are in memory at a time."""


class TextOf(NamedTuple):
    """First capture of a URL that has a text."""

    digest: str
    time: str
    record_id: str
    url: str
    key: str
    site: str
    fetched: datetime | None


class SameText(NamedTuple):
    """A capture and an earlier one with the same text; `similarity` is 1 of equal texts, else measured on both."""

    capture: TextOf
    same_text_as: TextOf
    similarity: float

    @property
    def is_across(self) -> bool:
        """Return whether they are of different sites."""
        return self.capture.site != self.same_text_as.site


def same_texts(folder: Folder, near: float | None = None) -> Iterator[SameText]:
    """Yield the pairs of a run: of each text of a URL the first capture, with the first ones that had it elsewhere.

    There are up to two of equal texts: with the first URL of its site that has the text, and with the first of all. With `near`
    also pairs of texts that are alike by that much, each text by its first capture.
    """
    firsts = sorted(_firsts(folder))
    yield from _exact(firsts)
    if near is not None:
        by_digest: dict[str, TextOf] = {}
        for one in firsts:
            by_digest.setdefault(one.digest, one)
        yield from _near(folder, sorted(by_digest.values(), key=lambda one: one[1:3]), near)


def _firsts(folder: Folder) -> Iterable[TextOf]:
    """Return the first capture of every URL with every text of it; half a kilobyte each is in memory."""
    firsts: dict[tuple[str, str], TextOf] = {}
    table = WholeTable(folder, "pages/*.parquet", PAGES)
    for batch in table.batches(_COLUMNS, pc.field("text_digest").is_valid()):
        for row in batch.to_pylist():
            time = row["fetch_time"]
            one = TextOf(
                *(row["text_digest"], str(time) if time else "~", row["record_id"], row["url"]),
                *(row["url_surtkey"], row["site"], time),
            )
            known = firsts.get((one.digest, one.key))
            if known is None or one[:3] < known[:3]:
                firsts[one.digest, one.key] = one
    return firsts.values()


def _exact(firsts: Sequence[TextOf]) -> Iterator[SameText]:
    """Yield the pairs of equal texts; `firsts` are by text and time."""
    of_all: TextOf | None = None
    of_site: dict[str, TextOf] = {}
    for one in firsts:
        if of_all is None or of_all.digest != one.digest:
            of_all, of_site = one, {}
        own = of_site.setdefault(one.site, one)
        if own is not one:
            yield SameText(one, own, 1.0)
        if of_all.site != one.site:
            yield SameText(one, of_all, 1.0)


def _near(folder: Folder, texts: Sequence[TextOf], least: float) -> Iterator[SameText]:
    """Yield the pairs of texts that are not equal, the earlier of each as what the later is like."""
    numbers = {one.record_id: number for number, one in enumerate(texts)}
    signatures = _signatures(folder, numbers)
    pairs = _candidates(signatures, least)
    for start in range(0, len(pairs), AT_ONCE):
        part = [
            pair
            for pair in pairs[start : start + AT_ONCE].tolist()
            if texts[pair[0]].key != texts[pair[1]].key  # `dbce history` tells of those
        ]
        told = _texts(folder, {texts[number].record_id for pair in part for number in pair})
        for earlier, later in part:
            first, second = texts[earlier], texts[later]
            similarity = text_similarity(told[first.record_id], told[second.record_id])
            if similarity >= least:
                yield SameText(second, first, round(similarity, 4))


def _signatures(folder: Folder, numbers: dict[str, int]) -> Signatures:
    """Return the signatures of captures by their numbers; 256 bytes each. That of a text without words has no equal."""
    signatures = np.zeros((len(numbers), PERMUTATIONS), np.uint32)
    signatures[:, :] = np.arange(len(numbers), dtype=np.uint32)[:, None]
    table = WholeTable(folder, "pages/*.parquet", PAGES)
    for batch in table.batches(
        ["record_id", "text_signature"], pc.field("text_signature").is_valid()
    ):
        for record_id, signature in zip(*(c.to_pylist() for c in batch.columns), strict=True):
            if record_id in numbers:
                signatures[numbers[record_id]] = np.frombuffer(signature, "<u4")
    return signatures


def _candidates(signatures: Signatures, least: float) -> NDArray[np.int64]:
    """Return the pairs of texts that share a band and may be alike enough, each once, in order."""
    count, rows = bands_and_rows(least, PERMUTATIONS)
    known = np.empty((0, 2), np.int64)
    for band in range(count):
        part = np.ascontiguousarray(signatures[:, band * rows : (band + 1) * rows])
        order = np.lexsort((signatures[:, -1], *part.T[::-1]))
        ordered = part[order]
        for step in range(1, min(BESIDE + 1, len(order))):
            is_equal = (ordered[step:] == ordered[:-step]).all(axis=1)
            pairs = np.sort(np.stack((order[:-step][is_equal], order[step:][is_equal]), 1), axis=1)
            if not len(pairs):
                break
            alike = (signatures[pairs[:, 0]] == signatures[pairs[:, 1]]).mean(axis=1)
            known = np.unique(np.concatenate((known, pairs[alike >= least - MARGIN])), axis=0)
    return known


def _texts(folder: Folder, record_ids: set[str]) -> dict[str, str]:
    """Return the main texts of captures."""
    ids = pa.array(sorted(record_ids), pa.string())
    rows = WholeTable(folder, "pages/*.parquet", PAGES).to_table(
        ["record_id", "text"], pc.field("record_id").isin(ids) & pc.field("text").is_valid()
    )
    return dict(zip(*(column.to_pylist() for column in rows.columns), strict=True))
