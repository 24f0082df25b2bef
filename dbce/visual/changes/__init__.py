"""Changes from one snapshot of a URL to the next, and whether they matter."""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.changes.compare import (
    IMPORTANT,
    ChangeKind,
    compare,
)
from dbce.visual.changes.history import MODES, ChangeModel, chances
from dbce.visual.changes.job import (
    ChangesAccount,
    ChangesJob,
    ask_for_changes,
    check,
    find_changes_of_night,
    nights_without_changes,
)
from dbce.visual.changes.plan import TABLES, compare_pair
from dbce.visual.changes.rates import Rate, rate, rates
from dbce.visual.changes.snapshot import CHANGES, UNIT_KINDS

if TYPE_CHECKING:
    from dbce.visual.changes.boxes import boxes_of, changed_blocks

__all__ = [
    "CHANGES",
    "IMPORTANT",
    "MODES",
    "TABLES",
    "UNIT_KINDS",
    "ChangeKind",
    "ChangeModel",
    "ChangesAccount",
    "ChangesJob",
    "Rate",
    "ask_for_changes",
    "boxes_of",
    "chances",
    "changed_blocks",
    "check",
    "compare",
    "compare_pair",
    "find_changes_of_night",
    "nights_without_changes",
    "rate",
    "rates",
]

# What cuts pages is imported when it is asked for.
__getattr__ = lazily(__name__, {"boxes": ("boxes_of", "changed_blocks")})
