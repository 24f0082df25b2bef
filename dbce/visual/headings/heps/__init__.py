"""HEPS: blocks by their headings, as published and as printed (Manabe and Tajima, VLDB 2015)."""

from dbce.visual.headings.heps.segment import (
    HepsOptions,
    HepsPublishedOptions,
    candidate_lists,
    front_nodes,
    heps,
)
from dbce.visual.headings.heps.tree import SKIPPED, ContentNode, tree

__all__ = [
    "SKIPPED",
    "ContentNode",
    "HepsOptions",
    "HepsPublishedOptions",
    "candidate_lists",
    "front_nodes",
    "heps",
    "tree",
]
