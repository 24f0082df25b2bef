"""What goes wrong: the errors that are raised, and the faults that cost one record."""

from typing import TYPE_CHECKING

import dbce
from dbce.errors.tree import (
    DbceError,
    InputError,
    MissingExtra,
    StoreError,
    TooManyRejects,
    UsageError,
    missing_extra,
)

if TYPE_CHECKING:
    from dbce.errors.faults import NOT_OF_A_RECORD, drop, failed, fault_detail

__all__ = [
    "NOT_OF_A_RECORD",
    "DbceError",
    "InputError",
    "MissingExtra",
    "StoreError",
    "TooManyRejects",
    "UsageError",
    "drop",
    "failed",
    "fault_detail",
    "missing_extra",
]

# Faults know records, and with them numpy, which `dbce --help` must not wait for.
__getattr__ = dbce.lazily(
    __name__, {"faults": ("NOT_OF_A_RECORD", "drop", "failed", "fault_detail")}
)
