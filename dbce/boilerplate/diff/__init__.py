"""Words of a capture that its neighbours share."""

from dbce.boilerplate.diff.fast import align
from dbce.boilerplate.diff.reference import match
from dbce.boilerplate.diff.texts import Texts, node_keys, texts_of

__all__ = [
    "Texts",
    "align",
    "match",
    "node_keys",
    "texts_of",
]
