"""The damage account of archives: their content, and each fault with its place, without a run."""

from dbce.check.account import Account, Finding
from dbce.check.lines import as_json, as_text
from dbce.check.survey import survey, surveys, with_resolutions

__all__ = ["Account", "Finding", "as_json", "as_text", "survey", "surveys", "with_resolutions"]
