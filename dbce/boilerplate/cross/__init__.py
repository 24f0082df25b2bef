"""Neighbours of a capture: other pages of its template, earlier and later snapshots."""

from dbce.boilerplate.cross.history import snapshots
from dbce.boilerplate.cross.members import NOBODY, Entry, Members, members_of
from dbce.boilerplate.cross.neighbours import Crosses, as_values, crosses, strongest, with_snapshots
from dbce.boilerplate.cross.peer_support import BlockNodes, circles

__all__ = [
    "NOBODY",
    "BlockNodes",
    "Crosses",
    "Entry",
    "Members",
    "as_values",
    "circles",
    "crosses",
    "members_of",
    "snapshots",
    "strongest",
    "with_snapshots",
]
