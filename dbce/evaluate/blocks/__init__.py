"""Segmentations against blocks that people drew, by all measures of the field."""

from dbce.evaluate.blocks.command import (
    Wanted,
    convention,
    main_report,
    write_text,
)
from dbce.evaluate.blocks.evaluation import Asked, Evaluation, evaluate
from dbce.evaluate.blocks.halves import Half, half
from dbce.evaluate.blocks.kreuzer import ROLES
from dbce.evaluate.blocks.scores import Scores, score
from dbce.evaluate.blocks.tables import Table, tables

__all__ = [
    "ROLES",
    "Asked",
    "Evaluation",
    "Half",
    "Scores",
    "Table",
    "Wanted",
    "convention",
    "evaluate",
    "half",
    "main_report",
    "score",
    "tables",
    "write_text",
]
