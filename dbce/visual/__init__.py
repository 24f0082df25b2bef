"""The second wing: pages as people see them, laid out from the archive and cut into blocks."""

from dbce.visual.model import KEPT, Block, Element, Rect, RenderedPage, Segmentation, Style, Text

__all__ = ["KEPT", "Block", "Element", "Rect", "RenderedPage", "Segmentation", "Style", "Text"]
