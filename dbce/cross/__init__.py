"""Neighbours of a capture: other pages of its template, earlier and later snapshots."""
