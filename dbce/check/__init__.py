"""The damage account of archives: their content, and each fault with its place, without a run."""

from dbce.check.outputs import (
    check_outputs,
    is_output_folder,
    outputs_as_json,
    outputs_as_text,
)
from dbce.check.survey import Account, as_json, as_text, survey, surveys, with_resolutions
