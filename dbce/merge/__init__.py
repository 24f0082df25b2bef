"""The annotations of several buckets become one."""

from dbce.merge.runs import text_runs
from dbce.merge.votes import DENSITY, RULES, Pooled, pool, without_invalid

__all__ = ["DENSITY", "RULES", "Pooled", "pool", "text_runs", "without_invalid"]
