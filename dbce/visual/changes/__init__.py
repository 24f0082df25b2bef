"""What changed from one snapshot of a URL to the next, and whether it matters."""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.changes.blocks import changed_blocks
from dbce.visual.changes.change_model import MODES, Chances, chances
from dbce.visual.changes.classes import REDESIGNED, Change
from dbce.visual.changes.compare import IMPORTANT, Compared, compare
from dbce.visual.changes.local import Found, find_changes
from dbce.visual.changes.nights import find_changes_of_night
from dbce.visual.changes.pair_query import compare_pair
from dbce.visual.changes.rates import Rate, rate, rates
from dbce.visual.changes.schema import CHANGES
from dbce.visual.changes.stages import TABLES

if TYPE_CHECKING:
    from dbce.visual.changes.boxes import boxes_of
    from dbce.visual.changes.cluster import work_on_spark

__all__ = [
    "CHANGES",
    "IMPORTANT",
    "MODES",
    "REDESIGNED",
    "TABLES",
    "Chances",
    "Change",
    "Compared",
    "Found",
    "Rate",
    "boxes_of",
    "chances",
    "changed_blocks",
    "compare",
    "compare_pair",
    "find_changes",
    "find_changes_of_night",
    "rate",
    "rates",
    "work_on_spark",
]

# Of what needs Spark, or cuts pages, only what is asked for is imported.
__getattr__ = lazily(__name__, {"boxes": ("boxes_of",), "cluster": ("work_on_spark",)})
