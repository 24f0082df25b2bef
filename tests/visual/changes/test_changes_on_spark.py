"""Changes found on Spark are the same bytes as those found in one process."""

from pathlib import Path

import pytest

from dbce.cli import main
from dbce.visual.changes import plan
from tests.site import snapshots, story
from tests.visual.changes.build import finished, harbour, lighthouse, stored

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_the_bytes_are_those_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "OF_A_PART", 4)
    pages = [*snapshots(2014), *snapshots(2015)]
    pages += [harbour("2014", lighthouse()), harbour("2015", lighthouse(story("lamp")))]
    out = finished(tmp_path, stored(*pages))
    found = []
    for master in ("none", "local[2]"):
        assert main(["changes", str(out), "--overwrite", "--master", master]) == 0
        found.append({path.name: path.read_bytes() for path in (out / "changes").iterdir()})
    assert found[0] == found[1]
    assert len(found[0]) == 3 + 2, "the parts, their account, and the list of all"
