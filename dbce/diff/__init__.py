"""Which words of a capture its neighbours share."""

from dbce.diff.fast import align
from dbce.diff.reference import match

__all__ = ["align", "match"]
