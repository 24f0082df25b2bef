"""However a file is made, twice of it takes about twice the work, not four times."""

import gzip
from collections.abc import Callable

import pytest
import zstandard

from dbce.archive.records.members import Window
from tests.archive.build import answer, captures, members, outcome, outcomes, record

PAST_THE_END = 10**12
# A member that begins, holds 3,000 bytes of what follows, and then breaks; it says it is a record.
_BEGINNING = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0\xb8\x0b\x47\xf4WARC/1.0\r\n"

_FALSE = b"\r\nWARC/1.0\r\nx\r\n\r\n"


def _with_length(count: int, length: int) -> bytes:
    return b"".join(record(number, length=length) for number in range(count))


def _frame(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


FILES: dict[str, Callable[[int], bytes]] = {
    "lines that begin a header": lambda n: b"x\r\n\r\n" + b"WARC/1.0\r\n" * 10 * n,
    "such lines in a member": lambda n: gzip.compress(record(1) + b"WARC/1.0\r\n" * 9 * n),
    "beginnings of members": lambda n: (
        members([record(1)])[0][:-9] + _BEGINNING * n + b"\xff" * 4_000 + members([record(2)])[0]
    ),
    "lengths past the end": lambda n: _with_length(n, PAST_THE_END),
    "lengths past the end of a member": lambda n: gzip.compress(_with_length(n, PAST_THE_END)),
    "lengths past the end of a frame": lambda n: _frame(_with_length(n, PAST_THE_END)),
    "lengths to the middle of a member": lambda n: gzip.compress(_with_length(n, 150 * n)),
    "lengths that are too small, in a frame": lambda n: _frame(_with_length(n, 20)),
    "false headers in a frame": lambda n: _frame(
        record(1, b"x" * 90, length=2) + _FALSE.join([b"y" * 999] * n)
    ),
}


@pytest.fixture
def work(monkeypatch) -> Callable[[bytes], int]:
    """Counts what reading a file takes: lines, looks ahead, and kilobytes that are decompressed."""
    monkeypatch.setattr("dbce.archive.records.members.AGAIN_BYTES", 100_000)
    done = 0

    def counted(name: str, cost: Callable[[object], int]) -> None:
        method = getattr(Window, name)

        def wrapper(self: Window, *args: int) -> object:
            nonlocal done
            before = self.feed.work.done
            found = method(self, *args)
            done += cost(self.feed.work.done - before)
            return found

        monkeypatch.setattr(Window, name, wrapper)

    counted("line", lambda _: 1)
    counted("peek", lambda _: 1)
    counted("_more", lambda size: size // 1_000)

    def of(data: bytes) -> int:
        nonlocal done
        done = 0
        captures(data)
        return done

    return of


@pytest.mark.parametrize("kind", FILES)
def test_the_work_grows_as_the_file_does(work, kind: str) -> None:
    once, twice = (work(FILES[kind](size)) for size in (600, 1_200))
    assert once > 500
    assert twice < 3 * once


@pytest.mark.parametrize("kind", [kind for kind in FILES if "past the end" in kind])
def test_records_are_told_apart_where_no_length_can_be_believed(monkeypatch, kind: str) -> None:
    monkeypatch.setattr("dbce.archive.records.members.AGAIN_BYTES", 100_000)
    assert [outcome(one) for one in captures(FILES[kind](400))] == ["page"] * 400


def test_a_large_member_of_many_records_is_read_to_its_end(monkeypatch) -> None:
    monkeypatch.setattr("dbce.archive.records.members.AGAIN_BYTES", 1_000)
    monkeypatch.setattr("dbce.archive.records.members.AGAIN", 2)
    records = [record(n, answer(b"<p>" + b"%d " % n * 9_000)) for n in range(60)]
    assert outcomes(gzip.compress(b"".join(records))) == ["page"] * 60
