"""The damage account: what is in a file, and what is wrong with it where."""

import gzip
import json
from pathlib import Path

import pytest

from dbce.archive import read
from dbce.archive.records.identity import sha1
from dbce.model import Limits, Reject, Status
from dbce.run import (
    ArchiveAccount,
    account_as_json,
    account_as_text,
    survey_archive,
    survey_archives,
)
from tests.archive.build import PAGE, answer, members, record, stored
from tests.runs import ended, finished_run, printed, refusal

WRONG = "sha1:" + "A" * 32
LONG = PAGE + b"<p>More of it.</p>" * 100
LATIN = "<p>Grüße".encode("latin-1")
RECORDS = [
    record(0, b"software: test\r\n", kind="warcinfo", media="application/warc-fields"),
    record(1),
    record(2, answer(b"gone", "404 Not Found")),
    record(3, answer(b"GIF89a", content_type="image/gif")),
    record(4, answer(b""), kind="revisit"),
    record(5, answer(LATIN, content_type="text/html; charset=iso-8859-1")),
    record(6, b"GET / HTTP/1.1\r\n\r\n", kind="request", WARC_Block_Digest=WRONG),
]


def account(data: bytes, **limits: int) -> ArchiveAccount:
    return survey_archive(stored(data), Limits(**limits))


def test_records_are_counted_by_type_and_captures_by_what_they_are() -> None:
    found = account(b"".join(members(RECORDS)))
    assert found.records == {"warcinfo": 1, "response": 4, "revisit": 1, "request": 1}
    assert found.skipped == {"http-status": 1, "not-html": 1, "revisit": 1}
    assert (found.html, found.pages, found.revisits) == (4, 2, 1)
    assert found.charsets == {"utf-8": 1, "header": 1}


def test_revisits_are_resolved_among_all_files_by_their_headers(tmp_path, capsys):
    digest = {"WARC_Payload_Digest": sha1(PAGE)}
    again = record(2, answer(b""), kind="revisit", WARC_Refers_To="<urn:test:1>")
    same = record(3, answer(b""), kind="revisit", **digest)
    lost = record(4, answer(b""), kind="revisit", WARC_Refers_To="<urn:test:3>")
    (tmp_path / "a.warc").write_bytes(again + same + lost)
    (tmp_path / "b.warc").write_bytes(record(1, **digest))
    lines = printed(capsys, "check", tmp_path, "--json", "--jobs", 1).splitlines()
    *files, total = map(json.loads, lines)
    assert [one["resolutions"] for one in files] == [{}, {}]
    assert total["resolutions"] == {"record-id": 1, "digest": 1, "not-here": 1}
    assert "revisits        3  (3 not-here)\n" in printed(capsys, "check", tmp_path / "a.warc")


def test_a_wrong_digest_of_any_record_is_found_where_it_is() -> None:
    parts = members(RECORDS)
    found = account(b"".join(parts))
    (finding,) = found.findings
    assert (finding.offset, finding.length) == (len(b"".join(parts[:6])), len(parts[6]))
    assert (finding.kind, finding.reason) == ("request", "bad-digest")
    assert (finding.record_id, finding.url) == ("urn:test:6", "http://example.com/6")
    assert (found.damaged, found.digests, found.rejected) == (1, 1, {})


def test_what_is_odd_is_named_and_no_damage() -> None:
    date = record(1, date="2008-10-294T05:21:46-0700")
    empty = record(2, answer(b""), kind="revisit", WARC_Block_Digest=sha1(b""))
    found = account(date + empty)
    assert (found.odd, found.damaged, found.rejected) == ({"date": 1, "revisit-digest": 1}, 0, {})
    (one, other) = found.oddities
    assert (one.offset, one.record_id, one.reason) == (0, "urn:test:1", "date")
    assert (other.offset, other.length) == (len(date), len(empty) - 4)
    said = account_as_text("x.warc", found)
    assert "  odd             2  (1 date, 1 revisit-digest)\n" in said
    assert "  ~ date at 0" in said
    assert [one["reason"] for one in json.loads(account_as_json("x", found))["oddities"]] == list(
        found.odd
    )
    assert (found + found).odd == {"date": 2, "revisit-digest": 2}


