"""The selection: a choice among the captures of the inputs, and samples of it."""

from __future__ import annotations

import heapq
import re
from array import array
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, Self

from dbce.archive.records.identity import host, site, surt, timestamp14, typed_time
from dbce.model import UsageError, digest64

UNDECLARED = "unk"  # the media type that indexes give a capture that declares none
_LAST = "99991231235959"  # of every part of a date the last; the day depends on the month


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice among captures; the default takes all.

    `hosts` are host names without `www.`, or `*.NAME` for a name and all below it. `url_prefixes`
    are URLs. `since` and `until` are 14-digit timestamps, both inclusive, "" where there is no bound.
    `mimes` are media types, in which `*` stands for anything. `sample` is the number of captures to
    draw from what the others leave; `cutoff` is the largest rank that was drawn, and None before.
    """

    hosts: tuple[str, ...] = ()
    url_prefixes: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    mimes: tuple[str, ...] = ()
    sample: int | None = None
    cutoff: int | None = None

    @property
    def takes_all(self) -> bool:
        return self == EVERYTHING

    @property
    def is_undrawn(self) -> bool:
        """True where a sample is asked for that is not drawn yet."""
        return self.sample is not None and self.cutoff is None

    def wants(self, url: str | None, timestamp: str | None, mime: str | None) -> bool:
        """True if the capture is selected, by what is known of it; what is not known (None) excludes nothing.

        `timestamp` has 14 digits; `mime` is a media type in lower case.
        """
        if timestamp is not None and not self.since <= timestamp <= (self.until or _LAST):
            return False
        if mime is not None and self.mimes and not any(fnmatchcase(mime, m) for m in self.mimes):
            return False
        if url is None:
            return True
        return self._names(url) and (
            self.cutoff is None or timestamp is None or rank(url, timestamp) <= self.cutoff
        )

    def knows(self, url: str | None, timestamp: str | None, mime: str | None) -> bool:
        """True where this is all that must be known of a capture to select it."""
        is_known_or_unasked = (
            url is not None or not (self.hosts or self.url_prefixes or self.sample),
            timestamp is not None or not (self.since or self.until or self.sample),
            mime is not None or not self.mimes,
        )
        return all(is_known_or_unasked)

    def options(self) -> dict[str, Any]:
        """The options that make this selection, as values that JSON knows; empty where all is taken."""
        values = asdict(replace(self, cutoff=None))
        return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items() if v}

    def is_as(self, other: Selection) -> bool:
        """True if another selection has the same options; the samples drawn may differ."""
        return self.options() == other.options()

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """A selection from its fields, or its `options`, after a way through JSON too."""
        values: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()}
        return cls(**values)

    def _names(self, url: str) -> bool:
        if self.hosts:
            host = site(url, "host")
            below = tuple(each[1:] for each in self.hosts if each.startswith("*."))
            if host not in self.hosts and not f".{host}".endswith(below):
                return False
        return not self.url_prefixes or any(_begins(url, each) for each in self.url_prefixes)


EVERYTHING = Selection()


def select(
    *,
    hosts: Sequence[str] = (),
    url_prefixes: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
    mimes: Sequence[str] = (),
    sample: int | None = None,
) -> Selection:
    """The selection that a user asks for.

    Dates are 4 to 14 digits or ISO dates in UTC, and stand for all of the year, month, day, hour or
    minute that they name.
    Raises UsageError: a value makes no sense; the message says what to type instead.
    """
    selection = Selection(
        hosts=tuple(sorted({_host(text) for text in hosts})),
        url_prefixes=tuple(sorted({_prefix(text) for text in url_prefixes})),
        since=timestamp14(typed_time("--from", since)) if since else "",
        until=_last("--to", until) if until else "",
        mimes=tuple(sorted({text.strip().lower() for text in mimes})),
        sample=sample,
    )
    for mime in selection.mimes:
        if mime != UNDECLARED and not {"/", "*"} & {*mime}:
            raise UsageError(f"--mime {mime} is not a media type; give text/html, text/* or unk")
    if selection.until and selection.since > selection.until:
        raise UsageError(f"--from {since} is after --to {until}")
    if sample is not None and sample < 1:
        raise UsageError(f"--sample must be at least 1 (got {sample})")
    return selection


def check_taken(selection: Selection, taken: int, damaged: int) -> None:
    """Raise a UsageError if a selection has taken nothing beside damaged places, which it cannot leave out."""
    if not taken and not selection.takes_all:
        but = f"; damaged places without a URL: {damaged}" if damaged else ""
        raise UsageError(f"no capture of the inputs matches the selection{but}")


def rank(url: str, timestamp: str) -> int:
    """A stable number of what an index calls a capture, its sort key and its second; a sample takes the smallest."""
    return digest64(f"{surt(url)} {timestamp}".encode())


def _host(text: str) -> str:
    below = text.startswith("*.")
    name = site(f"http://{text.removeprefix('*.')}/", "host")
    if not name or set(text) & set("/?#@ *") - ({"*"} if below else set()):
        proposal = host(text) or "example.com"
        raise UsageError(
            f"--host {text!r} is not a host name; give {proposal}, or *.{proposal} for all below it too"
        )
    return f"*.{name}" if below else name


def _prefix(text: str) -> str:
    url = text if "://" in text else f"http://{text}"
    if text.startswith("/") or not site(url, "host"):
        raise UsageError(f"--url-prefix {text!r} is not a URL; give https://example.com/news/")
    return url


def _begins(url: str, prefix: str) -> bool:
    """True if the URL begins with another, in the form of their sort keys."""
    key, start = surt(url), surt(prefix)
    # Sort keys have no slash at the end: what is asked for as a folder must not match its siblings.
    if prefix.endswith("/") and not start.endswith("/"):
        return key == start or key.startswith((f"{start}/", f"{start}?"))
    return key.startswith(start)


def _last(option: str, text: str) -> str:
    first = timestamp14(typed_time(option, text))
    digits = len(re.sub(r"\D", "", text))
    if digits >= len(_LAST):
        return first
    year_and_month = first[:6] if digits >= 6 else first[:4] + _LAST[4:6]
    day = monthrange(int(year_and_month[:4]), int(year_and_month[4:]))[1]
    return first[:digits] + f"{year_and_month}{day}{_LAST[8:]}"[digits:]


# A sample of captures that is the same whatever the inputs' order: those with the smallest ranks.

# Below every other rank: stays in a sample until its record says where it belongs.
UNRANKED = -(2**63)


class Draw:
    """The `size` smallest of the ranks that are offered, each counted once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._negated: list[int] = []  # a heap: the largest of the smallest comes first
        self._taken: set[int] = set()

    def offer(self, rank: int) -> bool:
        """Takes a rank into account; whether it may be in the sample. One that is not known takes nobody's place."""
        if rank == UNRANKED or rank in self._taken:
            return True
        if len(self._negated) < self._size:
            heapq.heappush(self._negated, -rank)
        elif rank < -self._negated[0]:
            self._taken.remove(-heapq.heapreplace(self._negated, -rank))
        else:
            return False
        self._taken.add(rank)
        return True

    @property
    def cutoff(self) -> int:
        """The largest rank in the sample; `UNRANKED` where nothing was offered."""
        return -self._negated[0] if self._negated else UNRANKED


@dataclass(slots=True)
class RankedOffsets:
    """Offsets of wanted captures in one file, and their ranks; eight bytes each."""

    offsets: array[int] = field(default_factory=lambda: array("q"))
    ranks: array[int] = field(default_factory=lambda: array("q"))

    def add(self, offset: int, rank: int) -> None:
        self.offsets.append(offset)
        self.ranks.append(rank)

    def offsets_up_to(self, cutoff: int) -> tuple[int, ...]:
        """The offsets with ranks up to a cutoff, sorted, each once; with `UNRANKED` the unsure ones."""
        places = zip(self.offsets, self.ranks, strict=True)
        return tuple(sorted({offset for offset, rank in places if rank <= cutoff}))
