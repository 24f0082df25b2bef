"""Files that somebody else put where a command writes are refused, and stay."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from dbce.engine import Local, StartMode, drive
from dbce.model import Rendering, UsageError
from dbce.visual.migrate import MigrationJob
from dbce.visual.render import RenderJob


@pytest.mark.parametrize("again", [StartMode.REFUSE, StartMode.RESUME])
@pytest.mark.parametrize("part", ["migrated", "rendered"])
def test_a_folder_that_holds_files_of_others_is_refused(
    tmp_path: Path, part: str, again: StartMode
) -> None:
    thesis = tmp_path / part / "thesis.parquet"
    thesis.parent.mkdir()
    thesis.write_text("precious")
    job = (
        MigrationJob("rendered", str(tmp_path), ())
        if part == "migrated"
        else RenderJob(str(tmp_path), Rendering(), (), ())
    )
    with pytest.raises(UsageError, match=rf"{part} .*is not empty; name another folder"):
        drive(job, lambda: nullcontext(Local()), again)
    assert thesis.read_text() == "precious"
