"""What a run says of the bytes that its pages came from: charsets, pages cut short, bytes skipped."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand
from dbce.model import Config
from dbce.output.manifest import summary
from tests.archive.build import PAGE, answer, members, record
from tests.runs import whole

LONG = PAGE + b"<p>More of it.</p>" * 100
GERMAN = "<p>Schöne Grüße aus Dächern und Straßen, Bäumen und Höfen"
LATIN1 = "text/html; charset=iso-8859-1"
RECORDS = [
    record(1, answer(GERMAN.encode(), content_type=LATIN1)),
    record(2, answer(GERMAN.encode("cp1252"), content_type=LATIN1)),
    record(3, answer(GERMAN.encode() * 9 + b"\xfc", content_type=LATIN1)),
    record(4, answer(b"\xef\xbb\xbf" + GERMAN.encode())),
    record(5, answer(LONG), WARC_Truncated="time"),
    record(6, answer(LONG), WARC_Payload_Digest="sha1:" + "A" * 32),
    record(7, answer(LONG), length=len(LONG) * 2),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The run of a file with all of these, and junk between them."""
    place = tmp_path_factory.mktemp("bytes")
    parts = members(RECORDS)
    (place / "x.warc.gz").write_bytes(parts[0] + b"junk!" + b"".join(parts[1:]))
    whole(expand([str(place / "x.warc.gz")]), place / "out", Config(method="T002"))
    return place / "out"


def rows(folder: Path, kind: str) -> list[dict]:
    return pq.read_table(folder / kind).to_pylist()


def test_every_page_says_its_charset_who_named_it_and_what_did_not_fit(folder: Path) -> None:
    names = ("content_charset", "charset_source", "charset_replacements")
    found = {
        row["record_id"][-1]: tuple(row[name] for name in names) for row in rows(folder, "pages")
    }
    assert found["1"] == ("utf-8", "utf-8", 0)  # declared Latin-1, and valid UTF-8
    assert found["2"] == ("cp1252", "header", 0)
    assert found["3"] == ("utf-8", "utf-8", 1)
    assert found["4"] == ("utf-8", "bom", 0)


def test_a_page_that_declares_latin1_and_is_utf8_reads_right(folder: Path) -> None:
    texts = [row["text"] for row in rows(folder, "nodes") if row["record_id"] == "urn:test:1"]
    assert " ".join(texts) == GERMAN.removeprefix("<p>")


def test_pages_that_break_off_are_marked_and_counted(folder: Path) -> None:
    found = {row["record_id"][-1]: row["truncated"] for row in rows(folder, "pages")}
    assert found == {**dict.fromkeys("12346"), "5": "time", "7": "record"}
    manifest = json.loads((folder / "run.json").read_text())
    assert manifest["truncated"] == {"time": 1, "record": 1}
    assert "cut short     2  (1 time, 1 record)" in summary(manifest, "out")


def test_a_place_without_a_record_has_its_length_and_the_run_sums_them(folder: Path) -> None:
    (row,) = rows(folder, "rejects")
    place = len(members(RECORDS)[0]), len(b"junk!")
    assert (row["reason"], row["offset"], row["length"]) == ("damaged", *place)
    manifest = json.loads((folder / "run.json").read_text())
    assert manifest["bytes_skipped"] == 5
    assert "bytes skipped   5" in summary(manifest, "out")


def test_with_verify_a_wrong_digest_is_a_reject(folder: Path, tmp_path: Path) -> None:
    source = expand([str(folder.parent / "x.warc.gz")])
    config = replace(Config(method="T002"), verify=True)
    whole(source, tmp_path / "out", config)
    found = {row["record_id"]: row for row in rows(tmp_path / "out", "rejects")}
    row = found["urn:test:6"]
    assert (row["reason"], row["stage"]) == ("bad-digest", "read")
    assert "WARC-Payload-Digest is sha1:AAAA" in row["detail"]
    assert row["length"] == len(members(RECORDS)[5])
