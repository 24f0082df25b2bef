"""Blocks and verdicts: what of a block is content, what it weighs, and on how many pages it stands."""

from dbce.visual.joined.folder import JOINED, Joined, block_places, join, templates
from dbce.visual.joined.job import SegmentationJob
from dbce.visual.joined.schema import BLOCK_MAP, BLOCK_VERDICTS
from dbce.visual.joined.shares import BlockShare, shares_of

__all__ = [
    "BLOCK_MAP",
    "BLOCK_VERDICTS",
    "JOINED",
    "BlockShare",
    "Joined",
    "SegmentationJob",
    "block_places",
    "join",
    "shares_of",
    "templates",
]
