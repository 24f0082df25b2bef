"""What is read from files that are cut, garbled, or written wrongly: what is not touched is delivered as it was."""

import gzip
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import Source, read
from dbce.model import Capture, Limits, Reason, Reject, Status, StoreError
from tests.archive.account import places, unaccounted
from tests.archive.build import (
    PAGE,
    answer,
    arc_head,
    arc_record,
    captures,
    frames,
    members,
    outcome,
    outcomes,
    record,
    stored,
)
from tests.archive.damage import falsified, ids_of, records_in, spoilt, zeroed
from tests.data import shared
from tests.gate import first
from tests.site import TOPICS, digested

WHOLE = [record(number, answer(PAGE + b"%d" % number)) for number in range(5)]
PLAIN = b"".join(WHOLE)
GZIPPED = b"".join(members(WHOLE))
SINGLE = gzip.compress(PLAIN, mtime=0)
ZSTD = b"".join(frames(WHOLE))
ARC = [arc_head(), *(arc_record(number) for number in range(5))]
MEMBERS = members(WHOLE)
STORED = gzip.compress(PLAIN, compresslevel=0)
BAD_ARC = [arc_head(), arc_record(1, length=-1), arc_record(2, date="201404010000000000")]
BAD_ARC += [arc_record(3, length="abc"), arc_record(4, length=9999), arc_record(5)]
OF_BAD_ARC = ["page"] * 5
CUT = [*["page"] * 3, "truncated"]
NO_END = WHOLE[1][: WHOLE[1].index(b"WARC-Date")]
LONG = record(1, **{f"X_{number}": "1" for number in range(2_000)})
ZEROES = WHOLE[0] + WHOLE[1].replace(b"example", bytes(7)) + WHOLE[2]
BITS = {n: members(PLAIN[at : at + n] for at in range(0, len(PLAIN), n)) for n in (37, 99, 250)}

