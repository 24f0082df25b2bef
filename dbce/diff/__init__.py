"""Which words of a capture its neighbours share."""

from dbce.diff.fast import align
from dbce.diff.reference import match
from dbce.diff.texts import Texts, node_keys, texts_of

__all__ = ["Texts", "align", "match", "node_keys", "texts_of"]
