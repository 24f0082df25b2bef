"""`dbce changes` on runs of a small site, and of one pair; the rates of changes, and the tables of the report on them."""

import re

import numpy as np
import pyarrow.parquet as pq
import pytest

from dbce.archive import capture
from dbce.cli import main
from dbce.visual.changes import rate, read
from tests.archive.build import answer, members, record
from tests.nights import Archive
from tests.runs import refusal
from tests.site import article, page, revisit, snapshots, stored, story
from tests.visual.changes.build import (
    OTHER_MENU,
    changes,
    changes_of,
    finished,
    harbour,
    laid_out,
    lighthouse,
    run,
    write_looks,
)
from tests.visual.pages import page as page_of
from tests.visual.pages import write_rendered

URL = "http://harbour.example/lighthouse"


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
    tmp_path, after, damage
):
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


def test_other_kinds_of_file_and_failed_answers_are_rows_with_the_reason(tmp_path):
    pdf = answer(b"%PDF-1.4 harbour", content_type="application/pdf")
    missing = answer(lighthouse().encode()).replace(b"200 OK", b"404 Not Found", 1)
    others = [
        record(block=block, url=URL, date=f"{year}-01-01T00:00:00Z", record_id=f"<urn:x:{year}>")
        for block, year in ((pdf, 2015), (missing, 2016))
    ]
    archive = stored(page("ferry"), harbour("2014", lighthouse())) + b"".join(members(others))
    one, other = changes(finished(tmp_path, archive))
    assert (one["class"], one["reason"]) == (None, "not-html")
    assert (other["class"], other["reason"]) == ("gone", "http-status")


def test_one_snapshot_is_said_in_a_sentence(tmp_path, capsys):
    alone = stored(capture("http://harbour.example/alone", lighthouse(), "20140101000000"))
    out = finished(tmp_path, alone)
    capsys.readouterr()
    assert main(["changes", str(out)]) == 0
    assert "1 URL, none with two snapshots" in capsys.readouterr().out


def test_pages_without_rendering_or_pictures_are_said_in_a_sentence(tmp_path, capsys):
    assert "no finished run" in refusal(capsys, "changes", tmp_path)
    out = run(tmp_path, harbour("2014", lighthouse()))
    capsys.readouterr()
    assert "holds no rendered pages; dbce render" in refusal(
        capsys, "changes", out, "--mode", "hybrid"
    )
    write_rendered(out, [page_of()])
    said = refusal(capsys, "changes", out, "--mode", "image")
    assert "was rendered without pictures; dbce render with --pictures" in said


@pytest.mark.spark
@pytest.mark.slow
def test_the_bytes_are_those_of_one_process(tmp_path, monkeypatch):
    monkeypatch.setattr(read, "OF_A_PART", 4)
    pages = [*snapshots(2014), *snapshots(2015)]
    pages += [harbour("2014", lighthouse()), harbour("2015", lighthouse(story("lamp")))]
    out = finished(tmp_path, stored(*pages))
    found = []
    for master in ("none", "local[2]"):
        assert main(["changes", str(out), "--overwrite", "--master", master]) == 0
        found.append({path.name: path.read_bytes() for path in (out / "changes").iterdir()})
    assert found[0] == found[1]
    assert len(found[0]) == 3 + 2, "the parts, their account, and the list of all"


def test_a_night_is_compared_with_the_last_capture_before_it(tmp_path):
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


