"""Parts that all methods share: the content body, headings, and the blocks that they name."""

from dbce.visual.headings.blocks.hierarchy import (
    BODY,
    Extent,
    HeadedBlock,
    Heading,
    Hierarchy,
    body_of,
    by_level,
    element_at,
    first_of,
    nested,
    path_without_tbody,
)

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
