"""Segmentations against blocks that people drew, by all measures of the field."""

from dbce.visual.evaluate.blocks.evaluation import BlockEvaluationSettings, evaluate
from dbce.visual.evaluate.blocks.report import convention, main_report, tables
