"""Stage 2 put together: who is compared with whom among all that was read, and what is said of the rest.

The rules, in their order:

1. Of captures with one record id the one with the least `Claim` counts, and the others are duplicates. Captures of
   another URL, time or digest have ids of their own by then (dbce.archive.RecordIds).
2. What each revisit that counts repeats is looked up (`RULES`).
3. A revisit that repeats a page joins as its snapshot, with the page's texts at its own place and time.
4. Pages that are new are compared; those known from before and snapshots are neighbours only.

Where all captures are in memory, `neighbourhood` and `compare_neighbourhood` are all of stage 2. On Spark captures
meet by joins (dbce.engine.spark.compare), made of the same `Claim`, `RULES` and `TEXTS`; each block is
compared as here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast

from dbce.archive import EMPTY_DIGESTS, site, surt
from dbce.boilerplate.compare import ComparisonFailure, SiteCapture, compare
from dbce.model import Annotation, Capture, Config, Reason, Reject, Repeat, Resolution, Sketch

OfPage = TypeVar("OfPage", bound=SiteCapture)

Place = tuple[str, int]  # place of a capture: the name of its file, and its number there


class Claim(NamedTuple):
    """Claim of a capture to its record id; the least of several counts.

    A page goes before a revisit, since it has a text of its own, and what is known from before goes
    before what is new, since it has been judged. Files then come by their names.
    """

    is_revisit: bool
    is_new: bool
    name: str
    number: int

    @property
    def place(self) -> Place:
        return self.name, self.number


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood(Generic[OfPage]):
    """Captures that are compared with each other, and what is said of new ones that are not.

    Pages have their sketches, or less where less is asked; each snapshot is a revisit with the page that it
    repeats. `to_compare` are the places of new pages; `repeats` is by place, all else by record id.
    """

    pages: Mapping[str, OfPage]
    snapshots: Mapping[str, tuple[Revisit, OfPage]]
    to_compare: Mapping[str, Place]
    repeats: Mapping[Place, Repeat]


def neighbourhood(
    new: Iterable[tuple[Place, OfPage | Revisit]],
    originals: Iterable[Original],
    known: Iterable[tuple[Place, OfPage | Revisit]] = (),
) -> Neighbourhood[OfPage]:
    """Neighbourhood of new pages and revisits, and those that are known from before.

    `originals`, what revisits may repeat among both, are asked for once, and only if there are revisits.
    """
    claimed = (
        (Claim(isinstance(capture, Revisit), is_new, name, number), capture)
        for is_new, captures in ((False, known), (True, new))
        for (name, number), capture in captures
    )
    first, duplicates = _firsts(claimed)
    pages = {r: capture for r, (_, capture) in first.items() if not isinstance(capture, Revisit)}
    revisits = [capture for _, capture in first.values() if isinstance(capture, Revisit)]
    resolved = resolve(revisits, originals)
    places, repeats = {}, {claim.place: DUPLICATE for claim in duplicates if claim.is_new}
    for record_id, (claim, _) in first.items():
        if claim.is_new and claim.is_revisit:
            repeats[claim.place] = repeat_of(resolved[record_id])
        elif claim.is_new:
            places[record_id] = claim.place
    snapshots = {
        revisit.record_id: (revisit, pages[original.record_id])
        for revisit in revisits
        if (original := resolved[revisit.record_id][1]) and not original.is_dropped
    }
    return Neighbourhood(pages, snapshots, places, repeats)


def _firsts(
    claimed: Iterable[tuple[Claim, OfPage | Revisit]],
) -> tuple[dict[str, tuple[Claim, OfPage | Revisit]], list[Claim]]:
    """Captures that count, by record id and with their claims, and the claims of duplicates."""
    first: dict[str, tuple[Claim, OfPage | Revisit]] = {}
    duplicates: list[Claim] = []
    for claim, capture in claimed:
        counts = first.setdefault(capture.record_id, (claim, capture))
        if claim < counts[0]:
            first[capture.record_id] = claim, capture
        if claim != counts[0]:
            duplicates.append(max(counts[0], claim))
    return first, duplicates


def members(near: Neighbourhood[OfPage]) -> dict[str, OfPage]:
    joining = {r: snapshot(revisit, page) for r, (revisit, page) in near.snapshots.items()}
    return {**near.pages, **joining}


def compare_neighbourhood(
    near: Neighbourhood[OfPage], config: Config, sketch_of: Callable[[OfPage], Sketch] | None = None
) -> Iterator[tuple[Place, Annotation | Repeat]]:
    """Yield places of new pages, with annotations, or with the reason why comparing failed."""
    of = near.to_compare.keys()
    for result in compare(members(near).values(), config, of=of, sketch_of=sketch_of):
        of_page = failure(result.detail) if isinstance(result, ComparisonFailure) else result
        yield near.to_compare[result.record_id], of_page


# Revisits: records that say a capture is the same as another one, which they name or give the
# digest of.
#
# What a revisit repeats is looked for by RULES in their order (docs/method.md), and the first that finds
# something counts; a server's answer that nothing was modified refers to its own URL.
#
# URLs are compared by their sort keys, dates to the second, since tools that take them from an
# index have no more. Where several captures fit, one that has a sketch goes before one that has
# none, then the earliest. A revisit is no original. The digest of an empty payload counts at the
# revisit's own URL alone, for all redirects have it. Source: WARC 1.1, section 6.7.

Key = tuple[Resolution, tuple[object, ...]]


class Rule(NamedTuple):
    """A way to look an original up: fields that a revisit `says`, and those of a capture that must be equal.

    Where one is empty the rule does not apply.
    """

    resolution: Resolution
    says: tuple[str, ...]
    has: tuple[str, ...]


RULES = (
    Rule(Resolution.RECORD_ID, ("refers_to",), ("record_id",)),
    Rule(Resolution.URI_AND_DATE, ("refers_to_surt", "refers_to_second"), ("surt", "second")),
    Rule(Resolution.KEY_AND_DIGEST, ("surt", "digest"), ("surt", "digest")),
    Rule(Resolution.DIGEST, ("digest_of_something",), ("digest_of_something",)),
    Rule(Resolution.EARLIER, ("refers_to_earlier",), ("surt",)),
)
"""Rules in their order."""

TEXTS = ("signature", "words", "ends", "places")
"""Fields that the sketch of a snapshot has from the page that it repeats; the others are the revisit's."""

