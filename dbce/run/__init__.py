"""Runs, from archive files to the folder that is left, night by night; checks and repair of what is stored."""

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.run.check import (
        ArchiveAccount,
        account_as_json,
        account_as_text,
        check_outputs,
        damages_of_others,
        is_output_folder,
        outputs_as_json,
        outputs_as_text,
        survey_archive,
        survey_archives,
        with_resolutions,
    )
    from dbce.run.explanation import Explanation, explain
    from dbce.run.job import RunJob, run_stages
    from dbce.run.night import DAMAGED, compact_nights, nights_to_run, run_night, summary_line
    from dbce.run.one_file import Stores
    from dbce.run.repair import repair_archive, repair_run

__getattr__ = lazily(__name__)
