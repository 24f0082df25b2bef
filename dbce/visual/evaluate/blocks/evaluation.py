"""Segmentations against gold: pairs page by page, the pages that could not be used, and the scores of all.

Scores are all measures of the field, those of partitions among them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, kron, vstack
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score

from dbce.model import UsageError, count_of
from dbce.visual import RenderedPage, measure
from dbce.visual.evaluate.blocks.sides import Side, flat_alone, read_computed, read_gold
from dbce.visual.evaluate.results import Evaluation, Half, half
from dbce.visual.measure import Atoms, Contents, Convention, Flat, edges

NAMED = 3  # pages that a note names; of more it gives the number


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPage:
    """A page with its gold and its segmentations; `found` is what is on it, if it is rendered."""

    record_id: str
    url: str
    group: str
    gold: Flat
    computed: tuple[Flat, ...]
    found: Contents | None


@dataclass(frozen=True, slots=True)
class Pages:
    """Gold and segmentations, by the names of their pages: record id, or URL.

    `notes` fills while `compared` goes: a sentence on everything that could not be used.
    """

    gold: Sequence[Side]
    computed: Mapping[str, Sequence[Side]]
    notes: list[str] = field(default_factory=list)

    def comparable_pages(self, rendered: Iterable[RenderedPage] | None) -> Iterator[ComparedPage]:
        """Yield the pages that can be compared, in the order of the rendered pages or else of the gold.

        Of rendered pages elements and words are counted anew, for gold and segmentations alike.
        """
        reasons = {side.name: "there is no rendered page" for side in self.gold}
        empty = {}
        for side, page in self._pairs(rendered):
            if page and side.name not in reasons:  # of two renderings the first counts
                continue
            try:
                found = self._comparison(side, page)
            except ValueError as e:
                reasons[side.name] = str(e)
                continue
            reasons.pop(side.name, None)
            if found.gold.blocks:
                yield found
            else:
                empty[found.url] = "there is no block in the gold"
        self._tell(reasons)
        self._tell(empty)

    def _pairs(
        self, rendered: Iterable[RenderedPage] | None
    ) -> Iterator[tuple[Side, RenderedPage | None]]:
        """Yield each page of the gold as it was laid out, or by itself if none are rendered."""
        if rendered is None:
            yield from ((side, None) for side in self.gold)
            return
        wanted = {side.name: side for side in self.gold}
        for page in rendered:
            if side := wanted.get(page.record_id.strip("<>")) or wanted.get(page.url):
                yield side, page

    def _comparison(self, side: Side, page: RenderedPage | None) -> ComparedPage:
        """Return a page with its segmentations; ValueError says why it is left out."""
        if page and not _fits(side, page):
            raise ValueError("it is not rendered in a window as wide as the gold's")
        computed = self._segmentations(side, page)
        if not computed:
            raise ValueError("there is no segmentation")
        if page:
            return _on_page(side, computed, page)
        try:
            gold, *flats = map(flat_alone, (side, *computed))
        except ValueError as e:
            raise ValueError(f"{e} (--rendered DIR would say)") from e
        return ComparedPage(side.record_id, side.url, side.group, gold, tuple(flats), None)

    def _segmentations(self, side: Side, page: RenderedPage | None) -> list[Side]:
        """Return the segmentations of a page, one of each algorithm.

        By URL alone only if the record id of one side is not known: another snapshot is another page.
        """
        ids = [side.record_id, page.record_id.strip("<>") if page else ""]
        known = {one for one in ids if one}
        found: dict[str, Side] = {}
        for name in (*ids, side.url, page.url if page else ""):
            for one in self.computed.get(name, ()):
                if not known or not one.record_id or one.record_id in known:
                    found.setdefault(one.blocks.algorithm, one)
        return list(found.values())

    def _tell(self, reasons: Mapping[str, str]) -> None:
        """A sentence for each reason why pages are left out, with the first of them."""
        called = {side.name: side.url or side.record_id for side in self.gold}
        for reason in dict.fromkeys(reasons.values()):
            names = [called.get(key, key) for key, why in reasons.items() if why == reason]
            shown = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
            pages = count_of(len(names), "page")
            self.notes.append(f"left out, since {reason}: {pages} of the gold, {shown}")


def by_name(sides: Iterable[Side]) -> dict[str, list[Side]]:
    """Segmentations by record ids, and by URLs, where of several snapshots the first counts.

    Raises UsageError: a page has two by one algorithm.
    """
    found: defaultdict[str, dict[str, Side]] = defaultdict(dict)
    for side in sides:
        algorithm = side.blocks.algorithm
        for name in filter(None, (side.record_id, side.url)):
            first = next(iter(found[name].values()), side)
            if first.record_id != side.record_id:
                continue
            if algorithm in found[name]:
                raise UsageError(f"{name} has two segmentations by {algorithm}: name one of them")
            found[name][algorithm] = side
    return {name: list(of_page.values()) for name, of_page in found.items()}


def _fits(side: Side, rendered: RenderedPage) -> bool:
    """Return whether the page is laid out as it was when people drew rectangles on it."""
    drawn = _marked_page(side)
    if not drawn.viewport[0] or not any(block.rect for block in drawn.blocks):
        return True
    return drawn.viewport[0] == rendered.viewport[0]


def _on_page(side: Side, computed: Sequence[Side], rendered: RenderedPage) -> ComparedPage:
    found = measure.contents(rendered)
    marked, *others = (_marked_page(one) for one in (side, *computed))
    gold, missing = measure.locate_blocks(marked, rendered)
    if missing:
        sought = {path for block in marked.blocks for path in block.xpaths}
        raise ValueError(
            f"{len(missing)} of {len(sought)} XPaths of its gold are not found on it ({missing[0]})"
        )
    first, *flats = (measure.flat_on_page(page, rendered, found) for page in (gold, *others))
    record_id = rendered.record_id.strip("<>")
    return ComparedPage(record_id, rendered.url, side.group, first, tuple(flats), found)


def _marked_page(side: Side) -> measure.MarkedPage:
    if isinstance(side.blocks, Flat):
        raise UsageError(
            "the segmentations that GOSH has are of other renderings: compare them with its gold, without --rendered"
        )
    return side.blocks


@dataclass(frozen=True, slots=True)
class BlockEvaluationSettings:
    """Settings of an evaluation: which gold and which segmentations, by which convention.

    `level` is Kreuzer's, `group` the field of the gold by which scores are also given, `half` the half of
    the pages that is looked at, None for all.
    """

    gold: str
    computed: tuple[str, ...]
    convention: Convention
    level: int = 1
    group: str = ""
    half: Half | None = None


def evaluate(
    asked: BlockEvaluationSettings,
    rendered: Iterable[RenderedPage] | None = None,
    picture: Callable[[ComparedPage], bytes | None] | None = None,
) -> Evaluation[ComparedPage]:
    """Scores of all segmentations that are named against the gold.

    `rendered` are the pages as they were laid out, for gold without rectangles or counts; with them
    elements and words are counted anew, and there is B-cubed of texts. `picture` gives the screenshot of a
    page, for B-cubed of its edges.
    Raises UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_gold(asked.gold, asked.level, asked.group, on_pages=rendered is not None)
    if asked.half is not None:
        gold = [side for side in gold if half(side.url) == asked.half]
    computed = by_name(side for uri in asked.computed for side in read_computed(uri))
    pages = Pages(gold, computed)
    rows: list[dict[str, Any]] = []
    kept = []
    for page in pages.comparable_pages(rendered):
        png = picture(page) if picture else None
        rows += _rows(page, asked.convention, edges(png) if png else {})
        kept.append(replace(page, found=None))  # what is on a page takes room
    if not rows:
        what = ", ".join(asked.computed)
        nothing = f"no page of {asked.gold} can be compared with {what}"
        raise UsageError("; ".join([nothing, *pages.notes]))
    return Evaluation(pd.DataFrame(rows), tuple(kept), tuple(pages.notes))


