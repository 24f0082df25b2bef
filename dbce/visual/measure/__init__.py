"""How good segmentations are: against blocks that people drew, by all measures of the field."""

from dbce.visual.measure.gold import read_block_gold, write_block_gold
from dbce.visual.measure.halves import Half, half
from dbce.visual.measure.locate import located
from dbce.visual.measure.marked import MarkedBlock, MarkedPage
from dbce.visual.measure.on_page import Contents, contents, flat_on_page

__all__ = [
    "Contents",
    "Half",
    "MarkedBlock",
    "MarkedPage",
    "contents",
    "flat_on_page",
    "half",
    "located",
    "read_block_gold",
    "write_block_gold",
]
