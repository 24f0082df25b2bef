"""Gold data and scores."""

from dbce.evaluate.text.command import main_report
from dbce.evaluate.text.gold import GoldText, LabelledRun, read_gold
from dbce.evaluate.text.runs import Comparison, Report, evaluate, evaluate_all
from dbce.evaluate.text.scores import gold_share