def _rows(
    page: ComparedPage, convention: Convention, seen: Mapping[str, Atoms]
) -> Iterator[dict[str, Any]]:
    for computed in page.computed:
        yield {
            "url": page.url,
            "record_id": page.record_id,
            "group": page.group,
            "algorithm": computed.algorithm,
            "copied": computed.copied,
            **score(page.gold, computed, convention, page.found, seen),
        }


Labels = NDArray[np.int64]


def partition(pieces: Atoms, blocks: Sequence[measure.NormalBlock]) -> Labels:
    """Return the block of each atom: the smallest that has its centre. One in none is a cluster of its own."""
    left, top, right, bottom = measure.corners(blocks).T
    areas = np.where(measure.members(pieces, blocks), (right - left) * (bottom - top), np.inf)
    alone = np.arange(len(blocks), len(blocks) + len(pieces.x))
    if not blocks:
        return alone
    return np.where(np.isfinite(areas).any(axis=1), areas.argmin(axis=1), alone)


def dunn(points: measure.Floats, labels: Labels) -> float:
    """Least distance of two centroids by the largest distance of two points of one cluster (C.4).

    NaN with one cluster, infinite where each is one point.
    """
    clusters = [points[labels == label] for label in np.unique(labels)]
    if len(clusters) < 2:
        return float("nan")
    apart = pdist([cluster.mean(axis=0) for cluster in clusters]).min()
    widest = max((pdist(cluster).max() for cluster in clusters if len(cluster) > 1), default=0.0)
    return float(apart / widest) if widest else float("inf")