FILES: dict[str, tuple[bytes, list[str]]] = {
    "a member that breaks off": (b"".join(MEMBERS)[: -len(MEMBERS[4]) - 20], CUT),
    "a header that breaks off": (WHOLE[0] + WHOLE[1][:60], ["page", "truncated"]),
    "one that breaks off in its type": (WHOLE[1][:25] + WHOLE[2], ["truncated", "page"]),
    "one that breaks off in a name": (WHOLE[1][:14] + PLAIN, ["damaged", *["page"] * 5]),
    "a header that has lost its end": (NO_END + WHOLE[2], ["truncated", "page"]),
    "a header of very many lines": (MEMBERS[0] + members([LONG])[0], ["page", "bad-record"]),
    "one member that breaks off": (STORED[: len(STORED) * 3 // 4], CUT),
    "zero bytes in a header": (ZEROES, ["page", "bad-record", "page"]),
    **{
        f"a header that lacks {name}": (record(1, **fields) + WHOLE[2], ["bad-record", "page"])
        for name, fields in (
            *(("a URL", {"url": ""}), ("a time", {"date": "yesterday"})),
            *(("a date", {"date": None}), ("a type", {"kind": None})),
        )
    },
    "a first segment": (record(1, WARC_Segment_Number="1"), ["truncated"]),
    **{
        f"the status line {line!r}": (record(1, line + b"\r\n\r\n" + PAGE), ["bad-http"])
        for line in (b"HTTPX/1.1 200 OK", b"bread", b"HTTP/1.1 2000", b"12345HTTP/1.1 200 OK")
    },
    "no line ends between records": (b"".join(part[:-4] for part in WHOLE), ["page"] * 5),
    "one that breaks off in a line": (WHOLE[0][:-50] + PLAIN, ["truncated", *["page"] * 5]),
    "a mark of the byte order first": (b"\xef\xbb\xbf" + PLAIN, ["page"] * 5),
    "such marks between": (b"\xef\xbb\xbf".join(WHOLE), ["page"] * 5),
    "zeros between members and behind": (bytes(70_000).join([*MEMBERS, b""]), ["page"] * 5),
    "zeros and blanks between": ((bytes(99) + b" \t\n").join(WHOLE), ["page"] * 5),
    "plain ones and members": (WHOLE[0] + GZIPPED + WHOLE[1] + MEMBERS[2], ["page"] * 8),
    "members and plain ones": (GZIPPED + bytes(9) + PLAIN + ZSTD, ["page"] * 15),
    "versions of one or three numbers": (PLAIN.replace(b"1.0\r", b"1\r", 1), ["page"] * 5),
    **{f"members of {n} bytes": (b"".join(bits), ["page"] * 5) for n, bits in BITS.items()},
    "bad lengths and dates in ARC": (b"".join(BAD_ARC), OF_BAD_ARC),
    "a gzipped text": (gzip.compress(b"a,b\n1,2\n"), ["not-an-archive"]),
    "no captures": (record(1, b"software: test\r\n", kind="warcinfo", media=None), []),
    "junk first": (b"some junk\r\n" + PLAIN, ["damaged", *["page"] * 5]),
    "junk before members": (b"some junk\r\n" + GZIPPED, ["damaged", *["page"] * 5]),
}


@pytest.mark.parametrize("what", FILES)
def test_of_a_file_with_damage_each_record_is_read_or_rejected(what: str) -> None:
    data, expected = FILES[what]
    assert outcomes(data) == expected
    assert not unaccounted(data)


def damaged_member(start: int, bytes_: bytes) -> list[bytes]:
    """The members, with other bytes in the third."""
    part = MEMBERS[2]
    stop = start + len(bytes_)
    return [*MEMBERS[:2], part[:start] + bytes_ + part[stop:], *MEMBERS[3:]]


@pytest.mark.parametrize(
    "parts",
    [
        *(damaged_member(0, b"junk"), damaged_member(30, bytes(20))),
        damaged_member(len(MEMBERS[2]) - 8, bytes(4)),  # its checksum
        damaged_member(2, bytes([MEMBERS[2][2] ^ 0xFF])),
        damaged_member(len(MEMBERS[2]) - 5, bytes([MEMBERS[2][-5] ^ 0xFF])),
    ],
)
def test_a_damaged_member_costs_itself_up_to_the_next_record(parts: list[bytes]) -> None:
    for data in (b"".join(parts), b"".join(parts[:3])):
        kept = 5 if data.endswith(MEMBERS[4]) else 3
        assert outcomes(data) == ["page", "page", "damaged", "page", "page"][:kept]
        assert lost(data) == [(len(b"".join(parts[:2])), len(parts[2]))]


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


def test_of_a_file_that_is_one_single_gzip_member_every_record_is_read() -> None:
    for records in (WHOLE, ARC):  # those of ARC have no ids
        entries = captures(gzip.compress(b"".join(records)))
        assert [outcome(entry) for entry in entries] == ["page"] * 5
        assert {entry.origin.offset for entry in entries} == {0}
        assert len({entry.record_id for entry in entries}) == 5


@pytest.mark.parametrize("cut", [-30, WHOLE[0].index(b"HTTP/"), WHOLE[0].index(b"text/html")])
def test_a_record_that_is_spread_over_gzip_members_is_read(cut: int) -> None:
    data = b"".join(members([WHOLE[0][:cut], WHOLE[0][cut:-4], b"\r\n\r\n" + WHOLE[1]]))
    entries = captures(data)
    assert [entry.record_id for entry in entries] == ["urn:test:0", "urn:test:1"]


@pytest.mark.parametrize("pack", [b"".join, lambda parts: gzip.compress(b"".join(parts))])
@pytest.mark.parametrize(
    ("length", "truncated"),
    [
        (60, ""),  # the block is longer than declared
        (600, "record"),  # the next header lies within
        (10**12, "record"),  # the file ends before
        *(("many", ""), (-1, ""), ("", ""), ("+94", ""), ("94.0", "")),
    ],
)
def test_a_wrong_length_costs_only_its_record(pack, length, truncated: str) -> None:
    parts = [WHOLE[0], record(9, length=length), *WHOLE[1:]]
    entries = captures(pack(parts))
    assert [outcome(e) for e in entries] == ["page"] * 6
    assert (entries[1].record_id, entries[1].truncated) == ("urn:test:9", truncated)
    assert entries[1].payload.strip() == PAGE


def test_a_garbled_header_in_a_plain_file_costs_only_its_record() -> None:
    parts = [WHOLE[0], bytes(40) + WHOLE[1][40:], *WHOLE[2:]]
    entries = captures(b"".join(parts))
    assert [outcome(e) for e in entries] == ["page", "damaged", "page", "page", "page"]
    assert (entries[1].origin.offset, entries[1].origin.length) == (len(parts[0]), len(parts[1]))


def test_a_file_that_was_compressed_twice_says_so() -> None:
    (entry,) = captures(gzip.compress(GZIPPED))
    assert entry.detail == "this was compressed twice: decompress the file once"


@pytest.mark.parametrize("data", [b"", b"\n\n", b"not an archive", b"\x1f\x8b\x08", bytes(99)])
def test_a_file_without_any_record_is_one_rejected_row(data: bytes) -> None:
    (entry,) = captures(data)
    assert (entry.status, entry.reason) == (Status.REJECTED, Reason.NOT_AN_ARCHIVE)
    assert (entry.origin.offset, entry.origin.length) == (0, len(data))


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


def test_of_a_member_with_many_records_only_what_follows_the_damage_is_lost() -> None:
    texts = [random.Random(number).randbytes(9_000).hex().encode() for number in range(9)]
    parts = [record(number, answer(text)) for number, text in enumerate(texts)]
    single = gzip.compress(b"".join(parts), mtime=0)
    broken = single[:50_000] + bytes(99) + single[50_099:]
    assert outcomes(broken) == ["page"] * 4 + ["damaged"]
    ((_, length),) = lost(broken)
    assert len(single) - 70_000 < length < len(single) - 50_000


def test_a_member_that_expands_without_end_costs_only_itself(monkeypatch) -> None:
    monkeypatch.setattr("dbce.archive.records.members.BOMB", 1_000_000)
    bomb = gzip.compress(record(1, answer(bytes(5_000_000), content_type="image/png")))
    data = b"".join([*members(WHOLE[:1]), bomb, *members(WHOLE[2:])])
    assert outcomes(data) == ["page", "too-large"] + ["page"] * 3
    assert "expand to more than" in captures(data)[1].detail
    assert lost(data) == [(len(members(WHOLE[:1])[0]), len(bomb))]


def test_a_member_that_expands_as_text_does_is_no_bomb(monkeypatch) -> None:
    monkeypatch.setattr("dbce.archive.records.members.BOMB", 1_000)
    many = [record(number, answer(PAGE * 20 + b"%d" % number)) for number in range(99)]
    assert outcomes(gzip.compress(b"".join(many))) == ["page"] * 99


@st.composite
def _damages(draw: st.DrawFn) -> tuple[bytes, int, bytes]:
    """A file, the place of its damage, and the damaged file."""
    arcs = b"".join(ARC), b"".join(members(ARC))
    data = draw(st.sampled_from([PLAIN, GZIPPED, *arcs, SINGLE, ZSTD]))
    start = draw(st.integers(0, len(data) - 1))
    stop = min(len(data), start + draw(st.integers(1, 300)))
    filling = draw(
        st.sampled_from([b"", bytes(stop - start), data[start:stop] * 2]) | st.binary(max_size=40)
    )
    return data, start, data[:start] + filling + data[stop:]


@given(_damages())
@settings(deadline=None, max_examples=300)
def test_whatever_is_damaged_what_lies_before_is_delivered_and_every_byte_accounted_for_once(case):
    data, place, damaged = case
    border = 0 if data.startswith((b"\x1f", b"\x28")) else 4  # the line ends behind a plain record
    ends = {e: e.origin.offset + e.origin.length + border for e in captures(data)}
    whole = [entry for entry, end in ends.items() if end <= place]
    if data == SINGLE:
        whole = []  # its one member is damaged
    seen = captures(damaged)
    names = [(entry.url, outcome(entry)) for entry in seen]
    assert names[: len(whole)] == [(entry.url, outcome(entry)) for entry in whole]
    assert unaccounted(damaged) == []


@given(st.binary(max_size=400))
@settings(deadline=None)
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    captures(data)
    captures(b"WARC/1.0\r\n" + data)
    captures(record(1, answer(data, Content_Encoding="gzip", Transfer_Encoding="chunked")))
    captures(record(1, answer(data, Content_Encoding="br, deflate")))
    captures(record(1, answer(data, content_type="")))
    captures(record(1, data))


# An archive that is damaged place by place: what is not touched is delivered as it was.


Found = dict[str, Capture | Reject]

NEAR = 6
"""Records on each side of a damaged one that must be delivered as they were."""


@cache
def site() -> tuple[bytes, ...]:
    """The records of a small archive, a warcinfo first; digests are declared."""
    return tuple(digested(*TOPICS, "ropes", "tides"))


def found(data: bytes, *, verify: bool = False) -> Found:
    """What is read, by record id; damaged places by their offset."""
    entries = list(read(stored(data), Limits(), verify=verify))
    by_id = {entry.record_id or f"at {entry.origin.offset}": entry for entry in entries}
    assert len(by_id) == len(entries)
    return by_id


def _essence(entry: Capture | Reject) -> tuple[object, ...]:
    """All of it but where it stands."""
    return tuple(getattr(entry, name) for name in entry.__slots__ if name != "origin")


def _differing(whole: Found, damaged: Found) -> set[str]:
    """The record ids of what is not delivered as from the whole file."""
    return {
        record_id
        for record_id, entry in whole.items()
        if record_id not in damaged or _essence(damaged[record_id]) != _essence(entry)
    }


def _zeroed_somewhere(records: list[bytes], stored_parts: list[bytes], trials: int) -> None:
    """Zeroes 64 bytes at random places: only what has them is not delivered, and it is noticed.

    Of a long archive the records around the place are read.
    """
    data, ids = b"".join(stored_parts), ids_of(records)
    whole = found(data, verify=True)
    starts = [sum(map(len, stored_parts[:n])) for n in range(len(stored_parts))]
    rng = random.Random(7)
    for _ in range(trials):
        place = rng.randrange(len(data) - 64)
        touched = [
            n
            for n, start in enumerate(starts)
            if start < place + 64 and place < start + len(stored_parts[n])
        ]
        near = range(len(ids))[max(touched[0] - NEAR, 0) : touched[-1] + NEAR + 1]
        around = b"".join(stored_parts[n] for n in near)
        damaged = zeroed(around, place - starts[near[0]])
        seen, hit = found(damaged, verify=True), {ids[n] for n in touched}
        expected = {ids[n]: whole[ids[n]] for n in near if ids[n] in whole}
        assert _differing(expected, seen) <= hit, place
        # What is delivered whole although it was hit lost nothing of its page.
        for record_id in hit & seen.keys():
            one, before = seen[record_id], whole[record_id]
            if isinstance(one, Capture) and not one.truncated:
                assert isinstance(before, Capture)
                assert one.payload == before.payload, place
        assert not unaccounted(damaged), place


def _cut_everywhere(records: list[bytes], stored_parts: list[bytes], step: int) -> None:
    """Cuts the last record at every so many bytes: the others are delivered, it is not as a whole."""
    data, ids = b"".join(stored_parts), ids_of(records)
    whole = found(data)
    start = len(data) - len(stored_parts[-1])
    end = len(data) - (0 if data.startswith(b"\x1f") else 4)  # without the line ends of a record
    for stop in range(start + 1, end, step):
        seen = found(data[:stop])
        assert _differing(whole, seen) <= {ids[-1]}, stop
        last = seen.get(ids[-1])
        assert not isinstance(last, Capture) or last.truncated, stop
        assert len(seen) == len(whole), stop  # it is counted
        assert not unaccounted(data[:stop]), stop


PACKINGS = {"gzip": members, "plain": list, "zstd": frames}


@pytest.mark.parametrize("packing", PACKINGS)
def test_zeroes_anywhere_cost_only_the_records_that_have_them(packing: str) -> None:
    _zeroed_somewhere(list(site()), PACKINGS[packing](site()), trials=60)


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_last_record_cut_anywhere_costs_only_itself(packing: str) -> None:
    _cut_everywhere(list(site()), PACKINGS[packing](site()), step=10)


@pytest.mark.parametrize("kind", spoilt(site()))
def test_damage_of_every_kind_costs_only_the_records_it_touches(kind: str) -> None:
    ids, case = ids_of(site()), spoilt(site())[kind]
    whole, seen = found(b"".join(members(site()))), {}
    for entry in read(stored(case.data), Limits()):  # a copy has the record id of its original
        seen[entry.record_id or entry.origin.offset] = entry
    assert _differing(whole, seen) <= {ids[number] for number in case.touched}
    assert not unaccounted(case.data)


def test_a_byte_that_is_another_one_than_the_digests_say_costs_only_its_record() -> None:
    ids, case = ids_of(site()), falsified(site())
    whole, seen = (found(d, verify=True) for d in (b"".join(members(site())), case.data))
    assert _differing(whole, seen) == {ids[number] for number in case.touched}
    assert [outcome(seen[record_id]) for record_id in _differing(whole, seen)] == ["bad-digest"]


def test_a_record_that_is_left_out_or_found_twice_shows_in_the_account() -> None:
    data = b"".join(members(site()))
    of_all = places(data)
    assert not unaccounted(data, of_all)
    assert unaccounted(data, of_all[:2] + of_all[3:])
    assert unaccounted(data, of_all[:-1])
    (at, length), *others = of_all
    assert unaccounted(data, [(at, length + 1), *others])


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("packing", first(PACKINGS))
def test_zeroes_at_two_hundred_places_of_a_real_archive(packing: str) -> None:
    records = records_in(shared("cleanportaleval/cleanportaleval.warc.gz"))
    _zeroed_somewhere(records, PACKINGS[packing](records), trials=200)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(("packing", "step"), [("gzip", 10), ("zstd", 50), ("plain", 200)])
@pytest.mark.nightly
def test_the_last_record_of_a_real_archive_cut_at_every_tenth_byte(packing: str, step: int) -> None:
    """As it is stored there; in other containers at about as many places."""
    records = records_in(shared("cleanportaleval/cleanportaleval.warc.gz"))
    some = [records[0], *records[-2:]]
    _cut_everywhere(some, PACKINGS[packing](some), step)
