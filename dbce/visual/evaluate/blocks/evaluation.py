"""Segmentations against gold: pairs page by page, the pages that could not be used, and the scores of all.

Scores are all measures of the field, including those of partitions.
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

NAMED = 3  # maximum pages that a note names; others are only counted


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPage:
    """A page with its gold and its segmentations; `contents` are those of the rendered page, None without one."""

    record_id: str
    url: str
    group: str
    gold: Flat
    computed: tuple[Flat, ...]
    contents: Contents | None


@dataclass(frozen=True, slots=True)
class Pages:
    """Gold and segmentations, by the names of their pages: record id, or URL.

    `notes` get a sentence on everything that could not be used, while `comparable_pages` runs.
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
                comparison = self._comparison(side, page)
            except ValueError as e:
                reasons[side.name] = str(e)
                continue
            reasons.pop(side.name, None)
            if comparison.gold.blocks:
                yield comparison
            else:
                empty[comparison.url] = "there is no block in the gold"
        self._note_reasons(reasons)
        self._note_reasons(empty)

    def _pairs(
        self, rendered: Iterable[RenderedPage] | None
    ) -> Iterator[tuple[Side, RenderedPage | None]]:
        """Yield each page of the gold with its rendering, or by itself if none are rendered."""
        if rendered is None:
            yield from ((side, None) for side in self.gold)
            return
        sides = {side.name: side for side in self.gold}
        for page in rendered:
            if side := sides.get(page.record_id.strip("<>")) or sides.get(page.url):
                yield side, page

    def _comparison(self, side: Side, page: RenderedPage | None) -> ComparedPage:
        """Return a page with its segmentations; ValueError says why it is left out."""
        if page and _marked_page(side).drawn_width not in (0, page.viewport[0]):
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

        By URL only if the record id of one side is unknown: another snapshot is another page.
        """
        ids = [side.record_id, page.record_id.strip("<>") if page else ""]
        known = set(filter(None, ids))
        segmentations: dict[str, Side] = {}
        for name in (*ids, side.url, page.url if page else ""):
            for candidate in self.computed.get(name, ()):
                if not known or not candidate.record_id or candidate.record_id in known:
                    segmentations.setdefault(candidate.blocks.algorithm, candidate)
        return list(segmentations.values())

    def _note_reasons(self, reasons: Mapping[str, str]) -> None:
        """Add a note for each reason why pages are left out, with the first of them."""
        labels = {side.name: side.url or side.record_id for side in self.gold}
        for reason in dict.fromkeys(reasons.values()):
            names = [labels.get(key, key) for key, cause in reasons.items() if cause == reason]
            listed = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
            pages = count_of(len(names), "page")
            self.notes.append(f"left out, since {reason}: {pages} of the gold, {listed}")


def by_name(sides: Iterable[Side]) -> dict[str, list[Side]]:
    """Return segmentations by record ids, and by URLs, where the first of several snapshots counts.

    Raises UsageError: a page has two by one algorithm.
    """
    segmentations: defaultdict[str, dict[str, Side]] = defaultdict(dict)
    for side in sides:
        algorithm = side.blocks.algorithm
        for name in filter(None, (side.record_id, side.url)):
            first = next(iter(segmentations[name].values()), side)
            if first.record_id != side.record_id:
                continue
            if algorithm in segmentations[name]:
                raise UsageError(f"{name} has two segmentations by {algorithm}: name one of them")
            segmentations[name][algorithm] = side
    return {name: list(by_algorithm.values()) for name, by_algorithm in segmentations.items()}


def _on_page(side: Side, computed: Sequence[Side], rendered: RenderedPage) -> ComparedPage:
    contents = measure.contents(rendered)
    marked, *rest = (_marked_page(s) for s in (side, *computed))
    gold, missing = measure.locate_blocks(marked, rendered)
    if missing:
        xpaths = {path for block in marked.blocks for path in block.xpaths}
        raise ValueError(
            f"{len(missing)} of {len(xpaths)} XPaths of its gold are not found on it ({missing[0]})"
        )
    flat_gold, *flats = (measure.flat_on_page(page, rendered, contents) for page in (gold, *rest))
    record_id = rendered.record_id.strip("<>")
    return ComparedPage(record_id, rendered.url, side.group, flat_gold, tuple(flats), contents)


def _marked_page(side: Side) -> measure.MarkedPage:
    if isinstance(side.blocks, Flat):
        raise UsageError(
            "the segmentations that GOSH has are of other renderings: compare them with its gold, without --rendered"
        )
    return side.blocks


@dataclass(frozen=True, slots=True)
class BlockEvaluationSettings:
    """Settings of an evaluation: the gold, the segmentations, and the convention.

    `level` is Kreuzer's, `group` the field of the gold by which scores are also grouped, `half` the half of
    the pages that is evaluated, None for all.
    """

    gold: str
    computed: tuple[str, ...]
    convention: Convention
    level: int = 1
    group: str = ""
    half: Half | None = None


def evaluate(
    settings: BlockEvaluationSettings,
    rendered: Iterable[RenderedPage] | None = None,
    picture: Callable[[ComparedPage], bytes | None] | None = None,
) -> Evaluation[ComparedPage]:
    """Return the scores of all segmentations against the gold.

    `rendered` are rendered pages, for gold without rectangles or counts; with them elements and words are
    recounted, and B-cubed of texts is available. `picture` returns the screenshot of a page, for B-cubed
    of its edges.
    Raises UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_gold(settings.gold, settings.level, settings.group, on_pages=rendered is not None)
    if settings.half is not None:
        gold = [side for side in gold if half(side.url) == settings.half]
    computed = by_name(side for uri in settings.computed for side in read_computed(uri))
    pages = Pages(gold, computed)
    rows: list[dict[str, Any]] = []
    compared = []
    for page in pages.comparable_pages(rendered):
        png = picture(page) if picture else None
        rows += _rows(page, settings.convention, edges(png) if png else {})
        compared.append(replace(page, contents=None))  # contents of pages take much memory
    if not rows:
        names = ", ".join(settings.computed)
        message = f"no page of {settings.gold} can be compared with {names}"
        raise UsageError("; ".join([message, *pages.notes]))
    return Evaluation(pd.DataFrame(rows), tuple(compared), tuple(pages.notes))


