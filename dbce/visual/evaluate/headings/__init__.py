"""Evaluation of headings against those that people marked, by the measures of HEPS."""

from dbce.visual.evaluate.headings.command import main_report
from dbce.visual.evaluate.headings.evaluation import AskedScores, Evaluation, evaluate
from dbce.visual.evaluate.headings.located import Item, found_items, gold_items
from dbce.visual.evaluate.headings.scores import (
    KINDS,
    RELATIONS,
    Counts,
    Means,
    counts,
    means,
    related,
)

__all__ = [
    "KINDS",
    "RELATIONS",
    "AskedScores",
    "Counts",
    "Evaluation",
    "Item",
    "Means",
    "counts",
    "evaluate",
    "found_items",
    "gold_items",
    "main_report",
    "means",
    "related",
]
