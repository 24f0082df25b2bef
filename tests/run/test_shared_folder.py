"""A run begins in a folder that other commands share, and leaves alone what is theirs."""

from pathlib import Path

import pytest

from dbce.cli import main
from dbce.run.job import BESIDE
from tests.site import snapshots, stored


@pytest.mark.parametrize("part", BESIDE)
def test_what_others_left_is_no_hindrance_and_stays(tmp_path: Path, part: str) -> None:
    archive, out = tmp_path / "harbour.warc.gz", tmp_path / "out"
    archive.write_bytes(stored(*snapshots(2015)))
    theirs = out / part / "table.parquet"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"theirs")
    run = ["run", str(archive), "--out", str(out), "--master", "none", "--method", "T002"]
    assert main(run) == 0
    assert main([*run, "--overwrite"]) == 0
    assert theirs.read_bytes() == b"theirs"


def test_what_nobody_knows_is_not_worked_beside(tmp_path, capsys):
    archive, out = tmp_path / "harbour.warc.gz", tmp_path / "out"
    archive.write_bytes(stored(*snapshots(2015)))
    (out / "rendered").mkdir(parents=True)
    (out / "thesis.txt").write_text("precious")
    assert main(["run", str(archive), "--out", str(out), "--master", "none"]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert (out / "thesis.txt").read_text() == "precious"
