"""Common start of all algorithms: boxes of a page, their categories, weights and separators."""

from dbce.visual.segment.boxes.categories import (
    FLOW,
    PHRASING,
    SECTIONING,
    can_be_block,
    category,
    smallest_common,
)
from dbce.visual.segment.boxes.choices import Options, check, described, read
from dbce.visual.segment.boxes.cuts import composite, separators
from dbce.visual.segment.boxes.geometry import (
    Boxes,
    Flags,
    Numbers,
    aligned,
    around,
    corner_distances,
    gaps,
    inside,
    outside,
    union,
)
from dbce.visual.segment.boxes.node import Node, by_place, outermost, segmentation
from dbce.visual.segment.boxes.outline import Outline
from dbce.visual.segment.boxes.weight import WEIGHTS, Weigh, area

__all__ = [
    "FLOW",
    "PHRASING",
    "SECTIONING",
    "WEIGHTS",
    "Boxes",
    "Flags",
    "Node",
    "Numbers",
    "Options",
    "Outline",
    "Weigh",
    "aligned",
    "area",
    "around",
    "by_place",
    "can_be_block",
    "category",
    "check",
    "composite",
    "corner_distances",
    "described",
    "gaps",
    "inside",
    "outermost",
    "outside",
    "read",
    "segmentation",
    "separators",
    "smallest_common",
    "union",
]
