"""A nightly archive by `dbce quality`, `dbce same` and `dbce list`: damage through time, and the same text."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.archive import capture
from dbce.cli import main
from dbce.output.quality import CaptureQuality, capture_qualities, kinds_known
from dbce.output.rows import PAGES
from dbce.quality import Damage, DamageKind
from dbce.storage import Folder
from tests.archive.build import answer, members, record
from tests.nights import Archive
from tests.runs import finished_run, printed
from tests.site import article, page, snapshots, stored, story

FERRY = story("ferry", 120)
REWORDED = FERRY.replace("ferry7 ", "boat ")
SHEET = "<head><link rel=stylesheet href=/s.css>"
LOST = "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>"


def styled(topic: str, text: str) -> str:
    return article(topic, text).replace("<head>", SHEET)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two nights: a page through time, its copies on its own and on another site, and a style sheet."""
    here: Path = tmp_path_factory.mktemp("nights")
    css = record(7, answer(b"p {}", content_type="text/css"), url="http://harbour.example/s.css")
    first = stored(
        *snapshots(2014),
        page("ferry", "20150101000000", styled("ferry", FERRY)),
        page("copy", "20150601000000", styled("ferry", FERRY)),
        page("unstyled", "20150601000000", article("x", story("unstyled", 90)).replace("<head>", SHEET.replace("/s", "/t"))),
    )  # fmt: skip
    second = stored(
        page("ferry", "20160101000000", LOST),
        page("ferry", "20160201000000", styled("Ferry", FERRY)),
        page("ferry", "20160301000000", "<html><body><p>Moved to our new place.</p></body></html>"),
        page("reworded", "20160401000000", styled("ferry", REWORDED)),
        capture("http://mirror.example/a", article("ferry", FERRY), "20160501000000"),
    )
    nights = Archive(here)
    for day, data in enumerate((first + members([css])[0], second)):
        nights.take(f"{day}.warc.gz", data, "--method", "joint")
    return str(nights.path)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(capsys, *words, "--json").splitlines()]


def test_damage_is_told_by_capture_alone_and_beside_others(archive, capsys):
    rows = told(capsys, "quality", archive, "--of", "captures")
    assert [(row["timestamp"], row["damage"]) for row in rows] == [
        ("20160101000000", "error"),
        ("20160301000000", "collapsed"),
        ("20150601000000", "no-style"),
    ]
    assert rows[2]["reason"] == "1 style sheet not archived"


def test_damage_is_counted_by_site_and_month(archive, capsys):
    months = {
        (row["site"], row["month"]): (row["captures"], row["damaged"], row["kinds"])
        for row in told(capsys, "quality", archive)
    }
    assert months["harbour.example", "2016-01"] == (1, 1, {"error": 1})
    assert months["harbour.example", "2015-06"] == (2, 1, {"no-style": 1})
    assert months["mirror.example", "2016-05"] == (1, 0, {})


def test_pages_that_name_no_style_sheet_do_not_tell_what_a_crawl_took():
    page = CaptureQuality(
        "urn:1", "http://a.example/", "example,a)/", "a.example", None, 9, 9, 9, None
    )
    lacking = page._replace(damage=Damage(DamageKind.NO_STYLE, "1 style sheet"), embeds=True)
    whole = page._replace(embeds=True)
    assert not kinds_known([*[page] * 20, *[lacking] * 10])(lacking), "a crawl of pages alone"
    assert kinds_known([lacking, *[whole] * 2])(lacking)


def test_pages_with_a_picture_or_two_do_not_tell_either(tmp_path, capsys):
    pictures = "<img src=/1.png><img src=/2.png>"
    pages = [
        page(f"pier{number}", "20150101000000", article(f"pier{number}", story(f"pier{number}", 90)).replace("<body>", f"<body>{pictures}"))
        for number in range(9)
    ]  # fmt: skip
    file = tmp_path / "pages.warc.gz"
    file.write_bytes(stored(*pages, page("ferry", "20150101000000", styled("ferry", FERRY))))
    finished_run(file, tmp_path / "clean")
    assert told(capsys, "quality", str(tmp_path / "clean"), "--of", "captures") == []


