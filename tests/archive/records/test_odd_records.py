"""Records that are not as the standards have them, and yet a page or surely none."""

import gzip
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from dbce.archive import inspect
from dbce.model import Capture, Limits
from tests.archive.account import unaccounted
from tests.archive.build import arc_head, arc_record, captures, members, outcome, record, stored
from tests.archive.odd import ARC_PAGES, PAGE, PAGES, SKIPPED

BEFORE, BEHIND = record(0), record(9)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", PAGES)
def test_a_record_that_is_odd_is_a_page(what: str, packed: bool) -> None:
    parts = [BEFORE, PAGES[what], BEHIND]
    data = b"".join(members(parts) if packed else parts)
    _is_a_page_between_others(data)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", ARC_PAGES)
def test_an_arc_record_that_is_odd_is_a_page(what: str, packed: bool) -> None:
    parts = [arc_head() + arc_record(0), ARC_PAGES[what], arc_record(9)]
    data = b"".join(members(parts) if packed else parts)
    page = _is_a_page_between_others(data)
    assert page.url.startswith(("http://example.com/1", "ftp://example.com/1"))
    assert page.url.partition("?")[2] in ("", "a b (c)", "a%0Db")
    assert page.timestamp.year == 2024


def _is_a_page_between_others(data: bytes) -> Capture:
    before, page, behind = captures(data)
    assert isinstance(page, Capture), page
    assert page.payload.strip(b"\r\n") == PAGE
    assert not page.truncated
    assert [outcome(other) for other in (before, behind)] == ["page"] * 2
    assert unaccounted(data) == []
    return page


@pytest.mark.parametrize("what", SKIPPED)
def test_a_record_that_is_no_page_says_so(what: str) -> None:
    data, reason = SKIPPED[what]
    assert [outcome(entry) for entry in captures(data + BEHIND)] == [reason, "page"]


def test_a_length_that_is_too_small_is_listed_as_odd() -> None:
    data = b"".join([BEFORE, PAGES["a length in letters"], BEHIND])
    (odd,) = [odd for entry in inspect(stored(data), Limits()) for odd in entry.odd]
    assert (odd.what, odd.record_id) == ("length", "urn:test:1")


@pytest.mark.parametrize("between", [b"\0" * 10, bytes(70_000), b"\r\n\0\0"])
def test_zeros_between_and_behind_gzip_members_are_passed_over(between: bytes) -> None:
    data = between.join([*members([record(n) for n in range(3)]), b""])
    assert [outcome(entry) for entry in captures(data)] == ["page"] * 3
    assert unaccounted(data) == []


def _written(bodies: list[bytes], *, packed: bool) -> list[bytes]:
    """The records that warcio writes of pages with these bodies."""
    records = []
    for number, body in enumerate(bodies):
        file = BytesIO()
        writer = WARCWriter(file, gzip=False)
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + body
        writer.write_record(
            writer.create_warc_record(
                f"http://example.com/{number}", "response", payload=BytesIO(block)
            )
        )
        records.append(gzip.compress(file.getvalue(), mtime=0) if packed else file.getvalue())
    return records


@given(
    st.lists(st.binary(max_size=300), min_size=1, max_size=5),
    st.sampled_from([*PAGES.values(), *(data for data, _ in SKIPPED.values())]),
    st.data(),
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_one_odd_record_among_any_costs_no_other(bodies, odd, data, packed) -> None:
    records = _written(bodies, packed=packed)
    expected = [f"http://example.com/{n}" for n in range(len(records))]
    place = data.draw(st.integers(0, len(records)))
    file = b"".join([*records[:place], gzip.compress(odd) if packed else odd, *records[place:]])
    found = captures(file)
    others = [entry.url for entry in found if entry.record_id != "urn:test:1"]
    assert others == expected
    assert len(found) == len(records) + 1
    assert unaccounted(file) == []
