"""Parts that all methods share: the content body, headings, and the blocks that they name."""

from dbce.visual.headings.blocks.body import body_of, element_at, path_without_tbody
from dbce.visual.headings.blocks.levels import Extent, by_level, first_of, nested
from dbce.visual.headings.blocks.model import BODY, HeadedBlock, Heading, Hierarchy

__all__ = [
    "BODY",
    "Extent",
    "HeadedBlock",
    "Heading",
    "Hierarchy",
    "body_of",
    "by_level",
    "element_at",
    "first_of",
    "nested",
    "path_without_tbody",
]
