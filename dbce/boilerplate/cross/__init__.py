"""Neighbours of a capture: other pages of its template, earlier and later snapshots; and its variants."""

from dbce.boilerplate.cross.history import snapshots
from dbce.boilerplate.cross.members import NOBODY, Entry, Members, members_of
from dbce.boilerplate.cross.neighbours import (
    Crosses,
    as_values,
    crosses,
    strongest,
    with_snapshots,
    with_variants,
)
from dbce.boilerplate.cross.peer_support import BlockNodes, circles
from dbce.boilerplate.cross.variants import Variants, variants

__all__ = [
    "NOBODY",
    "BlockNodes",
    "Crosses",
    "Entry",
    "Members",
    "Variants",
    "as_values",
    "circles",
    "crosses",
    "members_of",
    "snapshots",
    "strongest",
    "variants",
    "with_snapshots",
    "with_variants",
]
