"""What a run leaves: tables, annotated archives, an index, and an account that adds up."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand, read_annotated_at
from dbce.html import strip
from dbce.model import Config, stable_id
from dbce.output.manifest import RunTotals, finish, summary
from dbce.output.read import find_snapshots
from dbce.output.rows import NODES, PAGES, REJECTS
from dbce.output.unit_writer import write_unit
from dbce.pipeline import annotate
from dbce.storage import stem
from dbce.storage.folder import Folder
from tests.archive.build import answer, members, record
from tests.runs import counted, fails_with, files, whole
from tests.site import page, snapshots, stored

PATTERNS = Config(method="T002")
SCHEMAS = {"pages": PAGES, "nodes": NODES, "rejects": REJECTS}


def run(folder: Path, files: dict[str, bytes], config: Config | None = None) -> dict:
    """Runs files; the manifest. The outputs are in `out`."""
    (folder / "in").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / "in" / name).write_bytes(data)
    sources = expand([str(folder / "in" / name) for name in files])
    return whole(sources, folder / "out", config or PATTERNS)


def rows(folder: Path, kind: str) -> list[dict]:
    return pq.read_table(folder / "out" / kind).to_pylist()


def other_records() -> bytes:
    """What archives hold besides good pages, as gzip members."""
    records = [
        record(90, answer(b"gone", "404 Not Found")),
        record(91, answer(b"GIF89a", content_type="image/gif")),
        record(92, answer(b"<html><body></body></html>")),
        record(93, b"no http at all"),
        record(94, answer(b"<div>" * 3000 + b"deep")),
    ]
    return b"".join(members(records))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A run over two files: pages of two years; the second also holds the rest."""
    folder = tmp_path_factory.mktemp("finished")
    files = {
        "2014.warc.gz": stored(*snapshots(2014)),
        "2015.warc.gz": stored(*snapshots(2015)) + other_records() + stored(snapshots(2014)[0]),
    }
    run(folder, files)
    return folder


def test_every_input_has_its_own_files_and_nothing_else_is_left(finished):
    tables = [f"{kind}/{n}.parquet" for kind in ("index", *SCHEMAS) for n in (2014, 2015)]
    archives = [f"warc/{n}.dbce.warc.gz" for n in (2014, 2015)]
    others = ["_manifest-sha256.txt", "metrics.prom", "run.json", "warc/index.cdxj"]
    assert files(finished / "out") == sorted([*tables, *archives, *others])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_tables_have_their_schema_even_where_they_are_empty(finished, kind):
    for path in (finished / "out" / kind).iterdir():
        assert pq.read_schema(path).equals(SCHEMAS[kind])


def test_every_capture_is_accounted_for(finished):
    captures = json.loads((finished / "out/run.json").read_text())["captures"]
    skipped = [
        f"skipped/{why}" for why in ("duplicate-record", "http-status", "no-text", "not-html")
    ]
    reasons = dict.fromkeys(["rejected/bad-http", "rejected/too-deep", *skipped], 1)
    assert captures == counted(annotated=8, skipped=4, rejected=2) | {"reasons": reasons}


def test_pages_whose_text_only_scripts_or_only_readers_without_them_see_are_accounted_for(tmp_path):
    thread = " ".join(f"post{n}" for n in range(300))
    data = '<script type="application/ld+json">{"articleBody": "Two words"}</script>'
    pages = [
        page("thread", html=f"<noscript><p>{thread}</noscript>"),
        page("app", html=f"<div id=root></div>{data}"),
        page("void", html="<div id=root></div><noscript>Please enable scripts</noscript>"),
    ]
    manifest = run(tmp_path, {"a.warc.gz": stored(*pages)})
    reasons = {"skipped/no-text": 1, "skipped/text-in-script": 1}
    assert manifest["captures"] == counted(single=1, skipped=2) | {"reasons": reasons}
    assert "skipped       2  (1 no-text, 1 text-in-script)" in summary(manifest, "out")
    reasons = {row["url"].rpartition("/")[2]: row["reason"] for row in rows(tmp_path, "pages")}
    assert reasons == {"thread": None, "app": "text-in-script", "void": "no-text"}
    (node,) = rows(tmp_path, "nodes")
    assert node["xpath"] == "/html/body/noscript[1]/p[1]/text()[1]"


def test_the_pages_are_the_html_captures_by_status_and_reason(finished):
    found = Counter((row["status"], row["reason"]) for row in rows(finished, "pages"))
    assert found == {
        ("annotated", None): 8,
        ("skipped", "duplicate-record"): 1,
        ("skipped", "http-status"): 1,
        ("skipped", "no-text"): 1,
        ("rejected", "too-deep"): 1,
    }