def _rows(
    page: ComparedPage, convention: Convention, edge_atoms: Mapping[str, Atoms]
) -> Iterator[dict[str, Any]]:
    for computed in page.computed:
        yield {
            "url": page.url,
            "record_id": page.record_id,
            "group": page.group,
            "algorithm": computed.algorithm,
            "copied": computed.copied,
            **score(page.gold, computed, convention, page.contents, edge_atoms),
        }


Labels = NDArray[np.int64]


def partition(pieces: Atoms, blocks: Sequence[measure.NormalBlock]) -> Labels:
    """Return the block of each atom: the smallest that contains its centre, else a cluster of its own."""
    left, top, right, bottom = measure.corners(blocks).T
    areas = np.where(measure.members(pieces, blocks), (right - left) * (bottom - top), np.inf)
    own_clusters = np.arange(len(blocks), len(blocks) + len(pieces.x))
    if not blocks:
        return own_clusters
    return np.where(np.isfinite(areas).any(axis=1), areas.argmin(axis=1), own_clusters)


def dunn(points: measure.Floats, labels: Labels) -> float:
    """Return the least distance of two centroids divided by the largest distance within a cluster (C.4).

    NaN with one cluster, infinite if all are points.
    """
    clusters = [points[labels == label] for label in np.unique(labels)]
    if len(clusters) < 2:
        return float("nan")
    closest = pdist([cluster.mean(axis=0) for cluster in clusters]).min()
    widest = max((pdist(cluster).max() for cluster in clusters if len(cluster) > 1), default=0.0)
    return float(closest / widest) if widest else float("inf")


def earth_movers(
    supply: measure.Floats, demand: measure.Floats, distances: measure.Floats
) -> float:
    """Return the least work that moves the smaller of two masses onto the other, divided by that mass (C.4).

    `distances` has a row for each supply and a column for each demand. NaN where one side has no mass,
    or where the solver gives up.
    Rubner and others, The earth mover's distance as a metric for image retrieval, IJCV 40, 2000.
    """
    mass = min(supply.sum(), demand.sum())
    if not mass:
        return float("nan")
    supplies = kron(eye_array(len(supply)), np.ones((1, len(demand))))
    demands = kron(np.ones((1, len(supply))), eye_array(len(demand)))
    solution = linprog(
        distances.ravel(),
        A_ub=vstack([supplies, demands]),
        b_ub=np.concatenate([supply, demand]),
        A_eq=np.ones((1, distances.size)),
        b_eq=[mass],
    )
    return float(solution.fun / mass) if solution.success else float("nan")


