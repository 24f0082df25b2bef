"""Evaluation of headings against those that people marked, by the measures of HEPS."""

from dbce.visual.evaluate.headings.evaluation import (
    RELATIONS,
    Counts,
    HeadingEvaluationSettings,
    Item,
    counts,
    gold_items,
    main_report,
    means,
    relation_counts,
)
