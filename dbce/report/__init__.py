"""The static pages that a run leaves for people."""

from dbce.report.build import write

__all__ = ["write"]
