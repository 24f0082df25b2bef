"""Work unit by unit, and the part of a folder that it leaves: here, in several processes, on Spark.

A name is imported when it is asked for: what reads pages alone needs no tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.engine.garbage import GARBAGE_THRESHOLD, collect_rarely
    from dbce.engine.job import (
        NEXT,
        Engine,
        Job,
        Settings,
        StartMode,
        TableJob,
        begin,
        differences,
        drive,
        noted_sources,
        place_of,
        refuse_others,
    )
    from dbce.engine.pool import Pool, ready_work
    from dbce.engine.workers import (
        Comparison,
        Found,
        Local,
        ReportProgress,
        Stage,
        Workers,
        no_progress,
        work_without_progress,
    )

__getattr__ = lazily(__name__)
