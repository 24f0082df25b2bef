"""Evaluation of headings against those that people marked, by the measures of HEPS."""

from dbce.visual.evaluate.headings.evaluation import (
    KINDS,
    RELATIONS,
    Counts,
    Evaluation,
    HeadingEvaluationSettings,
    Item,
    Means,
    counts,
    evaluate,
    found_items,
    gold_items,
    main_report,
    means,
    relation_counts,
)
