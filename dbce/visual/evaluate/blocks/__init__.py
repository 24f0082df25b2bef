"""Segmentations against blocks that people drew, by all measures of the field."""

from dbce.visual.evaluate.blocks.evaluation import BlockEvaluationSettings, Evaluation, evaluate
from dbce.visual.evaluate.blocks.report import convention, main_report, tables
from dbce.visual.evaluate.blocks.scores import Scores, score
from dbce.visual.evaluate.blocks.sides import ROLES
