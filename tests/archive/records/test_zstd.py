"""Archives compressed with Zstandard: a frame a record, with and without a dictionary."""

import random
import struct
from io import BytesIO

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive.records.feed import WINDOW, ZstdFeed
from tests.archive.build import PAGE, answer, captures, frames, members, outcome, outcomes, record

WHOLE = [record(number, answer(PAGE + b"%d" % number)) for number in range(5)]
PAGES = ["page"] * 5
DICTIONARY = zstandard.train_dictionary(
    4096, [record(n, answer(PAGE * 3 + b"%d" % n)) for n in range(400)]
)


def skippable(content: bytes, magic: int = 0x184D2A50) -> bytes:
    """A frame that decoders pass over."""
    return struct.pack("<II", magic, len(content)) + content


def dictionary_frame(content: bytes = DICTIONARY.as_bytes()) -> bytes:
    return skippable(content, 0x184D2A5D)


def test_frames_are_read_like_gzip_members() -> None:
    parts = frames(WHOLE)
    entries = captures(b"".join(parts))
    assert [outcome(entry) for entry in entries] == PAGES
    starts = [len(b"".join(parts[:n])) for n in range(5)]
    assert [entry.origin.offset for entry in entries] == starts
    assert [entry.origin.length for entry in entries] == list(map(len, parts))
    packed = captures(b"".join(members(WHOLE)))
    assert [entry.payload for entry in entries] == [entry.payload for entry in packed]


@pytest.mark.parametrize("packed", [False, True])
def test_a_dictionary_at_the_beginning_is_used(packed: bool) -> None:
    words = DICTIONARY.as_bytes()
    head = dictionary_frame(frames([words])[0] if packed else words)
    parts = frames(WHOLE, DICTIONARY)
    data = head + b"".join(parts)
    entries = captures(data)
    assert [outcome(entry) for entry in entries] == PAGES
    assert entries[0].origin.offset == len(head)
    offsets = tuple(entry.origin.offset for entry in entries)
    assert captures(data, offsets[3:]) == entries[3:]
    other = zstandard.train_dictionary(4096, [frame[::-1] * 9 for frame in parts] * 80)
    data += dictionary_frame(other.as_bytes()) + b"".join(frames(WHOLE, other))
    assert outcomes(data) == PAGES * 2  # of two files in one
    assert outcomes(data, (len(data) - len(frames(WHOLE, other)[4]),)) == ["page"]


def large_window() -> bytes:
    """A frame that wants more memory than is given to one."""
    parameters = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=False)
    assert WINDOW < 1 << 28
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return compressor.compress(WHOLE[0]) + compressor.flush()


FRAMES = frames(WHOLE)
NAMELESS = frames(WHOLE, DICTIONARY, write_dict_id=False)
WITH_DICTIONARY = frames(WHOLE, DICTIONARY)
JUNK = dictionary_frame(b"\x28\xb5\x2f\xfd junk")
NONE = ["not-an-archive"]
FILES: dict[str, tuple[list[bytes], list[str]]] = {
    "a dictionary that frames do not name": ([dictionary_frame(), *NAMELESS], PAGES),
    "no dictionary": (WITH_DICTIONARY, NONE),
    "an empty dictionary": ([dictionary_frame(b""), *WITH_DICTIONARY], NONE),
    "a dictionary of junk": ([JUNK, *WITH_DICTIONARY], NONE),
    "a dictionary that breaks off": ([dictionary_frame()[:-100]], NONE),
    "a wrong checksum": ([FRAMES[0][:-4] + bytes(4), *FRAMES[1:]], ["damaged", *PAGES[1:]]),
    "a large window": ([large_window(), *FRAMES[1:]], ["damaged", *PAGES[1:]]),
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_with(what: str) -> None:
    parts, expected = FILES[what]
    assert outcomes(b"".join(parts)) == expected


def test_a_frame_to_pass_over_that_says_it_is_longer_than_the_file_costs_only_itself() -> None:
    parts = frames(WHOLE)
    wrong = skippable(b"abc")[:4] + (10**6).to_bytes(4, "little") + b"abc"
    for at in (0, 2, 5):
        entries = captures(b"".join([*parts[:at], wrong, *parts[at:]]))
        assert sorted(map(outcome, entries)) == ["damaged", *PAGES]
        (lost,) = (one.origin for one in entries if outcome(one) == "damaged")
        assert (lost.offset, lost.length) == (len(b"".join(parts[:at])), len(wrong))


def test_frames_of_other_kinds_are_passed_over() -> None:
    parts = frames(WHOLE)
    data = parts[0] + skippable(b"notes") + skippable(b"") + b"".join(parts[1:]) + skippable(b"x")
    entries = captures(data)
    assert [outcome(entry) for entry in entries] == PAGES
    assert entries[1].origin.offset == len(parts[0]) + 13 + 8


def test_a_file_that_is_one_single_frame_is_read() -> None:
    entries = captures(frames([b"".join(WHOLE)])[0])
    assert [outcome(entry) for entry in entries] == PAGES
    assert {entry.origin.offset for entry in entries} == {0}


def test_a_wrong_length_in_one_single_frame_costs_only_its_record() -> None:
    noise = random.Random(2).randbytes(200_000)
    large = [record(7, answer(PAGE + noise)), record(8, answer(PAGE + noise), length=10**6)]
    entries = captures(frames([b"".join([*large, *WHOLE])])[0])
    assert [outcome(entry) for entry in entries[2:]] == PAGES
    assert entries[0].payload == PAGE + noise


def test_a_frame_that_expands_without_end_is_read_in_blocks() -> None:
    """A hundred megabytes of zeros in ten kilobytes."""
    bomb = zstandard.ZstdCompressor().compress(record(1, answer(PAGE + bytes(100_000_000))))
    assert len(bomb) < 20_000
    feed = ZstdFeed(BytesIO(bomb), 0, lambda number: None)
    largest = 0
    while data := feed.more():
        largest = max(largest, len(data))
    assert largest <= 128 * 1024
    assert feed.end == len(bomb)


@given(st.integers(0, 12), st.integers(0, 12))
def test_a_copy_goes_on_where_its_feed_is(before: int, after: int) -> None:
    noise = random.Random(3).randbytes(1_000_000)
    (frame,) = frames([noise])
    feed = ZstdFeed(BytesIO(frame), 0, lambda number: None)
    read = b"".join(feed.more() for _ in range(before))
    copy = feed.copy()
    first = b"".join(copy.more() for _ in range(after))
    second = copy.copy()
    assert noise.startswith(read + first)
    for one, known in ((feed, read), (copy, read + first), (second, read + first)):
        rest = b"".join(iter(one.more, b""))
        assert known + rest == noise
        assert one.end == len(frame)


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    for head in (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18", b"\x50\x2a\x4d\x18", dictionary_frame()):
        captures(head + data)
        captures(head + data + frames(WHOLE)[0])
