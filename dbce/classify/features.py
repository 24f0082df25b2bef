"""All features of the lines of a page, as one matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.blocks import places
from dbce.classify.evidence import EVIDENCE, evidence_features
from dbce.classify.lines import Lines, read_lines, text_features
from dbce.classify.names import name_tokens
from dbce.classify.structure import LONG, structure_features
from dbce.model import Page, TextNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.classify.lines import Floats
    from dbce.model import Annotation

WINDOW = ("words", "link_density", "tag", "stops", "place_lines", "place_length")
"""Features of a line that are also features of its neighbours."""

EVIDENCE_WINDOW = ("votes", "shared_by")

REACH = 2
"""How many lines a window reaches to each side."""

DECAY = 0.7
"""What is left of a line's weight one line on, in running means."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The lines of a page, their features (float32, shape (lines, len(names))) and name tokens.

    `prose` is how much of the page's prose each line is, in words.
    """

    lines: Lines
    names: tuple[str, ...]
    matrix: Floats
    tokens: list[tuple[int, ...]]
    prose: Floats


def page_features(page: Page, found: Annotation | None) -> Features:
    """The features of a page that has text."""
    lines = read_lines(page)
    own = text_features(lines, page.title)
    own |= structure_features(page, lines, places(page))
    evidence = evidence_features(lines, found)
    prose = np.where(own["words"] >= LONG, np.minimum(own["words"], 50), 0)
    prose = (prose * (1 - own["link_density"])).astype(np.float32)
    columns = own | evidence
    columns |= _window(own, WINDOW) | _window(evidence, EVIDENCE_WINDOW)
    columns |= _running_means({"prose": prose, "link_density": own["link_density"]})
    columns |= _running_means({name: np.nan_to_num(evidence[name]) for name in EVIDENCE_WINDOW})
    matrix = np.column_stack(list(columns.values()))
    return Features(lines, tuple(columns), matrix, name_tokens(page, lines), prose)


@cache
def feature_names() -> tuple[str, ...]:
    """The names of all features, in order."""
    nodes = (TextNode(element=0, position=1, after=0, spaced=False, text="x"),)
    least = Page(("body",), (-1,), ("",), ("",), (False,), nodes, title="")
    return page_features(least, None).names


def without_evidence(matrix: Floats, names: Sequence[str]) -> Floats:
    """The matrix of the same lines on a page that nothing was compared with."""
    blank = matrix.copy()
    for column, name in enumerate(names):
        base = name.partition("@")[0]
        if base in EVIDENCE:
            blank[:, column] = 0 if "@mean" in name else np.nan
    return blank


def _window(columns: Mapping[str, Floats], names: Sequence[str]) -> dict[str, Floats]:
    """Columns of the lines before and after: `words@-1` is the words of the line before."""
    found = {}
    for name in names:
        values = columns[name]
        padded = np.pad(values, REACH, constant_values=np.nan)
        for offset in range(-REACH, REACH + 1):
            if offset:
                start = REACH + offset
                found[f"{name}@{offset:+d}"] = padded[start : start + len(values)]
    return found


def _running_means(columns: Mapping[str, Floats]) -> dict[str, Floats]:
    """Exponential running means of all lines before, and of all after, the line left out."""
    stacked = np.stack(list(columns.values()))
    before, after = _decayed(stacked), _decayed(stacked[:, ::-1])[:, ::-1]
    means = {f"{name}@mean-": row for name, row in zip(columns, before, strict=True)}
    return means | {f"{name}@mean+": row for name, row in zip(columns, after, strict=True)}


def _decayed(values: NDArray[np.float32]) -> NDArray[np.float32]:
    from scipy.signal import lfilter

    shifted = np.concatenate([np.zeros((len(values), 1), np.float32), values[:, :-1]], axis=1)
    return np.asarray(lfilter([1 - DECAY], [1, -DECAY], shifted, axis=1), dtype=np.float32)
