"""Older captures that tonight's change: listed, and judged again if their files are there."""

import json
from importlib import import_module
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import capture
from dbce.boilerplate.compare import compare
from dbce.cli import main
from dbce.model import Config
from dbce.pipeline import sketch_all
from dbce.run import revision
from tests.nights import Archive, verdicts
from tests.runs import dies_at, finished_run, page_rows, printed
from tests.site import MENU, article, page, snapshots, stored, story

PATTERNS = Config(method="T002")
FERRY_2014, FERRY_2015 = page("ferry", "20140101000000"), page("ferry", "20150101000000")

ELSEWHERE = [capture(f"http://quay.example/{n}", article(f"quay{n}"), "2014") for n in range(3)]


@pytest.fixture
def archive(tmp_path) -> Archive:
    """The site as it was in 2014, in two files of one night."""
    archive = Archive(tmp_path)
    archive.bring("a.warc.gz", stored(*snapshots(2014)[:2]))
    archive.take("b.warc.gz", stored(*snapshots(2014)[2:]))
    return archive


def stale(archive: Archive) -> list[dict]:
    lines = (archive.outputs(archive.nights()[-1]) / "stale.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def revised(archive: Archive) -> Path:
    return archive.outputs(archive.nights()[-1]) / "revised"


def test_who_gets_a_later_snapshot_or_a_nearer_page_is_listed(archive, capsys):
    """A new snapshot is *next* to the one before, and of the others none is nearer than it was."""
    archive.take("c.warc.gz", stored(FERRY_2015), "--revise", "list")
    first = archive.nights()[0]
    assert stale(archive) == [
        {
            "record_id": FERRY_2014.record_id,
            "url": FERRY_2014.url,
            "timestamp": "20140101000000",
            "night": first,
            "file": "a.warc.gz",
        }
    ]
    assert "; older ones that change: 1; " in capsys.readouterr().out
    assert not revised(archive).exists()


def test_without_the_option_nobody_is_asked(archive, monkeypatch):
    monkeypatch.setattr(revision, "known_captures", None)
    archive.take("c.warc.gz", stored(FERRY_2015))
    assert not (archive.outputs(archive.nights()[-1]) / "stale.jsonl").exists()


@pytest.mark.parametrize("pages", [[FERRY_2014], ELSEWHERE], ids=["known", "of another site"])
def test_a_record_that_was_there_before_and_another_site_change_nobody(archive, pages):
    archive.take("c.warc.gz", stored(*pages), "--revise", "list")
    assert stale(archive) == []


def test_a_page_is_stale_when_its_print_view_comes_and_named_as_its_variant(archive):
    paragraphs = [story(f"ferry{part}") for part in range(4)]
    long = page("long", "20140201000000", article("long", *paragraphs))
    archive.take("long.warc.gz", stored(long))
    print_view = page("long/print", "20150201000000", article("long", *paragraphs, menu=MENU[:1]))
    archive.take("print.warc.gz", stored(print_view), "--revise", "apply")
    assert long.record_id in {row["record_id"] for row in stale(archive)}
    rows = {row["record_id"]: row for row in page_rows(revised(archive))}
    row = rows[long.record_id]
    assert row["variant_of"] == print_view.record_id
    assert all(paragraph in row["text"] for paragraph in paragraphs)


def test_a_page_without_others_is_compared_when_its_next_snapshot_comes(tmp_path):
    archive = Archive(tmp_path)
    for year in (2014, 2015, 2016):
        front = page("", f"{year}0101000000", article(f"day{year}"))
        archive.take(f"{year}.warc.gz", stored(front), "--revise", "apply")
        if year > 2014:
            assert [row["timestamp"][:4] for row in stale(archive)] == [f"{year - 1}"]
    expected = verdicts(finished_run(archive.incoming, tmp_path / "big", method="T002"))
    found: dict = {}
    for name in archive.nights():  # what is judged again takes the place of what was
        found |= verdicts(archive.outputs(name))
        if (archive.outputs(name) / "revised").exists():
            found |= verdicts(archive.outputs(name) / "revised")
    assert found == expected


def test_what_is_judged_again_has_the_form_of_a_run(archive, capsys):
    archive.take("c.warc.gz", stored(*snapshots(2015)), "--revise", "apply")
    told = json.loads((revised(archive) / "run.json").read_text())
    assert told["inputs"] == ["a.warc.gz", "b.warc.gz"]
    assert told["captures"]["total"] == told["captures"]["annotated"] == 4
    assert len((revised(archive) / "warc/index.cdxj").read_text().splitlines()) == 4
    assert printed(capsys, "text", revised(archive)).count("\n") == 4


def test_an_older_page_that_comparing_fails_with_costs_itself_alone(archive, monkeypatch):
    of_blocks = import_module("dbce.boilerplate.compare")
    compare_block, bad = of_blocks.compare_block, FERRY_2014.record_id

    def failing(block, config, of):
        if bad in of and any(one.record_id == bad for one in block):
            raise ZeroDivisionError
        return compare_block(block, config, of)

    monkeypatch.setattr(of_blocks, "compare_block", failing)
    archive.take("c.warc.gz", stored(*snapshots(2015)), "--revise", "apply")
    rows = {row["record_id"]: row for row in page_rows(revised(archive))}
    assert (rows.pop(bad)["status"], len(rows)) == ("rejected", 3)
    assert {row["status"] for row in rows.values()} == {"annotated"}
    (reject,) = pq.read_table(revised(archive) / "rejects").to_pylist()
    assert (reject["record_id"], reject["reason"], reject["stage"]) == (bad, "fault", "compare")


@pytest.mark.parametrize("lost", ["gone", "changed"])
def test_a_file_that_is_not_there_any_more_is_reported_and_the_rest_goes_on(archive, capsys, lost):
    if lost == "gone":
        (archive.incoming / "a.warc.gz").unlink()
    else:
        archive.bring("a.warc.gz", stored(page("other", "20140101000000")))
    archive.take("c.warc.gz", stored(*snapshots(2015)), "--revise", "apply")
    assert "cannot judge 2 of 4 older captures again" in capsys.readouterr().err
    captures = json.loads((revised(archive) / "run.json").read_text())["captures"]
    assert (captures["annotated"], captures["rejected"]) == (2, 2)
    rejects = pq.read_table(revised(archive) / "rejects").to_pylist()
    assert {row["file"] for row in rejects} == {"a.warc.gz"}
    assert all(row["detail"].startswith("not there any more: ") for row in rejects)


def test_a_compact_index_changes_no_list(archive):
    assert main(["compact", str(archive.path)]) == 0
    archive.take("c.warc.gz", stored(FERRY_2015), "--revise", "apply")
    assert [row["record_id"] for row in stale(archive)] == [FERRY_2014.record_id]
    (row,) = page_rows(revised(archive))
    assert (row["record_id"], row["next"]) == (FERRY_2014.record_id, FERRY_2015.record_id)


def test_a_night_that_died_while_it_revised_begins_that_again(archive, monkeypatch):
    archive.bring("c.warc.gz", stored(*snapshots(2015)))
    with monkeypatch.context() as patch:
        patch.setattr(revision, "write_unit", dies_at(2, revision.write_unit))
        assert archive.call("--revise", "apply") == 1
    assert len(archive.nights()) == 1
    assert archive.call("--revise", "apply") == 0
    assert len(archive.nights()) == 2
    assert len(verdicts(revised(archive))) == 4


def test_who_is_stale_is_who_is_compared_otherwise_than_before():
    """As `compare` chooses, with the new ones and without."""
    older, new = snapshots(2014) + snapshots(2015), [*snapshots(2016), page("more", "2016")]
    sketches, _ = sketch_all([*older, *new], PATTERNS)
    both = {one.record_id: one for one in sketches.values()}
    known = {one.record_id: both[one.record_id] for one in older}
    before = {a.record_id: a.crosses for a in compare(known.values(), PATTERNS)}
    now = {a.record_id: a.crosses for a in compare(both.values(), PATTERNS)}
    changed = {record_id for record_id in known if before.get(record_id) != now.get(record_id)}
    assert revision._stale(both, known, PATTERNS, lambda one: one) == changed
    assert changed
