"""The second wing: pages as people see them, laid out from the archive and cut into blocks."""

from dbce.visual.model import Block, Element, Rect, RenderedPage, Segmentation, Style, Text

__all__ = ["Block", "Element", "Rect", "RenderedPage", "Segmentation", "Style", "Text"]
