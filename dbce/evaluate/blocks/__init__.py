"""Segmentations against blocks that people drew, by all measures of the field."""

from dbce.evaluate.blocks.command import convention, main_report
from dbce.evaluate.blocks.evaluation import Asked, Evaluation, evaluate
from dbce.evaluate.blocks.kreuzer import ROLES
from dbce.evaluate.blocks.scores import Scores, score
from dbce.evaluate.blocks.tables import tables
from dbce.evaluate.halves import Half
from dbce.evaluate.results import Wanted

__all__ = [
    "ROLES",
    "Asked",
    "Evaluation",
    "Half",
    "Scores",
    "Wanted",
    "convention",
    "evaluate",
    "main_report",
    "score",
    "tables",
]
