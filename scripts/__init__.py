"""Beside the package and never in its wheel: what sets this project up, and what was asked with it."""