def test_counts_of_the_tables_and_of_the_manifest_agree(finished):
    manifest = json.loads((finished / "out/run.json").read_text())
    labels = Counter(row["label"] for row in rows(finished, "nodes"))
    assert {k: v for k, v in manifest["runs"].items() if v} == labels
    pages = rows(finished, "pages")
    for label, number in manifest["runs"].items():
        assert sum(row[f"runs_{label}"] or 0 for row in pages) == number
    counted = {name: sum(row[name] or 0 for row in pages) for name in ("words", "words_content")}
    assert manifest["words"]["content"] == counted["words_content"] > 0
    assert sum(manifest["words"].values()) == counted["words"]
    assert len(rows(finished, "rejects")) == manifest["captures"]["rejected"]
    assert manifest["partner_recall"]["all"] == {"up": 1.0, "down": 1.0}


def test_the_manifest_says_what_was_done(finished):
    manifest = json.loads((finished / "out/run.json").read_text())
    assert manifest["inputs"] == ["2014.warc.gz", "2015.warc.gz"]
    assert manifest["config"]["limits"]["depth"] == 2_000
    assert manifest["config_digest"] == PATTERNS.digest()
    assert {"python", "dbce", "lxml", "datasketch", "scikit-learn"} <= manifest["versions"].keys()
    assert list(manifest["seconds"]) == ["read", "compare", "judge"]


def test_a_page_row_names_the_capture_and_its_cross(finished):
    cur = snapshots(2014)[0]
    row = next(r for r in rows(finished, "pages") if r["record_id"] == cur.record_id)
    assert (row["url"], row["url_surtkey"]) == (cur.url, "example,harbour)/ferry")
    assert (row["url_host_name"], row["site"]) == ("harbour.example", "harbour.example")
    assert row["fetch_time"] == cur.timestamp
    assert row["content_charset"] == "utf-8"
    assert (row["warc_filename"], row["warc_record_offset"]) == ("2014.warc.gz", 0)
    assert row["cross_bits"] == "11101"
    members = [row[role] or "" for role in ("record_id", "up", "down", "prev", "next")]
    assert row["cross_id"] == stable_id("cross", *members)
    assert row["next"] == snapshots(2015)[0].record_id
    assert row["title"] == "ferry"
    assert row["text"].endswith("ferry29.")


def test_node_rows_are_the_text_runs_of_the_judged_pages(finished):
    nodes = [r for r in rows(finished, "nodes") if r["record_id"] == snapshots(2014)[0].record_id]
    assert [r["node"] for r in nodes] == sorted(r["node"] for r in nodes)
    home = next(r for r in nodes if r["text"] == "Home and news of today")
    assert home["xpath"] == "/html/body/div[1]/ul[1]/li[1]/a[1]/text()[1]"
    assert (home["start"], home["end"]) == (0, len(home["text"]))
    assert (home["label"], home["bits"]) == ("boilerplate", "11101")
    assert (home["decided_by"], home["comparisons"]) == ("pattern", 1)


def test_a_reject_row_says_what_is_wrong_and_where(finished):
    bad, deep = rows(finished, "rejects")
    assert (bad["file"], bad["stage"], bad["reason"]) == ("2015.warc.gz", "read", "bad-http")
    assert (deep["stage"], deep["reason"]) == ("parse", "too-deep")
    assert deep["record_id"] == "urn:test:94"
    assert 0 < bad["offset"] < deep["offset"]
    assert all(row["detail"] for row in (bad, deep))


def test_every_line_of_the_index_leads_to_its_page(finished):
    lines = (finished / "out/warc/index.cdxj").read_text().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 8
    by_id = {one.record_id: one for year in (2014, 2015) for one in snapshots(year)}
    for line in lines:
        key, stamp, fields = line.split(" ", 2)
        entry = json.loads(fields)
        path = finished / "out/warc" / entry["filename"]
        found = read_annotated_at(str(path), int(entry["offset"]))
        source = by_id[found.record_id]
        assert (key, stamp) == (source.surt, f"{source.timestamp:%Y%m%d%H%M%S}")
        assert (found.url, found.timestamp) == (source.url, source.timestamp)
        assert strip(found.html) == source.payload


def test_an_empty_file_has_empty_outputs_and_a_reject_row(tmp_path):
    manifest = run(tmp_path, {"empty.warc.gz": b"", "good.warc.gz": stored(*snapshots(2014))})
    assert manifest["captures"]["reasons"] == {"rejected/not-an-archive": 1}
    assert pq.read_table(tmp_path / "out/pages/empty.parquet").num_rows == 0
    assert pq.read_table(tmp_path / "out/nodes/empty.parquet").num_rows == 0
    assert [row["file"] for row in rows(tmp_path, "rejects")] == ["empty.warc.gz"]
    written = gzip.decompress((tmp_path / "out/warc/empty.dbce.warc.gz").read_bytes())
    assert written.count(b"WARC-Type:") == written.count(b"warcinfo") == 1