PAGES = [
    harbour("2013", lighthouse()),
    harbour("2014", lighthouse(story("lamp"))),
    harbour("2016", lighthouse(menu=OTHER_MENU)),
]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A run on three snapshots of a page, a revisit of the second, and a page with one snapshot."""
    repeats = {"WARC_Refers_To": f"<{PAGES[1].record_id}>"}
    archive = stored(page("ferry", "20130101000000"), *PAGES)
    archive += revisit(PAGES[1], "20180101", "urn:x:again", **repeats)
    return finished(tmp_path_factory.mktemp("pair"), archive)


def asked(out, capsys, *pair):
    capsys.readouterr()
    assert main(["changes", str(out), "--pair", *pair]) == 0
    return capsys.readouterr().out.splitlines()


def counts(lines, what):
    (line,) = (line for line in lines if line.startswith(f"{what}  "))
    return [int(word) for word in line.removeprefix(what).split()]


def test_snapshots_that_do_not_follow_each_other_are_compared(out, capsys):
    lines = asked(out, capsys, URL, "2013", "20160630")
    assert lines[:2] == [URL, "from 2013-01-01 00:00:00 to 2016-01-01 00:00:00"]
    assert lines[2] == "boilerplate only"
    assert counts(lines, "words of content")[:2] == [0, 0]
    assert counts(lines, "words of boilerplate")[:2] == [len(OTHER_MENU[-1].split()), 0]
    assert counts(lines, "links") == [1, 0, 3]
    assert "damage: none found" in lines
    assert not (out / "changes").exists()


def test_the_earlier_one_is_the_older_whichever_is_named_first(out, capsys):
    lines = asked(out, capsys, URL, "2014", "2013")
    assert lines == asked(out, capsys, URL, "2013", "2014")
    assert counts(lines, "words of content")[:2] == [30, 0]
    assert lines[2] == "content; important"


def test_a_revisit_has_the_text_of_what_it_repeats(out, capsys):
    with_original = asked(out, capsys, URL, "2013", "2014")
    with_revisit = asked(out, capsys, URL, "2013", "2018")
    assert with_revisit[2:] == with_original[2:]
    assert asked(out, capsys, URL, "2014", "2018")[2] == "equal"


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ((URL, "2013", "20130501"), "of 4 snapshots of .* is the nearest to both times"),
        (("http://harbour.example/ferry", "2013", "2018"), "has one snapshot, of 2013-01-01"),
        (("http://harbour.example/tower", "2013", "2018"), "holds no page http://harbour.ex"),
        ((URL, "soon", "2018"), "--pair soon is not a time"),
    ],
)
def test_what_is_no_pair_is_said_in_a_sentence(out, capsys, pair, sentence):
    capsys.readouterr()
    assert re.search(sentence, refusal(capsys, "changes", out, "--pair", *pair))


@pytest.mark.parametrize("in_pieces", [False, True])
def test_pictures_are_told_where_both_were_rendered(tmp_path, capsys, *, in_pieces):
    pytest.importorskip("skimage", reason="pip install 'dbce[render]'")
    out = finished(tmp_path, stored(page("ferry", "20130101000000"), *PAGES))
    looks = [laid_out(one, "a story", "the end of the story") for one in PAGES]
    write_looks(out, looks, in_pieces=in_pieces)
    lines = asked(out, capsys, URL, "2013", "2016", "--mode", "image")
    assert "pictures: SSIM 1.00, 100.0% of pixels changed, height 800 to 800 px" in lines
    assert counts(lines, "blocks as rendered") == [0, 0, 0, 2]


def test_at_regular_times_the_rate_is_that_of_cho_and_garcia_molina():
    years, changed = np.full(10, 0.5), np.arange(10) < 4
    assert rate(years, changed).likeliest == pytest.approx(-np.log(1 - 0.4) / 0.5)


def test_the_interval_holds_the_true_rate_nineteen_times_of_twenty():
    random = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        years = random.exponential(0.4, 40)
        found = rate(years, random.random(40) < -np.expm1(-1.5 * years))
        held += found.low <= 1.5 <= found.high
    assert 0.92 <= held / 300 <= 0.98


def test_the_rate_has_an_upper_end_only_without_changes_and_a_lower_one_with_changes_alone():
    none = rate(np.array([1.0, 3.0]), np.array([False, False]))
    assert (none.likeliest, none.low, none.high) == (0, 0, pytest.approx(1.92 / 4))
    alone = rate(np.array([1.0, 1.0]), np.array([True, True]))
    assert 0 < alone.low < 1
    assert alone.likeliest == alone.high == np.inf


def test_the_report_has_changes_by_month_and_how_often_pages_change(tmp_path):
    out = run(tmp_path, harbour("2014", lighthouse()), harbour("2015", lighthouse(story("lamp"))))
    assert main(["report", str(out), "--csv", str(tmp_path / "before")]) == 0
    assert not (tmp_path / "before" / "changes.csv").exists()
    assert main(["changes", str(out)]) == 0
    assert main(["report", str(out), "--csv", str(tmp_path / "after")]) == 0
    header, first, *_ = (tmp_path / "after" / "changes.csv").read_text().splitlines()
    assert header == "month,gone,equal,redesign,content,boilerplate only,not compared,important"
    assert first == "2015-01,0,4,0,1,0,0,1"
    site, changing, *others = (tmp_path / "after" / "change_rates.csv").read_text().splitlines()[1:]
    assert site.startswith("harbour.example,,5,1,2014-01-01")
    assert "lighthouse" in changing
    assert len(others) == 4
    assert "Changes of content a year" in (out / "report.html").read_text()
