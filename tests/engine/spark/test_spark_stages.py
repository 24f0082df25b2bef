"""The stages of a run as jobs of their own, one after the other."""

import shutil
from pathlib import Path

import pytest

from dbce.cli import main
from dbce.model import Stage
from tests.runs import outputs

STAGES = (Stage.READ, Stage.COMPARE, Stage.JUDGE)


def run(source: Path, out: Path, *options: str, stage: Stage | None = None) -> int:
    given = ["run", str(source), "--out", str(out), *options]
    return main(given, master="none" if stage is None else "local[2]", stage=stage)


@pytest.mark.spark
@pytest.mark.slow
def test_three_jobs_write_the_bytes_of_a_run(sample, sample_run, tmp_path, capsys):
    out = tmp_path / "out"
    said = []
    for stage in STAGES:
        assert run(sample, out, stage=stage) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == (
        f"the sketches of 125 captures are in {out}; next, with the same arguments: jobs/compare.py\n"
    )
    assert said[1] == (
        f"125 captures are compared in {out}; next, with the same arguments: jobs/judge.py\n"
    )
    assert said[2].startswith("captures        125\n")
    whole = outputs(sample_run)
    assert outputs(out) == whole
    for stage in STAGES[1:]:
        assert run(sample, out, stage=stage) == 0  # nothing is left to do
    assert outputs(out) == whole


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.nightly
def test_a_stage_that_is_not_whole_is_asked_for(sample, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(sample, out, stage=Stage.READ) == 0
    assert run(sample, out, stage=Stage.JUDGE) == 2
    assert capsys.readouterr().err.endswith(
        f"{out} holds no comparison; run jobs/compare.py first\n"
    )
    lost = min((out / "index").rglob("*.parquet"))
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    assert run(sample, out, stage=Stage.COMPARE) == 2
    assert "continue with jobs/sketch.py --resume first" in capsys.readouterr().err
    assert run(sample, out, "--resume", stage=Stage.READ) == 0
    assert run(sample, out, stage=Stage.COMPARE) == 0


@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_later_stage_needs_a_run_that_has_begun(sample, tmp_path, stage, capsys):
    out = tmp_path / "out"
    assert run(sample, out, stage=stage) == 2
    sentence = f"dbce: {out} holds no run to continue; begin with jobs/sketch.py\n"
    assert capsys.readouterr().err == sentence
    assert run(sample, out, "--overwrite", stage=stage) == 2
    assert "--overwrite is for jobs/sketch.py" in capsys.readouterr().err
    assert not out.exists()


def test_stages_by_themselves_need_spark(sample, tmp_path, capsys):
    assert run(sample, tmp_path / "out", "--master", "none", stage=Stage.READ) == 2
    assert "needs Spark" in capsys.readouterr().err
