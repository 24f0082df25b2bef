"""Scores of segmentations as people read them: tables, and one HTML page with the worst pages drawn."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

import pandas as pd

from dbce.model import UsageError
from dbce.visual import RenderedPage
from dbce.visual.evaluate import results
from dbce.visual.evaluate.blocks.evaluation import BlockEvaluationSettings, ComparedPage, evaluate
from dbce.visual.evaluate.results import Evaluation, OutputFiles, Table
from dbce.visual.measure import CONVENTIONS, ND, Convention, Flat
from dbce.visual.render import RenderedFolder, read_rendered

ALL = {f"c{letter}": f"C{letter}" for letter in "coumfq"} | {"ptb": "PTB", "gtb": "GTB"}
IMPORTANT = {f"ic{letter}": f"IC{letter}" for letter in "coumfq"} | {"iptb": "IPTB", "igtb": "IGTB"}
KINDS = {
    **{name: name for name in ("characters", "texts", "elements", "area")},
    "edges_fine": "fine edges",
    "edges_coarse": "coarse edges",
}
"""Kinds of atoms as the tables call them, by their names in columns."""


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """Yield all tables of the scores of `evaluate`, algorithms by their short names."""
    scores = scores.assign(algorithm=scores["algorithm"].map(short_names(scores["algorithm"])))
    yield correspondence(scores)
    yield correspondence(scores, important=True)
    if _has_groups(scores):
        yield by_group(scores)
        yield by_group(scores, important=True)
    yield text_coverage(scores)
    yield atom_table(scores)
    yield other_measures(scores)


def correspondence(scores: pd.DataFrame, *, important: bool = False) -> Table:
    """Means over pages (tables 4.4 and 4.5), and what the thesis counts as found of what there is.

    Where stored segmentations seem to be the gold itself, a second row is without them.
    """
    names = IMPORTANT if important else ALL
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    rows = []
    for name, of_one in _score_groups(scores):
        means = of_one[list(names)].mean()
        ratio = means[quality] / means[gold] if means[gold] else float("nan")
        rows.append(
            {
                "algorithm": name,
                "pages": len(of_one),
                **means.rename(names).to_dict(),
                f"{names[quality]}/{names[gold]}": ratio,
            }
        )
    what = "important blocks" if important else "blocks"
    return Table(f"Correspondence of {what}, means over pages", pd.DataFrame(rows))


def _score_groups(scores: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the scores of each algorithm, then those without copies of the gold, if there are any."""
    for name, of_one in scores.groupby("algorithm", sort=False):
        yield str(name), of_one
        others = of_one[~of_one["copied"]]
        if 0 < len(others) < len(of_one):
            yield f"{name} without {len(of_one) - len(others)} equal to the gold", others


def by_group(scores: pd.DataFrame, *, important: bool = False) -> Table:
    """Mean Cq of each algorithm by group of pages (tables 4.6 and 4.7), beside the gold's blocks."""
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    names = scores["algorithm"].unique()
    means = scores.pivot_table(quality, "group", "algorithm", "mean")[names]
    # Every algorithm has rows of the same gold: a page counts once.
    of_gold = scores.drop_duplicates(["group", "url", "record_id"]).groupby("group")
    shown = means.assign(
        AVG=means.mean(axis=1), **{gold.upper(): of_gold[gold].mean(), "pages": of_gold.size()}
    )
    heading = (IMPORTANT if important else ALL)[quality]
    return Table(f"{heading} by group, means over pages", shown.reset_index())


def text_coverage(scores: pd.DataFrame) -> Table:
    """Mean share of words in blocks; then words in blocks of all words (table 4.8), also by group."""
    sums = ["words_covered", "words"]
    whole = scores.groupby("algorithm", sort=False)[sums].sum()
    of_pages = scores.groupby("algorithm", sort=False)["tc"].mean()
    shown = pd.DataFrame({"mean": of_pages, "all": whole["words_covered"] / whole["words"]})
    if _has_groups(scores):
        of_groups = scores.pivot_table(sums, "algorithm", "group", "sum")
        shown = shown.join(of_groups["words_covered"] / of_groups["words"])
    title = "Text coverage, mean over pages, and words in blocks of all words"
    return Table(title, shown.reset_index())


def atom_table(scores: pd.DataFrame) -> Table:
    columns = {
        f"bcubed_{kind}_{letter}": f"{name} {letter.upper()}"
        for kind, name in KINDS.items()
        if f"bcubed_{kind}_f" in scores
        for letter in "prf"
    }
    shown = scores.groupby("algorithm", sort=False)[list(columns)].mean().rename(columns=columns)
    return Table("B-cubed, means over pages", shown.reset_index())


def other_measures(scores: pd.DataFrame) -> Table:
    """Return the measures of appendix C; those of texts where pages are rendered."""
    columns = {"rand": "Rand", "adjusted_rand": "AdjRand", "nmi": "NMI", "emd": "EMD"}
    columns |= {f"exact_{letter}": f"exact {letter.upper()}" for letter in "prf"}
    found = scores.groupby("algorithm", sort=False)
    shown = found[list(columns)].mean().rename(columns=columns)
    shown["Dunn"] = found["dunn"].median()  # it is infinite where clusters are points
    known = shown.dropna(axis="columns", how="all")
    return Table("Other measures, means over pages, of Dunn the median", known.reset_index())


def _has_groups(scores: pd.DataFrame) -> bool:
    return len(set(scores["group"])) > 1