def earth_movers(
    supply: measure.Floats, demand: measure.Floats, distances: measure.Floats
) -> float:
    """Return the least work that moves the lesser of two masses onto the other, by that mass (C.4).

    `distances` has a row for each supply and a column for each demand. NaN where one side has no mass,
    or where the solver gives up.
    Rubner and others, The earth mover's distance as a metric for image retrieval, IJCV 40, 2000.
    """
    moved = min(supply.sum(), demand.sum())
    if not moved:
        return float("nan")
    leaving = kron(eye_array(len(supply)), np.ones((1, len(demand))))
    arriving = kron(np.ones((1, len(supply))), eye_array(len(demand)))
    found = linprog(
        distances.ravel(),
        A_ub=vstack([leaving, arriving]),
        b_ub=np.concatenate([supply, demand]),
        A_eq=np.ones((1, distances.size)),
        b_eq=[moved],
    )
    return float(found.fun / moved) if found.success else float("nan")


def nested_earth_movers(
    gold: Sequence[measure.NormalBlock], computed: Sequence[measure.NormalBlock]
) -> float:
    """Return the earth mover's distance of two segmentations; 0 is equal, NaN where one has no area.

    A block's mass is its area's share in that of its segmentation. The distance of two blocks is
    again that of moving earth: of one's extent across the page and down it, each spread evenly, to the
    other's; in page widths and heights, summed. T says no more of what is nested than that it is.
    """
    g, p = measure.corners(gold) / measure.ND, measure.corners(computed) / measure.ND
    across, down = (_spread_distances(g[:, [n, n + 2]], p[:, [n, n + 2]]) for n in (0, 1))
    return earth_movers(_masses(g), _masses(p), across + down)


def _masses(blocks: measure.Floats) -> measure.Floats:
    left, top, right, bottom = blocks.T
    return np.array(measure.shares(((right - left) * (bottom - top)).clip(0).tolist()))


def _spread_distances(some: measure.Floats, others: measure.Floats) -> measure.Floats:
    """Return the distance of earth spread evenly over intervals (start, end), each to each.

    In one dimension it is the mean distance of equal quantiles. That is linear in the quantile: its
    mean is half the sum of both ends, less what it loses where it changes sign in between.
    """
    start, end = ((some[:, None, n] - others[None, :, n]) for n in (0, 1))
    size = np.abs(start) + np.abs(end)
    crossed = (start**2 + end**2) / np.where(size > 0, 2 * size, 1)
    return np.where(start * end >= 0, size / 2, crossed)


