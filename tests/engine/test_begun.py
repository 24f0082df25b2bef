"""A job that was begun goes on with what it began with."""

import json
from dataclasses import replace

import pytest

from dbce.archive import Source
from dbce.boilerplate.classify import model, model_digest
from dbce.engine.job import begin, resumed_sources
from dbce.model import LOG, Config, UsageError
from dbce.storage import BEGUN, Folder, has_begun, read_note
from tests.runs import fails_with

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
    assert resumed_sources(folder, SOURCES, CONFIG) == SOURCES


def test_another_configuration_is_refused(folder):
    begin(folder, SOURCES, CONFIG)
    for other in ({"template_similarity": 0.5}, {"wet": True}, {"wacz": True}):
        with pytest.raises(UsageError, match="was begun with another configuration; give the same"):
            resumed_sources(folder, SOURCES, replace(CONFIG, **other))
    more = replace(CONFIG, max_reject_ratio=1.0)  # changes no result
    assert resumed_sources(folder, SOURCES, more) == SOURCES


def test_a_missing_input_is_refused_by_name(folder):
    begin(folder, SOURCES, CONFIG)
    with pytest.raises(UsageError, match=r"was begun with /in/b\.warc\.gz, which is not among"):
        resumed_sources(folder, SOURCES[:1], CONFIG)


def test_files_that_came_later_are_left_out_with_a_warning(folder, caplog, monkeypatch):
    """Even where they change how the earlier ones would be called."""
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])  # whatever ran before
    monkeypatch.setattr(LOG, "propagate", False)
    begin(folder, SOURCES, CONFIG)
    renamed = replace(SOURCES[0], name="in/a.warc.gz")
    late = Source("late/a.warc.gz", "/in/late/a.warc.gz", None)
    assert resumed_sources(folder, [renamed, SOURCES[1], late], CONFIG) == SOURCES
    assert caplog.messages == ["1 file came since the run began: left to another run"]


def test_a_note_that_is_not_whole_is_no_note(folder, monkeypatch):
    monkeypatch.setattr(folder.fs, "mv", fails_with(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        begin(folder, SOURCES, CONFIG)
    assert not has_begun(folder)


def refusal(folder: Folder, config: Config = CONFIG) -> str:
    with pytest.raises(UsageError) as refused:
        resumed_sources(folder, SOURCES, config)
    return str(refused.value).removeprefix(f"{folder.uri} ")


def test_a_job_of_another_version_is_refused_with_both_named(folder, monkeypatch):
    monkeypatch.setattr("dbce.__version__", "0.0.1")
    begin(folder, SOURCES, CONFIG)
    monkeypatch.setattr("dbce.__version__", "0.0.2")
    assert refusal(folder) == (
        "was begun by dbce 0.0.1, and this is dbce 0.0.2; use that version to continue, or start anew with "
        "--overwrite"
    )
    note = read_note(folder, BEGUN, dict)
    del note["version"], note["model"]  # as versions wrote it that did not name themselves
    folder.write(BEGUN, json.dumps(note).encode())
    assert refusal(folder).startswith("was begun by an older dbce, and this is dbce 0.0.2; ")


def test_a_job_of_another_model_file_is_refused_with_both_named(folder, monkeypatch, tmp_path):
    """Also where the model that comes with the package has changed, and the settings are the same."""
    joint = Config()
    begin(folder, SOURCES, joint)
    assert resumed_sources(folder, SOURCES, joint) == SOURCES
    was = model_digest("")
    (tmp_path / "other.npz").write_bytes(b"another model")
    monkeypatch.setattr(model, "_open", lambda *_: (tmp_path / "other.npz").open("rb"))
    assert refusal(folder, joint).startswith(
        f"was begun with model {was}, and this is model {model_digest('')}; give the same model"
    )
    begin(folder, SOURCES, CONFIG)
    assert resumed_sources(folder, SOURCES, CONFIG) == SOURCES, "this method has no model"


@pytest.mark.parametrize("left", [b"", b"\0" * 64, b'{"files": [', b"[]"])
def test_a_damaged_note_counts_as_missing_and_a_warning_names_it(folder, caplog, monkeypatch, left):
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])
    monkeypatch.setattr(LOG, "propagate", False)
    folder.write(BEGUN, left)
    assert not has_begun(folder)
    assert not has_begun(folder)
    assert caplog.messages == [
        f"warning: {folder.full_path(BEGUN)} is damaged and counts as missing"
    ], "once"
