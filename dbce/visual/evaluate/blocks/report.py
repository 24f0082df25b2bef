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
"""Names of kinds of atoms in tables, by those in columns."""


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
    """Return means over pages (tables 4.4 and 4.5), and the thesis' ratio of blocks found to those in the gold.

    Where stored segmentations seem to be copies of the gold, a second row leaves them out.
    """
    names = IMPORTANT if important else ALL
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    rows = []
    for name, scored in _score_groups(scores):
        means = scored[list(names)].mean()
        ratio = means[quality] / means[gold] if means[gold] else float("nan")
        rows.append(
            {
                "algorithm": name,
                "pages": len(scored),
                **means.rename(names).to_dict(),
                f"{names[quality]}/{names[gold]}": ratio,
            }
        )
    kind = "important blocks" if important else "blocks"
    return Table(f"Correspondence of {kind}, means over pages", pd.DataFrame(rows))


def _score_groups(scores: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the scores of each algorithm, then those without copies of the gold, if there are any."""
    for name, rows in scores.groupby("algorithm", sort=False):
        yield str(name), rows
        originals = rows[~rows["copied"]]
        if 0 < len(originals) < len(rows):
            yield f"{name} without {len(rows) - len(originals)} equal to the gold", originals


def by_group(scores: pd.DataFrame, *, important: bool = False) -> Table:
    """Return the mean Cq of each algorithm by group of pages (tables 4.6 and 4.7), with the number of gold blocks."""
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    names = scores["algorithm"].unique()
    means = scores.pivot_table(quality, "group", "algorithm", "mean")[names]
    # Every algorithm has rows of the same gold: a page counts once.
    groups = scores.drop_duplicates(["group", "url", "record_id"]).groupby("group")
    frame = means.assign(
        AVG=means.mean(axis=1), **{gold.upper(): groups[gold].mean(), "pages": groups.size()}
    )
    heading = (IMPORTANT if important else ALL)[quality]
    return Table(f"{heading} by group, means over pages", frame.reset_index())


def text_coverage(scores: pd.DataFrame) -> Table:
    """Return the mean share of words in blocks, and their share of all words (table 4.8), also by group."""
    sums = ["words_covered", "words"]
    totals = scores.groupby("algorithm", sort=False)[sums].sum()
    means = scores.groupby("algorithm", sort=False)["tc"].mean()
    frame = pd.DataFrame({"mean": means, "all": totals["words_covered"] / totals["words"]})
    if _has_groups(scores):
        by_group = scores.pivot_table(sums, "algorithm", "group", "sum")
        frame = frame.join(by_group["words_covered"] / by_group["words"])
    title = "Text coverage, mean over pages, and words in blocks of all words"
    return Table(title, frame.reset_index())


def atom_table(scores: pd.DataFrame) -> Table:
    columns = {
        f"bcubed_{kind}_{letter}": f"{name} {letter.upper()}"
        for kind, name in KINDS.items()
        if f"bcubed_{kind}_f" in scores
        for letter in "prf"
    }
    frame = scores.groupby("algorithm", sort=False)[list(columns)].mean().rename(columns=columns)
    return Table("B-cubed, means over pages", frame.reset_index())


def other_measures(scores: pd.DataFrame) -> Table:
    """Return the measures of appendix C; those of texts where pages are rendered."""
    columns = {"rand": "Rand", "adjusted_rand": "AdjRand", "nmi": "NMI", "emd": "EMD"}
    columns |= {f"exact_{letter}": f"exact {letter.upper()}" for letter in "prf"}
    groups = scores.groupby("algorithm", sort=False)
    frame = groups[list(columns)].mean().rename(columns=columns)
    frame["Dunn"] = groups["dunn"].median()  # it is infinite where clusters are points
    measured = frame.dropna(axis="columns", how="all")
    return Table("Other measures, means over pages, of Dunn the median", measured.reset_index())


def _has_groups(scores: pd.DataFrame) -> bool:
    return len(set(scores["group"])) > 1


def short_names(algorithms: Iterable[str]) -> dict[str, str]:
    """Return a name for each algorithm: `bom` for `bom(granularity=5, distance=50)` if there is no other bom.

    Of several with one name, the parameters that differ stay.
    """
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for algorithm in dict.fromkeys(algorithms):
        kinds[algorithm.partition("(")[0]].append(algorithm)
    names = {}
    for kind, variants in kinds.items():
        shared = set.intersection(*(set(_parameters(variant)) for variant in variants))
        for variant in variants:
            differing = [p for p in _parameters(variant) if p not in shared]
            names[variant] = f"{kind}({', '.join(differing)})" if differing else kind
    return names


def _parameters(algorithm: str) -> list[str]:
    parameters = algorithm.partition("(")[2].removesuffix(")")
    return parameters.split(", ") if parameters else []


WORST = 5  # pages shown of each algorithm, perhaps with screenshots

MEASURES = {
    "bcubed_characters_f": "B-cubed F over characters",
    "bcubed_area_f": "B-cubed F over area",
}
"""Measures to rank the worst pages: the first that is available."""


class Box(NamedTuple):
    """A rectangle to draw, in pixels of the gold's page; `what` is its tooltip."""

    kind: str
    x: float
    y: float
    w: float
    h: float
    what: str


class WorstPage(NamedTuple):
    """A page with a low score; `place` is its place among the pages of the evaluation."""

    place: int
    page: ComparedPage
    score: float
    found: str
    boxes: tuple[Box, ...]


def render(
    evaluation: Evaluation[ComparedPage], gold: str, picture: Callable[[ComparedPage], str]
) -> str:
    """Return the report. `picture` returns the address of a screenshot of a page, "" if there is none."""
    names = short_names(evaluation.table["algorithm"])
    worst_pages = {name: list(worst(evaluation, algorithm)) for algorithm, name in names.items()}
    # Each screenshot once, even if several algorithms list its page.
    pages = {entry.place: entry.page for entries in worst_pages.values() for entry in entries}
    pictures = {place: uri for place, page in pages.items() if (uri := picture(page))}
    extra = {"measure": MEASURES[_worst_by(evaluation.table)], "pictures": pictures}
    return results.results_html("blocks", evaluation, gold, tables, worst_pages, **extra)


def _worst_by(scores: pd.DataFrame) -> str:
    return next(column for column in MEASURES if column in scores)


def worst(evaluation: Evaluation[ComparedPage], algorithm: str) -> Iterator[WorstPage]:
    """Yield the worst pages of an algorithm, the worst first; those without score before all."""
    measure = _worst_by(evaluation.table)
    rows = evaluation.table[evaluation.table["algorithm"] == algorithm]
    low = rows.sort_values([measure, "url"], kind="stable", na_position="first").head(WORST)
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
    """Return the convention of a name, with the given fields of `Tolerances` replaced."""
    base = CONVENTIONS[name]
    changed = {key: value for key, value in tolerances.items() if value is not None}
    return base._replace(tolerances=base.tolerances._replace(**changed))


def main_report(
    settings: BlockEvaluationSettings,
    rendered: Sequence[str],
    files: OutputFiles,
    *,
    edges: bool = False,
) -> str:
    """Score segmentations, write the requested files, and return the text to print.

    `rendered` are folders of `dbce render`, to compare on rendered pages. `edges`: on the edges of their
    screenshots, too.
    Raises UsageError: as `evaluate`; a file cannot be written; edges are requested without rendered pages.
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

    evaluation = evaluate(settings, pages() if rendered else None, screenshot if edges else None)
    html = partial(render, evaluation, settings.gold, picture)
    return results.report_results(files, evaluation, tables, correspondence, html)
