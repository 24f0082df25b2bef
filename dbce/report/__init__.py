"""What a run leaves for people: a report in one file, and static pages of its captures."""

from dbce.report.command import write_report

__all__ = ["write_report"]
