"""Revisits: records that say a capture is the same as another one, which they name or give the digest of.

What a revisit repeats is looked for in this order, and the first rule that finds something counts:

1. the record id that it refers to (WARC-Refers-To);
2. the URL and the date that it refers to (WARC-Refers-To-Target-URI, WARC-Refers-To-Date);
3. a capture of its own URL with its payload digest;
4. a capture of any URL with its payload digest.

URLs are compared by their sort keys, dates to the second, since tools that take them from an index
have no more. Where several captures fit, one that has a sketch goes before one that has none, then
the earliest. A revisit is no original. The digest of an empty payload counts at the revisit's own URL
alone, for all redirects have it. Source: WARC 1.1, section 6.7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from dbce.archive import EMPTY_DIGESTS, site, surt
from dbce.model import Dropped, Reason, Repeat, Resolution

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from dbce.boilerplate.blocks import Sited
    from dbce.model import Capture

Key = tuple[Resolution, tuple[object, ...]]
OfPage = TypeVar("OfPage", bound="Sited")


class Rule(NamedTuple):
    """A way to look an original up: what a revisit `says` of it must be what a capture `has`.

    Both name fields, as many of the one as of the other. Where one is empty the rule does not apply.
    """

    resolution: Resolution
    says: tuple[str, ...]
    has: tuple[str, ...]


RULES = (
    Rule(Resolution.RECORD_ID, ("refers_to",), ("record_id",)),
    Rule(Resolution.URI_AND_DATE, ("refers_to_surt", "refers_to_second"), ("surt", "second")),
    Rule(Resolution.KEY_AND_DIGEST, ("surt", "digest"), ("surt", "digest")),
    Rule(Resolution.DIGEST, ("digest_of_something",), ("digest_of_something",)),
)
"""The rules in their order."""

TEXTS = ("signature", "words", "ends", "places")
"""Fields that the sketch of a snapshot has from the page that it repeats; the others are the revisit's."""

DUPLICATE = Repeat(Reason.DUPLICATE_RECORD, "its record id was seen before")

WORDS = {
    Resolution.RECORD_ID: "the record that it refers to is here",
    Resolution.URI_AND_DATE: "a capture of the URL and date that it refers to is here",
    Resolution.KEY_AND_DIGEST: "a capture of its URL with its digest is here",
    Resolution.DIGEST: "a capture with its digest is here",
    Resolution.NOT_HERE: "no capture here is what it says",
    Resolution.NOTHING_TO_GO_BY: "nothing to go by: no record, no URL and date, no digest",
}


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
        """The second that it refers to."""
        return _second(self.refers_to_time) if self.refers_to_time else None

    @property
    def digest_of_something(self) -> str:
        """Its digest, "" where that is of an empty payload."""
        return _of_something(self.digest)


@dataclass(frozen=True, slots=True, order=True)
class Original:
    """A capture that a revisit may repeat; of several that fit the least counts.

    `is_dropped` says that it has no sketch.
    """

    is_dropped: bool
    timestamp: datetime
    record_id: str
    surt: str
    digest: str
    is_html: bool

    @property
    def second(self) -> datetime:
        """The second of its time."""
        return _second(self.timestamp)

    @property
    def digest_of_something(self) -> str:
        """Its digest, "" where that is of an empty payload."""
        return _of_something(self.digest)


Found = tuple[Resolution, Original | None]
"""By which rule, and what; None where nothing was found."""


def revisit_of(dropped: Dropped, site_by: str) -> Revisit | None:
    """The revisit that was read; None where a capture is none."""
    said = dropped.refers_to
    if said is None or dropped.timestamp is None:
        return None
    return Revisit(
        record_id=dropped.record_id,
        site=site(dropped.url, site_by),
        surt=dropped.surt,
        timestamp=dropped.timestamp,
        digest=dropped.digest,
        is_html=dropped.is_html,
        refers_to=said.record_id,
        refers_to_site=site(said.url, site_by) if said.url else "",
        refers_to_surt=surt(said.url) if said.url else "",
        refers_to_time=said.timestamp,
    )


def original_of(one: Capture | Dropped, *, is_dropped: bool) -> Original | None:
    """Return the capture as one that a revisit may repeat; None without a record id or a date."""
    if not one.record_id or one.timestamp is None:
        return None
    html = one.is_html if isinstance(one, Dropped) else True
    return Original(is_dropped, one.timestamp, one.record_id, one.surt, one.digest, html)


def _second(time: datetime) -> datetime:
    return time.replace(microsecond=0)


def _of_something(digest: str) -> str:
    return "" if digest in EMPTY_DIGESTS else digest


def sites_of(captures: Iterable[Sited]) -> set[str]:
    """The sites of pages and revisits, and those that revisits refer to.

    There they are compared, and what revisits repeat is looked for.
    """
    sites = set()
    for one in captures:
        sites.add(one.site)
        if isinstance(one, Revisit) and one.refers_to_site:
            sites.add(one.refers_to_site)
    return sites


def resolve(revisits: Iterable[Revisit], captures: Iterable[Original]) -> dict[str, Found]:
    """Return the capture that each revisit repeats, by the revisit's record id.

    One pass over the captures, which are not asked for where there is no revisit; what is kept grows
    with the revisits alone.
    """
    asked = {
        one.record_id: [key for rule in RULES if (key := _key(rule, rule.says, one))]
        for one in revisits
    }
    first: dict[Key, Original | None] = {key: None for keys in asked.values() for key in keys}
    for capture in captures if asked else ():
        for rule in RULES:
            key = _key(rule, rule.has, capture)
            if key in first:
                best = first[key]
                first[key] = capture if best is None else min(best, capture)
    return {record_id: _found(keys, first) for record_id, keys in asked.items()}


def _key(rule: Rule, fields: Iterable[str], one: Revisit | Original) -> Key | None:
    """Return the key to look up by a rule; None if a field is empty."""
    values = tuple(getattr(one, name) for name in fields)
    return (rule.resolution, values) if all(values) else None


def _found(keys: Sequence[Key], first: Mapping[Key, Original | None]) -> Found:
    for key in keys:
        if original := first[key]:
            return key[0], original
    return (Resolution.NOT_HERE if keys else Resolution.NOTHING_TO_GO_BY), None


def failure(detail: str) -> Repeat:
    """Return the stage 3 result for a capture with which comparing fails."""
    return Repeat(Reason.FAULT, detail)


def repeat_of(found: Found) -> Repeat:
    """Return the stage 3 result for a revisit, given the capture that was found for it."""
    resolution, original = found
    if original is None:
        return Repeat(Reason.REVISIT, WORDS[resolution], resolution)
    reason, detail = Reason.UNCHANGED, WORDS[resolution]
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


def snapshot(one: Sited, original: OfPage) -> OfPage:
    """A page that is unchanged: what is known of the one it repeats, at the place and time of the revisit."""
    return replace(
        original, record_id=one.record_id, site=one.site, surt=one.surt, timestamp=one.timestamp
    )


def repeated(dropped: Dropped, repeat: Repeat) -> Dropped:
    """The capture with what stage 2 found out of it."""
    return replace(
        dropped,
        reason=repeat.reason,
        detail=repeat.detail,
        is_html=dropped.is_html or repeat.is_html,
        repeats=repeat,
    )
