"""What is read from files that are cut, garbled, or written wrongly."""

import gzip
import random
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import Source, read
from dbce.model import Limits, Reason, Reject, Status, StoreError
from tests.archive.account import unaccounted
from tests.archive.build import (
    PAGE,
    answer,
    arc_head,
    arc_record,
    captures,
    members,
    outcome,
    outcomes,
    record,
)

WHOLE = [record(number, answer(PAGE + b"%d" % number)) for number in range(5)]
PLAIN = b"".join(WHOLE)
GZIPPED = b"".join(members(WHOLE))
SINGLE = gzip.compress(PLAIN, mtime=0)
ZSTD = b"".join(zstandard.ZstdCompressor(write_checksum=True).compress(one) for one in WHOLE)
ARC = [arc_head(), *(arc_record(number) for number in range(5))]


def test_a_cut_gzip_file_gives_its_whole_records_and_one_rejected() -> None:
    parts = members(WHOLE)
    assert outcomes(b"".join(parts[:3]) + parts[3][:-20]) == ["page"] * 3 + ["truncated"]


def test_a_cut_plain_file_gives_its_whole_records_and_one_rejected() -> None:
    entries = captures(b"".join(WHOLE[:2]) + WHOLE[2][:-30])
    assert [outcome(entry) for entry in entries] == ["page", "page", "truncated"]
    assert entries[2].record_id == "urn:test:2"
    assert entries[2].url == "http://example.com/2"
    assert entries[2].origin.offset == len(b"".join(WHOLE[:2]))


def test_a_header_that_breaks_off_is_truncated() -> None:
    assert outcomes(WHOLE[0] + WHOLE[1][:60]) == ["page", "truncated"]


def test_a_damaged_gzip_member_costs_only_itself() -> None:
    parts = members(WHOLE)
    parts[2] = parts[2][:30] + bytes(20) + parts[2][50:]
    entries = captures(b"".join(parts))
    assert [outcome(e) for e in entries] == ["page", "page", "damaged", "page", "page"]
    assert entries[2].origin.offset == len(b"".join(parts[:2]))


def test_a_gzip_member_whose_first_bytes_are_lost_costs_only_itself() -> None:
    parts = members(WHOLE)
    parts[2] = b"junk" + parts[2][4:]
    entries = captures(b"".join(parts))
    assert [outcome(e) for e in entries] == ["page", "page", "damaged", "page", "page"]
    assert (entries[2].origin.offset, entries[2].origin.length) == (
        len(b"".join(parts[:2])),
        len(parts[2]),
    )


@given(st.integers(0, 40_000), st.integers(12, 9_000))
@settings(deadline=None, max_examples=60)
def test_what_is_said_of_a_damaged_member_does_not_depend_on_what_lies_before(before, place):
    noise = random.Random(4).randbytes(40_000)
    filler = members([record(8, noise[:before], kind="metadata", media="text/plain")])[0]
    (member,) = members([record(9, answer(PAGE + noise[:9_000]))])
    damaged = member[:place] + bytes(12) + member[place + 12 :]
    alone, behind = (captures(parts + GZIPPED) for parts in (damaged, filler + damaged))
    for one, other in zip(alone, behind, strict=True):
        origin = replace(other.origin, offset=other.origin.offset - len(filler))
        known = other.record_id.startswith("urn:test:")  # else its id is made from where it stands
        record_id = other.record_id if known else one.record_id
        assert one == replace(other, origin=origin, record_id=record_id)


def test_a_wrong_checksum_is_damage() -> None:
    parts = members(WHOLE)
    parts[1] = parts[1][:-8] + b"\0\0\0\0" + parts[1][-4:]
    assert outcomes(b"".join(parts)) == ["page", "damaged", "page", "page", "page"]


def test_a_file_that_is_one_single_gzip_member_is_read() -> None:
    entries = captures(gzip.compress(PLAIN))
    assert [outcome(entry) for entry in entries] == ["page"] * 5
    assert {entry.origin.offset for entry in entries} == {0}


def test_records_without_an_id_in_one_member_get_different_ids() -> None:
    entries = captures(gzip.compress(b"".join(ARC)))
    assert len({entry.record_id for entry in entries}) == 5


def test_a_single_member_that_breaks_off_gives_the_records_before() -> None:
    data = gzip.compress(PLAIN, compresslevel=0)
    assert outcomes(data[: len(data) * 3 // 4]) == ["page"] * 3 + ["truncated"]


def test_a_record_that_is_spread_over_gzip_members_is_read() -> None:
    data = b"".join(members([WHOLE[0][:-30], WHOLE[0][-30:-4], b"\r\n\r\n" + WHOLE[1]]))
    entries = captures(data)
    assert [entry.record_id for entry in entries] == ["urn:test:0", "urn:test:1"]


@pytest.mark.parametrize("pack", [b"".join, lambda parts: gzip.compress(b"".join(parts))])
@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (60, "page"),  # the block is longer than declared
        (600, "truncated"),  # the next header lies within
        (10**12, "truncated"),  # the file ends before
        ("many", "bad-record"),
        (-1, "bad-record"),
    ],
)
def test_a_wrong_length_costs_only_its_record(pack, length: int | str, reason: str) -> None:
    parts = [WHOLE[0], record(9, length=length), *WHOLE[1:]]
    entries = captures(pack(parts))
    assert [outcome(e) for e in entries] == ["page", reason] + ["page"] * 4
    assert entries[1].record_id == "urn:test:9"


