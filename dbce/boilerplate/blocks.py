"""Blocks: the stretches of a site that are compared within themselves, cut so that many can share its work."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.model import Config

BLOCK = 4096
"""Captures of a block at most: with 1,300 words each, 200 MB while they are compared.

A site with more is cut, so that many can share its work. Within a block all signatures are compared
with all others: the only work that grows with its size, and here less than a tenth of the whole.
"""


class Placed(Protocol):
    """Capture as cutting a site needs it: a sketch, or a row without words."""

    @property
    def surt(self) -> str:
        """The URL's sort key."""

    @property
    def timestamp(self) -> Any:
        """When it was captured: whatever can be sorted."""

    @property
    def record_id(self) -> str:
        """Id that tells the capture from all others."""


class Sited(Placed, Protocol):
    """Capture as telling places needs it, which is with the site as well: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def site(self) -> str:
        """Site within which the capture is compared."""


Row = TypeVar("Row", bound=Placed)
OfSite = TypeVar("OfSite", bound=Sited)


def place_of(one: Sited, config: Config) -> str:
    """Return the name of what is cut into blocks: the capture's site, or "" if sites may mix."""
    return "" if config.across_sites else one.site


def in_order(one: Placed) -> tuple[str, Any, str]:
    """The key that the captures of a site are sorted by before they are cut."""
    return one.surt, one.timestamp, one.record_id


def in_time(one: Placed) -> tuple[Any, str, str]:
    """The key that the captures of a stretch are sorted by before they are cut."""
    return one.timestamp, one.surt, one.record_id


def blocks(
    rows: Iterable[Row], captures: int, urls: int, config: Config, limit: int = BLOCK
) -> Iterator[list[Row]]:
    """The captures of one site, cut into blocks: its stretches, those too large cut again by time.

    Takes what `stretches` takes.
    """
    for stretch in stretches(rows, captures, urls, config, limit):
        yield from slices(stretch, limit)


def stretches(
    rows: Iterable[Row], captures: int, urls: int, config: Config, limit: int = BLOCK
) -> Iterator[list[Row]]:
    """The captures of one site, cut into stretches of its URLs, about equally large.

    All snapshots of a URL are in one stretch, and every one has URLs enough to fill a circle, even
    where that makes it larger than the limit: then enough for each of its slices. The cut follows
    from the site alone. It is made while reading: no more than a stretch is held.

    Args:
        rows: the captures in the order of `in_order`.
        captures: how many there are.
        urls: how many URLs they are of.
        config: its circle says how many URLs a stretch has at least, if the site has them.
        limit: captures of a block at most.
    """
    fewest = config.circle + 2
    stretch: list[Row] = []
    inside = 0
    for _, group in groupby(rows, key=lambda row: row.surt):
        snapshots = list(group)
        # What is left is shared out again each time, so that no small rest stays at the end.
        share = captures / -(-captures // limit)
        larger = len(stretch) + len(snapshots)
        full = larger > limit or (len(stretch) + larger) / 2 > share
        enough = inside >= fewest * max(1, _parts(stretch, limit)) and urls >= fewest
        if full and enough:
            yield stretch
            captures -= len(stretch)
            stretch, inside = [], 0
        stretch += snapshots
        inside += 1
        urls -= 1
    if stretch:
        yield stretch


def slices(stretch: list[Row], limit: int = BLOCK) -> Iterator[list[Row]]:
    """The stretch, or, where it is too large, equal slices of time."""
    parts = _parts(stretch, limit)
    if parts > 1:
        stretch = sorted(stretch, key=in_time)
    for start, end in pairwise(part * len(stretch) // parts for part in range(parts + 1)):
        yield stretch[start:end]


def _parts(stretch: Sequence[Row], limit: int) -> int:
    return -(-len(stretch) // limit)


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts of a site: the first URL of each stretch, and the first capture of each slice of it.

    So the block of a capture can be told without the others.
    """

    urls: tuple[str, ...]
    times: tuple[tuple[tuple[Any, str, str], ...], ...]

    def block(self, one: Placed) -> str:
        """The name of the capture's block within the site."""
        stretch = bisect_right(self.urls, one.surt) - 1
        return f"{stretch}.{bisect_right(self.times[stretch], in_time(one)) - 1}"


def cuts_of(rows: Iterable[Row], captures: int, urls: int, config: Config) -> Cuts:
    """Return the cuts of one site, given the arguments of `stretches`."""
    first_urls, first_times = [], []
    for stretch in stretches(rows, captures, urls, config):
        first_urls.append(min(row.surt for row in stretch))
        first_times.append(tuple(min(map(in_time, part)) for part in slices(stretch)))
    return Cuts(tuple(first_urls), tuple(first_times))


def all_blocks(
    captures: Iterable[OfSite], config: Config, limit: int = BLOCK
) -> Iterator[list[OfSite]]:
    """The captures of all sites, given in any order, in blocks."""
    ordered = sorted(captures, key=lambda one: (place_of(one, config), *in_order(one)))
    for _, of_place in groupby(ordered, key=lambda one: place_of(one, config)):
        site = list(of_place)
        yield from blocks(site, len(site), len({one.surt for one in site}), config, limit)
