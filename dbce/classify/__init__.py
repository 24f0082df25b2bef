"""From occurrence bits to labels."""

from dbce.classify.by_bucket import judge_by_bucket
from dbce.classify.density import density_labels
from dbce.classify.explain import Push, Pushes, pushes
from dbce.classify.features import page_features
from dbce.classify.joint import Judged, judge_jointly
from dbce.classify.model import load as load_model
from dbce.classify.patterns import PATTERNS, element_bits, pattern_labels
from dbce.classify.reclassify import reclassified, run_starts
from dbce.classify.words import in_words, value_in_words

__all__ = [
    "PATTERNS",
    "Judged",
    "Push",
    "Pushes",
    "density_labels",
    "element_bits",
    "in_words",
    "judge_by_bucket",
    "judge_jointly",
    "load_model",
    "page_features",
    "pattern_labels",
    "pushes",
    "reclassified",
    "run_starts",
    "value_in_words",
]
