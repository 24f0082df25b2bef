"""A large file is read in pieces: every record in exactly one, whatever lies where it is cut."""

import gzip
import random
import zlib
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import expand, read, split
from dbce.archive.inputs import source as source_module
from dbce.archive.inputs.source import Source
from dbce.model import Limits
from tests.archive.build import PAGE, answer, frames, members, outcome, record, stored
from tests.data import shared

LIMITS = Limits()
NOISE = random.Random(1).randbytes(80_000)

RECORDS = [  # of some size that does not compress
    record(number, answer(PAGE + b"<!--" + NOISE[: 40_000 * (number % 3)] + b"-->%d" % number))
    for number in range(24)
]

PLAIN, GZIPPED, ZSTD = b"".join(RECORDS), b"".join(members(RECORDS)), b"".join(frames(RECORDS))
KINDS = {"plain": PLAIN, "gzip": GZIPPED, "zstd": ZSTD}


def in_pieces(source: Source, split_bytes: int) -> list[list[object]]:
    return [list(read(piece, LIMITS)) for piece in split([source], split_bytes)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_in_seven_pieces_has_the_captures_of_the_file(kind: str) -> None:
    source = stored(KINDS[kind])
    parts = in_pieces(source, len(KINDS[kind]) // 7)
    assert len(parts) > 4
    assert all(parts)
    assert [*chain(*parts)] == list(read(source, LIMITS))
    assert len([*chain(*parts)]) == 24


def test_pieces_are_named_by_their_numbers_and_captures_by_their_file() -> None:
    source = stored(GZIPPED, "big.warc.gz")
    cut = split([source], len(GZIPPED) // 3)
    assert [piece.unit for piece in cut] == [f"big.warc.gz.000{n}" for n in range(3)]
    names = {entry.origin.filename for piece in cut for entry in read(piece, LIMITS)}
    assert names == {"big.warc.gz"}


def test_a_small_file_or_a_single_member_is_not_cut_and_nothing_where_that_is_not_wanted() -> None:
    source = stored(GZIPPED)
    for split_bytes in (len(GZIPPED), len(GZIPPED) * 3 // 4, 0):
        assert split([source], split_bytes) == (source,)
    for whole in (gzip.compress(PLAIN, mtime=0), *frames([PLAIN])):
        source = stored(whole)
        assert split([source], len(whole) // 7) == (source,)


def test_what_an_index_lists_is_read_in_the_pieces_that_it_lies_in() -> None:
    offsets = tuple(entry.origin.offset for entry in read(stored(GZIPPED), LIMITS))[5:9]
    listed = replace(stored(GZIPPED), offsets=offsets)
    cut = split([listed], len(GZIPPED) // 7)
    assert tuple(offset for piece in cut for offset in piece.offsets) == offsets
    assert len(cut) < 7, "pieces without any are left out"
    assert [one for piece in cut for one in read(piece, LIMITS)] == list(read(listed, LIMITS))


def test_a_source_survives_the_way_through_plain_values() -> None:
    for source in split([stored(GZIPPED, offsets=(0, 9)), stored(GZIPPED)], len(GZIPPED) // 3):
        assert Source.from_plain(source.plain()) == source


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pack", KINDS)
def test_an_archive_that_was_archived_is_one_record(kind: str, pack: str) -> None:
    """Compressors store it as it is, and every cut lies inside it."""
    pack_one = {
        "plain": lambda r: r,
        "gzip": lambda r: zlib.compress(r, 0, wbits=31),
        "zstd": lambda r: frames([r])[0],
    }[pack]
    within = record(7, answer(KINDS[kind], content_type="application/warc"))
    data = b"".join(map(pack_one, (RECORDS[0], within, RECORDS[1])))
    source = stored(data)
    for split_bytes in range(len(data) // 9, len(data) // 5, len(data) // 50):
        parts = in_pieces(source, split_bytes)
        assert [*chain(*parts)] == list(read(source, LIMITS))


@st.composite
def _archives(draw: st.DrawFn) -> tuple[bytes, int]:
    """A file, whole or damaged in several places, and how it is to be cut."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    data = KINDS[kind]
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data) - 1))
        stop = min(len(data), start + draw(st.integers(1, 30_000)))
        filling = draw(st.sampled_from([b"", bytes(stop - start), data[start:stop] * 2]))
        data = data[:start] + filling + data[stop:]
    return data, max(1, len(data) // draw(st.integers(2, 40)))


@given(_archives())
@settings(deadline=None, max_examples=60)
def test_pieces_have_together_what_the_file_has(case: tuple[bytes, int]) -> None:
    data, split_bytes = case
    source = stored(data)
    whole = list(read(source, LIMITS))
    assert [*chain(*in_pieces(source, split_bytes))] == whole


def test_a_cut_near_which_no_record_begins_is_left_out(monkeypatch) -> None:
    monkeypatch.setattr(source_module, "SEARCH", 1_000)
    large = record(1, answer(NOISE))
    data = b"".join(members([RECORDS[0], large, RECORDS[2], RECORDS[0]]))
    cut = split([stored(data)], len(data) // 12)
    assert len(cut) < 4
    assert [outcome(one) for piece in cut for one in read(piece, LIMITS)] == ["page"] * 4


@pytest.mark.data
@pytest.mark.parametrize("name", ["flink", "cleanportaleval"])
def test_real_archives_have_the_same_captures_in_pieces(name: str) -> None:
    path = shared(f"{name}/{name}.warc.gz")
    (source,) = expand([str(path)])
    parts = in_pieces(source, path.stat().st_size // 7)
    assert len(parts) == 7
    assert [*chain(*parts)] == list(read(source, LIMITS))