BROKEN = ("<p>" + "Grüße und Küsse " * 20).encode() + b"\xfc"


@pytest.mark.parametrize(
    ("data", "findings", "values"),
    [
        (record(1, answer(LONG))[:-500], ["truncated"], {"pages": 1, "truncated": {"record": 1}, "rejected": {}}),
        (record(1, answer(LONG), WARC_Truncated="length"), [], {"truncated": {"length": 1}, "damaged": 0}),
        (record(1, answer(b"\0" * 3000)), ["undecodable"], {}),
        (record(1, answer(BROKEN)) + record(2), [], {"replaced": 1}),
        (b"no archive at all", ["not-an-archive"], {"bytes_skipped": 17}),
        (record(1, b"GET / HTTP/1.1\r\n\r\n", kind="request", length=5) + record(2), [], {"odd": {"length": 1}}),
    ],
    ids="cut_page cut_by_crawler no_text replaced no_archive odd_request".split(),
)  # fmt: skip
def test_damage_is_found_and_what_is_none_is_counted(data, findings, values) -> None:
    found = account(data)
    assert [one.reason for one in found.findings] == findings
    assert {name: getattr(found, name) for name in values} == values


def test_the_bytes_of_a_damaged_place_are_counted_up_to_the_next_record() -> None:
    parts = members(RECORDS[:6])
    junk = b"junk" * 50
    found = account(parts[0] + junk + b"".join(parts[1:]))
    assert found.bytes_skipped == len(junk)
    assert [(one.reason, one.offset, one.length) for one in found.findings] == [
        ("damaged", len(parts[0]), len(junk))
    ]


def test_a_file_that_is_one_gzip_member_is_told_with_what_mends_it() -> None:
    found = account(gzip.compress(b"".join(RECORDS)))
    assert found.single_members == 1
    assert "warcio recompress one.warc.gz NEW.warc.gz" in account_as_text("one.warc.gz", found)
    assert account(b"".join(members(RECORDS))).single_members == 0
    assert account(b"".join(RECORDS)).single_members == 0
    assert account(members(RECORDS[1:2])[0]).single_members == 0


def test_what_a_run_rejects_while_reading_is_what_the_account_rejects() -> None:
    parts = members([*RECORDS, record(7, PAGE[:20], length=10**6), record(8, b"no http")])
    parts[3] = parts[3][:30] + bytes(9) + parts[3][39:]
    data = b"".join(parts)
    run = [e for e in read(stored(data), Limits(), verify=True) if isinstance(e, Reject)]
    rejected = [e for e in run if e.status is Status.REJECTED]
    found = account(data)
    assert found.rejected.total() == len(rejected) == 3
    assert {(e.origin.offset, e.reason) for e in rejected} <= {
        (one.offset, one.reason) for one in found.findings
    }


def test_records_with_one_id_are_pages_unless_they_are_the_same(tmp_path, capsys) -> None:
    """As `urn:uuid:` alone, or an id that was copied: a run and the check say the same."""
    ids = ("<urn:uuid:>", "<urn:uuid:7b817fe0-d529-11e8-8ec6-391ee1fffcc8>")
    shared = [record(n, record_id=ids[n % 2]) for n in range(6)]
    copied = [record(n, record_id=ids[1]) for n in (1, 8)]
    (tmp_path / "a.warc").write_bytes(b"".join([*shared, shared[1], shared[3]]))
    (tmp_path / "b.warc.gz").write_bytes(b"".join(members(copied)))
    lines = printed(capsys, "check", tmp_path, "--json", "--jobs", 1).splitlines()
    *files, total = map(json.loads, lines)
    assert [one["pages"] for one in files] == [6, 1]
    assert total["skipped"] == {"duplicate-record": 3}
    out = tmp_path / "out"
    finished_run(tmp_path, out)
    captures = json.loads((out / "run.json").read_text())["captures"]
    assert captures["annotated"] + captures["single"] == 7
    assert captures["reasons"] == {"skipped/duplicate-record": 3}


