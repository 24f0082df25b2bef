"""A job begins where it may, goes on where it stood, and replaces old outputs when the new ones are whole."""

import json
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from dbce.archive import Source
from dbce.boilerplate.classify import model, model_digest
from dbce.engine import Job, Local, Stage, StartMode, Workers, drive, work_without_progress
from dbce.engine.job import begin, resumed_sources
from dbce.model import LOG, Config, Progress, UsageError
from dbce.storage import BEGUN, Folder, folder_lock, has_begun, is_done, mark_done, move_all, tidy
from tests.runs import fails_with, files


@dataclass(frozen=True)
class Asked:
    words: str

    def digest(self) -> str:
        return self.words

    def optional_outputs(self) -> tuple[str, ...]:
        return ()


@dataclass
class Letters(Job):
    """Writes each letter of some words to a file of its own."""

    out: str
    words: str
    failing: str = ""
    kind: str = "word"
    outputs: tuple[str, ...] = ("word.json", "letters", "extra-*.txt")
    sources: tuple[Source, ...] = ()
    written: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Folder:
        return Folder(self.out)

    @property
    def settings(self) -> Asked:
        return Asked(self.words)

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> int:
        if not self.words:
            raise UsageError("no letters are left")

        def write(letter: str) -> None:
            if letter == self.failing:
                raise RuntimeError("the lights went out")
            place.write(f"letters/{letter}", letter.encode())
            place.write(f"extra-{letter}.txt", b"")
            mark_done(place, letter, {})
            self.written.append(letter)

        todo = {letter: letter for letter in self.words if not is_done(place, letter)}
        workers.do(
            Stage(1, "write", "writing", todo, work_without_progress(write)), Progress("test")
        )
        return len(self.words)

    def finish(self, place: Folder, _sources: tuple[Source, ...], letters: int) -> dict[str, int]:
        place.write("word.json", json.dumps(letters).encode())
        tidy(place)
        return {"letters": letters}


def driven(job: Letters, again: StartMode = StartMode.REFUSE) -> dict[str, int] | None:
    return drive(job, lambda: nullcontext(Local()), again)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_a_job_leaves_its_outputs_and_nothing_else(out: Path) -> None:
    assert driven(Letters(str(out), "ab")) == {"letters": 2}
    assert files(out) == ["extra-a.txt", "extra-b.txt", "letters/a", "letters/b", "word.json"]


def test_a_finished_job_is_neither_done_again_nor_replaced_unasked(out: Path) -> None:
    driven(Letters(str(out), "ab"))
    with pytest.raises(UsageError, match="holds a finished word; name another folder or add"):
        driven(Letters(str(out), "ab"))
    again = Letters(str(out), "ab")
    assert driven(again, StartMode.RESUME) is None
    assert again.written == []


def test_a_job_that_died_goes_on_with_what_is_left(out: Path) -> None:
    with pytest.raises(RuntimeError):
        driven(Letters(str(out), "abc", failing="b"))
    with pytest.raises(UsageError, match="holds an unfinished word; --resume continues it"):
        driven(Letters(str(out), "abc"))
    with folder_lock(Folder(str(out))), pytest.raises(UsageError, match="another dbce works in"):
        driven(Letters(str(out), "abc"))
    with pytest.raises(UsageError, match="was begun with another configuration"):
        driven(Letters(str(out), "abcd"), StartMode.RESUME)
    again = Letters(str(out), "abc")
    driven(again, StartMode.RESUME)
    assert again.written == ["b", "c"]
    assert not (out / "work").exists()


def test_old_outputs_stay_until_the_new_ones_are_whole(out: Path) -> None:
    driven(Letters(str(out), "xyz"))
    before = files(out)
    with pytest.raises(RuntimeError):
        driven(Letters(str(out), "abc", failing="b"), StartMode.OVERWRITE)
    assert [name for name in files(out) if not name.startswith("next/")] == before
    again = Letters(str(out), "abc")
    driven(again, StartMode.RESUME)
    assert again.written == ["b", "c"]
    assert [name for name in files(out) if "letters" in name] == [f"letters/{c}" for c in "abc"]
    assert [name for name in files(out) if "extra" in name] == [f"extra-{c}.txt" for c in "abc"]
    assert not (out / "next").exists()


