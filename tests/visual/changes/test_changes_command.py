"""`dbce changes` on runs of a small site."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import capture
from dbce.cli import main
from dbce.visual.changes import job
from tests.archive.build import answer, members, record
from tests.nights import Archive
from tests.site import article, page, snapshots, stored, story
from tests.visual.changes.build import (
    OTHER_MENU,
    changes,
    changes_of,
    finished,
    harbour,
    lighthouse,
    run,
)
from tests.visual.pages import page as laid_out
from tests.visual.stored import write_rendered


@pytest.mark.parametrize(
    ("after", "columns"),
    [
        (lighthouse(), {"class": "equal", "score": 1, "probability": 0, "important": False}),
        (
            lighthouse(story("lamp"), story("oil")),
            {"class": "content", "content_new": 60, "content_lost": 0, "important": True}
            | {"units_came": 2, "units_went": 0, "units_reworded": 0},
        ),
        (
            lighthouse(menu=OTHER_MENU),
            {"class": "boilerplate only", "boilerplate_added": 5, "important": False}
            | {"links_added": 1, "links_removed": 0, "links_in_content": 0},
        ),
    ],
)
def test_a_change_has_a_class_and_counts(tmp_path, after, columns):
    (row,) = changes_of(tmp_path, lighthouse(), after)
    assert {name: row[name] for name in columns} == columns
    assert (row["score"] < 0) is (row["class"] == "content")


def test_an_error_in_the_template_of_the_site_is_gone_however_long_the_menu_is(tmp_path):
    menu = tuple(f"Harbour Letters {number}" for number in range(60))
    lost = article("lighthouse", "The page was not found on this server.", menu=menu)
    noted = lighthouse("a note", menu=menu)
    changed, gone = changes_of(tmp_path, lighthouse(menu=menu), noted, lost)
    assert changed["class"] != "gone"
    assert (gone["class"], gone["reason"]) == ("gone", "error")


LONG = [story(f"part{n}") for n in range(8)]
WITH_VISITOR = lighthouse("a visitor came", *LONG, menu=OTHER_MENU)


@pytest.mark.parametrize(
    ("after", "damage"),
    [
        (lighthouse(*LONG)[:900], "cut-short"),
        # Words before the cut are new.
        (WITH_VISITOR[: len(WITH_VISITOR) // 2], "cut-short"),
        (lighthouse(LONG[0], LONG[7]), None),
    ],
)
def test_a_page_that_breaks_off_is_damaged_and_one_that_became_shorter_is_not(
    tmp_path: Path, after: str, damage: str | None
) -> None:
    (row,) = changes_of(tmp_path, lighthouse(*LONG), after)
    assert row["damage"] == damage


def test_another_template_is_a_redesign_unless_the_next_snapshot_has_the_old_one(tmp_path):
    text = f"{story('lighthouse')} {story('keeper')}"
    other = f"<table><tr><td><h2>lighthouse in the old town</h2><pre>{text}</pre></td></tr></table>"
    kept = changes_of(tmp_path / "kept", lighthouse(), other, other)
    assert [(r["class"], r["redesign_kept"]) for r in kept] == [("redesign", True), ("equal", None)]
    back, _ = changes_of(tmp_path / "back", lighthouse(), other, lighthouse())
    assert back["redesign_kept"] is False
    assert back["class"] != "redesign"


def test_other_kinds_of_file_and_failed_answers_are_rows_with_the_reason(tmp_path: Path) -> None:
    pdf = answer(b"%PDF-1.4 harbour", content_type="application/pdf")
    missing = answer(lighthouse().encode()).replace(b"200 OK", b"404 Not Found", 1)
    others = [
        record(
            block=block,
            url="http://harbour.example/lighthouse",
            date=f"{year}-01-01T00:00:00Z",
            record_id=f"<urn:x:{year}>",
        )
        for block, year in ((pdf, 2015), (missing, 2016))
    ]
    archive = stored(page("ferry"), harbour("2014", lighthouse())) + b"".join(members(others))
    rows = changes(finished(tmp_path, archive))
    assert [(row["class"], row["reason"]) for row in rows] == [
        (None, "not-html"),
        ("gone", "http-status"),
    ]


def test_one_snapshot_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    alone = stored(capture("http://harbour.example/alone", lighthouse(), "20140101000000"))
    out = finished(tmp_path, alone)
    capsys.readouterr()
    assert main(["changes", str(out)]) == 0
    assert "1 URL, none with two snapshots" in capsys.readouterr().out


def test_pages_without_rendering_or_pictures_are_said_in_a_sentence(tmp_path, capsys):
    assert main(["changes", str(tmp_path)]) == 2
    assert "no finished run" in capsys.readouterr().err
    out = run(tmp_path, harbour("2014", lighthouse()))
    assert main(["changes", str(out), "--mode", "hybrid"]) == 2
    assert "holds no rendered pages; dbce render" in capsys.readouterr().err
    write_rendered(out, [laid_out()])
    assert main(["changes", str(out), "--mode", "image"]) == 2
    assert "was rendered without pictures; dbce render with --pictures" in capsys.readouterr().err


@pytest.mark.spark
@pytest.mark.slow
def test_the_bytes_are_those_of_one_process(tmp_path, monkeypatch):
    monkeypatch.setattr(job, "OF_A_PART", 4)
    pages = [*snapshots(2014), *snapshots(2015)]
    pages += [harbour("2014", lighthouse()), harbour("2015", lighthouse(story("lamp")))]
    out = finished(tmp_path, stored(*pages))
    found = []
    for master in ("none", "local[2]"):
        assert main(["changes", str(out), "--overwrite", "--master", master]) == 0
        found.append({path.name: path.read_bytes() for path in (out / "changes").iterdir()})
    assert found[0] == found[1]
    assert len(found[0]) == 3 + 2, "the parts, their account, and the list of all"


def test_a_night_is_compared_with_the_last_capture_before_it(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    old, same = harbour("2013", lighthouse(story("oil"))), harbour("2014", lighthouse())
    new = harbour("2015", lighthouse(story("lamp")))
    archive.bring("1.warc.gz", stored(*snapshots(2013), old))
    assert archive.call("--changes") == 0
    archive.bring("2.warc.gz", stored(*snapshots(2014), same))
    assert archive.call() == 0
    archive.bring("3.warc.gz", stored(*snapshots(2015), new, page("wholly new", "20150101000000")))
    assert archive.call("--changes") == 0
    first, second, third = map(archive.outputs, archive.nights())
    assert pq.read_table(first / "changes" / "part-0000.parquet").num_rows == 0
    assert not (second / "changes").exists()
    rows = pq.read_table(third / "changes" / "part-0000.parquet").to_pylist()
    assert [row["class"] for row in rows].count("equal") == 4
    (changed,) = (row for row in rows if row["class"] != "equal")
    assert (changed["record_id"], changed["before"]) == (new.record_id, same.record_id)
    assert changed["content_added"] + changed["boilerplate_added"] == 30
    assert not (third / "changes" / "work").exists()
