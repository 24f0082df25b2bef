"""Blocks and verdicts: what of a block is content, what it weighs, and on how many pages it stands."""

from dbce.visual.joined.folder import JOINED, Joined, join_folder
from dbce.visual.joined.schema import BLOCK_MAP, BLOCK_VERDICTS
from dbce.visual.joined.shares import BlockShare, shares_of
from dbce.visual.joined.templates import block_places, templates

__all__ = [
    "BLOCK_MAP",
    "BLOCK_VERDICTS",
    "JOINED",
    "BlockShare",
    "Joined",
    "block_places",
    "join_folder",
    "shares_of",
    "templates",
]
