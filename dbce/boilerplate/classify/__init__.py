"""From occurrence bits to labels."""

from dbce.boilerplate.classify.arrays import Floats
from dbce.boilerplate.classify.characters import UNSPACED, kinds
from dbce.boilerplate.classify.context import CONTEXT, context_rows
from dbce.boilerplate.classify.cut import cuts, page_cut
from dbce.boilerplate.classify.density import density_labels
from dbce.boilerplate.classify.evidence import CROSS, TIME
from dbce.boilerplate.classify.explain import Push, Pushes, pushes
from dbce.boilerplate.classify.features import (
    OF_OTHERS,
    Features,
    feature_names,
    page_features,
    without_evidence,
    without_others,
    without_time,
)
from dbce.boilerplate.classify.in_words import in_words, value_in_words
from dbce.boilerplate.classify.joint import Judged, judge_jointly
from dbce.boilerplate.classify.lines import Lines
from dbce.boilerplate.classify.model import (
    LEARNED,
    NAME_SCORES,
    PHRASE_SCORES,
    Model,
    Scored,
    Weights,
    calibrated,
    chances,
    learned,
    load_model,
    model_digest,
    scored,
    votes,
    write,
)
from dbce.boilerplate.classify.names import NAME_SLOTS
from dbce.boilerplate.classify.patterns import PATTERNS, element_bits, pattern_labels
from dbce.boilerplate.classify.phrases import PHRASE_SLOTS
from dbce.boilerplate.classify.reclassify import reclassified, run_starts
from dbce.boilerplate.classify.second import (
    Chances,
    Second,
    blended,
    second_votes,
    with_comments,
)
from dbce.boilerplate.classify.selftrained import judge_by_bucket
from dbce.boilerplate.classify.signs import OF_SIGNS
from dbce.boilerplate.classify.tokens import Tokens, distinct
from dbce.boilerplate.classify.trees import Trees, from_sklearn

__all__ = [
    "CONTEXT",
    "CROSS",
    "LEARNED",
    "NAME_SCORES",
    "NAME_SLOTS",
    "OF_OTHERS",
    "OF_SIGNS",
    "PATTERNS",
    "PHRASE_SCORES",
    "PHRASE_SLOTS",
    "TIME",
    "UNSPACED",
    "Chances",
    "Features",
    "Floats",
    "Judged",
    "Lines",
    "Model",
    "Push",
    "Pushes",
    "Scored",
    "Second",
    "Tokens",
    "Trees",
    "Weights",
    "blended",
    "calibrated",
    "chances",
    "context_rows",
    "cuts",
    "density_labels",
    "distinct",
    "element_bits",
    "feature_names",
    "from_sklearn",
    "in_words",
    "judge_by_bucket",
    "judge_jointly",
    "kinds",
    "learned",
    "load_model",
    "model_digest",
    "page_cut",
    "page_features",
    "pattern_labels",
    "pushes",
    "reclassified",
    "run_starts",
    "scored",
    "second_votes",
    "value_in_words",
    "votes",
    "with_comments",
    "without_evidence",
    "without_others",
    "without_time",
    "write",
]
