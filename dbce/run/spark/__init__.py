"""Runs on Spark: the only room with pyspark."""

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.run.spark.by_name import each_name
    from dbce.run.spark.doctor import main
    from dbce.run.spark.each_file import each
    from dbce.run.spark.engine import run
    from dbce.run.spark.session import running

__all__ = ["each", "each_name", "main", "run", "running"]

__getattr__ = lazily(
    __name__,
    {
        "doctor": ("main",),
        "each_file": ("each",),
        "by_name": ("each_name",),
        "engine": ("run",),
        "session": ("running",),
    },
)
