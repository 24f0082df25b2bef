"""Stage 2: sketches become annotations.

A block is a stretch of a site that is compared within itself. Its sketches, brought to one place,
are all that is needed: who is compared with whom and which words they share follow from them alone.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import numpy as np

from dbce.boilerplate import cross, variants
from dbce.boilerplate.cross import Crosses, Members
from dbce.boilerplate.diff import Texts, align, match, texts_of
from dbce.boilerplate.peer_support import BlockNodes, circles, snapshots
from dbce.boilerplate.sketch import bands
from dbce.boilerplate.variants import Numbers
from dbce.model import NOT_OF_A_RECORD, Annotation, Config, Mask, Sketch, fault_detail

# Blocks: the stretches of a site that are compared within themselves, cut so that many can share
# its work.

BLOCK = 4096
"""Captures of a block at most: with 1,300 words each, 200 MB while they are compared.

A site with more is cut, so that many can share its work. Within a block all signatures are compared
with all others: the only work that grows with its size, and here less than a tenth of the whole.
"""


class SiteCapture(Protocol):
    """A capture as telling places and cutting a site need it, a sketch or a row without words; `timestamp` can be sorted."""

    @property
    def record_id(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def surt(self) -> str: ...
    @property
    def timestamp(self) -> Any: ...


OfSite = TypeVar("OfSite", bound=SiteCapture)


def in_order(capture: SiteCapture) -> tuple[str, Any, str]:
    return capture.surt, capture.timestamp, capture.record_id


def in_time(capture: SiteCapture) -> tuple[Any, str, str]:
    return capture.timestamp, capture.surt, capture.record_id


def stretches(
    rows: Iterable[OfSite], captures: int, urls: int, config: Config
) -> Iterator[list[OfSite]]:
    """Captures of one site, given `in_order` with the numbers of them and their URLs, cut into stretches about equally large.

    All snapshots of a URL are in one stretch, and every one has URLs enough to fill a circle, even
    where that makes it larger than BLOCK: then enough for each of its slices. The cut follows
    from the site alone. It is made while reading: no more than a stretch is held.
    """
    fewest = config.circle + 2
    stretch: list[OfSite] = []
    inside = 0
    for _, group in groupby(rows, key=lambda row: row.surt):
        snapshots = list(group)
        # What is left is shared out again each time, so that no small rest stays at the end.
        share = captures / -(-captures // BLOCK)
        larger = len(stretch) + len(snapshots)
        full = larger > BLOCK or (len(stretch) + larger) / 2 > share
        enough = inside >= fewest * max(1, _parts(stretch)) and urls >= fewest
        if full and enough:
            yield stretch
            captures -= len(stretch)
            stretch, inside = [], 0
        stretch += snapshots
        inside += 1
        urls -= 1
    if stretch:
        yield stretch


def slices(stretch: list[OfSite]) -> Iterator[list[OfSite]]:
    """The stretch, or, where it is too large, equal slices of time."""
    parts = _parts(stretch)
    if parts > 1:
        stretch = sorted(stretch, key=in_time)
    for start, end in pairwise(part * len(stretch) // parts for part in range(parts + 1)):
        yield stretch[start:end]


def _parts(stretch: Sequence[OfSite]) -> int:
    return -(-len(stretch) // BLOCK)


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts of a site: the first URL of each stretch, and the first capture of each slice of it."""

    urls: tuple[str, ...]
    times: tuple[tuple[tuple[Any, str, str], ...], ...]

    def block(self, capture: SiteCapture) -> str:
        stretch = bisect_right(self.urls, capture.surt) - 1
        return f"{stretch}.{bisect_right(self.times[stretch], in_time(capture)) - 1}"


def cuts_of(rows: Iterable[OfSite], captures: int, urls: int, config: Config) -> Cuts:
    first_urls, first_times = [], []
    for stretch in stretches(rows, captures, urls, config):
        first_urls.append(min(row.surt for row in stretch))
        first_times.append(tuple(min(map(in_time, part)) for part in slices(stretch)))
    return Cuts(tuple(first_urls), tuple(first_times))


