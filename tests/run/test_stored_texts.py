"""Pages that only scripts fill have the text that their crawler stored, and it is told that nobody judged it."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from gzip import decompress
from pathlib import Path
from typing import Any

import pytest

from dbce import html
from dbce.archive import expand, read_annotated, select, split
from dbce.cli import main
from dbce.model import Config, CrawlerText, Limits, StoredText, StoreError, TextKind, TextSource
from dbce.output import open_whole, storing_texts
from dbce.output.rows import Row
from dbce.storage import Folder
from tests import crawls
from tests.crawls import TEXT, WAITING, listed, place, shell, text_record, wacz, warc
from tests.nights import Archive
from tests.runs import fails_with, page_rows, printed, run, same, whole
from tests.site import article

CONFIG = Config(method="T002", max_reject_ratio=1.0)
FERRY = place("ferry")

die = fails_with(StoreError("the disk is full"))


def ran(
    folder: Path, files: dict[str, bytes], config: Config = CONFIG, **selected: Any
) -> dict[str, Row]:
    """The rows of `pages` of a run on some files, by the last part of their URLs."""
    (folder / "in").mkdir(parents=True)
    for name, data in files.items():
        (folder / "in" / name).write_bytes(data)
    sources = expand([str(folder / "in")], selection=select(**selected))
    whole(sources, folder / "out", config)
    return {row["url"].rpartition("/")[2]: row for row in page_rows(folder / "out")}


CRAWL = {
    "rec.warc.gz": warc(shell("ferry"), crawls.page_info("ferry"), shell("bus", WAITING)),
    "text.warc.gz": warc(text_record("ferry"), text_record("bus", f"{TEXT}\nBus")),
}
"""A crawl as Browsertrix Crawler leaves it: texts are in files of their own."""


def test_a_page_without_text_gets_that_of_its_crawler(tmp_path: Path) -> None:
    row = ran(tmp_path, CRAWL)["ferry"]
    assert (row["status"], row["reason"], row["damage"]) == ("skipped", "no-text", "empty-shell")
    assert (row["text"], row["text_source"]) == (TEXT, "crawler")
    assert row["text_record"] == "urn:text:ferry:2024-05-06T07:08:12.000Z"
    assert row["text_digest"]
    assert len(row["text_signature"]) == 256
    captures = json.loads((tmp_path / "out" / "run.json").read_text())["captures"]
    assert captures["total"] == 5, "texts change no count"
    assert captures["reasons"] == {"skipped/no-text": 1, "skipped/not-html": 3}


def test_the_language_is_that_of_the_stored_text(tmp_path: Path) -> None:
    german = (
        "Die Fähre zur Insel fährt um neun Uhr ab und kommt um zehn Uhr wieder zurück. Wer sie verpasst, "
        "der muss auf die nächste warten, und das ist nicht immer schön, denn am Hafen gibt es nur eine Bank."
    )
    pages = [shell("ferry"), shell("bus", WAITING.replace(' lang="en"', ""))]
    texts = [text_record(name, german) for name in ("ferry", "bus")]
    rows = ran(tmp_path, {"a.warc.gz": warc(*pages, *texts)})
    for row in rows.values():
        assert (row["language"], row["language_source"]) == ("de", "detected")


def test_a_page_with_hardly_any_text_gets_it_too_and_is_marked_as_ever(tmp_path: Path) -> None:
    row = ran(tmp_path, CRAWL)["bus"]
    assert (row["status"], row["damage"]) == ("single", "empty-shell")
    assert (row["text"], row["text_source"]) == (f"{TEXT}\nBus", "crawler")
    assert (row["words"], row["title"]) == (3, "bus")
    (annotated,) = read_annotated(str(tmp_path / "out" / "warc" / "rec.dbce.warc.gz"))
    assert html.strip(annotated.html).decode() == WAITING.format("bus")


def test_a_page_with_a_text_of_its_own_keeps_it(tmp_path: Path) -> None:
    pages = warc(shell("ferry", article("ferry")), text_record("ferry"))
    row = ran(tmp_path, {"a.warc.gz": pages})["ferry"]
    assert (row["text_source"], row["text_record"]) == ("page", None)
    assert "ferry1 " in row["text"]
    assert "island" not in row["text"]


def test_the_nearest_text_of_a_few_hours_counts_and_the_last_of_a_visit(tmp_path: Path) -> None:
    day = "2024-05-06T"
    texts = [
        text_record("ferry", "one", f"{day}07:00:05Z"),
        text_record("ferry", "one, scrolled", f"{day}07:01:05Z", "textFinal"),
        text_record("ferry", "two", f"{day}09:00:05Z"),
        text_record("ferry", "of yesterday", "2024-05-05T22:00:00Z"),
    ]
    times = [f"{day}07:00:00Z", f"{day}09:00:00Z", "2024-05-07T07:00:00Z"]
    ran(tmp_path, {"a.warc.gz": warc(*texts, *(shell("ferry", at=time) for time in times))})
    found = [row["text"] for row in page_rows(tmp_path / "out")]
    assert found == ["one, scrolled", "two", None]


@pytest.mark.parametrize("name", ["pages", "extraPages"])
def test_a_page_list_belongs_to_all_archives_of_its_wacz(tmp_path: Path, name: str) -> None:
    lines = [listed("ferry"), listed("bus", "The bus leaves at one."), listed("tram")]
    files = {"a.warc.gz": warc(shell("ferry")), "b.warc.gz": warc(shell("bus"))}
    rows = ran(tmp_path, {"crawl.wacz": wacz(files, **{name: lines})})
    texts = {name: row["text"] for name, row in rows.items()}
    assert texts == {"ferry": TEXT, "bus": "The bus leaves at one."}
    assert rows["ferry"]["text_record"] == f"pages/{name}.jsonl"


def test_a_record_comes_before_the_page_list(tmp_path: Path) -> None:
    files = {"a.warc.gz": warc(shell("ferry"), text_record("ferry", "of the record"))}
    rows = ran(tmp_path, {"crawl.wacz": wacz(files, pages=[listed("ferry")])})
    assert rows["ferry"]["text"] == "of the record"


def test_selected_pages_have_the_texts_that_nobody_selected(tmp_path: Path) -> None:
    selected = {"hosts": ["harbour.example"], "mimes": ["text/html"], "until": "20240506070810"}
    rows = ran(tmp_path, CRAWL, **selected)
    texts = {name: row["text"] for name, row in rows.items()}
    assert texts == {"ferry": TEXT, "bus": f"{TEXT}\nBus"}
    captures = json.loads((tmp_path / "out" / "run.json").read_text())["captures"]
    assert captures["total"] == 2


def test_an_index_leads_to_the_texts_of_its_pages(tmp_path, capsys):
    records = crawls.members([shell("ferry"), text_record("ferry"), shell("other")])
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records))
    urls = [FERRY, f"urn:text:{FERRY}", "https://other.example/"]
    offsets = [0, len(records[0]), len(records[0]) + len(records[1])]
    lines = [
        f"{url} 20240506070809 " + json.dumps({"url": url, "filename": "a.warc.gz", "offset": at})
        for url, at in zip(urls, offsets, strict=True)
    ]
    (tmp_path / "a.cdxj").write_text("\n".join(lines))
    for option in (["--host", "harbour.example"], ["--sample", "1", "--url-prefix", FERRY]):
        told = printed(capsys, "text", tmp_path / "a.cdxj", "--format", "jsonl", *option)
        assert [json.loads(line)["text"] for line in told.splitlines()] == [TEXT]


def test_an_article_in_json_ld_alone_is_given_as_such(tmp_path, capsys):
    data = json.dumps({"@type": "Article", "articleBody": f"<p>{TEXT}</p><p>So it was.</p>"})
    page = (
        f"<title>Ferry</title><script type='application/ld+json'>{data}</script><div id=app></div>"
    )
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.html").write_text("<title>Ferry</title><div id=app></div>")
    printed(capsys, "run", tmp_path / "a.html", "--url", FERRY, "--out", tmp_path / "out")
    for given in ("a.html", "out"):
        url = ["--url", FERRY] if given == "a.html" else []
        told = json.loads(printed(capsys, "text", tmp_path / given, "--format", "jsonl", *url))
        assert told["text"] == f"{TEXT}\nSo it was."
        assert (told["text_source"], told["dbce_model"]) == ("json-ld", None)
    assert main(["text", str(tmp_path / "b.html"), "--url", FERRY]) == 0
    assert "1 of 1 capture without text" in capsys.readouterr().err


@pytest.mark.parametrize(
    "form", ["txt", "markdown", "html", "tei", "jsonl", "csv", "blocks", "chunks", "wet"]
)
def test_every_format_tells_whose_text_it_is(tmp_path, capfdbinary, form):
    ran(tmp_path, CRAWL)
    given = (tmp_path / "out", tmp_path / "in")
    told = [printed(capfdbinary, "text", folder, "--format", form) for folder in given]
    if form == "wet":
        # Without the configuration that made them: that of the run in one, of the command in the other.
        told = [decompress(one).split(b"\r\n\r\n", 2)[2] for one in told]
        told = [re.sub(rb'"configuration": "\w+"', b"", one) for one in told]
        words = b"DBCE-Text-Source: crawler urn:text:ferry:2024-05-06T07:08:12.000Z\r\n"
    elif form in {"txt", "markdown", "html"}:
        words = TextSource.CRAWLER.note.encode()
    else:
        words = b"urn:text:ferry:"
    assert told[0] == told[1]
    assert words in told[0]
    assert b"The ferry to the island leaves at nine." in told[0]
    assert told[0].count(b"It comes back at ten.") == (4 if form == "blocks" else 2)


def test_chosen_parts_and_another_dial_leave_such_texts_alone(tmp_path, capsys):
    ran(tmp_path, CRAWL)
    words = "--format jsonl --prefer recall --without tables".split()
    told = printed(capsys, "text", tmp_path / "out", *words)
    assert [json.loads(line)["text"] for line in told.splitlines()] == [TEXT, f"{TEXT}\nBus"]


def test_exports_and_the_wet_of_a_run_have_them(tmp_path, capsys):
    ran(tmp_path, CRAWL)
    printed(capsys, "export", tmp_path / "out", "--to", "solr", "--out", tmp_path / "solr")
    (line, _) = (tmp_path / "solr" / "rec.jsonl").read_text().splitlines()
    document = json.loads(line)
    assert (document["content"], document["dbce_text_source"]) == (TEXT, "crawler")
    assert "dbce_model" not in document
    words = ["--out", tmp_path / "again", "--wet", "--method", "T002"]
    printed(capsys, "run", tmp_path / "in", *words)
    wet = decompress((tmp_path / "again" / "wet" / "rec.dbce.warc.wet.gz").read_bytes())
    assert wet.count(b"DBCE-Text-Source: crawler urn:text:") == 2


def test_show_tells_that_nobody_judged_it(tmp_path, capsys):
    ran(tmp_path, CRAWL)
    told = printed(capsys, "show", tmp_path / "out", FERRY)
    assert f"{TextSource.CRAWLER.note}: 14 words, urn:text:ferry:2024-05-06T07:08:12.000Z" in told
    assert "  The ferry to the island leaves at nine." in told


def test_a_history_compares_texts_of_shells_with_equal_bytes(tmp_path, capsys):
    later = TEXT.replace("nine", "eight")
    records = [
        *(shell("ferry"), text_record("ferry")),
        shell("ferry", at="2025-05-06T07:08:09Z"),
        text_record("ferry", later, "2025-05-06T07:08:12Z"),
    ]
    ran(tmp_path, {"a.warc.gz": warc(*records)})
    told = printed(capsys, "history", tmp_path / "out", FERRY)
    assert "changed since 2024-05-06: 1 reworded" in told
    assert "  ~ The ferry to the island leaves at [-nine-] {+eight+}." in told


def test_a_run_that_died_while_judging_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    ran(tmp_path, CRAWL)
    words = (tmp_path / "in", tmp_path / "died", "--max-reject-ratio", "1")
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.job.judge_file", die)
        assert run(*words, method="T002") != 0
    (table,) = (tmp_path / "died" / "work" / "texts").iterdir()
    assert table.name == "text.parquet"
    assert run(*words, "--resume", method="T002") == 0
    same(tmp_path / "died", tmp_path / "out")


def test_a_night_has_them_and_keeps_them_when_it_is_judged_again(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.bring("rec.warc.gz", CRAWL["rec.warc.gz"])
    archive.take("text.warc.gz", CRAWL["text.warc.gz"], "--max-reject-ratio", "1")
    later = shell("bus", WAITING, "2025-05-06T07:08:09Z")
    archive.take("later.warc.gz", warc(later), "--revise", "apply", "--max-reject-ratio", "1")
    folder, _ = open_whole(str(archive.path))
    rows = {row["record_id"]: row for row in page_rows(folder)}
    first = rows["urn:shell:bus:2024-05-06T07:08:09.123Z"]
    assert (first["status"], first["next"]) == ("annotated", "urn:shell:bus:2025-05-06T07:08:09Z")
    assert (first["text"], first["text_source"]) == (f"{TEXT}\nBus", "crawler")
    assert rows["urn:shell:ferry:2024-05-06T07:08:09.123Z"]["text"] == TEXT
    assert rows["urn:shell:bus:2025-05-06T07:08:09Z"]["text_source"] == "page", "no text is near"


def test_an_archive_without_texts_has_no_table_of_them(tmp_path: Path) -> None:
    with storing_texts(Folder(str(tmp_path)), "a.warc.gz"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_of_an_archive_that_cannot_be_read_to_its_end_no_texts_are_kept(tmp_path: Path) -> None:
    text = CrawlerText("a", datetime(2024, 5, 6, tzinfo=UTC), TextKind.LOADED, StoredText("r", "x"))
    with pytest.raises(StoreError), storing_texts(Folder(str(tmp_path)), "a.warc.gz") as take_text:
        die(take_text(text))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


HOSTILE = {
    "empty": text_record("ferry", b" \n\0\x01 \n"),
    "of another type": text_record("ferry", media="application/json"),
    "of another kind": text_record("ferry").replace(b"Type: resource", b"Type: metadata"),
    "without a URL": text_record("ferry").replace(FERRY.encode(), b"", 1),
    "no date": text_record("ferry", at="soon"),
    "of a route": text_record("ferry").replace(FERRY.encode(), FERRY.encode() + b"#/bus", 1),
    "cut": text_record("ferry")[:-30],
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_text_of_the_page_is_none(tmp_path: Path, text: bytes) -> None:
    rows = ran(tmp_path, {"a.warc": shell("ferry") + text})
    assert rows["ferry"]["text_source"] is None
    assert rows["ferry"]["reason"] == "no-text"


def test_a_text_that_is_no_utf8_is_read_as_far_as_it_is(tmp_path: Path) -> None:
    bad = b"The\tferry \xff leaves\x00\r\n\r\n  at nine\xed\xa0\x80\xe2\x80\xa8sharp "
    rows = ran(tmp_path, {"a.warc.gz": warc(shell("ferry"), text_record("ferry", bad))})
    assert rows["ferry"]["text"] == "The ferry � leaves\nat nine���\nsharp"


def test_a_long_text_is_cut_where_pages_are_too_large(tmp_path: Path) -> None:
    data = warc(shell("ferry"), text_record("ferry", "word " * 1000))
    rows = ran(tmp_path, {"a.warc.gz": data}, replace(CONFIG, limits=Limits(payload_bytes=1000)))
    assert rows["ferry"]["text"] == ("word " * 200).strip()


BAD_LINES = [
    b"{",
    b"[" * 100_000,
    b"[1]",
    b"\xff\xfe\xfd",
    b'{"url": 7, "ts": "2024-05-06T07:08:08Z", "text": "x"}',
    b'{"text": "x"}',
    listed("ferry", ["x"]),
    listed("ferry", "x", 5),
    listed("ferry", "x", "soon"),
    listed("ferry", "x" * 3000),
]


def test_bad_lines_of_a_page_list_are_left_out_and_counted(tmp_path, caplog):
    lines = [*BAD_LINES, b"", b"{}", listed("ferry", "half \ud800 a character")]
    data = wacz({"a.warc.gz": warc(shell("ferry"))}, pages=lines)
    rows = ran(tmp_path, {"crawl.wacz": data}, replace(CONFIG, limits=Limits(payload_bytes=2000)))
    assert rows["ferry"]["text"] == "half ? a character"
    assert f"left out: {len(BAD_LINES)} lines of" in caplog.text


def test_a_page_list_that_cannot_be_unpacked_costs_no_page(tmp_path, caplog):
    data = bytearray(wacz({"a.warc.gz": warc(shell("ferry"))}, pages=[listed("ferry")] * 50))
    start = data.index(b"pages/pages.jsonl") + len("pages/pages.jsonl")
    data[start + 20 : start + 60] = b"\xff" * 40
    rows = ran(tmp_path, {"crawl.wacz": bytes(data)})
    assert rows["ferry"]["reason"] == "no-text"


def test_a_page_that_repeats_a_shell_has_a_text_of_its_own(tmp_path: Path) -> None:
    repeated = "<urn:shell:ferry:2024-05-06T07:08:09.123Z>"
    about = {"date": "2024-05-06T07:09:00Z", "record_id": "<urn:again>", "WARC_Refers_To": repeated}
    revisit = crawls.record(block=crawls.answer(b""), kind="revisit", url=place("bus"), **about)
    texts = [text_record("ferry"), text_record("bus", "The bus leaves at one.")]
    rows = ran(tmp_path, {"a.warc.gz": warc(shell("ferry"), revisit, *texts)})
    assert rows["bus"]["reason"] == "unchanged-no-page"
    assert rows["bus"]["text"] == "The bus leaves at one."


def test_pieces_of_a_file_find_the_texts_of_others(tmp_path: Path) -> None:
    filler = [crawls.record(n, b"x" * 3000, kind="metadata") for n in range(40)]
    (tmp_path / "a.warc").write_bytes(b"".join([shell("ferry"), *filler, text_record("ferry")]))
    sources = split(expand([str(tmp_path / "a.warc")]), 40_000)
    assert len(sources) > 1
    whole(sources, tmp_path / "out", CONFIG)
    (row,) = page_rows(tmp_path / "out")
    assert row["text"] == TEXT
