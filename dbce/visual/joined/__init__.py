"""Blocks and verdicts: what of a block is content, what it weighs, and on how many pages it stands."""

from dbce.visual.joined.folder import shares_of, templates
from dbce.visual.joined.job import SegmentationJob

__all__ = ["SegmentationJob", "shares_of", "templates"]
