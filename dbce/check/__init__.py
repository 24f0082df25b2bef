"""The damage account of archives: what is in them, and what is wrong where, without a run."""

from dbce.check.account import Account, Finding
from dbce.check.lines import as_json, as_text
from dbce.check.revisits import with_resolutions
from dbce.check.survey import survey, surveys

__all__ = ["Account", "Finding", "as_json", "as_text", "survey", "surveys", "with_resolutions"]
