"""All features of the lines of a page, as one matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.around import (
    REPETITION,
    headings,
    item_features,
    kind_features,
    repetition_features,
    reply_features,
    section_features,
)
from dbce.boilerplate.classify.evidence import EVIDENCE, TIME, evidence_features, time_features
from dbce.boilerplate.classify.forest import LEVELS, plant
from dbce.boilerplate.classify.lines import Lines, read_lines, text_features
from dbce.boilerplate.classify.names import name_tokens
from dbce.boilerplate.classify.phrases import phrase_tokens
from dbce.boilerplate.classify.signs import sign_features
from dbce.boilerplate.classify.structure import LONG, structure_features
from dbce.model import Page, TextNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.tokens import Tokens
    from dbce.metadata import Told
    from dbce.model import Annotation

WINDOW = ("words", "link_density", "tag", "stops", "place_lines", "place_length")
"""Features of a line that are also features of its neighbours."""

EVIDENCE_WINDOW = ("votes", "shared_by")

REACH = 2
"""Lines that a window reaches to each side."""

OF_OTHERS = frozenset((*EVIDENCE, *REPETITION, *(f"up{level}_shared" for level in LEVELS)))
"""Features that other pages give, without those of a window."""

DECAY = 0.7
"""Share of a line's weight that is left one line on, in running means of features."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The lines of one or more pages, page after page, and what is known of them.

    `matrix` is float32, shape (lines, len(names)); `tokens` are the hashes of the names around each
    line, `phrases` those of its words, `heading` is the last heading up to it (a line of the same
    page, or -1), `prose` is how much of its page's prose it is, in words. The elements are those of `forest`.
    """

    forest: Forest
    lines: Lines
    names: tuple[str, ...]
    matrix: Floats
    tokens: Tokens
    phrases: Tokens
    heading: Ints
    prose: Floats


def page_features(page: Page, annotation: Annotation | None, told: Told | None = None) -> Features:
    """The features of a page that has text; `told` is what it tells of itself, where that is known."""
    return batch_features([(page, annotation)], [told])


def batch_features(
    batch: Sequence[tuple[Page, Annotation | None]], told: Sequence[Told | None] = ()
) -> Features:
    """The features of pages that have text, with their annotations; of one page at least.

    They are those of each page alone, one after another. `told` is what each page tells of itself, where that is known.
    """
    pages, annotations = zip(*batch, strict=True)
    forest = plant(pages)
    lines = read_lines(pages, forest)
    own = text_features(lines, [page.title for page in pages])
    own |= structure_features(forest, lines)
    prose = np.where(own["words"] >= LONG, np.minimum(own["words"], 50), 0)
    prose = (prose * (1 - own["link_density"])).astype(np.float32)
    own |= kind_features(forest, lines, prose)
    own |= item_features(forest, lines)
    own |= reply_features(forest, lines, prose)
    heading, level = headings(forest, lines)
    own |= section_features(lines, heading, level, own["title_cover"])
    own |= sign_features(forest, lines, told or [None] * len(batch))
    evidence = evidence_features(lines, annotations)
    columns = own | evidence | time_features(lines, annotations)
    columns |= repetition_features(forest, lines, evidence["ever_shared_by"], prose)
    columns |= window(own, WINDOW, lines) | window(evidence, EVIDENCE_WINDOW, lines)
    columns |= running_means({"prose": prose, "link_density": own["link_density"]}, lines)
    # One unknown value would make all running means behind it unknown.
    without_gaps = {name: np.nan_to_num(evidence[name]) for name in EVIDENCE_WINDOW}
    columns |= running_means(without_gaps, lines)
    names = tuple(columns)
    # Each column is freed once it is in the matrix; otherwise all are held twice.
    del own, evidence
    matrix = np.empty((len(prose), len(names)), np.float32)
    for place, name in enumerate(names):
        matrix[:, place] = columns.pop(name)
    return Features(
        forest=forest,
        lines=lines,
        names=names,
        matrix=matrix,
        tokens=name_tokens(forest, lines),
        phrases=phrase_tokens(lines),
        heading=heading,
        prose=prose,
    )


@cache
def feature_names() -> tuple[str, ...]:
    """The names of all features, in order."""
    nodes = (TextNode(element=0, position=1, after=0, spaced=False, text="x"),)
    least = Page(("body",), (-1,), ("",), ("",), ("",), (False,), nodes, title="")
    return page_features(least, None).names


def without_evidence(matrix: Floats, names: Sequence[str]) -> Floats:
    """The matrix of the same lines on pages that nothing was compared with."""
    return without_time(without_others(matrix, names), names)


def without_others(matrix: Floats, names: Sequence[str]) -> Floats:
    """The matrix of the same lines on pages that were compared with their own snapshots alone."""
    blank = matrix.copy()
    for column, name in enumerate(names):
        if name.partition("@")[0] in OF_OTHERS:
            # Running means take what is unknown for 0.
            blank[:, column] = 0 if "@mean" in name else np.nan
    return blank


def without_time(matrix: Floats, names: Sequence[str]) -> Floats:
    """The matrix of the same lines on pages without other snapshots, as far as that can be told."""
    blank = matrix.copy()
    blank[:, [names.index(name) for name in TIME]] = np.nan
    return blank


def window(columns: Mapping[str, Floats], names: Sequence[str], lines: Lines) -> dict[str, Floats]:
    """Columns of the lines before and after: `words@-1` is the words of the line before."""
    page = np.pad(lines.page, REACH, constant_values=-1)
    count = len(lines.holder)
    columns_around = {}
    for name in names:
        padded = np.pad(columns[name], REACH)
        for offset in range(-REACH, REACH + 1):
            if offset:
                there = slice(REACH + offset, REACH + offset + count)
                same = page[there] == lines.page
                columns_around[f"{name}@{offset:+d}"] = np.where(
                    same, padded[there], np.float32(np.nan)
                )
    return columns_around


def running_means(
    columns: Mapping[str, Floats], lines: Lines, decay: float = DECAY
) -> dict[str, Floats]:
    """Exponential running means of all lines before, and of all after, the line left out."""
    stacked = np.stack(list(columns.values()))
    line = np.arange(len(lines.holder))
    before = _decayed(stacked, line - lines.starts[lines.page], decay)
    to_end = lines.starts[lines.page + 1] - 1 - line
    after = _decayed(stacked[:, ::-1], to_end[::-1], decay)[:, ::-1]
    means = {f"{name}@mean-": row for name, row in zip(columns, before, strict=True)}
    return means | {f"{name}@mean+": row for name, row in zip(columns, after, strict=True)}


def _decayed(values: Floats, room: Ints, decay: float) -> Floats:
    """Running means along the rows; `room` is how many values of its page stand before each.

    A running mean over 2n values is one over n, and one over n that ends n values earlier (Hillis
    and Steele, Data Parallel Algorithms, 1986).
    """
    means = np.zeros(values.shape)
    means[:, 1:] = np.where(room[1:] > 0, (1 - decay) * values[:, :-1].astype(np.float64), 0)
    reach = 1
    while reach <= room.max():
        weight = np.where(room[reach:] >= reach, decay**reach, 0)
        means[:, reach:] += weight * means[:, :-reach]
        reach *= 2
    return means.astype(np.float32)
