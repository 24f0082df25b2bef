"""Gold data and scores."""

from dbce.evaluate.align import gold_share
from dbce.evaluate.command import main_report
from dbce.evaluate.comparison import Comparison, evaluate_all
from dbce.evaluate.gold import GoldText, LabelledRun, read_gold
from dbce.evaluate.report import Report
from dbce.evaluate.run import evaluate

__all__ = [
    "Comparison",
    "GoldText",
    "LabelledRun",
    "Report",
    "evaluate",
    "evaluate_all",
    "gold_share",
    "main_report",
    "read_gold",
]
