"""Gold data and scores."""

from dbce.evaluate.gold import GoldText, LabelledRun, read_gold
from dbce.evaluate.runs import Comparison, evaluate_all
from dbce.evaluate.scores import gold_share
