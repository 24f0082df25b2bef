"""Pages cut into blocks, on boxes that were collected before: no browser.

`segment` is the way in for one page, `cut_file` and `gather` for all that `dbce render` left; `SEGMENTERS` has the
algorithms by name.
"""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.segment.bands import BandOptions
from dbce.visual.segment.blockfusion import BlockFusionOptions
from dbce.visual.segment.bom import (
    MAY_2014,
    PaperOptions,
    PublishedOptions,
    RoleOptions,
    with_roles,
)
from dbce.visual.segment.boxes import WEIGHTS
from dbce.visual.segment.overlay import overlapping, overlaps, overlay
from dbce.visual.segment.registry import DEFAULT, SEGMENTERS, Segmenter, options_of, segment
from dbce.visual.segment.schema import BLOCKS
from dbce.visual.segment.trivial import NoOptions
from dbce.visual.segment.vips import VipsOptions

if TYPE_CHECKING:
    from dbce.visual.segment.unit import TABLES, Segmented, SegmentSettings, cut_file, gather, part

__all__ = [
    "BLOCKS",
    "DEFAULT",
    "MAY_2014",
    "SEGMENTERS",
    "TABLES",
    "WEIGHTS",
    "BandOptions",
    "BlockFusionOptions",
    "NoOptions",
    "PaperOptions",
    "PublishedOptions",
    "RoleOptions",
    "SegmentSettings",
    "Segmented",
    "Segmenter",
    "VipsOptions",
    "cut_file",
    "gather",
    "options_of",
    "overlapping",
    "overlaps",
    "overlay",
    "part",
    "segment",
    "with_roles",
]

# What reads and writes folders knows archives, for which a single page must not wait.
__getattr__ = lazily(
    __name__,
    {"unit": ("TABLES", "SegmentSettings", "Segmented", "cut_file", "gather", "part")},
)
