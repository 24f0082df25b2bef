"""Records that are not as the standards have them, and yet a page or surely none."""

import gzip
import json
from base64 import b32decode, b64encode
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from dbce.archive import expand, inspect, read
from dbce.archive.records.identity import sha1
from dbce.model import Capture, Limits
from tests.archive.account import unaccounted
from tests.archive.build import arc_head, arc_record, captures, members, outcome, record, stored
from tests.archive.odd import ARC_PAGES, PAGE, PAGES, SKIPPED

BEFORE, BEHIND = record(0), record(9)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", [*PAGES, *ARC_PAGES])
def test_a_record_that_is_odd_is_a_page(what: str, packed: bool) -> None:
    parts = [BEFORE, PAGES[what], BEHIND] if what in PAGES else []
    parts = parts or [arc_head() + arc_record(0), ARC_PAGES[what], arc_record(9)]
    data = b"".join(members(parts) if packed else parts)
    before, page, behind = captures(data)
    assert isinstance(page, Capture), page
    assert page.payload.strip(b"\r\n") == PAGE
    assert not page.truncated
    assert [outcome(other) for other in (before, behind)] == ["page"] * 2
    assert unaccounted(data) == []
    assert page.url.startswith(("http://example.com/1", "ftp://example.com/1"))
    assert page.url.partition("?")[2] in ("", "a b (c)", "a%0Db")
    assert page.timestamp.year == 2024


@pytest.mark.parametrize("what", SKIPPED)
def test_a_record_that_is_no_page_says_so(what: str) -> None:
    data, reason = SKIPPED[what]
    assert [outcome(entry) for entry in captures(data + BEHIND)] == [reason, "page"]


def test_a_length_that_is_too_small_is_listed_as_odd() -> None:
    data = b"".join([BEFORE, PAGES["a length in letters"], BEHIND])
    (odd,) = [odd for entry in inspect(stored(data), Limits()) for odd in entry.odd]
    assert (odd.what, odd.record_id) == ("length", "urn:test:1")


@pytest.mark.parametrize(
    "spelled",
    [
        str.lower,
        lambda digest: f"SHA-1:{digest[5:]}",
        lambda digest: f"sha1:{b32decode(digest[5:]).hex()}",
        lambda digest: f"sha1:{b64encode(b32decode(digest[5:])).decode()}",
    ],
)
def test_a_digest_is_its_value_however_it_is_spelled(spelled) -> None:
    digest = sha1(PAGE)
    (page,) = captures(record(1, WARC_Payload_Digest=spelled(digest)))
    (again,) = captures(record(2, b"", kind="revisit", WARC_Payload_Digest=spelled(digest)))
    assert (page.digest, again.digest) == (digest, digest)


def test_what_is_not_modified_refers_to_its_own_url() -> None:
    profile = "http://netpreserve.org/warc/1.0/revisit/server-not-modified"
    for named in ({}, {"WARC_Refers_To": "<urn:test:gone>"}):
        (again,) = captures(record(2, b"", kind="revisit", WARC_Profile=profile, **named))
        assert again.refers_to.url == again.url


def test_files_are_known_by_their_endings_in_whatever_case(tmp_path) -> None:
    wacz, outer = BytesIO(), tmp_path / "OUTER.WACZ"
    with ZipFile(wacz, "w") as inner:
        inner.writestr("archive/a.warc", record(1))
    with ZipFile(outer, "w") as file:
        file.writestr("inner.wacz", wacz.getvalue())
        file.writestr("archive/B.WARC", record(2))
        file.writestr("__MACOSX/archive/._B.WARC", b"what a Mac notes on it")
    (tmp_path / "X::Y.ARC").write_bytes(arc_head() + arc_record(3))
    (tmp_path / "Y.Warc.GZ").write_bytes(members([record(4)])[0])
    sources = expand([str(tmp_path)])
    found = [outcome(entry) for source in sources for entry in read(source, Limits())]
    assert (len(sources), found) == (4, ["page"] * 4)


@pytest.mark.parametrize("name", [r"C:\crawl\my data.warc", "my%20data.warc"])
def test_a_file_of_windows_is_found_beside_its_index(tmp_path, name: str) -> None:
    (tmp_path / "my data.warc").write_bytes(record(1))
    fields = {"url": "http://example.com/1", "offset": "0", "filename": name}
    (tmp_path / "x.cdxj").write_text(f"com,example)/1 20240506070809 {json.dumps(fields)}\n")
    (source,) = expand([str(tmp_path / "x.cdxj")])
    assert [outcome(entry) for entry in read(source, Limits())] == ["page"]


def _written(bodies: list[bytes], *, packed: bool) -> list[bytes]:
    """The records that warcio writes of pages with these bodies."""
    records = []
    for number, body in enumerate(bodies):
        file = BytesIO()
        writer = WARCWriter(file, gzip=False)
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + body
        about = f"http://example.com/{number}", "response", BytesIO(block)
        writer.write_record(writer.create_warc_record(*about))
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


@pytest.mark.parametrize("packed", [True, False])
def test_lines_of_arc_records_that_cannot_be_read_are_a_reject_each(packed: bool) -> None:
    """Also where several follow each other; of all of them the length alone can be read."""
    unread = [arc_record(n, fields="{url} nowhere someday text/html {length}") for n in (1, 2, 3)]
    parts = [arc_head(), arc_record(0), *unread, arc_record(4), *unread[:2]]
    data = gzip.compress(b"".join(parts)) if packed else b"".join(parts)
    found = list(captures(data))
    assert [outcome(one) for one in found] == ["page", *["damaged"] * 3, "page", *["damaged"] * 2]
    if not packed:
        places = [(one.origin.offset, one.origin.length) for one in found[1:4]]
        assert places == [
            (sum(map(len, parts[:n])), len(part)) for n, part in enumerate(parts) if n in (2, 3, 4)
        ]