def test_the_sum_of_accounts_counts_all_and_lists_nothing() -> None:
    one, two = account(b"".join(RECORDS)), account(b"no archive at all")
    total = one + two
    assert total.files == 2
    assert total.records == one.records
    assert (total.damaged, total.bytes_skipped, total.findings) == (2, 17, [])


# The command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound archive and a damaged one."""
    (tmp_path / "a.warc.gz").write_bytes(b"".join(members(RECORDS[:6])))
    (tmp_path / "b.warc.gz").write_bytes(b"".join(members(RECORDS)) + b"junk")
    return tmp_path


def test_json_has_a_line_for_each_file_and_one_for_all(folder, capsys) -> None:
    lines = printed(capsys, "check", folder, "--json", "--jobs", 1).splitlines()
    first, second, total = map(json.loads, lines)
    assert (first["file"], second["file"], total["file"]) == ("a.warc.gz", "b.warc.gz", None)
    assert first["records"] == {"warcinfo": 1, "response": 4, "revisit": 1}
    assert [one["reason"] for one in second["findings"]] == ["bad-digest", "damaged"]
    assert (total["files"], total["damaged"], total["bytes_skipped"]) == (2, 2, 4)


def test_text_names_what_is_wrong_and_where(folder, capsys) -> None:
    out = printed(capsys, "check", folder / "b.warc.gz", "--jobs", 1)
    assert "records         7  (4 response, 1 request, 1 revisit, 1 warcinfo)" in out
    assert "! bad-digest at " in out
    assert "urn:test:6 http://example.com/6: WARC-Block-Digest is sha1:AAAA" in out


def test_with_strict_damage_is_an_exit_code(folder, capsys) -> None:
    assert ended("check", folder / "a.warc.gz", "--strict", "--jobs", 1) == 0
    assert ended("check", folder, "--strict", "--jobs", 1) == 3
    capsys.readouterr()


@pytest.mark.slow
def test_several_processes_give_the_same_account(folder, capsys) -> None:
    one, two = (printed(capsys, "check", folder, "--json", "--jobs", jobs) for jobs in (1, 2))
    assert one == two


def test_an_index_checks_the_captures_that_it_lists(folder, capsys) -> None:
    parts = members(RECORDS[:6])
    offset = len(b"".join(parts[:5]))
    line = f'com,example)/5 20240506070809 {{"filename": "a.warc.gz", "offset": "{offset}"}}\n'
    (folder / "a.cdxj").write_text(line)
    ended("check", folder / "a.cdxj", "--json", "--jobs", 1)
    first, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["records"] == {"response": 1}


def test_a_wrong_number_of_processes_is_refused(folder, capsys) -> None:
    assert "at least 1" in refusal(capsys, "check", folder, "--jobs", 0)


def test_many_findings_are_listed_in_full_as_json_alone(capsys) -> None:
    found = account(b"".join(record(n, b"no http") for n in range(30)))
    assert "... 10 more; --json lists all" in account_as_text("x", found)
    assert len(json.loads(account_as_json("x", found))["findings"]) == 30


def test_accounts_come_in_the_order_of_the_files() -> None:
    sources = [stored(b"".join(RECORDS), name) for name in ("b.warc", "a.warc")]
    assert [name for name, _ in survey_archives(sources, Limits(), jobs=1)] == ["b.warc", "a.warc"]


def test_the_pieces_of_a_file_are_one_account(tmp_path: Path, capsys) -> None:
    texts = [record(n, answer(PAGE + b"%d" % n)) for n in range(60)]
    (tmp_path / "big.warc").write_bytes(b"".join(texts))
    (tmp_path / "small.toml").write_text("split_bytes = 3000\n")
    words = ("check", tmp_path / "big.warc", "--json", "--jobs", 1)
    in_pieces = printed(capsys, *words, "--config", tmp_path / "small.toml")
    assert in_pieces == printed(capsys, *words)
