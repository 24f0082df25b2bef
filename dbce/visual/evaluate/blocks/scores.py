"""All measures of one segmentation of one page against its gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.evaluate.blocks.partitions import (
    adjusted_rand,
    dunn,
    found_exactly,
    mutual_information,
    nested_earth_movers,
    partition,
    rand,
)
from dbce.visual.measure import ND, area, bcubed, members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual.evaluate.blocks.partitions import Labels
    from dbce.visual.measure import (
        Atoms,
        BCubed,
        Contents,
        Convention,
        Correspondence,
        Flat,
    )

NAN = float("nan")

NO_EDGES: Mapping[str, Atoms] = {}


@dataclass(frozen=True, slots=True)
class Partitions:
    """Measures of appendix C of the texts, NaN where texts are not known; see `partitions`."""

    rand: float = NAN
    adjusted_rand: float = NAN
    nmi: float = NAN
    dunn: float = NAN


class Coverage(NamedTuple):
    """Text coverage (T 3.3.1): words in blocks, and words of the page."""

    covered: int
    words: int

    @property
    def share(self) -> float:
        """TC; NaN for a page without words."""
        return self.covered / self.words if self.words else float("nan")


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of a segmentation; B-cubed by kind of atom, where known."""

    correspondence: Correspondence
    coverage: Coverage
    bcubed: dict[str, BCubed]
    partitions: Partitions
    emd: float
    exact: BCubed


def score(
    gold: Flat,
    computed: Flat,
    convention: Convention,
    found: Contents | None = None,
    edges: Mapping[str, Atoms] = NO_EDGES,
) -> Scores:
    """All measures; without `found` those of area alone, and text coverage as the thesis sums it.

    `edges` are those in the picture of the page, by kind, if they are asked for.
    """
    kinds = {"area": area(), **edges}
    if found is not None:
        kinds = {
            "characters": found.texts,
            "texts": found.texts.evenly(),
            "elements": found.elements,
        } | kinds
    return Scores(
        correspondence=convention.correspond(gold, computed, convention.tolerances),
        coverage=coverage_once(computed, found) if found else coverage_summed(computed),
        bcubed={name: _bcubed(gold, computed, kind) for name, kind in kinds.items()},
        partitions=_partitions(gold, computed, found.texts) if found else Partitions(),
        emd=nested_earth_movers(gold.blocks, computed.blocks),
        exact=found_exactly(gold.blocks, computed.blocks, convention.tolerances.geometric),
    )


def coverage_summed(flat: Flat) -> Coverage:
    """Text coverage as the thesis defines it: words of overlapping blocks count twice, so it may exceed 1."""
    return Coverage(sum(block.words for block in flat.blocks), flat.words)


def coverage_once(flat: Flat, found: Contents) -> Coverage:
    """Text coverage by words of texts that have their centre in any block, each once."""
    inside = members(found.texts, flat.blocks).any(axis=1)
    return Coverage(int(found.words[inside].sum()), int(found.words.sum()))


def _bcubed(gold: Flat, computed: Flat, pieces: Atoms) -> BCubed:
    return bcubed(members(pieces, gold.blocks), members(pieces, computed.blocks), pieces.weights)


def _partitions(gold: Flat, computed: Flat, texts: Atoms) -> Partitions:
    if len(texts.x) < 2:
        return Partitions()
    x, y = (partition(texts, flat.blocks) for flat in (gold, computed))
    return Partitions(
        rand(x, y), adjusted_rand(x, y), mutual_information(x, y), _dunn(computed, texts, y)
    )


def _dunn(computed: Flat, texts: Atoms, labels: Labels) -> float:
    """Of the texts in blocks, by their centres in pixels."""
    inside = labels < len(computed.blocks)
    points = np.column_stack([texts.x, texts.y])[inside] * np.array(computed.size) / ND
    return dunn(points, labels[inside])