def all_blocks(captures: Iterable[OfSite], config: Config) -> Iterator[list[OfSite]]:
    """Blocks of captures: the stretches of each site, those too large cut again by time."""

    def place(capture: OfSite) -> str:
        return "" if config.across_sites else capture.site

    ordered = sorted(captures, key=lambda capture: (place(capture), *in_order(capture)))
    for _, of_place in groupby(ordered, key=place):
        site = list(of_place)
        for stretch in stretches(site, len(site), len({capture.surt for capture in site}), config):
            yield from slices(stretch)


# Comparing within a block.

FAILED = 8  # captures of a block that comparing may fail with; of more, they are not what is wrong


@dataclass(frozen=True, slots=True)
class ComparisonFailure:
    record_id: str
    detail: str


def compare(
    captures: Iterable[OfSite],
    config: Config,
    of: Collection[str] | None = None,
    *,
    sketch_of: Callable[[OfSite], Sketch] | None = None,
) -> Iterator[Annotation | ComparisonFailure]:
    """Yield what `compare_block` says of all captures, or the failure to compare one.

    `sketch_of` gives the sketch of a capture, asked for one block at a time; without it the captures are sketches.
    """
    for block in all_blocks(captures, config):
        if of is not None and not any(sketch.record_id in of for sketch in block):
            continue
        sketches = cast("list[Sketch]", block) if sketch_of is None else map(sketch_of, block)
        yield from compare_what_can_be(sketches, config, of)


def compare_what_can_be(
    block: Iterable[Sketch], config: Config, of: Collection[str] | None = None
) -> Iterator[Annotation | ComparisonFailure]:
    """Yield the results of `compare_block`; captures with which it fails are told and left out, other faults raised."""
    left = sorted(block, key=in_order)
    compared: set[str] = set()
    for _ in range(FAILED):
        try:
            for annotation in compare_block(left, config, of):
                if annotation.record_id not in compared:
                    compared.add(annotation.record_id)
                    yield annotation
        except NOT_OF_A_RECORD:
            raise
        except Exception as e:  # noqa: BLE001 - whatever it is, it is of a capture
            number = _first_to_fail(left, config, of)
            detail = fault_detail(e, left[number].record_id)
        else:
            return
        failed = left.pop(number).record_id
        if of is None or failed in of:
            compared.add(failed)
            yield ComparisonFailure(failed, detail)
    yield from compare_block(left, config, of)


def _first_to_fail(block: Sequence[Sketch], config: Config, of: Collection[str] | None) -> int:
    """Number of a capture with which comparing those up to it fails, and without does not."""

    def fails(count: int) -> bool:
        try:
            deque(compare_block(block[:count], config, of), maxlen=0)
        except Exception:  # noqa: BLE001 - told by who asks
            return True
        return False

    return bisect_left(range(1, len(block)), True, key=fails)


def compare_block(
    sketches: Iterable[Sketch], config: Config, of: Collection[str] | None = None
) -> Iterator[Annotation]:
    """Yield an annotation for every capture of a block with a partner, a snapshot or a variant there; with `of`, only of these record ids."""
    by_id = {sketch.record_id: sketch for sketch in sketches}
    if len(by_id) < 2 or (of is not None and by_id.keys().isdisjoint(of)):
        return
    side_by_side = _side_by_side(by_id)
    chosen = _choose_crosses(side_by_side, config, of)
    if len(chosen):
        yield from _annotations(side_by_side, chosen, config)


def chosen_crosses(block: Mapping[str, Sketch], config: Config) -> tuple[Members, Crosses]:
    side_by_side = _side_by_side(block)
    return side_by_side.members, _choose_crosses(side_by_side, config, None)


class _SideBySide(NamedTuple):
    """Captures of a block in the order of its members, and their texts."""

    captures: Sequence[Sketch]
    members: Members
    texts: Texts


