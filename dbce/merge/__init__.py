"""The annotations of several buckets become one."""

from dbce.merge.runs import text_runs
from dbce.merge.votes import (
    DENSITY,
    JOINT,
    RECLASSIFIED,
    RULES,
    Pooled,
    pool,
    without_invalid,
)

__all__ = [
    "DENSITY",
    "JOINT",
    "RECLASSIFIED",
    "RULES",
    "Pooled",
    "pool",
    "text_runs",
    "without_invalid",
]
