"""HEPS: blocks by their headings, as published and as printed (Manabe and Tajima, VLDB 2015)."""

from dbce.visual.headings.heps.candidates import candidate_lists, front_nodes
from dbce.visual.headings.heps.options import HepsOptions, PublishedOptions
from dbce.visual.headings.heps.segment import heps
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
