"""An evaluation as one HTML file that needs no other: tables, and pictures of the worst pages."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from dbce.style import environment
from dbce.visual.measure.names import short_names
from dbce.visual.measure.normalise import ND
from dbce.visual.measure.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dbce.visual.measure.compared import ComparedPage
    from dbce.visual.measure.evaluation import Evaluation
    from dbce.visual.measure.flat import Flat

WORST = 5
"""Pages that are shown of each algorithm; each may carry its screenshot."""

MEASURES = {
    "bcubed_characters_f": "B-cubed F over characters",
    "bcubed_area_f": "B-cubed F over area",
}
"""By which pages are the worst: the first of these that is known."""

OWN_STYLE = """
.drawn{margin:1rem 0}
.drawn svg{width:100%;max-width:45rem;height:auto;background:#fff;border:1px solid var(--line)}
.drawn rect{fill:none;vector-effect:non-scaling-stroke}
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
    """A page to look at: `screenshot` is a data URI or ""."""

    url: str
    record_id: str
    score: float
    found: str
    size: tuple[float, float]
    boxes: tuple[Box, ...]
    screenshot: str


def render(
    evaluation: Evaluation, gold: str, screenshot: Callable[[str], bytes | None] | None = None
) -> str:
    """The report. `screenshot` gives the picture of a page (PNG) by its record id, None if there is none."""
    measure = worst_by(evaluation)
    names = short_names(evaluation.table["algorithm"])
    return (
        environment("dbce.visual.measure", OWN_STYLE)
        .get_template("blocks.html")
        .render(
            gold=gold,
            names=list(names.values()),
            tables=list(tables(evaluation.table)),
            notes=evaluation.notes,
            measure=MEASURES[measure],
            worst={
                name: list(worst(evaluation, algorithm, screenshot))
                for algorithm, name in names.items()
            },
        )
    )


def worst_by(evaluation: Evaluation) -> str:
    """The column that pages are ordered by."""
    return next(column for column in MEASURES if column in evaluation.table)


def worst(
    evaluation: Evaluation, algorithm: str, screenshot: Callable[[str], bytes | None] | None
) -> Iterator[WorstPage]:
    """The pages that an algorithm is worst on, the worst first; those without score before all."""
    measure = worst_by(evaluation)
    own = evaluation.table[evaluation.table["algorithm"] == algorithm]
    low = own.sort_values([measure, "url"], kind="stable", na_position="first").head(WORST)
    pages = {(page.record_id, page.url): page for page in evaluation.pages}
    for row in low.to_dict("records"):
        page = pages[row["record_id"], row["url"]]
        picture = screenshot(page.record_id) if screenshot else None
        yield WorstPage(
            url=page.url,
            record_id=page.record_id,
            score=row[measure],
            found=f"{row['cq']} of {row['gtb']} blocks found (Cq), {row['cf']} false alarms (Cf)",
            size=page.gold.size,
            boxes=tuple(_boxes(page, algorithm)),
            screenshot=f"data:image/png;base64,{b64encode(picture).decode()}" if picture else "",
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
