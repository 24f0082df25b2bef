"""Options of the mode `dbce`."""

from __future__ import annotations

from dataclasses import dataclass

from dbce.visual.segment.boxes import check


@dataclass(frozen=True, slots=True)
class LineOptions:
    """Options of mode `dbce`: how likely a line must be a heading, and whether the template is asked."""

    threshold: float = 0.5
    template: bool = True

    def __post_init__(self) -> None:
        check(self)
