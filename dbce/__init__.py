"""Diff Based Content Extraction: content or boilerplate, for every text of every archived page."""

__version__ = "0.1.0"
