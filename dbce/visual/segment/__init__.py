"""Pages cut into blocks, on boxes that were collected before: no browser.

`segment` is the way in; `SEGMENTERS` has the algorithms by name.
"""

from dbce.visual.segment.blockfusion import BlockFusionOptions
from dbce.visual.segment.bom import (
    MAY_2014,
    PaperOptions,
    PublishedOptions,
    RoleOptions,
    with_roles,
)
from dbce.visual.segment.boxes import WEIGHTS
from dbce.visual.segment.overlaps import overlapping
from dbce.visual.segment.registry import SEGMENTERS, Segmenter, options_of, segment
from dbce.visual.segment.trivial import NoOptions
from dbce.visual.segment.vips import VipsOptions

__all__ = [
    "MAY_2014",
    "SEGMENTERS",
    "WEIGHTS",
    "BlockFusionOptions",
    "NoOptions",
    "PaperOptions",
    "PublishedOptions",
    "RoleOptions",
    "Segmenter",
    "VipsOptions",
    "options_of",
    "overlapping",
    "segment",
    "with_roles",
]
