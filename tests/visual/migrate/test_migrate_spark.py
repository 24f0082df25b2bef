"""Migrating on Spark leaves the same bytes as in one process."""

from pathlib import Path

import pytest

from dbce.cli import main
from tests.archive.build import members
from tests.browser import NONE, chromium
from tests.runs import job
from tests.visual.migrate.test_migrate_command import FRAMES, OLD
from tests.visual.render.build import got

pytestmark = [pytest.mark.spark, pytest.mark.browser, pytest.mark.slow]


def test_the_job_leaves_what_one_process_leaves(tmp_path: Path) -> None:
    if chromium() is None:
        pytest.skip(NONE)
    archive = tmp_path / "in"
    archive.mkdir()
    for name in ("a", "b"):
        pages = [got(f"/{name}/{path}", body) for path, body in (("x", OLD), ("y", FRAMES))]
        (archive / f"{name}.warc.gz").write_bytes(b"".join(members(pages)))
    run = str(tmp_path / "run")
    assert main(["render", str(archive), "--out", run, "--jobs", "1"]) == 0
    words = ["migrate", run, "--archive", str(archive), "--out"]
    assert main([*words, str(tmp_path / "one")]) == 0
    assert job("migrate", *words[1:], tmp_path / "spark", "--master", "local[2]") == 0
    one, spark = tmp_path / "one" / "migrated", tmp_path / "spark" / "migrated"
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(files) == 7
    for file in files:
        assert (spark / file).read_bytes() == (one / file).read_bytes(), file
