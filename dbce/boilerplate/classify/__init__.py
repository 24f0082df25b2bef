"""From occurrence bits to labels."""

from dbce.boilerplate.classify.context import context_rows
from dbce.boilerplate.classify.explain import Pushes, in_words, pushes, value_in_words
from dbce.boilerplate.classify.features import (
    CROSS,
    OF_OTHERS,
    TIME,
    Features,
    feature_names,
    page_features,
    without_evidence,
    without_others,
    without_time,
)
from dbce.boilerplate.classify.joint import Judged, cuts, judge_jointly, page_cut
from dbce.boilerplate.classify.lines import UNSPACED, Floats, Lines, kinds
from dbce.boilerplate.classify.model import (
    LEARNED,
    NAME_SCORES,
    PHRASE_SCORES,
    Chances,
    Model,
    Scored,
    Second,
    Weights,
    blended,
    calibrated,
    chances,
    learned,
    load_model,
    model_digest,
    scored,
    second_votes,
    votes,
    with_comments,
    write,
)
from dbce.boilerplate.classify.selftrained import judge_by_bucket
from dbce.boilerplate.classify.signs import OF_SIGNS
from dbce.boilerplate.classify.thesis import (
    PATTERNS,
    density_labels,
    element_bits,
    pattern_labels,
    reclassified,
    run_starts,
)
from dbce.boilerplate.classify.tokens import NAME_SLOTS, PHRASE_SLOTS, Tokens, distinct
from dbce.boilerplate.classify.trees import Trees, from_sklearn
