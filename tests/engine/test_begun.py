"""A job that was begun goes on with what it began with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dbce.archive import Source
from dbce.engine.begun import begin, resumed
from dbce.model import Config, UsageError
from dbce.progress import LOG
from dbce.storage import Folder, has_begun

CONFIG = Config(method="T002")


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(str(tmp_path / "out"))


def source(name: str, folder: str = "/in") -> Source:
    return Source(name, f"{folder}/{name}", None)


SOURCES = (source("a.warc.gz"), replace(source("b.warc.gz"), offsets=(3, 7)))


def test_what_was_begun_is_gone_on_with(folder):
    begin(folder, SOURCES, CONFIG)
    assert has_begun(folder)
    assert resumed(folder, SOURCES, CONFIG) == SOURCES


def test_another_configuration_is_refused(folder):
    begin(folder, SOURCES, CONFIG)
    for other in ({"template_similarity": 0.5}, {"wet": True}, {"wacz": True}):
        with pytest.raises(UsageError, match="was begun with another configuration; give the same"):
            resumed(folder, SOURCES, replace(CONFIG, **other))
    more = replace(CONFIG, max_reject_ratio=1.0)  # changes no result
    assert resumed(folder, SOURCES, more) == SOURCES


def test_a_missing_input_is_refused_by_name(folder):
    begin(folder, SOURCES, CONFIG)
    with pytest.raises(UsageError, match=r"was begun with /in/b\.warc\.gz, which is not among"):
        resumed(folder, SOURCES[:1], CONFIG)


def test_files_that_came_later_are_left_out_with_a_warning(folder, caplog, monkeypatch):
    """Even where they change how the earlier ones would be called."""
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])  # whatever ran before
    monkeypatch.setattr(LOG, "propagate", False)
    begin(folder, SOURCES, CONFIG)
    renamed = replace(SOURCES[0], name="in/a.warc.gz")
    late = Source("late/a.warc.gz", "/in/late/a.warc.gz", None)
    assert resumed(folder, [renamed, SOURCES[1], late], CONFIG) == SOURCES
    assert caplog.messages == ["1 file came since the run began: left to another run"]


def test_a_note_that_is_not_whole_is_no_note(folder, monkeypatch):
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder.fs, "mv", die)
    with pytest.raises(KeyboardInterrupt):
        begin(folder, SOURCES, CONFIG)
    assert not has_begun(folder)
