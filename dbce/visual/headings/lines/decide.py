"""The headings of a content body, by the lines of it that are likely ones, and their levels.

The chance of a line to be a heading is that of a logistic regression, whose weights are kept beside it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.headings.blocks import Heading, by_level, nested
from dbce.visual.headings.lines.features import FEATURES, LineGroups, Plain, features
from dbce.visual.headings.lines.line import ROLE, lines_of
from dbce.visual.segment import check_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.visual import RenderedPage
    from dbce.visual.headings.blocks import HeadedBlock
    from dbce.visual.headings.lines.line import TextLine


@dataclass(frozen=True, slots=True)
class LineOptions:
    """Options of mode `dbce`: how likely a line must be a heading, and whether the template is asked."""

    threshold: float = 0.5
    template: bool = True

    def __post_init__(self) -> None:
        check_options(self)


def by_lines(
    page: RenderedPage,
    body: int,
    options: LineOptions,
    content: Mapping[int, float],
    groups: LineGroups | None = None,
) -> tuple[HeadedBlock, ...]:
    """The blocks of a content body with their headings.

    `content` is the share of each text node that is content, by its number; `groups` are those of all
    pages of its template, this one too, if there are others.
    """
    lines = lines_of(page, body, content)
    plain = Plain(lines)
    if groups is None or not options.template:
        groups = LineGroups()
        groups.add(lines, plain)
    likely = chances(features(lines, groups, plain)) >= options.threshold
    heading_lines = [
        line
        for line, is_heading in zip(lines, likely.tolist(), strict=True)
        if is_heading and not line.label
    ]
    ranks = _ranks(heading_lines)
    headings = [
        Heading(line.texts, line.images, rank)
        for line, rank in zip(heading_lines, ranks, strict=True)
    ]
    return nested(by_level(page, body, headings))


def counted(
    page: RenderedPage, body: int, content: Mapping[int, float], groups: LineGroups
) -> None:
    """Counts the lines of a page with those of others of its template."""
    lines = lines_of(page, body, content)
    groups.add(lines, Plain(lines))


def _ranks(lines: Sequence[TextLine]) -> list[int]:
    """Rank of each heading: 1 for the most prominent (H 3.2, assumptions 3 and 4).

    Tags rank those that have one; another is as high as the highest tag whose headings are not larger, and
    below all if there is none. Of equals size, weight and capitals decide.
    """
    sizes: dict[int, float] = {}
    for line in lines:
        if line.around.level:
            size = sizes.get(line.around.level, line.looks.font_size)
            sizes[line.around.level] = min(size, line.looks.font_size)
    prominences = [_prominence(line, sizes) for line in lines]
    order = {prominence: rank for rank, prominence in enumerate(sorted(set(prominences)), start=1)}
    return [order[prominence] for prominence in prominences]


def _prominence(line: TextLine, sizes: Mapping[int, float]) -> tuple[float, ...]:
    size = line.looks.font_size
    not_larger = (level for level, other in sorted(sizes.items()) if other <= size)
    level = line.around.level or next(not_larger, ROLE + 1)
    return level, -round(size), -round(line.bold), not line.wording.isupper()


WEIGHTS = "weights.json"


@lru_cache(maxsize=1)
def weights() -> tuple[NDArray[np.float64], float]:
    """The weight of each of FEATURES, and the intercept (docs/headings.md says what taught them)."""
    known = json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8"))
    return np.array([known["weights"][name] for name in FEATURES]), float(known["intercept"])


def chances(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """The chance of each line, of its features."""
    own, intercept = weights()
    logits = np.array(rows, np.float64).reshape(-1, len(own)) @ own + intercept
    return 1 / (1 + np.exp(-logits))
