"""Neighbours of a capture: other pages of its template, earlier and later snapshots."""

from dbce.cross.neighbours import Entry, crosses, strongest

__all__ = ["Entry", "crosses", "strongest"]
