"""Captures of a run beside each other: the damage of each through time, and the same text elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce import quality
from dbce.archive import month_of, surt
from dbce.boilerplate import PERMUTATIONS, bands_and_rows, text_similarity
from dbce.model import Hashes, Reason, digest64
from dbce.output.rows import JUDGED, is_first_record, strings
from dbce.output.whole_tables import WholeTable, run_table
from dbce.storage import Folder

# What a capture shows by itself stands in `pages`. What only others show is worked out here, of
# columns alone: a page that collapsed or lost its content beside the captures of its URL before
# and after, style sheets and pictures that no record of the run holds.

_COLUMNS = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "status", "reason"),
    *("damage", "damage_reason", "words", "words_content", "words_expected"),
    *("style_sheets", "pictures"),
]

_INDEX = pa.schema(strings("surt", "reason"))
"""Columns of the index that tell what was archived."""

_EMBEDDED = (Reason.NOT_HTML, Reason.REVISIT)
"""Reasons in the index of captures that pages may embed."""

NEIGHBOURS = 3  # sound captures of the URL on each side that a capture is held against


class CaptureQuality(NamedTuple):
    """Damage of a capture, None of a sound one; numbers of its words, of those that are content, and of what is expected.

    `embeds` says whether the page names a style sheet or FEW_PICTURES: enough for them to be missed.
    """

    record_id: str
    url: str
    key: str
    site: str
    time: datetime | None
    words: int
    content: int
    expected: int
    damage: quality.Damage | None
    embeds: bool = False


class MonthQuality(NamedTuple):
    """Captures of a site in a month: how many, how many are damaged, by kind, and the share of the words that is content."""

    site: str
    month: str
    captures: int
    damaged: int
    content_share: float
    kinds: dict[str, int]


def capture_qualities(folder: Folder, whole: Folder | None = None) -> list[CaptureQuality]:
    """Return the captures that were judged, or are damaged, by site, URL and time; some 300 bytes each are in memory.

    So are the main texts of those whose content may have gone, by their words, and of the ones around them: one of 200 where
    pages were crawled for years.
    `whole` is the run without a selection: what pages embed may be of other sites.
    """
    rows = list(_captures_alone(folder, _archive_lookup(whole or folder)))
    rows.sort(key=lambda row: (row.site, row.key, str(row.time or ""), row.record_id))
    known = kinds_known(rows)
    captures = [row if known(row) else row._replace(damage=None) for row in rows]
    damages = [capture.damage for capture in captures]
    suspected: dict[int, tuple[tuple[int, ...], quality.Damage]] = {}
    around = dict(_sound_neighbours(captures))
    for number, capture in enumerate(captures):
        near = around.get(number, ())
        counts = [(captures[n].expected, captures[n].words) for n in near]
        damage, is_suspected = quality.damage_by_counts(capture.expected, capture.words, counts)
        if damage and is_suspected:
            suspected[number] = near, damage
        elif damage:
            damages[number] = damage
    places = {n for number, (near, _) in suspected.items() for n in (number, *near)}
    texts = _main_texts(folder, {captures[n].record_id for n in places}) if places else {}
    for number, (near, damage) in suspected.items():
        text, *others = (texts.get(captures[n].record_id, "") for n in (number, *near))
        if not quality.is_text_of(text, others):
            damages[number] = damage
    return [capture._replace(damage=of) for capture, of in zip(captures, damages, strict=True)]


def _captures_alone(folder: Folder, archived: Callable[[str], bool]) -> Iterator[CaptureQuality]:
    is_judged = pc.field("status").isin([str(status) for status in JUDGED])
    where = is_first_record() & (is_judged | pc.field("damage").is_valid())
    for row in run_table(folder, "pages").rows(_COLUMNS, where):
        damage = None
        sheets, pictures = row["style_sheets"] or (), row["pictures"] or ()
        embeds = bool(sheets) or len(pictures) >= quality.FEW_PICTURES
        if row["damage"]:
            damage = quality.Damage(quality.DamageKind(row["damage"]), row["damage_reason"] or "")
        elif embeds:
            damage = quality.missing_resources(sheets, pictures, archived)
        yield CaptureQuality(
            *(row["record_id"], row["url"], row["url_surtkey"], row["site"], row["fetch_time"]),
            *(row["words"] or 0, row["words_content"] or 0, row["words_expected"] or 0, damage),
            embeds=embeds,
        )


def _archive_lookup(folder: Folder) -> Callable[[str], bool]:
    """Return a function that says if an address was archived; eight bytes each are in memory."""
    embedded = pc.field("reason").isin([str(reason) for reason in _EMBEDDED])
    table = WholeTable(folder, "index/*.parquet", _INDEX)
    keys = chain.from_iterable(b["surt"].to_pylist() for b in table.batches(["surt"], embedded))
    digests = (digest64(key.encode("utf-8", "replace")) for key in keys if key)
    known: NDArray[np.int64] = np.unique(np.fromiter(digests, np.int64))

    def is_archived(address: str) -> bool:
        digest = digest64(surt(address).encode("utf-8", "replace"))
        place = int(np.searchsorted(known, digest))
        return place < len(known) and int(known[place]) == digest

    return is_archived


MISSING = frozenset(
    kind for kind in quality.DamageKind if kind.affected is quality.AffectedPart.RESOURCES
)


def kinds_known(rows: Iterable[CaptureQuality]) -> Callable[[CaptureQuality], bool]:
    """Return a function that says if the damage of a capture counts.

    Where nearly all pages that embed anything lack it, the crawl took pages alone, and that is no damage of theirs.
    """
    kinds = Counter(row.damage.kind if row.damage else None for row in rows if row.embeds)
    lacking = sum(kinds[kind] for kind in MISSING)
    is_crawl_of_pages = lacking > PAGES_ALONE * (lacking + kinds[None])
    return lambda row: not (is_crawl_of_pages and row.damage and row.damage.kind in MISSING)


PAGES_ALONE = 0.9
"""Share of the captures that lack the style sheets or pictures that they name, among these and sound ones that name some, of a crawl of pages
alone."""


def _sound_neighbours(captures: Sequence[CaptureQuality]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each sound capture by its number, with those of the sound ones of its URL around it."""
    for _, of_url in groupby(range(len(captures)), key=lambda n: captures[n].key):
        damage_of = {n: captures[n].damage for n in of_url}
        sound = [n for n, damage in damage_of.items() if not damage or damage.kind in MISSING]
        for place, number in enumerate(sound):
            before = sound[max(0, place - NEIGHBOURS) : place]
            yield number, (*before, *sound[place + 1 : place + 1 + NEIGHBOURS])


