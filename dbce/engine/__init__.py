"""Work unit by unit, and the part of a folder that it leaves: here, in several processes, on Spark.

A name is imported when it is asked for: what reads pages alone needs no tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.engine.job import (
        NEXT,
        Again,
        Ended,
        Engine,
        FolderJob,
        Job,
        Settings,
        TableJob,
        begin,
        begun,
        differences,
        drive,
        place_of,
        refuse_others,
    )
    from dbce.engine.pool import Pool
    from dbce.engine.stage import Reached, Stage, Unit, collect_rarely, each, telling
    from dbce.engine.workers import Comparison, Found, Local, Workers


__getattr__ = lazily(
    __name__,
    {
        "job": (
            *(
                "NEXT",
                "Again",
                "Ended",
                "Engine",
                "FolderJob",
                "Job",
                "Settings",
                "TableJob",
                "begin",
            ),
            *("begun", "differences", "drive", "place_of", "refuse_others"),
        ),
        "pool": ("Pool",),
        "stage": ("Reached", "Stage", "Unit", "collect_rarely", "each", "telling"),
        "workers": ("Comparison", "Found", "Local", "Workers"),
    },
)
