"""Gold data and scores."""

from dbce.evaluate.gold import GoldText, LabelledRun, read_gold
from dbce.evaluate.report import Report
from dbce.evaluate.run import evaluate, main_report

__all__ = ["GoldText", "LabelledRun", "Report", "evaluate", "main_report", "read_gold"]
