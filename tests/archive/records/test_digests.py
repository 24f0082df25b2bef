"""Declared digests against what is stored."""

import base64
import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import read
from dbce.archive.inputs.capture import inspect
from dbce.model import Capture, Limits, Reason, Reject, Status
from tests.archive.build import PAGE, answer, members, outcome, record, stored

CHUNKED = (
    b"".join(b"%x\r\n%s\r\n" % (5, PAGE[at : at + 5]) for at in range(0, 50, 5)) + b"0\r\n\r\n"
)
WRONG = "sha1:" + "A" * 32


def verified(data: bytes) -> list[str]:
    return [outcome(entry) for entry in read(stored(data), Limits(), verify=True)]


def spelled(data: bytes, algorithm: str = "sha1", base: int = 32) -> str:
    digest = hashlib.new(algorithm, data).digest()
    encode = {16: base64.b16encode, 32: base64.b32encode, 64: base64.b64encode}[base]
    return f"{algorithm}:{encode(digest).decode()}"


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256", "sha512"])
@pytest.mark.parametrize("base", [16, 32, 64])
def test_digests_are_compared_whatever_their_algorithm_and_base(algorithm: str, base: int) -> None:
    right = {
        "WARC_Block_Digest": spelled(answer(), algorithm, base),
        "WARC_Payload_Digest": spelled(PAGE, algorithm, base),
    }
    assert verified(record(1, **right)) == ["page"]
    for name in right:
        wrong = right | {name: spelled(b"other", algorithm, base)}
        assert verified(record(1, **wrong)) == ["bad-digest"]


@pytest.mark.parametrize(
    ("digest", "expected"),
    [
        *((f"{name}{spelled(PAGE)[5:].lower()}", "page") for name in (":", "SHA-1:", "Sha1: ")),
        *((digest, "page") for digest in ("crc32:1234", "", "ABC")),  # another algorithm
        ("sha1:1112H3S6NN", "bad-digest"),
    ],
)
def test_labels_and_values_may_be_spelled_otherwise(digest: str, expected: str) -> None:
    assert verified(record(1, WARC_Payload_Digest=digest)) == [expected]


def test_a_wrong_digest_is_a_reject_that_says_which_and_what_was_found() -> None:
    (entry,) = read(stored(record(1, WARC_Block_Digest=WRONG)), Limits(), verify=True)
    assert isinstance(entry, Reject)
    kind = entry.status, entry.reason, entry.is_html
    assert kind == (Status.REJECTED, Reason.BAD_DIGEST, True)
    assert entry.detail == f"WARC-Block-Digest is {WRONG}, found {spelled(answer())[5:]}"
    assert (entry.record_id, entry.url) == ("urn:test:1", "http://example.com/1")


ZIPPED = gzip.compress(PAGE, mtime=0)


@pytest.mark.parametrize(
    ("block", "payload", "expected"),
    [
        *((answer(CHUNKED, Transfer_Encoding="chunked"), of, "page") for of in (CHUNKED, PAGE)),
        (answer(CHUNKED, Transfer_Encoding="chunked"), PAGE[1:], "bad-digest"),
        (answer(ZIPPED, Content_Encoding="gzip"), ZIPPED, "page"),
        (answer(ZIPPED, Content_Encoding="gzip"), PAGE, "bad-digest"),
    ],
)
def test_a_payload_is_digested_with_or_without_chunks_but_packed(block, payload, expected) -> None:
    assert verified(record(1, block, WARC_Payload_Digest=spelled(payload))) == [expected]


@pytest.mark.parametrize(
    "block",
    [
        answer(b"gone", "404 Not Found"),
        answer(b"GIF89a", content_type="image/gif"),
        answer(CHUNKED, content_type="image/gif", Transfer_Encoding="chunked"),
        b"no http at all",
        answer(b"\0" * 3000, Content_Encoding="gzip"),
    ],
)
def test_captures_that_are_no_pages_are_verified_too(block: bytes) -> None:
    right = spelled(block)
    assert verified(record(1, block, WARC_Block_Digest=right)) != ["bad-digest"]
    assert verified(record(1, block, WARC_Block_Digest=WRONG)) == ["bad-digest"]


def test_a_page_beyond_the_limit_is_read_through_for_its_digest() -> None:
    data = record(1, answer(PAGE * 99), WARC_Payload_Digest=spelled(PAGE * 99))
    (entry,) = read(stored(data), Limits(payload_bytes=100), verify=True)
    assert outcome(entry) == "too-large"


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (spelled(answer(b"")), None),
        (spelled(b""), "an empty block"),
        (spelled(PAGE), "the payload that it repeats"),
        (WRONG, "neither its block, an empty one nor the payload that it repeats"),
    ],
)
def test_a_difference_in_a_revisit_is_shown_as_what_it_is_and_no_fault(declared, told) -> None:
    """Its payload is elsewhere, and crawlers took several things for its block; warcio looks at none."""
    data = record(
        *(1, answer(b"")),
        kind="revisit",
        WARC_Block_Digest=declared,
        WARC_Payload_Digest=spelled(PAGE),
    )
    assert verified(data) == ["revisit"]
    (entry,) = inspect(stored(data), Limits(), verify=True)
    ours = spelled(answer(b"")).partition(":")[2]
    expected = told and f"WARC-Block-Digest is that of {told}: {declared}, found {ours}"
    assert [(one.what, one.detail) for one in entry.odd] == (
        [("revisit-digest", expected)] if told else []
    )
    assert not next(iter(inspect(stored(data), Limits()))).odd


def test_other_records_are_verified_but_are_no_captures() -> None:
    request = b"POST / HTTP/1.1\r\nHost: example.com\r\n\r\na=1"
    media = "application/http; msgtype=request"
    right = {"WARC_Payload_Digest": spelled(b"a=1"), "WARC_Block_Digest": spelled(request)}
    for fields, reasons in ((right, []), ({"WARC_Payload_Digest": WRONG}, ["bad-digest"])):
        data = record(1, request, kind="request", media=media, **fields)
        assert verified(data) == []
        results = [entry.result for entry in inspect(stored(data), Limits(), verify=True)]
        assert [outcome(result) for result in results if result] == reasons


def test_a_resource_has_its_block_as_payload_and_a_cut_record_no_wrong_digest() -> None:
    data = record(1, PAGE, kind="resource", media="text/html", WARC_Payload_Digest=spelled(PAGE))
    assert verified(data) == ["page"]
    assert verified(record(1, WARC_Block_Digest=spelled(answer()))[:-30]) == ["truncated"]


def test_the_digest_of_a_page_does_not_depend_on_verify() -> None:
    for fields in ({}, {"WARC_Payload_Digest": spelled(CHUNKED)}):
        data = record(1, answer(CHUNKED, Transfer_Encoding="chunked"), **fields)
        (plain,) = read(stored(data), Limits())
        (checked,) = read(stored(data), Limits(), verify=True)
        assert isinstance(plain, Capture)
        assert isinstance(checked, Capture)
        assert plain.digest == checked.digest == spelled(CHUNKED)


@given(st.binary(max_size=300), st.sampled_from(["text/html", "image/png", None]), st.booleans())
def test_a_right_digest_is_right_whatever_the_body(body: bytes, media, packed: bool) -> None:
    block = answer(body, content_type=media, Transfer_Encoding="chunked", Content_Encoding="gzip")
    fields = {"WARC_Block_Digest": spelled(block), "WARC_Payload_Digest": spelled(body)}
    parts = [record(1, block, **fields), record(2)]
    found = verified(b"".join(members(parts) if packed else parts))
    assert found[0] != "bad-digest"
    assert found[1:] == ["page"]