def test_a_night_with_too_much_damage_raises_an_alarm(archive, capsys):
    call = ["quality", archive, "--from", "2016"]
    assert "damaged captures: 2 of 5" in printed(capsys, *call, "--max-damaged", "0.5")
    assert main([*call, "--max-damaged", "0.3"]) == 3
    assert main([*call, "--max-damaged", "30"]) == 2


def test_the_same_text_is_found_on_its_site_and_across_sites(archive, capsys):
    pairs = told(capsys, "same", archive)
    assert [(p["url"], p["same_text_as_url"], p["across_sites"]) for p in pairs] == [
        ("http://harbour.example/copy", "http://harbour.example/ferry", False),
        ("http://mirror.example/a", "http://harbour.example/ferry", True),
    ]
    assert {p["similarity"] for p in pairs} == {1.0}
    assert pairs[1]["same_text_as"] == pairs[0]["same_text_as"] != pairs[0]["record_id"]


def test_nearly_the_same_text_comes_with_its_similarity(archive, capsys):
    (near,) = [p for p in told(capsys, "same", archive, "--near", "0.8") if p["similarity"] < 1]
    assert near["similarity"] == pytest.approx(1 - 6 / 127, abs=0.02)
    assert near["timestamp"] == "20160401000000"
    assert main(["same", archive, "--near", "8"]) == 2


def test_a_list_tells_when_a_text_was_first_seen_and_last_changed(archive, capsys):
    rows = told(capsys, "list", archive, "http://harbour.example/ferry", "--from", "2015")
    times = [(r["timestamp"][:6], (r["text_first_seen"] or "")[:6], (r["text_last_changed"] or "")[:6]) for r in rows]  # fmt: skip
    assert times == [
        ("201501", "201501", "201501"),
        ("201601", "201601", "201601"),
        ("201602", "201501", "201602"),
        ("201603", "201603", "201603"),
    ]
    (ferry,) = [r for r in told(capsys, "list", archive) if r["url"].endswith("/ferry")]
    assert (ferry["texts"], ferry["text_last_changed"][:6]) == (4, "201603")


def test_words_of_content_that_may_be_expected_count_with_their_probability(sample_run) -> None:
    columns = ["record_id", "label", "probability", "start", "end"]
    nodes = pd.read_parquet(sample_run / "nodes", columns=columns)
    kept = nodes[nodes.label == "content"].assign(size=lambda table: table.end - table.start)
    kept["right"] = kept["size"] * kept.probability
    sums = kept.groupby("record_id")[["size", "right"]].sum()
    certainty = sums.right / sums["size"]
    columns = ["record_id", "words_content", "words_expected"]
    pages = pd.read_parquet(sample_run / "pages", columns=columns).set_index("record_id")
    judged = pages.loc[certainty.index]
    assert len(judged) > 90
    expected = judged.words_content * certainty
    assert (judged.words_expected - expected).abs().max() <= 1
    assert (judged.words_expected < judged.words_content).any()


NOTICE = "Comments placed here should be about the timetable. "


def test_content_fell_where_what_is_left_is_no_text_of_other_captures(tmp_path: Path) -> None:
    """Of three captures of a page one has a notice of its template for a text, and of another page one has less of its text."""
    texts = {"whole": [FERRY, NOTICE, FERRY], "grown": [FERRY[: len(FERRY) // 4], FERRY, FERRY]}
    rows = [
        {
            "record_id": f"{url}{n}",
            "url": url,
            "url_surtkey": url,
            "site": "harbour.example",
            "fetch_time": datetime(2014 + n, 1, 1, tzinfo=UTC),
            "status": "annotated",
            "words_expected": 120 if text == FERRY else 40,
            "words_content": 120,
            "text": text,
            "words": 200 if text == FERRY else 100,
        }
        for url, captures in texts.items()
        for n, text in enumerate(captures)
    ]
    for name, table in (
        ("pages", pa.Table.from_pylist(rows, schema=PAGES)),
        ("index", pa.table({"surt": [""], "reason": [""]})),
    ):
        (tmp_path / name).mkdir()
        pq.write_table(table, tmp_path / name / "part.parquet")
    damaged = [
        (one.record_id, one.damage.kind, one.damage.evidence)
        for one in capture_qualities(Folder(str(tmp_path)))
        if one.damage
    ]
    assert damaged == [("whole1", "content-fell", "40 words of content, where 120 are usual")]
