"""From occurrence bits to labels."""

from dbce.boilerplate.classify.context import context_rows
from dbce.boilerplate.classify.explain import Pushes, in_words, pushes, value_in_words
from dbce.boilerplate.classify.features import (
    Features,
    page_features,
    without_evidence,
    without_others,
    without_time,
)
from dbce.boilerplate.classify.joint import Judgement, LineValues, cuts, judge_jointly, page_cut
from dbce.boilerplate.classify.lines import Floats, Lines, read_lines
from dbce.boilerplate.classify.model import (
    LEARNED,
    Chances,
    Model,
    ScoredLines,
    Second,
    Weights,
    blend_votes,
    calibrate,
    load_model,
    model_digest,
    score_lines,
    second_votes,
    votes,
    with_comments,
    write,
)
from dbce.boilerplate.classify.thesis import density_labels, element_bits, pattern_labels
from dbce.boilerplate.classify.tokens import NAME_SLOTS, PHRASE_SLOTS, Tokens, distinct
from dbce.boilerplate.classify.trees import Trees, constant, from_sklearn
