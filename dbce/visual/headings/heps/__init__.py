"""HEPS: blocks by their headings, as published and as printed (Manabe and Tajima, VLDB 2015)."""

from dbce.visual.headings.heps.segment import (
    HepsOptions,
    PublishedOptions,
    candidate_lists,
    front_nodes,
    heps,
)
from dbce.visual.headings.heps.tree import SKIPPED, Node, tree

__all__ = [
    "SKIPPED",
    "HepsOptions",
    "Node",
    "PublishedOptions",
    "candidate_lists",
    "front_nodes",
    "heps",
    "tree",
]
