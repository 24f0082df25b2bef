"""Marked blocks and what compares them: atoms, correspondence, B-cubed, importance; gold as it is stored."""

from dbce.visual import union
from dbce.visual.measure.bcubed import Atoms, BCubed, area, bcubed, edges, harmonic, members
from dbce.visual.measure.correspondence import (
    CONVENTIONS,
    BlockCounts,
    Convention,
    Correspondence,
    Tolerances,
    corresponding,
)
from dbce.visual.measure.flat import (
    ND,
    Flat,
    Floats,
    NormalBlock,
    corners,
    importances,
    normalise,
    shares,
)
from dbce.visual.measure.marked_pages import (
    Contents,
    MarkedBlock,
    MarkedPage,
    block_fields,
    block_gold_objects,
    blocks_of,
    contents,
    fields_of,
    flat_on_page,
    has_area,
    locate_blocks,
    page_of,
    plain_xpath,
    read_block_gold,
    write_block_gold,
)