def short_names(algorithms: Iterable[str]) -> dict[str, str]:
    """Return a name for each algorithm: of `bom(granularity=5, distance=50)` it is `bom` if there is no other bom.

    Of several with one name, the parameters that are not the same in all stay.
    """
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for algorithm in dict.fromkeys(algorithms):
        kinds[algorithm.partition("(")[0]].append(algorithm)
    found = {}
    for kind, of_kind in kinds.items():
        shared = set.intersection(*(set(_parameters(one)) for one in of_kind))
        for one in of_kind:
            told = [p for p in _parameters(one) if p not in shared]
            found[one] = f"{kind}({', '.join(told)})" if told else kind
    return found


def _parameters(algorithm: str) -> list[str]:
    inside = algorithm.partition("(")[2].removesuffix(")")
    return inside.split(", ") if inside else []


WORST = 5  # pages that are shown of each algorithm; each may carry its picture

MEASURES = {
    "bcubed_characters_f": "B-cubed F over characters",
    "bcubed_area_f": "B-cubed F over area",
}
"""By which pages are the worst: the first of these that is known."""


class Box(NamedTuple):
    """A rectangle to draw, in pixels of the gold's page; `what` is told where the pointer rests."""

    kind: str
    x: float
    y: float
    w: float
    h: float
    what: str


class WorstPage(NamedTuple):
    """A page to look at; `place` is its place among the pages of the evaluation."""

    place: int
    page: ComparedPage
    score: float
    found: str
    boxes: tuple[Box, ...]


def render(
    evaluation: Evaluation[ComparedPage], gold: str, picture: Callable[[ComparedPage], str]
) -> str:
    """Return the report. `picture` gives the address of a picture of a page, "" if there is none."""
    names = short_names(evaluation.table["algorithm"])
    shown = {name: list(worst(evaluation, algorithm)) for algorithm, name in names.items()}
    # Each picture once, on however many algorithms' lists a page is.
    pages = {one.place: one.page for of_algorithm in shown.values() for one in of_algorithm}
    pictures = {place: uri for place, page in pages.items() if (uri := picture(page))}
    more = {"measure": MEASURES[_worst_by(evaluation.table)], "pictures": pictures}
    return results.results_html("blocks", evaluation, gold, tables, shown, **more)


def _worst_by(scores: pd.DataFrame) -> str:
    return next(column for column in MEASURES if column in scores)


def worst(evaluation: Evaluation[ComparedPage], algorithm: str) -> Iterator[WorstPage]:
    """Yield the pages that an algorithm is worst on, the worst first; those without score before all."""
    measure = _worst_by(evaluation.table)
    own = evaluation.table[evaluation.table["algorithm"] == algorithm]
    low = own.sort_values([measure, "url"], kind="stable", na_position="first").head(WORST)
    places = {(page.record_id, page.url): n for n, page in enumerate(evaluation.pages)}
    for row in low.to_dict("records"):
        place = places[row["record_id"], row["url"]]
        page = evaluation.pages[place]
        (computed,) = (flat for flat in page.computed if flat.algorithm == algorithm)
        yield WorstPage(
            place=place,
            page=page,
            score=row[measure],
            found=f"{row['cq']} of {row['gtb']} blocks found (Cq), {row['cf']} false alarms (Cf)",
            boxes=(*_boxes("gold", page.gold, page), *_boxes("computed", computed, page)),
        )


def _boxes(kind: str, flat: Flat, page: ComparedPage) -> Iterator[Box]:
    across, down = (length / ND for length in page.gold.size)
    for number, block in enumerate(flat.blocks, 1):
        width, height = block.right - block.left, block.bottom - block.top
        yield Box(
            kind,
            round(block.left * across, 1),
            round(block.top * down, 1),
            round(max(0.0, width * across), 1),
            round(max(0.0, height * down), 1),
            f"{flat.algorithm} {number}: {block.elements} elements, {block.words} words",
        )


def convention(name: str, **tolerances: float | None) -> Convention:
    """Return the convention of a name, with other tolerances where they are given, by the names of `Tolerances`."""
    found = CONVENTIONS[name]
    changed = {key: value for key, value in tolerances.items() if value is not None}
    return found._replace(tolerances=found.tolerances._replace(**changed))


def main_report(
    asked: BlockEvaluationSettings,
    rendered: Sequence[str],
    wanted: OutputFiles,
    *,
    edges: bool = False,
) -> str:
    """Scores segmentations, writes the files that are asked for; the text to print.

    `rendered` are folders that `dbce render` left, if pages are to be looked at as they were laid out.
    `edges`: their screenshots are to be looked at too.
    Raises UsageError: as `evaluate`; a file cannot be written; there are no pages whose edges are asked for.
    """
    if edges and not rendered:
        raise UsageError(
            "--edges looks at screenshots: name the folder that has them by --rendered"
        )
    # Folder and id of each page, by its id without brackets and its size.
    opened = cache(RenderedFolder)
    places: dict[tuple[str, tuple[float, float]], tuple[str, str]] = {}

    def pages() -> Iterator[RenderedPage]:
        for folder in rendered:
            for page in read_rendered(folder):
                places.setdefault((page.record_id.strip("<>"), page.size), (folder, page.record_id))
                yield page

    def screenshot(page: ComparedPage) -> bytes | None:
        folder, record_id = places.get((page.record_id, page.gold.size), ("", ""))
        return opened(folder).screenshot(record_id) if folder else None

    def picture(page: ComparedPage) -> str:
        folder, record_id = places.get((page.record_id, page.gold.size), ("", ""))
        return opened(folder).picture(record_id).uri if folder else ""

    found = evaluate(asked, pages() if rendered else None, screenshot if edges else None)
    html = partial(render, found, asked.gold, picture)
    return results.report_results(wanted, found, tables, correspondence, html)
