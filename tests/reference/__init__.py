"""What dbce compiles, once more in Python: plain and slow, and what tests hold the compiled part to."""

from tests.reference.lines import (
    around,
    counts,
    enclosing,
    holders,
    inherited,
    mean_before,
    nearest,
    with_all_below,
)
from tests.reference.sketches import (
    hash_strings,
    node_places,
    path_tokens,
    template_hashes,
    word_hashes,
)
from tests.reference.tokens import name_tokens, number_paths, phrase_tokens, title_overlaps

__all__ = [
    "around",
    "counts",
    "enclosing",
    "hash_strings",
    "holders",
    "inherited",
    "mean_before",
    "name_tokens",
    "nearest",
    "node_places",
    "number_paths",
    "path_tokens",
    "phrase_tokens",
    "template_hashes",
    "title_overlaps",
    "with_all_below",
    "word_hashes",
]
