"""From occurrence bits to labels."""

from dbce.classify.by_bucket import judge_by_bucket
from dbce.classify.density import density_labels
from dbce.classify.joint import Judged, judge_jointly
from dbce.classify.model import load as load_model
from dbce.classify.patterns import PATTERNS, element_bits, pattern_labels
from dbce.classify.propagation import propagate
from dbce.classify.reclassify import reclassified, run_starts

__all__ = [
    "PATTERNS",
    "Judged",
    "density_labels",
    "element_bits",
    "judge_by_bucket",
    "judge_jointly",
    "load_model",
    "pattern_labels",
    "propagate",
    "reclassified",
    "run_starts",
]
