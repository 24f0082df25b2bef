"""Which words of a capture its neighbours share."""

from dbce.diff.fast import align, node_keys
from dbce.diff.reference import match

__all__ = ["align", "match", "node_keys"]