def test_a_file_of_no_captures_has_empty_outputs(tmp_path):
    info = b"".join(members([record(1, b"software: x\r\n", kind="warcinfo", url="")]))
    manifest = run(tmp_path, {"info.warc.gz": info})
    assert manifest["captures"]["total"] == 0
    assert manifest["partner_recall"]["all"] == {"up": 0.0, "down": 0.0}
    assert "captures        0" in summary(manifest, "out")
    assert "warc/info.dbce.warc.gz" in files(tmp_path / "out")


def test_inputs_of_one_name_and_other_endings_keep_their_outputs_apart():
    names = ["x.warc.gz", "x.warc", "x.arc", "x.arc.gz", "a/x.warc.gz", "b/x.warc.gz"]
    assert len({stem(name) for name in names}) == len(names)
    assert all("/" not in stem(name) for name in names)
    assert stem("x.warc.gz") == "x"


@pytest.mark.parametrize("name", ["._x.warc.gz", ".x.warc.gz", "_x.warc.gz", "x y[1].warc.gz"])
def test_a_file_of_any_name_is_accounted_for_and_found_by_readers(tmp_path, name):
    manifest = run(tmp_path, {name: stored(*snapshots(2014))})
    assert manifest["captures"]["annotated"] == 4
    assert len(rows(tmp_path, "pages")) == 4


@pytest.mark.parametrize(
    ("where", "broken"),
    [
        ("dbce.run.one_file.boilerplate.judge_in_batches", None),  # half of it is judged
        # Of no record, so that none is rejected for it.
        ("dbce.output.rows.node_rows_of", fails_with(OSError("in the middle"))),
        # Found out when the row group is written.
        ("dbce.output.rows.page_row", lambda *_: {"fetch_time": "no number"}),
    ],
)
def test_after_an_error_no_file_of_the_unit_is_there(tmp_path, monkeypatch, where, broken):
    first = next(annotate(snapshots(2014), PATTERNS))

    def half_judged(*_: object) -> Iterator[object]:
        yield first
        raise RuntimeError("in the middle")

    monkeypatch.setattr(where, broken or half_judged)
    with pytest.raises(Exception, match=r"in the middle|cannot be converted"):
        run(tmp_path, {"2014.warc.gz": stored(*snapshots(2014))})
    assert files(tmp_path / "out") == [
        "index/2014.parquet",
        "work/begun.json",
        "work/kept/2014.arrow",
        "work/read/2014.json",
    ]


def test_what_is_lost_between_the_stages_is_a_bug_that_stops_the_run(tmp_path):
    out = Folder(str(tmp_path / "out"))
    results = list(annotate(snapshots(2014), PATTERNS))
    write_unit(out, "a.warc.gz", results[1:], PATTERNS)
    with pytest.raises(AssertionError, match="4 captures in"):
        finish(out, ["a.warc.gz"], PATTERNS, RunTotals(4, {}))
    assert not (tmp_path / "out/run.json").exists()


def test_response_records_are_written_on_request(tmp_path):
    config = replace(PATTERNS, record_type="response")
    run(tmp_path, {"a.warc.gz": stored(*snapshots(2014))}, config)
    written = gzip.decompress((tmp_path / "out/warc/a.dbce.warc.gz").read_bytes())
    assert written.count(b"WARC-Type: response") == 4
    assert b"WARC-Type: conversion" not in written


def test_snapshots_of_a_url_are_found_by_time_a_record_stored_twice_once(finished):
    out = Folder(str(finished / "out"))
    found = find_snapshots(out, "example,harbour)/ferry")
    assert [f"{row['fetch_time']:%Y}" for row in found] == ["2014", "2015"]
    assert [row["status"] for row in found] == ["annotated"] * 2


def test_a_snapshot_without_a_readable_date_does_not_hide_the_others(tmp_path):
    undated = record(
        7, answer(page("ferry").payload), url=page("ferry").url, date="yesterday at noon"
    )
    run(tmp_path, {"a.warc.gz": stored(*snapshots(2014)) + members([undated])[0]})
    found = find_snapshots(Folder(str(tmp_path / "out")), "example,harbour)/ferry")
    assert "annotated" in [row["status"] for row in found]


def test_the_summary_lists_captures_runs_recall_seconds_and_where_things_are(finished):
    manifest = json.loads((finished / "out/run.json").read_text())
    manifest["seconds"] = {"read": 1, "compare": 2, "judge": 3}
    text = summary(manifest, "some/where")
    assert "captures        14" in text
    assert "skipped       4  (1 duplicate-record, 1 http-status, 1 no-text, 1 not-html)" in text
    assert "harbour.example" in text
    assert "read 1.0, compare 2.0, judge 3.0" in text
    assert text.splitlines()[-1] == (
        "outputs         some/where: warc/ pages/ nodes/ rejects/ run.json"
    )