def test_a_crash_while_a_finished_job_tidies_up_is_made_good(out, monkeypatch):
    driven(Letters(str(out), "xyz"))
    whole = files(out)
    (out / "word.json").unlink()
    (out / "letters/.x.0.draft").touch()
    remove = Folder.remove

    def dies(folder: Folder, name: str) -> None:
        if name == "work":
            raise KeyboardInterrupt
        remove(folder, name)

    begin(Folder(str(out)), (), Asked("xyz"))
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "remove", dies)
        with pytest.raises(KeyboardInterrupt):
            driven(Letters(str(out), "xyz"), StartMode.RESUME)
    assert (out / "work").exists()
    assert driven(Letters(str(out), "xyz"), StartMode.RESUME) is None
    assert files(out) == whole


def test_what_leaves_nothing_to_do_changes_nothing(out: Path) -> None:
    driven(Letters(str(out), "xyz"))
    before = files(out)
    with pytest.raises(UsageError, match="no letters are left"):
        driven(Letters(str(out), ""), StartMode.OVERWRITE)
    assert files(out) == before


@pytest.mark.parametrize(
    ("moves", "is_noted"), [*((n, True) for n in range(5)), *((n, False) for n in range(1, 5))]
)
def test_a_crash_in_the_middle_of_replacing_leaves_the_new_outputs(
    out, monkeypatch, moves, is_noted
):
    """Also where the note of those that were moved is damaged."""
    driven(Letters(str(out), "xyz"))
    left = moves

    def dies(source: Folder, target: Folder, names: list[str]) -> None:
        nonlocal left
        for name in names:
            if not left:
                raise KeyboardInterrupt
            left -= 1
            move_all(source, target, [name])

    with monkeypatch.context() as patch:
        patch.setattr("dbce.storage.move_all", dies)
        with pytest.raises(KeyboardInterrupt):
            driven(Letters(str(out), "abcd"), StartMode.OVERWRITE)
    if is_noted:
        assert not (out / "word.json").exists(), "half of two is taken for a whole"
    else:
        (out / "next/whole.json").write_bytes(b"")
    again = Letters(str(out), "abcd")
    assert driven(again, StartMode.RESUME) is None
    assert again.written == []
    assert files(out) == sorted(
        ["word.json", *(f"letters/{c}" for c in "abcd"), *(f"extra-{c}.txt" for c in "abcd")]
    )


def test_a_unit_whose_mark_is_damaged_is_done_again(out: Path) -> None:
    with pytest.raises(RuntimeError):
        driven(Letters(str(out), "abc", failing="c"))
    (out / "work/units/a.json").write_bytes(b"")
    again = Letters(str(out), "abc")
    driven(again, StartMode.RESUME)
    assert again.written == ["a", "c"]


def test_a_crash_before_the_replacing_begins_leaves_the_new_outputs_too(out, monkeypatch):
    driven(Letters(str(out), "xyz"))
    with monkeypatch.context() as patch:
        patch.setattr("dbce.engine.job._replace", fails_with(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            driven(Letters(str(out), "ab"), StartMode.OVERWRITE)
    assert (out / "letters" / "x").exists()
    with pytest.raises(UsageError, match="holds an unfinished word"):
        driven(Letters(str(out), "ab"))
    assert driven(Letters(str(out), "ab"), StartMode.RESUME) is None
    assert [name for name in files(out) if "letters" in name] == ["letters/a", "letters/b"]
    assert not (out / "next").exists()


# What was begun is gone on with by the same inputs, settings, version and model alone


CONFIG = Config(method="T002")


@pytest.fixture
def folder(out) -> Folder:
    return Folder(str(out))


SOURCES = (Source("a.warc.gz", "/in/a.warc.gz"), Source("b.warc.gz", "/in/b.warc.gz", (3, 7)))


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
