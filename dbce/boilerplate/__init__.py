"""Content or boilerplate, by joint evidence: stage 1 `sketch`, stage 2 `compare`, stage 3 `judge`."""

from dbce.boilerplate.compare import (
    BLOCK,
    ComparisonFailure,
    Cuts,
    all_blocks,
    chosen_crosses,
    compare_what_can_be,
    cuts_of,
)
from dbce.boilerplate.cross import as_values
from dbce.boilerplate.decide import with_dial
from dbce.boilerplate.judge import (
    Annotated,
    JudgeInput,
    Made,
    Make,
    as_annotated,
    as_stored,
    batches,
    judge_in_batches,
    metadata_of,
    page_evidence,
    with_stored_text,
)
from dbce.boilerplate.neighbourhood import (
    DUPLICATE,
    RULES,
    TEXTS,
    Claim,
    Neighbourhood,
    Original,
    Place,
    Revisit,
    compare_neighbourhood,
    failure,
    members,
    neighbourhood,
    original_of,
    repeat_of,
    resolve,
    revisit_of,
    sites_of,
    snapshot,
    with_repeat,
)
from dbce.boilerplate.sketch import (
    PERMUTATIONS,
    bands_and_rows,
    document_of,
    sketch,
    sketch_parsed,
    text_digest,
    text_signature,
    text_similarity,
    word_hashes,
)
