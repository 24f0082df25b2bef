"""Options of the house's own way."""

from __future__ import annotations

from dataclasses import dataclass

from dbce.model import UsageError
from dbce.visual.segment.boxes import check


@dataclass(frozen=True, slots=True)
class BandOptions:
    """Shares are 0 to 1.

    Raises:
        UsageError: a value that an option cannot have.
    """

    level: int = 1
    """1: header, footer, columns and what else a page is at first sight; 2: what these are made of."""
    tall: float = 0.8
    """The share of the page's height from which on a band is gone into at level 1."""
    least: int = 3
    """Blocks of level 1 below which a page is gone into further, by lower bands."""
    main: float = 0.8
    """The share of area and characters from which on one child of several stands for its parent."""
    thin: float = 0.02
    """The share of the page's height below which a band joins a neighbour at level 1."""
    column: float = 0.1
    """The share of width below which a column joins a neighbour at level 1."""
    small: float = 0.08
    """The share of the page's area and characters below which a block is not cut at level 2."""
    line: float = 24.0
    """Pixels below which a strip joins a neighbour at level 2: a line of text is no block."""
    slack: float = 6.0
    """Pixels by which boxes may overlap and still be parted."""

    def __post_init__(self) -> None:
        check(self)
        if self.level not in {1, 2}:
            raise UsageError(f"level cannot be {self.level}: say 1 or 2")