def found_exactly(
    gold: Sequence[measure.NormalBlock], computed: Sequence[measure.NormalBlock], tolerance: float
) -> measure.BCubed:
    """Precision, recall and F1 of blocks whose four edges are found within the tolerance (C.5).

    A block is found once. The thesis' formula of F1 (C.7) lacks its factor 2; this has it.
    """
    if not gold or not computed:
        return measure.BCubed(np.nan if not computed else 0.0, np.nan if not gold else 0.0, 0.0)
    far = cdist(measure.corners(gold), measure.corners(computed), "chebyshev")
    pairs = csr_array(far <= tolerance)
    found = int((maximum_bipartite_matching(pairs, perm_type="column") >= 0).sum())
    precision, recall = found / len(computed), found / len(gold)
    return measure.BCubed(precision, recall, measure.harmonic(precision, recall))


PARTITIONS = ("rand", "adjusted_rand", "nmi", "dunn")


def score(
    gold: Flat,
    computed: Flat,
    convention: Convention,
    found: Contents | None = None,
    edges: Mapping[str, Atoms] | None = None,
) -> dict[str, Any]:
    """Return all measures by their columns (docs/segmentation-measures.md).

    Without `found` they are those of area alone, and text coverage as the thesis sums it. `edges` are those in the
    picture of the page, by kind, if they are asked for.
    """
    kinds = {"area": measure.area(), **(edges or {})}
    if found is not None:
        kinds = {
            "characters": found.texts,
            "texts": replace(found.texts, weights=np.ones_like(found.texts.weights)),
            "elements": found.elements,
        } | kinds
    all_blocks, important = convention.correspond(gold, computed, convention.tolerances)
    covered, words = found.coverage(computed.blocks) if found else coverage_summed(computed)
    exact = found_exactly(gold.blocks, computed.blocks, convention.tolerances.geometric)
    return {
        **_counts("c", "gtb", "ptb", all_blocks),
        **_counts("ic", "igtb", "iptb", important),
        "words_covered": covered,
        "words": words,
        "tc": covered / words if words else float("nan"),
        **{
            f"bcubed_{kind}_{letter}": value
            for kind, pieces in kinds.items()
            for letter, value in zip("prf", _atom_scores(gold, computed, pieces), strict=True)
        },
        **dict(zip(PARTITIONS, _partitions(gold, computed, found), strict=True)),
        "emd": nested_earth_movers(gold.blocks, computed.blocks),
        **{f"exact_{letter}": value for letter, value in zip("prf", exact, strict=True)},
    }


def _counts(prefix: str, gold: str, computed: str, counts: measure.BlockCounts) -> dict[str, int]:
    return {
        **{f"{prefix}{letter}": n for letter, n in zip("coumf", counts[:5], strict=True)},
        f"{prefix}q": counts.quality,
        gold: counts.gold,
        computed: counts.computed,
    }


def coverage_summed(flat: Flat) -> tuple[int, int]:
    """Text coverage (T 3.3.1), words in blocks and of the page: those of overlapping blocks count twice."""
    return sum(block.words for block in flat.blocks), flat.words


def _atom_scores(gold: Flat, computed: Flat, pieces: Atoms) -> measure.BCubed:
    return measure.bcubed(
        measure.members(pieces, gold.blocks),
        measure.members(pieces, computed.blocks),
        pieces.weights,
    )


def _partitions(gold: Flat, computed: Flat, found: Contents | None) -> tuple[float, ...]:
    """Return measures of the blocks as clusters of texts, NaN where texts are not known.

    They are the Rand index (C.1), also corrected for chance (C.2), mutual information normalised by the geometric
    mean of both entropies (C.3), and Dunn's index (C.4).
    """
    if found is None or len(found.texts.x) < 2:
        return (float("nan"),) * len(PARTITIONS)
    texts = found.texts
    x, y = (partition(texts, flat.blocks) for flat in (gold, computed))
    inside = y < len(computed.blocks)
    points = np.column_stack([texts.x, texts.y])[inside] * np.array(computed.size) / measure.ND
    return (
        float(rand_score(x, y)),
        float(adjusted_rand_score(x, y)),
        float(normalized_mutual_info_score(x, y, average_method="geometric")),
        dunn(points, y[inside]),
    )
