"""Marked blocks and what compares them: atoms, correspondence, B-cubed, importance; gold as it is stored."""

from dbce.visual.measure.atoms import Atoms, area, members
from dbce.visual.measure.bcubed import BCubed, bcubed, harmonic
from dbce.visual.measure.correspondence import (
    CONVENTIONS,
    Convention,
    Correspondence,
    Counts,
    Tolerances,
    corresponding,
)
from dbce.visual.measure.flat import Flat
from dbce.visual.measure.gold import (
    block_fields,
    block_gold_objects,
    blocks_of,
    fields_of,
    page_of,
    read_block_gold,
    write_block_gold,
)
from dbce.visual.measure.importance import importances, shares
from dbce.visual.measure.locate import has_area, located, plain_xpath, union
from dbce.visual.measure.marked import MarkedBlock, MarkedPage
from dbce.visual.measure.normalise import ND, Floats, NormalBlock, corners, normalise
from dbce.visual.measure.on_page import Contents, contents, flat_on_page

__all__ = [
    "CONVENTIONS",
    "ND",
    "Atoms",
    "BCubed",
    "Contents",
    "Convention",
    "Correspondence",
    "Counts",
    "Flat",
    "Floats",
    "MarkedBlock",
    "MarkedPage",
    "NormalBlock",
    "Tolerances",
    "area",
    "bcubed",
    "block_fields",
    "block_gold_objects",
    "blocks_of",
    "contents",
    "corners",
    "corresponding",
    "fields_of",
    "flat_on_page",
    "harmonic",
    "has_area",
    "importances",
    "located",
    "members",
    "normalise",
    "page_of",
    "plain_xpath",
    "read_block_gold",
    "shares",
    "union",
    "write_block_gold",
]