def month_qualities(captures: Iterable[CaptureQuality]) -> list[MonthQuality]:
    """Return the captures by site and month; those without a date have the month ""."""
    groups: dict[tuple[str, str], list[CaptureQuality]] = {}
    for captured in captures:
        month = month_of(captured.time) if captured.time else ""
        groups.setdefault((captured.site, month), []).append(captured)
    return [
        MonthQuality(
            *(site, month, len(group), sum(c.damage is not None for c in group)),
            sum(c.content for c in group) / max(1, sum(c.words for c in group)),
            dict(sorted(Counter(str(c.damage.kind) for c in group if c.damage).items())),
        )
        for (site, month), group in sorted(groups.items())
    ]


# Captures with the same text, at other URLs and on other sites: pairs, never groups that grow by
# chains. Exact pairs follow from the digests of texts. Near ones are proposed by signatures and
# measured on the texts. All is made of columns of `pages`, whoever wrote them.

_TEXT_COLUMNS = ["record_id", "url", "url_surtkey", "site", "fetch_time", "text_digest"]

COMPARED = 16
"""Texts of a bucket that each is compared with, the next ones by their signatures: a form letter of 10,000 pages has 50 million pairs."""

MARGIN = 0.15
"""A pair is measured if its signatures promise the similarity asked for less this, more than two standard errors."""

AT_ONCE = 10_000  # pairs whose texts are in memory at a time


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
        return self.capture.site != self.same_text_as.site


def same_texts(folder: Folder, near: float | None = None) -> Iterator[SameText]:
    """Yield the pairs of a run: of each text of a URL the first capture, with the first ones that had it elsewhere.

    There are up to two of equal texts: with the first URL of its site that has the text, and with the first of all. With `near`
    also pairs of texts that are alike by that much, each text by its first capture.
    """
    firsts = sorted(_firsts(folder))
    yield from _exact_pairs(firsts)
    if near is not None:
        by_digest: dict[str, TextOf] = {}
        for text in firsts:
            by_digest.setdefault(text.digest, text)
        yield from _near_pairs(folder, sorted(by_digest.values(), key=lambda text: text[1:3]), near)