def _side_by_side(block: Mapping[str, Sketch]) -> _SideBySide:
    members = cross.members_of(block.values())
    captures = [block[record_id] for record_id in members.record_ids]
    texts = texts_of([(sketch.words, sketch.ends) for sketch in captures])
    url_of_node = np.repeat(members.urls, np.diff(texts.node_starts))
    its_variants = variants.variants(
        url_of_node, texts.nodes.astype(np.int64), np.diff(texts.word_starts)
    )
    return _SideBySide(captures, replace(members, variants=its_variants), texts)


def _choose_crosses(block: _SideBySide, config: Config, of: Collection[str] | None) -> Crosses:
    members = block.members
    in_buckets = buckets(block.captures, config.template_similarity)
    candidates = cross.crosses(members, in_buckets, config.candidates, config.circle)
    candidates = cross.with_lone_captures(members, candidates)
    if of is not None:
        is_wanted = np.array([record_id in of for record_id in members.record_ids])
        candidates = candidates[is_wanted[candidates[:, 0]]]
    return cross.strongest(members, candidates, config.crosses)


def buckets(captures: Sequence[Sketch], threshold: float) -> list[tuple[int, ...]]:
    """Buckets of several URLs as places in the captures, which are in the order of URLs, by band; equal ones once."""
    distinct: dict[tuple[int, ...], None] = {}
    for of_band in zip(*(bands(sketch.signature, threshold) for sketch in captures), strict=True):
        by_key: dict[bytes, list[int]] = defaultdict(list)
        for number, (_, key) in enumerate(of_band):
            by_key[key].append(number)
        for bucket in by_key.values():
            if captures[bucket[0]].surt != captures[bucket[-1]].surt:
                distinct[tuple(bucket)] = None
    return list(distinct)


def _annotations(block: _SideBySide, crosses: Crosses, config: Config) -> Iterator[Annotation]:
    captures, members, texts = block
    places = np.concatenate([sketch.places for sketch in captures])
    nodes = BlockNodes(
        members.urls, texts.node_starts, texts.nodes, places, np.diff(texts.word_starts)
    )
    circle = circles(members, crosses, config.circle)
    pairs = _pairs(members, crosses)
    masks = zip(pairs.tolist(), _masks(captures, texts, pairs, config), strict=True)
    by_capture = groupby(masks, key=lambda of_pair: of_pair[0][0])
    number = {record_id: cur for cur, record_id in enumerate(members.record_ids)}
    for record_id, of_capture in groupby(cross.as_values(members, crosses), key=lambda c: c.cur):
        its_crosses, cur = tuple(of_capture), number[record_id]
        # A cross that names a variant alone has no pairs.
        its_masks = next(by_capture)[1] if its_crosses[0].has_members else ()
        yield Annotation(
            record_id=record_id,
            crosses=its_crosses,
            shared={captures[other].record_id: mask for (_, other), mask in its_masks},
            circle=nodes.peer_support(cur, circle.get(cur, ())),
            history=nodes.snapshot_support(
                cur, *snapshots(members, cur, config.template_similarity)
            ),
        )


def _pairs(members: Members, crosses: Crosses) -> Numbers:
    """Return (cur, other member) of all crosses, each once, in order of captures and record ids."""
    others = crosses[:, 1 : cross.FURTHER]
    cur = np.repeat(crosses[:, 0], others.shape[1])[others.ravel() != cross.NOBODY]
    rank = members.ranks[others[others != cross.NOBODY]]
    ranked = np.unique(np.column_stack((cur, rank)), axis=0)
    return np.column_stack((ranked[:, 0], np.argsort(members.ranks)[ranked[:, 1]]))


def _masks(
    captures: Sequence[Sketch], texts: Texts, pairs: Numbers, config: Config
) -> Iterator[Mask]:
    if config.diff_engine == "lxml":
        return (match(captures[a].words, captures[b].words) for a, b in pairs.tolist())
    return align(texts, pairs[:, 0], pairs[:, 1], config.alignment_cells)
