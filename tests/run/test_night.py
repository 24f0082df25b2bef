"""An archive that grows by a night at a time."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dbce.archive import Source
from dbce.boilerplate.compare import compare
from dbce.cli import main
from dbce.model import Config, StoreError
from dbce.output.index import SKETCHES, captures_of_sites
from dbce.output.rows import JUDGED
from dbce.run import job, night, quarantine
from dbce.run import one_file as files
from dbce.run.quarantine import QuarantinedFile, mark_at_work, quarantined_files
from dbce.storage import folder_lock
from dbce.storage.folder import Folder
from scripts.experiments.nights import by_day
from tests import runs
from tests.archive.build import answer, arc_head, arc_record
from tests.data import shared
from tests.nights import Archive, rows_of_index, same_nights, verdicts
from tests.runs import dies_at, finished_run, page_rows, printed
from tests.site import article, page, snapshots, stored, write_years

PATTERNS = Config(method="T002")
YEARS = (2014, 2015, 2016)


@pytest.fixture
def archive(tmp_path) -> Archive:
    return Archive(tmp_path)


def same_as_in_one_run(archive: Archive, files: Sequence[Path], big: Path) -> tuple[int, int]:
    """Runs a night for each file; (captures, those whose crosses could be complete that night).

    These are the ones whose crosses in the big run name nobody of a later night, and whose variants are the
    same: later nights can show that two URLs are one document, or that more have what they share. Their rows
    in `pages` and `nodes` must be those of the big run.
    """
    expected = verdicts(big)
    everywhere = replace(PATTERNS, across_sites=True)
    sketches = [
        one for _, one in captures_of_sites([Folder(str(big / "index"))], (), everywhere, SKETCHES)
    ]
    named = {one.record_id: set(one.shared) for one in compare(sketches, PATTERNS)}
    known: set[str] = set()
    complete = 0
    for number, file in enumerate(files):
        archive.take(file.name, file.read_bytes())
        (archive.incoming / file.name).unlink()
        tonight = verdicts(archive.outputs(archive.nights()[number]))
        known |= tonight.keys()
        for record_id, said in tonight.items():
            variants = {rows[0]["variant_of"] for rows in (said, expected[record_id])}
            if named.get(record_id, set()) <= known and len(variants) == 1:
                assert said == expected[record_id]
                complete += 1
    assert known == expected.keys()
    return len(known), complete


def test_a_capture_whose_crosses_are_complete_has_the_verdicts_of_one_big_run(archive, tmp_path):
    files = sorted(write_years(tmp_path / "years", *YEARS).iterdir())
    finished_run(tmp_path / "years", tmp_path / "big", method="T002")
    captures, complete = same_as_in_one_run(archive, files, tmp_path / "big")
    assert (captures, complete) == (12, 4)
    assert rows_of_index(archive.index()) == rows_of_index([tmp_path / "big" / "index"])


def test_a_page_without_others_has_the_snapshots_of_earlier_nights(archive, tmp_path):
    """The last snapshot knows all before it; the others have no *next* yet."""
    (tmp_path / "years").mkdir()
    files = [tmp_path / "years" / f"{year}.warc.gz" for year in YEARS]
    for year, file in zip(YEARS, files, strict=True):
        file.write_bytes(stored(page("", f"{year}0101000000", article(f"day{year}"))))
    finished_run(tmp_path / "years", tmp_path / "big", method="T002")
    assert same_as_in_one_run(archive, files, tmp_path / "big") == (3, 1)
    rows = [row for n in archive.nights() for row in page_rows(archive.outputs(n))]
    assert [row["status"] for row in rows] == ["single", "annotated", "annotated"]
    assert [row["cross_bits"] for row in rows] == [None, "10010", "10010"]


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.nightly
def test_flink_in_thirteen_nights_ends_with_the_index_of_one_big_run(archive, tmp_path):
    """And with its verdicts, for every capture whose crosses could be complete that night."""
    files = by_day(shared("flink/flink.warc.gz"), tmp_path / "snapshots")
    assert len(files) == 13
    finished_run(tmp_path / "snapshots", tmp_path / "big", method="T002")
    captures, complete = same_as_in_one_run(archive, files, tmp_path / "big")
    assert rows_of_index(archive.index()) == rows_of_index([tmp_path / "big" / "index"])
    assert captures == 678
    assert complete > 150, complete  # docs/operations.md says how many


def test_new_captures_have_older_ones_as_neighbours_and_old_ones_stay_as_they_are(archive):
    archive.take("2014.warc.gz", stored(*snapshots(2014)))
    before = runs.outputs(archive.outputs(archive.nights()[0]))
    ferry = page("ferry", "20150101000000")
    archive.take("2015.warc.gz", stored(ferry))
    first, second = archive.nights()
    (row,) = page_rows(archive.outputs(second))
    old = {one.record_id: one.url for one in snapshots(2014)}
    assert (row["record_id"], row["status"]) == (ferry.record_id, "annotated")
    assert old[row["prev"]] == ferry.url
    assert {old[row["up"]], old[row["down"]]} < set(old.values()) - {ferry.url}
    assert runs.outputs(archive.outputs(first)) == before


def test_of_earlier_nights_only_the_index_and_two_small_files_are_needed(archive, tmp_path):
    both = Archive(tmp_path / "other")
    for one in (archive, both):
        one.take("2014.warc.gz", stored(*snapshots(2014)))
    (archive.incoming / "2014.warc.gz").unlink()
    for name in ("warc", "pages", "nodes", "rejects"):
        Folder(str(archive.outputs(archive.nights()[0]))).remove(name)
    for one in (archive, both):
        one.take("2015.warc.gz", stored(*snapshots(2015)))
    for one in (archive, both):  # the first night is half removed in the one
        Folder(str(one.path / "nights")).remove(one.nights()[0])
    same_nights(archive, both)


def test_when_nothing_is_new_nothing_is_done(archive, capsys):
    assert archive.call() == 0
    assert capsys.readouterr().out == "nothing new among 0 files\n"
    archive.take("2014.warc.gz", stored(*snapshots(2014)))
    archive.take("2014.warc.gz", stored(*snapshots(2015)))
    assert capsys.readouterr().out.endswith("\nnothing new among 1 file\n"), "a file is taken once"
    assert len(archive.nights()) == 1


def test_a_night_leaves_a_line_an_account_and_figures(archive, capsys):
    archive.take("2014.warc.gz", stored(*snapshots(2014)))
    (name,) = archive.nights()
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: 1 file, 4 captures: 4 annotated, 0 single, 0 skipped, 0 rej")
    assert said.count("\n") == 1
    assert archive.accounts()[0]["captures"]["annotated"] == 4
    assert 'dbce_captures{status="annotated"} 4\n' in (archive.path / "metrics.prom").read_text()
    assert not (archive.outputs(name) / "work").exists()


def test_files_of_one_name_in_two_folders_are_two_files(archive):
    """Also ARC files, whose records are known by the name and the place in it."""
    for year in YEARS[:2]:
        blocks = [answer(one.payload) for one in snapshots(year)]
        arc = [
            arc_record(0, block, url=one.url, date=f"{year}0101000000")
            for one, block in zip(snapshots(year), blocks, strict=True)
        ]
        archive.take(f"{year}/x.arc", arc_head() + b"".join(arc))
    first, second = (list(page_rows(archive.outputs(name))) for name in archive.nights())
    assert {row["warc_filename"] for row in first} == {"x.arc"}
    assert {row["warc_filename"] for row in second} == {"2015/x.arc"}
    assert [row["status"] for row in second] == ["annotated"] * 4


def test_a_record_of_an_earlier_night_is_a_duplicate(archive):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    archive.take("b.warc.gz", stored(snapshots(2014)[0], *snapshots(2015)))
    rows = list(page_rows(archive.outputs(archive.nights()[1])))
    assert [row["reason"] for row in rows] == ["duplicate-record", *[None] * 4]
    assert [row["status"] in JUDGED for row in rows] == [False, *[True] * 4]


def test_a_second_night_is_refused_while_one_is_at_work(archive, capsys):
    archive.bring("a.warc.gz", stored(*snapshots(2014)))
    archive.path.mkdir()
    with folder_lock(Folder(str(archive.path))):
        assert archive.call() == 2
    assert f"another dbce works in {archive.path}: process " in capsys.readouterr().err
    assert not (archive.path / "nights").exists()


@pytest.mark.parametrize(
    ("where", "call"), [("index_file", 2), ("compare_units", 1), ("judge_file", 2)]
)
def test_a_night_that_died_is_gone_on_with_first(archive, tmp_path, monkeypatch, where, call):
    undisturbed = Archive(tmp_path / "other")
    for one in (archive, undisturbed):
        for year in YEARS[:2]:
            one.bring(f"{year}.warc.gz", stored(*snapshots(year)))
    with monkeypatch.context() as patch:
        patch.setattr(job, where, dies_at(call, getattr(job, where)))
        assert archive.call() == 1
    assert archive.nights() == []
    assert undisturbed.call() == 0
    for one in (archive, undisturbed):
        one.take("late.warc.gz", stored(*snapshots(2016)))
    same_nights(archive, undisturbed)
    assert rows_of_index(archive.index()) == rows_of_index(undisturbed.index())


@pytest.mark.parametrize("where", ["_sketch_rows", "_with_annotations"])
def test_a_file_that_two_nights_died_of_is_set_aside_and_the_archive_goes_on(
    archive, monkeypatch, capsys, where
):
    archive.bring("a.warc.gz", stored(*snapshots(2014)))
    archive.bring("bad.warc.gz", stored(*snapshots(2015)))
    right = getattr(files, where)

    def dying(source, *given, **more):
        if getattr(source, "name", source) == "bad.warc.gz":
            raise SystemError("out of its mind")
        return right(source, *given, **more)

    with monkeypatch.context() as patch:
        patch.setattr(files, where, dying)
        assert archive.call() == archive.call() == 1
        assert archive.nights() == []
        assert archive.call() == 0
        said = capsys.readouterr().err
        assert "bad.warc.gz is set aside: 2 nights died while working on it" in said
        archive.take("late.warc.gz", stored(*snapshots(2016)))
        assert "bad.warc.gz is set aside" in capsys.readouterr().err
    assert [one["inputs"] for one in archive.accounts()] == [["a.warc.gz"], ["late.warc.gz"]]
    archive.bring("bad.warc.gz", stored(*snapshots(2017)))  # another one, in its place
    assert archive.call() == 0
    assert "set aside" not in capsys.readouterr().err
    assert len(archive.nights()) == 3
    assert not (archive.path / "set-aside.json").exists()


KILLED: list[Any] = []
"""What was entered and is never left, as by a process that is killed."""


def die_at_work(out: Folder, source: Source) -> None:
    KILLED.append(mark_at_work(out, source))
    KILLED[-1].__enter__()


def test_of_the_files_at_work_the_one_with_an_error_is_to_blame_or_all(tmp_path):
    root, uris = Folder(str(tmp_path)), ["/a.warc.gz", "/b.warc.gz"]
    for name, error in (("n1", True), ("n2", False)):
        out = root.subfolder(name)
        for uri in uris:
            die_at_work(out, Source(uri[1:], uri))
        if error:
            with suppress(ValueError), mark_at_work(out, Source("b.warc.gz", "/b.warc.gz")):
                raise ValueError("of this file")
        for _ in range(2):  # what was counted is not counted again
            quarantine.count_tries(root, out, name, dict.fromkeys(uris, "v"))
    assert quarantined_files(root) == {"/b.warc.gz": QuarantinedFile("v", 2, may_be_sound=False)}
    quarantine.forget_tries(root, ["/b.warc.gz"])
    assert quarantined_files(root) == {}


def kill(archive: Archive, *names: str) -> None:
    """Makes of the night that is under way one that was killed while some files were worked at."""
    (work,) = archive.path.glob("nights/*/work")
    for name in names:
        die_at_work(Folder(str(work.parent)), Source(name, str(archive.incoming / name)))


def test_sound_files_that_two_nights_were_killed_with_are_tried_once_more_alone(
    archive, monkeypatch, capsys
):
    for name, year in (("a.warc.gz", 2014), ("b.warc.gz", 2015), ("c.warc.gz", 2016)):
        archive.bring(name, stored(*snapshots(year)))
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.run_stages", None)  # it begins, and gets no further
        for _ in range(2):
            assert archive.call() == 1
            kill(archive, "a.warc.gz", "b.warc.gz")
    assert archive.call() == 0
    assert "b.warc.gz is set aside: 2 nights died while working on it; the next night tries" in (
        capsys.readouterr().err
    )
    archive.take("d.warc.gz", stored(*snapshots(2017)))
    assert "a.warc.gz is set aside: 2 nights died while working on it; it is tried once more" in (
        capsys.readouterr().err
    )
    taken = archive.accounts()
    assert [one["inputs"] for one in taken] == [[f"{name}.warc.gz"] for name in "cdab"]
    assert {one["captures"]["rejected"] for one in taken} == {0}
    assert not (archive.path / "set-aside.json").exists()
    assert archive.call() == 0
    assert "set aside" not in capsys.readouterr().err


def test_a_file_that_a_night_of_its_own_died_of_is_set_aside_for_good(archive, monkeypatch, capsys):
    archive.bring("bad.warc.gz", stored(*snapshots(2014)))
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.run_stages", None)
        for code in (1, 1, 0, 1):  # the third says that the fourth will try it
            assert archive.call() == code
            if code:
                kill(archive, "bad.warc.gz")
        capsys.readouterr()
        for _ in range(2):
            assert archive.call() == 0
            assert "3 nights died while working on it; dbce check" in capsys.readouterr().err
    assert archive.nights() == []


@pytest.mark.parametrize("error", [StoreError("gone"), OSError(28, "full"), KeyboardInterrupt()])
def test_a_store_that_fails_and_a_person_who_stops_are_no_fault_of_a_file(tmp_path, error):
    out = Folder(str(tmp_path))
    with pytest.raises(type(error)), mark_at_work(out, Source("a.warc.gz", "/a.warc.gz")):
        raise error
    assert out.names("work/at-work/*") == []


@pytest.mark.parametrize("what", ["changed", "gone", "configuration", "version"])
def test_a_night_that_died_begins_again_where_its_files_are_others(
    archive, monkeypatch, capsys, what
):
    """What it has read does not stay in the index."""
    archive.bring("a.warc.gz", stored(*snapshots(2014)))
    archive.bring("b.warc.gz", stored(*snapshots(2015)))
    with monkeypatch.context() as patch:
        patch.setattr(job, "judge_file", dies_at(2, job.judge_file))
        assert archive.call() == 1
    options: tuple[str, ...] = ()
    if what == "changed":
        archive.bring("b.warc.gz", stored(*snapshots(2015), *snapshots(2016)))
    elif what == "gone":
        (archive.incoming / "b.warc.gz").unlink()
    elif what == "version":
        monkeypatch.setattr("dbce.__version__", "99.0")
    else:
        options = ("--threshold", "0.5")
    assert archive.call(*options) == 0
    said = capsys.readouterr().err
    assert "died and begins again: " in said
    assert (what == "version") == ("and this is dbce 99.0" in said)
    captures = archive.accounts()[0]["captures"]
    expected = {"changed": 12, "gone": 4}.get(what, 8)
    assert captures["annotated"] == captures["total"] == expected
    assert len(rows_of_index(archive.index())) == expected


def test_a_night_that_died_after_its_account_was_written_is_complete(archive, capsys):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    out = archive.outputs(archive.nights()[0])
    (out / "work").mkdir()
    (out / "work" / "begun.json").write_text("{}")
    assert archive.call() == 0
    assert "nothing new" in capsys.readouterr().out
    assert not (out / "work").exists()


@pytest.mark.parametrize("note", ["work/begun.json", "files.json", "set-aside.json"])
@pytest.mark.parametrize("left", [b"", b"\0" * 64])
def test_a_night_that_died_begins_again_where_a_note_is_damaged(
    archive, monkeypatch, capsys, *, note, left
):
    archive.bring("a.warc.gz", stored(*snapshots(2014)))
    with monkeypatch.context() as patch:
        patch.setattr(job, "judge_file", dies_at(1, job.judge_file))
        assert archive.call() == 1
    (out,) = (archive.path / "nights").iterdir()
    place = archive.path if note == "set-aside.json" else out
    (place / note).write_bytes(left)
    assert archive.call() == 0
    assert f"{place / note} is damaged and counts as missing" in capsys.readouterr().err
    assert len(archive.nights()) == 1
    assert len(rows_of_index(archive.index())) == 4


def test_a_complete_night_whose_list_of_files_is_damaged_keeps_them(archive, capsys):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    files_of_night = archive.outputs(archive.nights()[0]) / "files.json"
    files_of_night.write_bytes(b"")
    archive.take("b.warc.gz", stored(*snapshots(2015)), "--revise", "apply")
    assert capsys.readouterr().err.count(f"{files_of_night}: has 0 of ") == 1
    assert [one["inputs"] for one in archive.accounts()] == [["a.warc.gz"], ["b.warc.gz"]]


def test_a_compact_index_whose_list_is_damaged_is_refused_and_stays(archive, capsys):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    assert main(["compact", str(archive.path)]) == 0
    (listed,) = archive.path.glob("index/compact-*/_nights.json")
    listed.write_bytes(b"")
    before = runs.files(archive.path)
    archive.bring("b.warc.gz", stored(*snapshots(2015)))
    assert archive.call() == main(["compact", str(archive.path)]) == 2
    assert capsys.readouterr().err.count(f"{listed} must list, as JSON, the names of all ni") == 2
    assert runs.files(archive.path) == before


def test_drafts_that_a_killed_process_left_in_the_index_go(archive):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    draft = archive.path / "index" / archive.nights()[0] / ".a.parquet.0123.draft"
    draft.write_bytes(b"half of it")
    assert archive.call() == 0
    assert not draft.exists()


@pytest.mark.wing
@pytest.mark.parametrize("killed", ["find_changes_of_night", "compare_part"])
def test_changes_that_a_killed_call_was_looking_for_are_found_by_the_next(
    archive, monkeypatch, capsys, killed
):
    """Those of nights that nobody asked for are not."""
    archive.take("2014.warc.gz", stored(*snapshots(2014)))
    archive.bring("2015.warc.gz", stored(*snapshots(2015)))
    with monkeypatch.context() as patch:
        patch.setattr(f"dbce.visual.changes.job.{killed}", runs.fails_with(KeyboardInterrupt()))
        assert archive.call("--changes") == 130
    assert archive.call() == 0
    assert not list(archive.path.glob("nights/*/changes/_changes.json"))
    capsys.readouterr()
    assert archive.call("--changes") == 0
    assert capsys.readouterr().out.endswith("nothing new among 2 files\n")
    (table,) = archive.path.glob("nights/*/changes/_changes.json")
    assert table.parent.parent.name == archive.nights()[1]
    names = ["_changes.json", "_manifest-sha256.txt", "part-0000.parquet"]
    assert runs.files(table.parent) == names


def test_a_damaged_index_of_a_night_is_named_with_what_makes_it_again(archive, capsys):
    archive.take("2014.warc.gz", stored(*snapshots(2014)))
    (archive.path / "index" / archive.nights()[0] / "2014.parquet").write_bytes(b"")
    archive.bring("2015.warc.gz", stored(*snapshots(2015)))
    assert archive.call() == 2
    assert "2014.parquet: has 0 of " in (said := capsys.readouterr().err)
    assert f"dbce repair {archive.path}" in said
    assert main(["repair", str(archive.path)]) == archive.call() == 0
    assert len(rows_of_index(archive.index())) == 8


@pytest.mark.parametrize("repair", ["repaired", "removed", "allowed"])
def test_too_many_rejects_stop_a_night_before_anything_is_compared(
    archive, monkeypatch, capsys, repair
):
    archive.bring("a.warc.gz", stored(*snapshots(2014)))
    archive.bring("b.warc.gz", b"no archive at all")
    with monkeypatch.context() as patch:
        patch.setattr(job, "compare_units", None)
        assert archive.call("--max-reject-ratio", "0.1") == 3
    said = capsys.readouterr().err
    assert "rejected 1 of 5 captures (not-an-archive 1; 1 of b.warc.gz)" in said
    assert runs.files(archive.path) == []
    if repair == "repaired":
        archive.bring("b.warc.gz", stored(*snapshots(2015)))
    elif repair == "removed":
        (archive.incoming / "b.warc.gz").unlink()
    assert archive.call("--max-reject-ratio", "0.5" if repair == "allowed" else "0.1") == 0
    captures = archive.accounts()[0]["captures"]
    assert captures["annotated"] == (8 if repair == "repaired" else 4)
    assert len(rows_of_index(archive.index())) == captures["total"]


def test_sketches_of_another_recipe_are_refused_before_anything_is_read(archive, capsys):
    archive.take("a.warc.gz", stored(*snapshots(2014)))
    archive.bring("b.warc.gz", stored(*snapshots(2015)))
    before = runs.files(archive.path)
    assert archive.call("--num-perm", "64") == 2
    assert "its num_perm is 128 and the run's is 64" in capsys.readouterr().err
    assert runs.files(archive.path) == before


@pytest.mark.parametrize("missing", ["incoming", "archive"])
def test_what_cannot_be_a_night_is_one_sentence(archive, capsys, missing):
    if missing == "incoming":
        archive.incoming.rmdir()
    else:
        archive.path.write_text("a file")
    assert archive.call() == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nights_of_a_day_are_numbered_beyond_those_that_were_removed(tmp_path):
    folder = Folder(str(tmp_path))
    day = datetime(2026, 5, 24, tzinfo=UTC)
    assert night.name_of_night(folder, day) == "n20260524-01"
    for name in ("n20260524-02", "n20260524-10", "n20260525-77"):
        folder.write(f"nights/{name}/run.json", b"{}")
    assert night.name_of_night(folder, day + timedelta(1)) == "n20260525-78"
    assert night.name_of_night(folder, day) == "n20260525-78"  # though the clock was set back
    folder.write("nights/n20260525-99/run.json", b"{}")
    assert night.name_of_night(folder, day) == "n20260526-01"


def test_a_compact_index_changes_no_result(archive, tmp_path, capsys):
    both = Archive(tmp_path / "other")
    for year in YEARS:
        for one in (archive, both):
            one.take(f"{year}.warc.gz", stored(*snapshots(year)))
        assert main(["compact", str(archive.path)]) == 0
    said = capsys.readouterr().out
    assert "12 captures of 3 nights (1 of them new): 2 files became 1\n" in said
    assert len(list((archive.path / "index").rglob("*.parquet"))) == 1
    same_nights(archive, both)
    assert rows_of_index(archive.index()) == rows_of_index(both.index())
    assert (
        printed(capsys, "compact", archive.path)
        == "nothing to compact: no night has been added since\n"
    )
