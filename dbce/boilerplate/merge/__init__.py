"""The annotations of several buckets become one."""

from dbce.boilerplate.merge.runs import text_runs
from dbce.boilerplate.merge.votes import (
    COMMENT,
    DENSITY,
    DIAL,
    JOINT,
    OF_SITE,
    RECLASSIFIED,
    RULES,
    STRUCTURE,
    UNSEEN,
    Pooled,
    overruled,
    pool,
    without_invalid,
)

__all__ = [
    "COMMENT",
    "DENSITY",
    "DIAL",
    "JOINT",
    "OF_SITE",
    "RECLASSIFIED",
    "RULES",
    "STRUCTURE",
    "UNSEEN",
    "Pooled",
    "overruled",
    "pool",
    "text_runs",
    "without_invalid",
]
