"""The generator of large archives: like the web in its sizes, and the same every time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import expand, read
from dbce.cli import main
from dbce.model import Capture, Limits
from scripts.experiments import large
from tests.runs import ROOT

if TYPE_CHECKING:
    from pathlib import Path


SIXTY = ("--captures", "60", "--templates", "2", "--files", "3")


def generate(out: Path, *options: str) -> Path:
    large.main([str(out), *options])
    return out


@pytest.fixture(scope="module")
def sixty(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("large") / "sixty"
    return generate(out, *SIXTY)


def captures(folder: Path) -> list[Capture]:
    found = [one for source in expand([str(folder)]) for one in read(source, Limits())]
    assert all(isinstance(one, Capture) for one in found)
    return found


def test_every_capture_finds_pages_of_its_template(sixty, tmp_path):
    options = ["--master", "none", "--method", "T002"]
    assert main(["run", str(sixty), "--out", str(tmp_path / "out"), *options]) == 0
    told = json.loads((tmp_path / "out" / "run.json").read_text())
    assert told["captures"]["total"] == told["captures"]["annotated"] == 60


def test_equal_arguments_give_equal_files_and_another_seed_gives_others(sixty, tmp_path):
    same = tmp_path / "same"
    command = [sys.executable, "-m", "scripts.experiments.large", same, *SIXTY]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)  # its hashes are others
    other = generate(tmp_path / "other", "--captures", "20", "--templates", "2", "--seed", "2")
    names = sorted(path.name for path in sixty.iterdir())
    assert names == ["large-00000.warc.gz", "large-00001.warc.gz", "large-00002.warc.gz"]
    assert all((sixty / name).read_bytes() == (same / name).read_bytes() for name in names)
    assert {one.payload for one in captures(sixty)}.isdisjoint(
        {one.payload for one in captures(other)}
    )


@given(total=st.integers(1, 400), templates=st.integers(1, 20), snapshots=st.integers(1, 7))
def test_a_crawl_fetches_every_page_once(total, templates, snapshots):
    plan = large.Plan(total, templates, snapshots, seed=1)
    fetched = [plan.capture(number) for number in range(total)]
    assert len(set(fetched)) == total
    assert all(site < templates and crawl < snapshots for site, _, crawl in fetched)
    first = {(site, page) for site, page, crawl in fetched if crawl == 0}
    assert first == {(site, page) for site, page, _ in fetched}
