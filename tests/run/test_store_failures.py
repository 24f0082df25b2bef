"""A store that fails while archives are read: the run stops, nothing is lost, and it goes on later."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dbce import archive
from dbce.cli import main
from dbce.model import StoreError
from dbce.run import job as run_job
from dbce.storage.folder import StoredFile
from tests import runs
from tests.gate import ENGINES
from tests.nights import Archive
from tests.runs import files, finished_run, same
from tests.site import snapshots, stored


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    folder = tmp_path / "crawls"
    folder.mkdir()
    for name, year in (("a", 2014), ("b", 2015), ("c", 2016)):
        (folder / f"{name}.warc.gz").write_bytes(stored(*snapshots(year)))
    return folder


@pytest.fixture
def failing(monkeypatch) -> Callable[[str, int], None]:
    """Lets a file fail when it is opened for the n-th time."""

    def fail(name: str, at: int) -> None:
        readinto = StoredFile.readinto
        opened: list[StoredFile] = []

        def sometimes(file: StoredFile, buffer: object) -> int:
            if file._uri.endswith(name) and file not in opened:
                opened.append(file)
            if file in opened[at - 1 :]:
                raise StoreError(f"{name} cannot be read: the network is gone")
            return readinto(file, buffer)

        monkeypatch.setattr(StoredFile, "readinto", sometimes)

    return fail


run = partial(runs.run, method="T002")


@pytest.mark.parametrize("stage", ["index", "judge"])
def test_a_run_stops_with_its_own_exit_code_and_goes_on(
    crawls, failing, monkeypatch, capsys, stage
) -> None:
    out = crawls.with_name("out")
    failing("b.warc.gz", 1 if stage == "index" else 3)  # the second look is for its warcinfo
    assert run(crawls, out, "--keep-pages", "no") == 4
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == (
        "dbce: b.warc.gz cannot be read: the network is gone; finished work is kept: the same command with --resume continues"
    )
    read = [name for name in files(out) if name.startswith("index/")]
    judged = [name for name in files(out) if name.startswith("work/units/")]
    assert read == [f"index/{n}.parquet" for n in ("a" if stage == "index" else "abc")]
    assert judged == ([] if stage == "index" else ["work/units/a.json"])
    assert not (out / "run.json").exists()
    monkeypatch.undo()
    assert run(crawls, out, "--resume") == 0
    same(out, finished_run(crawls, crawls.with_name("undisturbed"), method="T002"))


def test_a_night_loses_no_record(crawls, tmp_path, failing, monkeypatch) -> None:
    archive = Archive(tmp_path)
    archive.incoming = crawls
    failing("c.warc.gz", 1)
    assert archive.call() == 4
    assert archive.nights() == [], "no file of this night counts as taken"
    monkeypatch.undo()
    assert archive.call() == 0
    assert len(archive.nights()) == 1
    assert len(list(archive.path.glob("index/*/*.parquet"))) == 3


@pytest.mark.parametrize("master", ENGINES)
def test_an_input_that_vanished_between_stages_stops_a_run_until_it_is_back(
    crawls, monkeypatch, capsys, master
):
    out, file, away = crawls.with_name("out"), crawls / "b.warc.gz", crawls.with_name("away")
    compare = run_job.compare_units

    def taking_away(*arguments: object) -> object:
        file.rename(away)
        return compare(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(run_job, "compare_units", taking_away)
        assert run(crawls, out, "--master", master) == 4
    assert f"{file} has vanished" in capsys.readouterr().err
    assert not (out / "run.json").exists()
    assert run(crawls, out, "--resume", "--master", master) == 2, "it is still away"
    away.rename(file)
    assert run(crawls, out, "--resume", "--master", master) == 0
    same(out, finished_run(crawls, crawls.with_name("undisturbed"), method="T002"))


def test_an_input_that_vanished_before_it_was_read_is_no_damaged_file(crawls, monkeypatch, capsys):
    """Neither in a run nor where nothing is kept, as by `dbce text`."""
    expand = archive.expand

    def expanding(*arguments: object, **options: object) -> object:
        found = expand(*arguments, **options)
        (crawls / "b.warc.gz").unlink()
        return found

    monkeypatch.setattr(archive, "expand", expanding)
    assert run(crawls, crawls.with_name("out")) == 4
    assert "b.warc.gz has vanished" in capsys.readouterr().err
    (crawls / "b.warc.gz").write_bytes(stored(*snapshots(2015)))
    assert main(["text", str(crawls)]) == 4
    assert "b.warc.gz has vanished" in capsys.readouterr().err