def nested_earth_movers(
    gold: Sequence[measure.NormalBlock], computed: Sequence[measure.NormalBlock]
) -> float:
    """Return the earth mover's distance of two segmentations; 0 is equal, NaN where one has no area.

    A block's mass is its share of the area of its segmentation. The distance of two blocks is again an earth
    mover's distance: between their horizontal and their vertical extents, each of uniform mass, in page
    widths and heights, summed. T specifies no more than that the distance is nested.
    """
    g, p = measure.corners(gold) / measure.ND, measure.corners(computed) / measure.ND
    across, down = (_spread_distances(g[:, [n, n + 2]], p[:, [n, n + 2]]) for n in (0, 1))
    return earth_movers(_masses(g), _masses(p), across + down)


def _masses(blocks: measure.Floats) -> measure.Floats:
    left, top, right, bottom = blocks.T
    return np.array(measure.shares(((right - left) * (bottom - top)).clip(0).tolist()))


def _spread_distances(first: measure.Floats, second: measure.Floats) -> measure.Floats:
    """Return the earth mover's distance of uniform mass over intervals (start, end), each to each.

    In one dimension it is the mean distance of equal quantiles, which is linear in the quantile: half the
    sum of both ends, less a correction if it changes sign in between.
    """
    start, end = ((first[:, None, n] - second[None, :, n]) for n in (0, 1))
    size = np.abs(start) + np.abs(end)
    crossed = (start**2 + end**2) / np.where(size > 0, 2 * size, 1)
    return np.where(start * end >= 0, size / 2, crossed)


def exact_scores(
    gold: Sequence[measure.NormalBlock], computed: Sequence[measure.NormalBlock], tolerance: float
) -> measure.BCubed:
    """Return precision, recall and F1 of blocks whose four edges match within the tolerance (C.5).

    A block matches once. The thesis' formula of F1 (C.7) lacks its factor 2; this has it.
    """
    if not gold or not computed:
        return measure.BCubed(np.nan if not computed else 0.0, np.nan if not gold else 0.0, 0.0)
    distances = cdist(measure.corners(gold), measure.corners(computed), "chebyshev")
    pairs = csr_array(distances <= tolerance)
    matched = int((maximum_bipartite_matching(pairs, perm_type="column") >= 0).sum())
    precision, recall = matched / len(computed), matched / len(gold)
    return measure.BCubed(precision, recall, measure.harmonic(precision, recall))


PARTITIONS = ("rand", "adjusted_rand", "nmi", "dunn")


def score(
    gold: Flat,
    computed: Flat,
    convention: Convention,
    contents: Contents | None = None,
    edges: Mapping[str, Atoms] | None = None,
) -> dict[str, Any]:
    """Return all measures by their columns (docs/segmentation-measures.md).

    Without `contents` they are those of area alone, and text coverage as the thesis sums it. `edges` are those in the
    screenshot of the page, by kind, None to leave them out.
    """
    kinds = {"area": measure.area(), **(edges or {})}
    if contents is not None:
        kinds = {
            "characters": contents.texts,
            "texts": replace(contents.texts, weights=np.ones_like(contents.texts.weights)),
            "elements": contents.elements,
        } | kinds
    all_blocks, important = convention.correspond(gold, computed, convention.tolerances)
    covered, words = contents.coverage(computed.blocks) if contents else coverage_summed(computed)
    exact = exact_scores(gold.blocks, computed.blocks, convention.tolerances.geometric)
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
        **dict(zip(PARTITIONS, _partitions(gold, computed, contents), strict=True)),
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
    """Return the words in blocks, those of overlapping blocks twice, and of the page, for text coverage (T 3.3.1)."""
    return sum(block.words for block in flat.blocks), flat.words


def _atom_scores(gold: Flat, computed: Flat, pieces: Atoms) -> measure.BCubed:
    return measure.bcubed(
        measure.members(pieces, gold.blocks),
        measure.members(pieces, computed.blocks),
        pieces.weights,
    )


def _partitions(gold: Flat, computed: Flat, contents: Contents | None) -> tuple[float, ...]:
    """Return measures of the blocks as clusters of texts, NaN where texts are unknown.

    They are the Rand index (C.1), also corrected for chance (C.2), mutual information normalised by the geometric
    mean of both entropies (C.3), and Dunn's index (C.4).
    """
    if contents is None or len(contents.texts.x) < 2:
        return (float("nan"),) * len(PARTITIONS)
    texts = contents.texts
    x, y = (partition(texts, flat.blocks) for flat in (gold, computed))
    in_blocks = y < len(computed.blocks)
    points = np.column_stack([texts.x, texts.y])[in_blocks] * np.array(computed.size) / measure.ND
    return (
        float(rand_score(x, y)),
        float(adjusted_rand_score(x, y)),
        float(normalized_mutual_info_score(x, y, average_method="geometric")),
        dunn(points, y[in_blocks]),
    )
