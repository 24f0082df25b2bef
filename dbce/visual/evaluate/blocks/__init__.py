"""Segmentations against blocks that people drew, by all measures of the field."""

from dbce.evaluate.results import Wanted
from dbce.visual.evaluate.blocks.command import convention, main_report
from dbce.visual.evaluate.blocks.evaluation import Asked, Evaluation, evaluate
from dbce.visual.evaluate.blocks.kreuzer import ROLES
from dbce.visual.evaluate.blocks.scores import Scores, score
from dbce.visual.evaluate.blocks.tables import tables
from dbce.visual.evaluate.halves import Half

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