DUPLICATE = Repeat(Reason.DUPLICATE_RECORD, "its record id was seen before")


@dataclass(frozen=True, slots=True)
class Revisit:
    """Revisit and its reference to the capture that it repeats ("" or None: it says nothing)."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime
    digest: str
    is_html: bool
    refers_to: str
    refers_to_site: str
    refers_to_surt: str
    refers_to_time: datetime | None

    @property
    def refers_to_second(self) -> datetime | None:
        return _second(self.refers_to_time) if self.refers_to_time else None

    @property
    def refers_to_earlier(self) -> str:
        return "" if self.refers_to_time else self.refers_to_surt

    @property
    def digest_of_something(self) -> str:
        """Its digest, "" where that is of an empty payload."""
        return _nonempty_digest(self.digest)


@dataclass(frozen=True, slots=True, order=True)
class Original:
    """A capture that a revisit may repeat; of several that fit the least counts. One without a sketch `is_dropped`."""

    is_dropped: bool
    timestamp: datetime
    record_id: str
    surt: str
    digest: str
    is_html: bool

    @property
    def second(self) -> datetime:
        return _second(self.timestamp)

    @property
    def digest_of_something(self) -> str:
        return _nonempty_digest(self.digest)


_IN_TIME = attrgetter("is_dropped", "timestamp")  # those that have a sketch first
Found = tuple[Resolution, Original | None]  # by which rule, and what; None where nothing was found


def revisit_of(dropped: Reject, site_by: str) -> Revisit | None:
    refers_to = dropped.refers_to
    if refers_to is None or dropped.timestamp is None:
        return None
    return Revisit(
        record_id=dropped.record_id,
        site=site(dropped.url, site_by),
        surt=dropped.surt,
        timestamp=dropped.timestamp,
        digest=dropped.digest,
        is_html=dropped.is_html,
        refers_to=refers_to.record_id,
        refers_to_site=site(refers_to.url, site_by) if refers_to.url else "",
        refers_to_surt=surt(refers_to.url) if refers_to.url else "",
        refers_to_time=refers_to.timestamp,
    )


def original_of(page: Capture | Reject, *, is_dropped: bool) -> Original | None:
    """Return the capture as one that a revisit may repeat; None without a record id or a date."""
    if not page.record_id or page.timestamp is None:
        return None
    html = page.is_html if isinstance(page, Reject) else True
    return Original(is_dropped, page.timestamp, page.record_id, page.surt, page.digest, html)


def _second(time: datetime) -> datetime:
    return time.replace(microsecond=0)


def _nonempty_digest(digest: str) -> str:
    return "" if digest in EMPTY_DIGESTS else digest


def sites_of(captures: Iterable[SiteCapture]) -> set[str]:
    """Sites of pages and revisits, where they are compared, and those that revisits refer to."""
    sites = set()
    for capture in captures:
        sites.add(capture.site)
        if isinstance(capture, Revisit) and capture.refers_to_site:
            sites.add(capture.refers_to_site)
    return sites


def resolve(revisits: Iterable[Revisit], captures: Iterable[Original]) -> dict[str, Found]:
    """Return the capture that each revisit repeats, by the revisit's record id.

    One pass over the captures; what is kept grows with the revisits alone.
    """
    wanted = {
        each.record_id: (each.timestamp, [key for r in RULES if (key := _key(r, r.says, each))])
        for each in revisits
    }
    fitting: dict[Key, list[Original]] = {key: [] for _, keys in wanted.values() for key in keys}
    for capture in captures if wanted else ():
        for rule in RULES:
            key = _key(rule, rule.has, capture)
            if key not in fitting:
                continue
            fitting[key].append(capture)
            if rule.resolution is not Resolution.EARLIER:
                fitting[key] = [min(fitting[key])]
    # The first of those that fit equally well is the last of them.
    fitting = {k: sorted(sorted(v, reverse=True), key=_IN_TIME) for k, v in fitting.items()}
    return {
        record_id: _first_original(keys, fitting, before)
        for record_id, (before, keys) in wanted.items()
    }


def _key(rule: Rule, fields: Iterable[str], capture: Revisit | Original) -> Key | None:
    values = tuple(getattr(capture, name) for name in fields)
    return (rule.resolution, values) if all(values) else None


def _first_original(
    keys: Sequence[Key], fitting: Mapping[Key, list[Original]], before: datetime
) -> Found:
    for key in keys:
        originals = fitting[key]
        if key[0] is Resolution.EARLIER:
            at = bisect_left(originals, (False, before), key=_IN_TIME)
            at = at or bisect_left(originals, (True, before), key=_IN_TIME)
            originals = [o for o in originals[at - 1 : at] if o.timestamp < before]
        if originals:
            return key[0], originals[0]
    return (Resolution.NOT_HERE if keys else Resolution.NOTHING_TO_GO_BY), None


def failure(detail: str) -> Repeat:
    return Repeat(Reason.FAULT, detail)


def repeat_of(resolved: Found) -> Repeat:
    resolution, original = resolved
    if original is None:
        return Repeat(Reason.REVISIT, resolution.meaning, resolution)
    reason, detail = Reason.UNCHANGED, resolution.meaning
    if original.is_dropped:
        reason, detail = Reason.UNCHANGED_NO_PAGE, f"{detail}, which has no text to compare"
    return Repeat(
        reason=reason,
        detail=detail,
        resolution=resolution,
        original=original.record_id,
        original_time=original.timestamp,
        is_html=original.is_html,
    )


def snapshot(capture: SiteCapture, original: OfPage) -> OfPage:
    """A page that is unchanged: what is known of the one it repeats, at the place and time of the revisit."""
    place = {name: getattr(capture, name) for name in ("record_id", "site", "surt", "timestamp")}
    joining: OfPage = replace(cast("Any", original), **place)
    return joining


def with_repeat(dropped: Reject, repeat: Repeat) -> Reject:
    return replace(
        dropped,
        reason=repeat.reason,
        detail=repeat.detail,
        is_html=dropped.is_html or repeat.is_html,
        repeats=repeat,
    )
