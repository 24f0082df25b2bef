"""The damage account of archives: their content, and each fault with its place, without a run."""

from dbce.check.account import Account, Finding
from dbce.check.lines import as_json, as_text
from dbce.check.outputs import (
    OutputsAccount,
    check_outputs,
    is_output_folder,
    outputs_as_json,
    outputs_as_text,
)
from dbce.check.survey import survey, surveys, with_resolutions

__all__ = [
    "Account",
    "Finding",
    "OutputsAccount",
    "as_json",
    "as_text",
    "check_outputs",
    "is_output_folder",
    "outputs_as_json",
    "outputs_as_text",
    "survey",
    "surveys",
    "with_resolutions",
]
