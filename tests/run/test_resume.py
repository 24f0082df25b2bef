"""A run that was interrupted goes on where it stood, and ends as if nothing had been."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dbce.run import job
from dbce.storage.folder import Folder
from tests import runs
from tests.gate import ENGINES
from tests.runs import fails_with, files, same
from tests.site import page, snapshots, stored

pytest.importorskip("pyspark")

UNITS = {"index_file": "index/{}.parquet", "judge_file": "work/units/{}.json"}
"""What marks that a stage has done a file."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    for name, year in (("a", 2014), ("b", 2015), ("c", 2016)):
        (folder / f"{name}.warc.gz").write_bytes(stored(*snapshots(year)))
    return folder


run = partial(runs.run, method="T002")


@pytest.fixture(scope="module")
def undisturbed(archive) -> Path:
    out = archive.with_name("undisturbed")
    assert run(archive, out) == 0
    return out


def fail_on_second(original: Callable, first_is_done: Path) -> Callable:
    """A stage that does the first file and fails on the second."""

    def failing(unit: object, reached: object, **stage: object) -> object:
        source = unit[0] if isinstance(unit, tuple) else unit
        if source.name == "b.warc.gz":
            deadline = time.monotonic() + 30
            while not first_is_done.exists() and time.monotonic() < deadline:
                time.sleep(0.02)  # on Spark both are done at once
            raise RuntimeError("the lights went out")
        return original(unit, reached, **stage)

    return failing


fail = fails_with(RuntimeError("the lights went out"))


def interrupt(monkeypatch, step: str, out: Path) -> None:
    if step in UNITS:
        failing = fail_on_second(getattr(job, step), out / UNITS[step].format("a"))
        monkeypatch.setattr(job, step, failing)
    else:
        monkeypatch.setattr(job, step, fail)


def times(out: Path, folder: str) -> dict[str, int]:
    """When the files of a folder were written, in nanoseconds."""
    return {
        name: (out / name).stat().st_mtime_ns
        for name in files(out)
        if name.startswith(folder) and "/." not in name
    }


@pytest.mark.parametrize("master", ENGINES)
@pytest.mark.parametrize("step", ["index_file", "compare_units", "judge_file", "finish"])
def test_an_interrupted_run_goes_on_and_ends_as_an_undisturbed_one(
    archive, undisturbed, tmp_path, capsys, *, master, step
):
    out = tmp_path / "out"
    with pytest.MonkeyPatch.context() as broken:
        interrupt(broken, step, out)
        assert run(archive, out, master=master) == 1
    assert not (out / "run.json").exists()
    assert not (out / "run.lock").exists()
    read, judged = times(out, "index/"), times(out, "warc/")
    if step == "index_file":
        assert "index/a.parquet" in read
        assert "index/b.parquet" not in read
    if step == "judge_file":
        assert (out / UNITS[step].format("a")).exists()
        # Spark may end the work on the third file between writing its pages and saying that it is done.
        done = {path.stem for path in (out / UNITS[step]).parent.iterdir()}
        judged = {name: at for name, at in judged.items() if name[len("warc/") :][:1] in done}
        assert "warc/b.dbce.warc.gz" not in judged
    if step == "finish":
        assert len(judged) == 3
    capsys.readouterr()

    assert run(archive, out, master=master) == 2
    assert capsys.readouterr().err == (
        f"dbce: {out} holds an unfinished run; --resume continues it, --overwrite starts anew\n"
    )
    assert run(archive, out, "--resume", master=master) == 0
    same(out, undisturbed)
    assert read.items() <= times(out, "index/").items(), "what was read was read again"
    assert judged.items() <= times(out, "warc/").items(), "what was judged was judged again"


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.nightly
def test_a_comparison_that_was_stored_half_is_made_again(
    archive, undisturbed, tmp_path, monkeypatch
):
    """Without the mark that it is whole nothing there counts."""
    out, by_tasks = tmp_path / "out", ("--partitions", "3", "--master", "local[2]")
    with monkeypatch.context() as broken:
        interrupt(broken, "judge_file", out)
        assert run(archive, out, *by_tasks) == 1
    annotations = out / "work/annotations"
    (out / "work/compared").unlink()
    for part in list(annotations.glob("*.parquet")):
        part.write_bytes(part.read_bytes()[:-20])
    assert run(archive, out, "--resume", *by_tasks) == 0
    same(out, undisturbed)


