"""The generator of large archives: like the web in its sizes, and the same every time."""

from __future__ import annotations

import json
import re
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
from scripts.experiments import large_pages as pages
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


def test_a_page_is_as_large_as_pages_are():
    made = [pages.page(1, site, number, 1) for site in range(10) for number in range(5)]
    assert 40_000 < sum(map(len, made)) / len(made) < 60_000
    elements = sorted(len(re.findall("<[a-z]", html)) for html in made)
    assert 450 < elements[len(made) // 2] < 650
    words = sorted(len(set(re.sub("<[^>]*>", " ", html).split())) for html in made)
    assert 450 < words[len(made) // 2] < 900


def test_snapshots_share_the_article_and_differ_around_it():
    early, late = (pages.page(1, 0, 7, crawl) for crawl in (0, 2))
    paragraphs = re.compile(r'<p class="\w+-text">.*')
    assert paragraphs.findall(early) == paragraphs.findall(late)[: len(paragraphs.findall(early))]
    assert "Copyright 2013" in early
    assert "Copyright 2015" in late


def test_sites_are_as_unequal_as_hosts_are():
    ends = large.Plan(captures=30_000, templates=100, snapshots=3, seed=1).ends
    sizes = [end - start for start, end in zip((0, *ends), ends, strict=False)]
    assert ends[-1] == 10_000
    assert sizes[0] == pytest.approx(2 * sizes[1], rel=0.01)
    assert sizes[0] == pytest.approx(10 * sizes[9], rel=0.01)
    assert min(sizes) > 0


@given(
    total=st.integers(1, 400),
    templates=st.integers(1, 20),
    snapshots=st.integers(1, 7),
)
def test_a_crawl_fetches_every_page_once(total, templates, snapshots):
    plan = large.Plan(total, templates, snapshots, seed=1)
    fetched = [plan.capture(number) for number in range(total)]
    assert len(set(fetched)) == total
    assert all(site < templates and crawl < snapshots for site, _, crawl in fetched)
    first = {(site, page) for site, page, crawl in fetched if crawl == 0}
    assert first == {(site, page) for site, page, _ in fetched}


def test_more_templates_than_pages_are_refused(capsys):
    with pytest.raises(SystemExit):
        large.main(["out", "--captures", "30", "--templates", "11"])
    assert "11 templates need as many pages, and there are 10" in capsys.readouterr().err
