"""Pages cut into blocks, on boxes that were collected before: no browser."""

from dbce.visual.segment.boxes import WEIGHTS

__all__ = ["WEIGHTS"]
