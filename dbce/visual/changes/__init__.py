"""Changes from one snapshot of a URL to the next, and their importance."""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.changes.compare import ChangeKind
from dbce.visual.changes.history import PARTS
from dbce.visual.changes.job import ChangesAccount, ChangesJob, check, compare_pair
from dbce.visual.changes.rates import rate
from dbce.visual.changes.snapshot import CHANGES, UNIT_KINDS

if TYPE_CHECKING:
    from dbce.visual.changes.boxes import boxes_of, changed_blocks

# Segmentation is imported on demand.
__getattr__ = lazily(__name__)
