"""Work unit by unit, and the part of a folder that it leaves: here, in several processes, on Spark."""

from dbce.engine.begun import begin, begun, is_to_write
from dbce.engine.job import NEXT, Again, Ended, Job, drive, place_of, refuse_others
from dbce.engine.pool import Pool
from dbce.engine.stage import Reached, Stage, Unit, each, telling
from dbce.engine.workers import Comparison, Found, Local, Workers, collect_rarely

__all__ = [
    "NEXT",
    "Again",
    "Comparison",
    "Ended",
    "Found",
    "Job",
    "Local",
    "Pool",
    "Reached",
    "Stage",
    "Unit",
    "Workers",
    "begin",
    "begun",
    "collect_rarely",
    "drive",
    "each",
    "is_to_write",
    "place_of",
    "refuse_others",
    "telling",
]