def _firsts(folder: Folder) -> Iterable[TextOf]:
    """Return the first capture of every URL with every text of it; half a kilobyte each is in memory."""
    firsts: dict[tuple[str, str], TextOf] = {}
    for row in run_table(folder, "pages").rows(_TEXT_COLUMNS, pc.field("text_digest").is_valid()):
        time = row["fetch_time"]
        text = TextOf(
            *(row["text_digest"], str(time) if time else "~", row["record_id"], row["url"]),
            *(row["url_surtkey"], row["site"], time),
        )
        known = firsts.get((text.digest, text.key))
        if known is None or text[:3] < known[:3]:
            firsts[text.digest, text.key] = text
    return firsts.values()


def _exact_pairs(firsts: Sequence[TextOf]) -> Iterator[SameText]:
    """Yield the pairs of equal texts; `firsts` are by text and time."""
    of_all: TextOf | None = None
    of_site: dict[str, TextOf] = {}
    for text in firsts:
        if of_all is None or of_all.digest != text.digest:
            of_all, of_site = text, {}
        first_of_site = of_site.setdefault(text.site, text)
        if first_of_site is not text:
            yield SameText(text, first_of_site, 1.0)
        if of_all.site != text.site:
            yield SameText(text, of_all, 1.0)


def _near_pairs(folder: Folder, texts: Sequence[TextOf], least: float) -> Iterator[SameText]:
    """Yield the pairs of texts that are not equal, the earlier of each as what the later is like."""
    numbers = {text.record_id: number for number, text in enumerate(texts)}
    signatures = _signatures(folder, numbers)
    pairs = _candidates(signatures, least)
    for start in range(0, len(pairs), AT_ONCE):
        part = [
            pair
            for pair in pairs[start : start + AT_ONCE].tolist()
            if texts[pair[0]].key != texts[pair[1]].key  # `dbce history` tells of those
        ]
        main_texts = _main_texts(
            folder, {texts[number].record_id for pair in part for number in pair}
        )
        for earlier, later in part:
            first, second = texts[earlier], texts[later]
            similarity = text_similarity(main_texts[first.record_id], main_texts[second.record_id])
            if similarity >= least:
                yield SameText(second, first, round(similarity, 4))


def _signatures(folder: Folder, numbers: dict[str, int]) -> Hashes:
    """Return the signatures of captures by their numbers; 256 bytes each. That of a text without words has no equal."""
    signatures = np.zeros((len(numbers), PERMUTATIONS), np.uint32)
    signatures[:, :] = np.arange(len(numbers), dtype=np.uint32)[:, None]
    is_signed = pc.field("text_signature").is_valid()
    for batch in run_table(folder, "pages").batches(["record_id", "text_signature"], is_signed):
        for record_id, signature in zip(*(c.to_pylist() for c in batch.columns), strict=True):
            if record_id in numbers:
                signatures[numbers[record_id]] = np.frombuffer(signature, "<u4")
    return signatures


def _candidates(signatures: Hashes, least: float) -> NDArray[np.int64]:
    """Return the pairs of texts that share a band and may be alike enough, each once, in order."""
    count, rows = bands_and_rows(least, PERMUTATIONS)
    known = np.empty((0, 2), np.int64)
    for band in range(count):
        part = np.ascontiguousarray(signatures[:, band * rows : (band + 1) * rows])
        order = np.lexsort((signatures[:, -1], *part.T[::-1]))
        ordered = part[order]
        for step in range(1, min(COMPARED + 1, len(order))):
            is_equal = (ordered[step:] == ordered[:-step]).all(axis=1)
            pairs = np.sort(np.stack((order[:-step][is_equal], order[step:][is_equal]), 1), axis=1)
            if not len(pairs):
                break
            alike = (signatures[pairs[:, 0]] == signatures[pairs[:, 1]]).mean(axis=1)
            known = np.unique(np.concatenate((known, pairs[alike >= least - MARGIN])), axis=0)
    return known


def _main_texts(folder: Folder, record_ids: set[str]) -> dict[str, str]:
    ids = pa.array(sorted(record_ids), pa.string())
    where = pc.field("record_id").isin(ids) & pc.field("text").is_valid()
    rows = run_table(folder, "pages").to_table(["record_id", "text"], where)
    return dict(zip(*(column.to_pylist() for column in rows.columns), strict=True))
