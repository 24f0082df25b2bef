"""`jobs/render.py` and `jobs/segment.py` on a real standalone cluster, a browser in each executor."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from dbce.cli import main
from tests.browser import chromium
from tests.run.spark.test_cluster import environment, script, submit
from tests.runs import ROOT
from tests.visual.render.test_render_command import outputs, render, written

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.spark, pytest.mark.browser, pytest.mark.slow]


@pytest.mark.usefixtures("_browser")
def test_a_rendering_on_the_cluster_leaves_what_one_browser_leaves(tmp_path: Path) -> None:
    written(tmp_path / "in")
    folder = tmp_path / "cluster"
    started = script("start", "--memory", "600m", folder=folder)
    assert started.returncode == 0, started.stderr
    try:
        subprocess.run([ROOT / "scripts" / "dist.sh", "--pure", tmp_path / "dist"], check=True)
        (package,) = (tmp_path / "dist").glob("dbce-*.zip")
        words = [tmp_path / "in", "--out", tmp_path / "out", "--chromium", chromium()]
        job = ["--py-files", package, ROOT / "jobs" / "render.py", *words]
        run = submit(started.stdout.strip(), *job, executors=environment(tmp_path / "env"))
        assert run.returncode == 0, run.stderr[-2000:]
        job = ["--py-files", package, ROOT / "jobs" / "segment.py", tmp_path / "out"]
        run = submit(started.stdout.strip(), *job, executors=environment(tmp_path / "env"))
        assert run.returncode == 0, run.stderr[-2000:]
    finally:
        script("stop", folder=folder)
    render(tmp_path / "in", "--out", tmp_path / "plain", "--jobs", 1)
    assert outputs(tmp_path / "out") == outputs(tmp_path / "plain")
    assert main(["segment", str(tmp_path / "plain")]) == 0
    blocks = [tmp_path / name / "blocks" / "dbce.parquet" for name in ("out", "plain")]
    assert blocks[0].read_bytes() == blocks[1].read_bytes()