def test_a_garbled_header_in_a_plain_file_costs_only_its_record() -> None:
    parts = [WHOLE[0], bytes(40) + WHOLE[1][40:], *WHOLE[2:]]
    entries = captures(b"".join(parts))
    assert [outcome(e) for e in entries] == ["page", "damaged", "page", "page", "page"]
    assert (entries[1].origin.offset, entries[1].origin.length) == (len(parts[0]), len(parts[1]))


def test_zero_bytes_in_a_header_make_a_bad_record() -> None:
    garbled = WHOLE[1].replace(b"example", b"\0" * 7)
    assert outcomes(WHOLE[0] + garbled + WHOLE[2]) == ["page", "bad-record", "page"]


@pytest.mark.parametrize(
    "bad",
    [
        record(1, url=""),
        record(1, date="yesterday"),
        record(1, date=None),
        record(1, kind=None),
    ],
)
def test_a_header_that_lacks_what_it_must_have_is_a_bad_record(bad: bytes) -> None:
    assert outcomes(bad + WHOLE[2]) == ["bad-record", "page"]


def test_a_first_segment_is_not_a_whole_page() -> None:
    assert outcomes(record(1, WARC_Segment_Number="1")) == ["truncated"]


def test_an_answer_without_status_line_is_no_answer() -> None:
    for line in (b"HTTPX/1.1 200 OK", b"bread", b"HTTP/1.1 2000", b"12345HTTP/1.1 200 OK"):
        assert outcomes(record(1, line + b"\r\n\r\n" + PAGE)) == ["bad-http"]


def test_records_without_line_ends_between_them_are_read() -> None:
    assert outcomes(b"".join(part.removesuffix(b"\r\n\r\n") for part in WHOLE)) == ["page"] * 5


def test_an_arc_with_bad_lengths_and_dates_loses_no_record() -> None:
    parts = [arc_head(), arc_record(1, length=-1), arc_record(2, date="201404010000000000")]
    parts += [arc_record(3, length="abc"), arc_record(4, length=9999), arc_record(5)]
    assert outcomes(b"".join(parts)) == [*("bad-record", "page", "bad-record", "truncated", "page")]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"not an archive", b"\x1f\x8b\x08", bytes(99)])
def test_a_file_without_any_record_is_one_rejected_row(data: bytes) -> None:
    (entry,) = captures(data)
    assert isinstance(entry, Reject)
    assert (entry.status, entry.reason) == (Status.REJECTED, Reason.NOT_AN_ARCHIVE)
    assert entry.origin.offset == 0


def test_a_gzipped_text_is_no_archive() -> None:
    assert outcomes(gzip.compress(b"a,b\n1,2\n")) == ["not-an-archive"]


def test_an_archive_without_captures_is_no_fault() -> None:
    assert outcomes(record(1, b"software: test\r\n", kind="warcinfo", media=None)) == []


def test_junk_before_the_first_record_is_one_rejected_row() -> None:
    assert outcomes(b"some junk\r\n" + PLAIN) == ["damaged"] + ["page"] * 5
    assert outcomes(b"some junk\r\n" + GZIPPED) == ["damaged"] + ["page"] * 5


def test_a_file_that_vanishes_is_a_failure_of_its_store(tmp_path: Path) -> None:
    source = Source("gone.warc.gz", str(tmp_path / "gone.warc.gz"), None)
    with pytest.raises(StoreError, match="has vanished"):
        list(read(source, Limits()))


def test_an_offset_where_nothing_begins_is_one_rejected_row() -> None:
    first = len(WHOLE[0])
    assert outcomes(PLAIN, (first, first + 7, 10**9)) == ["page", "damaged", "damaged"]
    packed = members(WHOLE)
    assert outcomes(b"".join(packed), (3, len(packed[0]))) == ["damaged", "page"]


def lost(data: bytes) -> list[tuple[int, int]]:
    """Offset and length of what is rejected."""
    rejected = [entry for entry in captures(data) if outcome(entry) != "page"]
    return [(entry.origin.offset, entry.origin.length) for entry in rejected]


def test_a_damaged_member_has_the_length_up_to_the_next_record() -> None:
    parts = members(WHOLE)
    for place in (2, 30, -5):  # in its magic, its content, its checksum
        broken = bytearray(parts[2])
        broken[place] ^= 0xFF
        data = b"".join([*parts[:2], bytes(broken), *parts[3:]])
        assert lost(data) == [(len(parts[0] + parts[1]), len(parts[2]))]
        tail = b"".join([*parts[:2], bytes(broken)])
        assert lost(tail) == [(len(parts[0] + parts[1]), len(parts[2]))]


