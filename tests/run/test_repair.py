"""Finished runs and nightly archives with damage in them: it is named, and made again from the inputs."""

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dbce.cli import main
from dbce.storage import FIXITY
from tests.nights import Archive
from tests.runs import fails_with, files, printed, refusal
from tests.site import snapshots, stored, write_years
from tests.test_cli import run

YEARS = (2014, 2015, 2016)
FORMATS = ("jsonl", "markdown")


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A run on two files with all kinds of outputs, and a nightly archive of two nights."""
    folder = tmp_path_factory.mktemp("sound")
    write_years(folder / "crawl", *YEARS[:2])
    options = "--method T002 --wet --wacz".split()
    assert run(folder / "crawl", "--out", folder / "run", *options) == 0
    nights = Archive(folder / "nightly")
    for year in YEARS[:2]:
        nights.take(f"{year}.warc.gz", stored(*snapshots(year)))
    return folder


@pytest.fixture
def sound(place, tmp_path) -> Path:
    return shutil.copytree(place / "run", tmp_path / "run")


@pytest.fixture
def archive(place, tmp_path) -> Archive:
    """A copy of the archive, with the same incoming folder."""
    shutil.copytree(place / "nightly/archive", tmp_path / "archive")
    copy = Archive(tmp_path)
    copy.incoming = place / "nightly/in"
    return copy


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files(folder)}


def flip(path: Path, at: int | None = None) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 4
    path.write_bytes(data)


def texts(folder: Path, capsys) -> list[tuple[int, str]]:
    found = []
    for form in FORMATS:
        code = main(["text", str(folder), "--format", form])
        found.append((code, capsys.readouterr().out))
    return found


def every_damage_is_told(folder: Path, capsys) -> None:
    """A bit of each file, at three places: check names it, and no reader gives other texts or ends as by a bug."""
    right = texts(folder, capsys)
    for name, data in contents(folder).items():
        for at in (0, len(data) // 2, len(data) - 1):
            flip(folder / name, at)
            assert main(["check", str(folder)]) == 3
            assert f"/{name}: " in capsys.readouterr().out
            for (code, said), before in zip(texts(folder, capsys), right, strict=True):
                assert code in (0, 2), name
                assert code == 2 or (code, said) == before, name
            (folder / name).write_bytes(data)
    assert main(["check", str(folder)]) == 0


def test_any_other_bit_of_a_run_is_told(sound, capsys):
    every_damage_is_told(sound, capsys)


@pytest.mark.slow
@pytest.mark.nightly
def test_any_other_bit_of_an_archive_is_told(archive, capsys):
    every_damage_is_told(archive.path, capsys)


def test_any_damaged_file_of_a_run_is_made_again(sound, capsys):
    """Each by itself, so that the others must do."""
    right = contents(sound)
    for name in right.keys() - {FIXITY}:
        flip(sound / name)
        assert f"rebuilt: {sound / name}" in printed(capsys, "repair", sound, "--jobs", "1")
        assert contents(sound) == right


def test_a_run_of_which_only_the_list_is_left_is_made_again(sound):
    right = contents(sound)
    for name in right.keys() - {FIXITY}:
        (sound / name).unlink()
    assert main(["text", str(sound)]) == 2
    assert main(["repair", str(sound), "--jobs", "1"]) == 0
    assert contents(sound) == right


@pytest.mark.parametrize("how", [flip, lambda path: path.unlink()])
def test_a_list_that_is_not_there_is_made_of_what_is(sound, capsys, how: Callable):
    how(sound / FIXITY)
    assert main(["text", str(sound)]) == 2
    assert main(["check", str(sound)]) == 3
    assert "could not be verified" in printed(capsys, "repair", sound, "--jobs", "1")
    assert main(["check", str(sound)]) == main(["text", str(sound)]) == 0


def test_a_run_with_neither_list_nor_account_is_refused(sound, capsys):
    flip(sound / FIXITY)
    (sound / "run.json").write_bytes(b"")
    assert "both damaged or missing; restore one" in refusal(capsys, "repair", sound, "--jobs", "1")


def test_without_its_input_a_file_is_lost_and_the_rest_is_read(sound, place, tmp_path, capsys):
    moved = shutil.move(place / "crawl/2014.warc.gz", tmp_path / "away")
    try:
        flip(sound / "pages/2014.parquet")
        flip(sound / "nodes/2015.parquet")
        assert main(["repair", str(sound), "--jobs", "1"]) == 3
        said = capsys.readouterr().out
        assert f"rebuilt: {sound / 'nodes/2015.parquet'}" in said
        assert f"lost: {sound / 'pages/2014.parquet'}" in said
        assert (sound / "lost/pages/2014.parquet").exists()
        assert printed(capsys, "text", sound).count("\n") == 4
        assert main(["check", str(sound)]) == 3
        assert "pages/2014.parquet: lost" in capsys.readouterr().out
    finally:
        shutil.move(moved, place / "crawl/2014.warc.gz")
    assert main(["repair", str(sound), "--jobs", "1"]) == 0
    assert main(["check", str(sound)]) == 0


def test_of_an_input_that_is_another_by_now_nothing_is_taken(sound, place, tmp_path):
    file = place / "crawl/2014.warc.gz"
    kept = file.read_bytes()
    try:
        file.write_bytes(stored(*snapshots(2016)))
        flip(sound / "warc/2014.dbce.warc.gz")
        assert main(["repair", str(sound), "--jobs", "1"]) == 3
    finally:
        file.write_bytes(kept)


def test_a_disk_that_fills_loses_nothing(sound, monkeypatch, capsys):
    flip(sound / "pages/2014.parquet")
    before = contents(sound)
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, "No space left on device")
        patch.setattr("dbce.run.repair.run_stages", fails_with(full))
        assert main(["repair", str(sound), "--jobs", "1"]) == 4
    assert "no space is left" in capsys.readouterr().err
    assert contents(sound) == before
    assert main(["repair", str(sound), "--jobs", "1"]) == 0


def test_a_sound_run_needs_no_repair(sound, capsys):
    before = contents(sound)
    assert printed(capsys, "repair", sound, "--jobs", "1") == f"{sound}: nothing to repair\n"
    assert contents(sound) == before
    assert main(["repair", str(sound / "pages"), "--jobs", "1"]) == 2


def damage(path: Path, left: bytes | None) -> None:
    if left is not None:
        path.write_bytes(left)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


@pytest.mark.parametrize(
    ("name", "left"),
    [
        *(("nights/{}/run.json", None), ("nights/{}/run.json", b"")),
        *(("index/{}", None), ("index/{}/2015.parquet", b"PAR1")),
        *(("nights/{}/pages/2015.parquet", None), ("nights/{}/files.json", b"")),
        (FIXITY, b"no list"),
    ],
)
def test_a_damaged_night_is_named_by_all_and_made_again(archive, capsys, name, left):
    right = contents(archive.path)
    damage(archive.path / name.format(archive.nights()[1]), left)
    assert main(["check", str(archive.path)]) == 3
    before = texts(archive.path, capsys)
    assert all(code == 2 or said.count("urn:") >= 8 for code, said in before[:1])
    assert archive.call() in (0, 2, 3)
    assert main(["repair", str(archive.path), "--jobs", "1"]) == 0
    assert contents(archive.path) == right


def test_a_night_that_is_gone_is_named_and_its_files_are_new_again(archive, capsys):
    night = archive.nights()[1]
    damage(archive.outputs(night), None)
    assert night in refusal(capsys, "text", archive.path)
    assert main(["repair", str(archive.path), "--jobs", "1"]) == 3
    assert f"lost: {archive.path}/nights/{night}" in capsys.readouterr().out
    assert main(["text", str(archive.path)]) == 0
    assert archive.call() == 0
    assert f"the night {night} is lost" in capsys.readouterr().err
    assert len(archive.nights()) == 2
    assert night not in archive.nights()
    assert printed(capsys, "text", archive.path).count("\n") == 8
    assert main(["check", str(archive.path)]) == 3
    assert f"{night}/{FIXITY}: lost" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["part-00000.parquet", "_nights.json", FIXITY])
def test_a_damaged_compact_index_is_made_again(archive, name: str):
    assert main(["compact", str(archive.path)]) == 0
    right = contents(archive.path)
    (path,) = archive.path.glob(f"index/compact-*/{name}")
    flip(path, 1)
    assert main(["check", str(archive.path)]) == 3
    assert main(["repair", str(archive.path), "--jobs", "1"]) == 0
    assert contents(archive.path) == right


def test_after_it_was_made_compact_a_night_is_made_again_by_what_was_known_then(archive):
    assert main(["compact", str(archive.path)]) == 0
    right = contents(archive.path)
    for night in archive.nights():
        flip(next((archive.path / "nights" / night / "nodes").iterdir()))
    assert main(["repair", str(archive.path), "--jobs", "1"]) == 0
    assert contents(archive.path) == right


def test_repair_of_a_night_is_that_of_its_archive(archive, capsys):
    night = archive.outputs(archive.nights()[0])
    flip(night / "pages/2014.parquet")
    assert f"rebuilt: {night}/pages/2014.parquet" in printed(
        capsys, "repair", str(night), "--jobs", "1"
    )


def test_whoever_asks_is_told_before_anything_is_read(sound, capsys):
    assert main(["list", str(sound), "--verify"]) == 0
    flip(sound / "wet/2014.dbce.warc.wet.gz")
    assert main(["list", str(sound)]) == 0
    capsys.readouterr()
    assert main(["list", str(sound), "--verify"]) == 2
    assert "wet/2014.dbce.warc.wet.gz: changed" in capsys.readouterr().err


@pytest.mark.wing
def test_what_is_damaged_is_told_with_what_makes_it_again(sound, capsys):
    assert main(["changes", str(sound)]) == 0
    flip(sound / "changes/part-0000.parquet")
    assert "changed: dbce changes, render or migrate makes" in refusal(capsys, "report", sound)
    assert "changed: dbce changes, render or migrate makes" in refusal(capsys, "view", sound)
    assert main(["repair", str(sound)]) == 3
    flip(sound / "nodes/2014.parquet")
    assert f"2014.parquet: changed: dbce repair {sound}" in refusal(capsys, "view", sound)
