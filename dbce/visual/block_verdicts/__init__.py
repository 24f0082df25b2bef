"""Blocks and verdicts: what of a block is content, what it weighs, and on how many pages it stands."""

from dbce.visual.block_verdicts.folder import shares_of, templates
from dbce.visual.block_verdicts.job import SegmentationJob
