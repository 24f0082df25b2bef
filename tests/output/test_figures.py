"""Figures of a run: the bytes that its pages came from, and metrics for Prometheus."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.output.manifest import as_prometheus, summary
from tests.archive.build import PAGE, answer, members, record
from tests.runs import finished_run

LENIENT = ("--method", "T002", "--max-reject-ratio", "1")
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
    return finished_run(place / "x.warc.gz", place / "out", *LENIENT)


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
    finished_run(folder.parent / "x.warc.gz", tmp_path / "out", "--verify", *LENIENT)
    found = {row["record_id"]: row for row in rows(tmp_path / "out", "rejects")}
    row = found["urn:test:6"]
    assert (row["reason"], row["stage"]) == ("bad-digest", "read")
    assert "WARC-Payload-Digest is sha1:AAAA" in row["detail"]
    assert row["length"] == len(members(RECORDS)[5])


# The figures for Prometheus can be read, and they are those of the manifest


SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z]+)="([^"\\\n]*)"\})? (-?\d+(?:\.\d+)?)')

MANIFEST = {
    "captures": {
        "total": 14,
        "annotated": 8,
        "single": 1,
        "skipped": 3,
        "rejected": 2,
        "reasons": {"rejected/bad-http": 2, "skipped/no-text": 1, "skipped/not-html": 2},
    },
    "revisits": {"record-id": 2, "not-here": 1},
    "bytes_skipped": 1234,
    "words": {"content": 10, "boilerplate": 90},
    "partner_recall": {"all": {"up": 0.8889, "down": 0.5}, "sites": {'"': {"up": 1, "down": 1}}},
    "seconds": {"read": 1.5, "compare": 0.25, "judge": 2.0},
}


def parsed(text: str) -> dict[str, dict[str, float]]:
    """The samples by name and label, each name once described before its samples."""
    assert text.endswith("\n")
    found: dict[str, dict[str, float]] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("# HELP "):
            name = line.split()[2]
            assert next(lines) == f"# TYPE {name} gauge"
            assert name not in found
            found[name] = {}
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            found[sample[1]][sample[3] or ""] = float(sample[4])
    return found


def test_every_line_parses_and_the_figures_are_those_of_the_manifest():
    found = parsed(as_prometheus(MANIFEST))
    assert found == {
        "dbce_captures": {"annotated": 8, "single": 1, "skipped": 3, "rejected": 2},
        "dbce_dropped": MANIFEST["captures"]["reasons"],
        "dbce_revisits": MANIFEST["revisits"],
        "dbce_bytes_skipped": {"": 1234},
        "dbce_words": MANIFEST["words"],
        "dbce_partner_recall": MANIFEST["partner_recall"]["all"],
        "dbce_stage_seconds": MANIFEST["seconds"],
    }


def test_a_run_without_captures_has_the_same_names():
    captures = MANIFEST["captures"] | {"reasons": {}}
    empty = MANIFEST | {"captures": captures, "revisits": {}}
    assert parsed(as_prometheus(empty)).keys() == parsed(as_prometheus(MANIFEST)).keys()
