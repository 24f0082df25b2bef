"""Neighbours of a capture: other pages of its template, earlier and later snapshots."""

from dbce.cross.circle import Nodes, ask, circle_of
from dbce.cross.neighbours import Entry, crosses, strongest

__all__ = ["Entry", "Nodes", "ask", "circle_of", "crosses", "strongest"]
