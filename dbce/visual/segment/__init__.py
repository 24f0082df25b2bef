"""Segmentation of pages into blocks, on boxes that were collected before: no browser.

`segment` cuts one page, `cut_file` and `gather` all pages of `dbce render`; `SEGMENTERS` has the algorithms by name.
"""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.segment.bands import BandOptions
from dbce.visual.segment.baselines import BlockFusionOptions, NoOptions
from dbce.visual.segment.bom import PaperOptions
from dbce.visual.segment.bom_published import MAY_2014, PublishedOptions
from dbce.visual.segment.boxes import Outline, cover_flags, overlap
from dbce.visual.segment.options import Options, changed_options, name_with_options, read_options
from dbce.visual.segment.registry import DEFAULT, SEGMENTERS, options_of, segment
from dbce.visual.segment.vips import VipsOptions
from dbce.visual.segment.vixml import BlockContent, NamedAddress, block_contents

if TYPE_CHECKING:
    from dbce.visual.segment.unit import (
        BLOCK_KEY,
        BLOCKS,
        TABLES,
        SegmentSettings,
        block_of,
        block_rows,
        cut_file,
        gather,
        overlaps,
        page_tables,
        part,
        reject_row,
    )

# Readers and writers of folders import archives, which a single page should not wait for.
__getattr__ = lazily(__name__)
