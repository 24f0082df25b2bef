"""An evaluation as one HTML file that needs no other: tables, and pictures of the worst pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dbce.model.style import environment
from dbce.visual.evaluate.blocks.tables import short_names, tables
from dbce.visual.measure import ND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dbce.visual.evaluate.blocks.compared import ComparedPage
    from dbce.visual.evaluate.blocks.evaluation import Evaluation
    from dbce.visual.measure import Flat

WORST = 5
"""Pages that are shown of each algorithm; each may carry its picture."""

MEASURES = {
    "bcubed_characters_f": "B-cubed F over characters",
    "bcubed_area_f": "B-cubed F over area",
}
"""By which pages are the worst: the first of these that is known."""

OWN_STYLE = """
.drawn{margin:1rem 0}
.drawn svg{width:100%;max-width:45rem;height:auto;background:#fff;border:1px solid var(--line)}
.drawn rect{fill:none;vector-effect:non-scaling-stroke}
.held{position:absolute}
.gold{stroke:#0072b2;stroke-width:3px}
.computed{stroke:#d55e00;stroke-width:2px;stroke-dasharray:7 4}
"""  # blue and vermilion are told apart by colour-blind readers too (Okabe and Ito)


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


def render(evaluation: Evaluation, gold: str, picture: Callable[[ComparedPage], str]) -> str:
    """The report. `picture` gives the address of a picture of a page, "" if there is none."""
    names = short_names(evaluation.table["algorithm"])
    shown = {name: list(worst(evaluation, algorithm)) for algorithm, name in names.items()}
    templates = environment("dbce.visual.evaluate.blocks", OWN_STYLE)
    templates.filters["cell"] = _cell
    return templates.get_template("blocks.html").render(
        gold=gold,
        names=list(names.values()),
        tables=list(tables(evaluation.table)),
        notes=evaluation.notes,
        measure=MEASURES[worst_by(evaluation)],
        worst=shown,
        pictures=_pictures(shown.values(), picture),
    )


def _pictures(
    shown: Iterable[Iterable[WorstPage]], picture: Callable[[ComparedPage], str]
) -> dict[int, str]:
    """Data URIs by the places of pages: each once, on however many algorithms' lists a page is."""
    pages = {one.place: one.page for of_algorithm in shown for one in of_algorithm}
    return {place: uri for place, page in pages.items() if (uri := picture(page))}


def worst_by(evaluation: Evaluation) -> str:
    """The column that pages are ordered by."""
    return next(column for column in MEASURES if column in evaluation.table)


def worst(evaluation: Evaluation, algorithm: str) -> Iterator[WorstPage]:
    """The pages that an algorithm is worst on, the worst first; those without score before all."""
    measure = worst_by(evaluation)
    own = evaluation.table[evaluation.table["algorithm"] == algorithm]
    low = own.sort_values([measure, "url"], kind="stable", na_position="first").head(WORST)
    places = {(page.record_id, page.url): n for n, page in enumerate(evaluation.pages)}
    for row in low.to_dict("records"):
        place = places[row["record_id"], row["url"]]
        page = evaluation.pages[place]
        yield WorstPage(
            place=place,
            page=page,
            score=row[measure],
            found=f"{row['cq']} of {row['gtb']} blocks found (Cq), {row['cf']} false alarms (Cf)",
            boxes=tuple(_boxes(page, algorithm)),
        )


def _boxes(page: ComparedPage, algorithm: str) -> Iterator[Box]:
    (computed,) = (flat for flat in page.computed if flat.algorithm == algorithm)
    yield from _drawn("gold", page.gold, page.gold.size)
    yield from _drawn("computed", computed, page.gold.size)


def _drawn(kind: str, flat: Flat, size: tuple[float, float]) -> Iterator[Box]:
    across, down = size[0] / ND, size[1] / ND
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


def _cell(value: object) -> str:
    """A value of a table as people read it."""
    if isinstance(value, float):
        return "n/a" if math.isnan(value) else f"{value:.3f}"
    return str(value)
