"""Captures read once and judged in batches, by this process and by several."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

import dbce
from dbce.archive import capture
from dbce.boilerplate import judge
from dbce.model import Config, StoreError, UsageError
from dbce.pipeline.batches import judge_captures
from tests.runs import process
from tests.site import TOPICS, article, story

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.boilerplate import Make
    from dbce.html import Canonical, Document
    from dbce.quality import CrawlerTexts

DATED = [
    (f"http://harbour.example/{topic}", article(topic, story(topic, 30 + year % 7)), f"{year}0101")
    for year in (2014, 2015, 2016)
    for topic in TOPICS
]
PAGES = [*DATED, ("http://harbour.example/none", "<p> </p>"), *DATED[:2]]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of this process; those of others are as it cuts them."""
    monkeypatch.setattr(judge, "BATCH_PAGES", 3)


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("method", ["joint", "self"])
def test_several_processes_give_the_results_of_one(method: str) -> None:
    config = Config(method=method)
    alone = list(dbce.extract_all(PAGES, config=config))
    assert len(alone) == len(PAGES)
    assert len({one.status for one in alone}) > 1
    assert list(dbce.extract_all(PAGES, config=config, processes=2)) == alone


def test_a_batch_is_one_of_a_file_and_no_larger_than_a_model_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judge, "BATCH_PAGES", 3)
    monkeypatch.setattr(judge, "BATCH_BYTES", 50)
    sized = [("a", 10), ("a", 10), ("a", 10), ("a", 45), ("a", 5), ("a", 1), ("b", 99), ("b", 1)]
    found = judge.batches(sized, lambda one: one[0], lambda one: one[1])
    assert [[size for _, size in batch] for batch in found] == [[10] * 3, [45, 5], [1], [99], [1]]


def plain(document: Document) -> Canonical:
    return document.canonical(to_write=False)


def deadly(_texts: CrawlerTexts) -> Make[str]:
    def make(*_judged: object) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    return make


@pytest.mark.slow
def test_a_process_that_is_killed_over_a_batch_again_and_again_is_told() -> None:
    captures = [capture(url, html, at) for url, html, at in DATED]
    with pytest.raises(StoreError, match="pages of memory was killed twice"):
        list(judge_captures(captures, Config(), deadly, plain, processes=2))


def test_no_processes_are_refused() -> None:
    with pytest.raises(UsageError, match="0 processes"):
        list(dbce.extract_all(PAGES, processes=0))


@pytest.mark.slow
def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import dbce\nprint('begun')\n"
        f"pages = {DATED[:4]!r}\n"
        "print(len(list(dbce.extract_all(pages, processes=2))))\n"
    )
    done = process(sys.executable, script)
    assert (done.stdout, done.stderr) == ("begun\n4\n", "")