def test_a_finished_run_is_finished(archive, tmp_path, capsys, monkeypatch):
    out = tmp_path / "out"
    assert run(archive, out) == 0
    before = times(out, "")
    capsys.readouterr()
    monkeypatch.setattr("dbce.run.job.run_stages", None)
    assert run(archive, out, "--resume") == 0
    told = capsys.readouterr()
    assert told.err == f"dbce: {out} holds a finished run; nothing is left to do\n"
    assert "annotated     12" in told.out
    assert times(out, "") == before
    for option in ("--threshold=0.5", "--wet", "--wacz"):
        assert run(archive, out, "--resume", option) == 2
        assert "holds a finished run with another configuration" in capsys.readouterr().err
    assert times(out, "") == before


def test_resuming_in_an_empty_folder_begins(archive, undisturbed, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    assert run(archive, out, "--resume") == 0
    same(out, undisturbed)


def test_a_folder_of_something_else_is_not_touched(archive, tmp_path, capsys):
    (tmp_path / "rendered").mkdir()  # of another command
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "mine.warc.gz").write_bytes(b"")
    for option, said in (("--resume", "holds no run to continue and"), ("--wet", f"{tmp_path}")):
        assert run(archive, tmp_path, option) == 2
        assert f"{said} is not empty" in capsys.readouterr().err
    assert files(tmp_path) == ["warc/mine.warc.gz"]


@pytest.mark.parametrize("part", job.BESIDE)
def test_what_other_commands_left_is_no_hindrance_and_stays(archive, tmp_path, part) -> None:
    theirs = tmp_path / part / "table.parquet"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"theirs")
    assert run(archive, tmp_path) == 0
    assert run(archive, tmp_path, "--overwrite") == 0
    assert theirs.read_bytes() == b"theirs"


def test_files_that_come_in_the_middle_are_left_to_another_run(
    undisturbed, archive, tmp_path, monkeypatch, capsys
):
    """One of them is still being written."""
    incoming, out = tmp_path / "in", tmp_path / "out"
    incoming.mkdir()
    for source in archive.iterdir():
        (incoming / source.name).write_bytes(source.read_bytes())
    with monkeypatch.context() as broken:
        interrupt(broken, "judge_file", out)
        assert run(incoming, out) == 1
    (incoming / "d.warc.gz").write_bytes(stored(page("new"))[:-30])
    (incoming / "late").mkdir()
    (incoming / "late" / "a.warc.gz").write_bytes(stored(page("new")))
    assert run(incoming, out, "--resume") == 0
    assert "2 files came since the run began" in capsys.readouterr().err
    same(out, undisturbed)


@pytest.mark.parametrize("removed", range(4))
def test_a_run_that_died_while_it_tidied_up_is_finished_or_begins_anew(
    archive, undisturbed, tmp_path, monkeypatch, removed
):
    """The folder work/ must not be believed when half of it is gone."""
    out = tmp_path / "out"
    remove = Folder.remove
    count = 0

    def die(folder: Folder, name: str) -> None:
        nonlocal count
        count += 1
        if count > removed:
            raise KeyboardInterrupt
        remove(folder, name)

    with monkeypatch.context() as broken:

        def finish(*arguments: object) -> object:
            broken.setattr(Folder, "remove", die)
            return original(*arguments)

        original = job.finish
        broken.setattr(job, "finish", finish)
        code = run(archive, out)
        assert code == 130 or removed >= 3, "nothing was interrupted"
    (out / "run.lock").unlink(missing_ok=True)
    assert run(archive, out, "--resume") == 0
    if (out / "work").exists():
        assert not (out / "work/begun.json").exists()
        Folder(str(out)).remove("work")
    same(out, undisturbed)
