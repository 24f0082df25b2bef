"""The second wing: pages as people see them, laid out from the archive and cut into blocks."""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.model import (
    KEPT,
    Block,
    Element,
    Rect,
    RenderedPage,
    Segmentation,
    Style,
    Text,
    union,
)

if TYPE_CHECKING:
    from dbce.visual.verdicts import contents, is_judged

__all__ = [
    "KEPT",
    "Block",
    "Element",
    "Rect",
    "RenderedPage",
    "Segmentation",
    "Style",
    "Text",
    "contents",
    "is_judged",
    "union",
]

# What reads folders knows archives, for which a single page must not wait.
__getattr__ = lazily(__name__, {"verdicts": ("contents", "is_judged")})
