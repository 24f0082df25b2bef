"""Template tokens, MinHash signatures and their bands."""

from dbce.boilerplate.signature.minhash import bands, bands_and_rows, signature
from dbce.boilerplate.signature.texts import (
    PERMUTATIONS,
    text_bands,
    text_digest,
    text_signature,
    text_similarity,
)
from dbce.boilerplate.signature.tokens import RECIPES, layer_tokens, layers, path_tokens

__all__ = [
    "PERMUTATIONS",
    "RECIPES",
    "bands",
    "bands_and_rows",
    "layer_tokens",
    "layers",
    "path_tokens",
    "signature",
    "text_bands",
    "text_digest",
    "text_signature",
    "text_similarity",
]