def test_a_broken_header_has_the_length_up_to_the_next_record() -> None:
    parts = [WHOLE[0], bytes(40) + WHOLE[1][40:], *WHOLE[2:]]
    assert lost(b"".join(parts)) == [(len(parts[0]), len(parts[1]))]


def test_of_a_member_with_many_records_only_what_follows_the_damage_is_lost() -> None:
    texts = [random.Random(number).randbytes(9_000).hex().encode() for number in range(9)]
    parts = [record(number, answer(text)) for number, text in enumerate(texts)]
    single = gzip.compress(b"".join(parts), mtime=0)
    broken = single[:50_000] + bytes(99) + single[50_099:]
    assert outcomes(broken) == ["page"] * 4 + ["damaged"]
    ((_, length),) = lost(broken)
    assert len(single) - 70_000 < length < len(single) - 50_000


def test_a_file_that_is_no_archive_is_lost_with_all_its_bytes() -> None:
    assert lost(b"not an archive") == [(0, 14)]


def test_a_member_that_expands_without_end_costs_only_itself(monkeypatch) -> None:
    monkeypatch.setattr("dbce.archive.records.feed.BOMB", 1_000_000)
    bomb = gzip.compress(record(1, answer(bytes(5_000_000), content_type="image/png")))
    data = b"".join([*members(WHOLE[:1]), bomb, *members(WHOLE[2:])])
    assert outcomes(data) == ["page", "too-large"] + ["page"] * 3
    assert lost(data) == [(len(members(WHOLE[:1])[0]), len(bomb))]


def test_a_member_that_expands_as_text_does_is_no_bomb(monkeypatch) -> None:
    monkeypatch.setattr("dbce.archive.records.feed.BOMB", 1_000)
    many = [record(number, answer(PAGE * 20 + b"%d" % number)) for number in range(99)]
    assert outcomes(gzip.compress(b"".join(many))) == ["page"] * 99


def _files() -> st.SearchStrategy[bytes]:
    files = [PLAIN, GZIPPED, b"".join(ARC), b"".join(members(ARC)), SINGLE, ZSTD]
    return st.sampled_from(files)


@st.composite
def _damages(draw: st.DrawFn) -> tuple[bytes, int, bytes]:
    """A file, the place of its damage, and the damaged file."""
    data = draw(_files())
    start = draw(st.integers(0, len(data) - 1))
    stop = min(len(data), start + draw(st.integers(1, 300)))
    filling = draw(
        st.sampled_from([b"", bytes(stop - start), data[start:stop] * 2]) | st.binary(max_size=40)
    )
    return data, start, data[:start] + filling + data[stop:]


@given(_damages())
@settings(deadline=None, max_examples=300)
def test_whatever_is_damaged_nothing_raises_and_what_lies_before_is_delivered(case):
    data, place, damaged = case
    border = 0 if data.startswith((b"\x1f", b"\x28")) else 4  # the line ends behind a plain record
    ends = {e: e.origin.offset + e.origin.length + border for e in captures(data)}
    whole = [entry for entry, end in ends.items() if end <= place]
    if data == SINGLE:
        whole = []  # its one member is damaged
    seen = captures(damaged)
    names = [(entry.url, outcome(entry)) for entry in seen]
    assert names[: len(whole)] == [(entry.url, outcome(entry)) for entry in whole]


@given(_damages())
@settings(deadline=None, max_examples=300)
def test_whatever_is_damaged_every_byte_is_accounted_for_once(case):
    assert unaccounted(case[2]) == []


@given(st.integers(0, 2), st.integers(0, 250), st.integers(1, 60), st.booleans())
@settings(deadline=None, max_examples=150)
def test_what_lies_behind_a_zeroed_stretch_is_delivered(number, start, length, packed):
    parts = members(WHOLE) if packed else list(WHOLE)
    broken = parts[number]
    start = min(start, len(broken) - 5)
    stop = min(start + length, len(broken) - 4)  # the last line ends stay: they are the border
    parts[number] = broken[:start] + bytes(stop - start) + broken[stop:]
    urls = [entry.url for entry in captures(b"".join(parts)) if outcome(entry) == "page"]
    for other in set(range(5)) - {number}:
        assert f"http://example.com/{other}" in urls


@given(st.binary(max_size=400))
@settings(deadline=None)
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    captures(data)
    captures(b"WARC/1.0\r\n" + data)
    captures(record(1, answer(data, Content_Encoding="gzip", Transfer_Encoding="chunked")))
    captures(record(1, answer(data, Content_Encoding="br, deflate")))
    captures(record(1, answer(data, content_type="")))
    captures(record(1, data))
