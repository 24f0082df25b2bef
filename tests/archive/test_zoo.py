"""Odd archives that others made: every capture is delivered or counted.

The numbers are responses, resources and revisits as warcio counts them. Where warcio gives up (files
that are one gzip member, records over several members, wrong lengths) they were counted by hand.
"""

import pytest

from dbce.archive import Source, expand, read
from dbce.model import Limits
from tests.archive.build import outcome
from tests.data import FOLDER, shared

pytestmark = pytest.mark.data

COUNTS = {
    "aut/arc/badexample.arc.gz": 5,  # one gzip member, wrong lengths
    "aut/arc/example.arc.gz": 299,
    "aut/warc/example.pdf.warc.gz": 37,
    "aut/warc/example.warc.gz": 299,
    "aut/warc/issue-493.warc": 15,
    "aut/warc/issue-514.warc": 4,
    "webarchive-discovery/IAH-20080430204825-00000-blackbook-truncated.arc": 8,  # wrong first length
    "webarchive-discovery/IAH-20080430204825-00000-blackbook-truncated.arc.gz": 8,
    "webarchive-discovery/IAH-20080430204825-00000-blackbook-truncated.warc.gz": 8,
    "webarchive-discovery/IAH-urls-wget.warc.gz": 19,
    "webarchive-discovery/compression/transfer_compression_brotli.warc.gz": 2,
    "webarchive-discovery/truncated_datetime.warc": 2,
    "webarchive-discovery/wikipedia-mona-lisa/flashfrozen-jwat-recompressed.warc.gz": 42,
    "warcio/bad.arc": 3,
    "warcio/example-bad-non-chunked.warc.gz": 2,  # one gzip member
    "warcio/example-bad.warc.gz.bad": 3,  # one gzip member
    "warcio/example-digest.warc": 0,
    "warcio/example-space-in-url.arc": 1,
    "warcio/example-trunc.warc": 1,
    "warcio/example-wrong-chunks.warc.gz": 1,  # one record over two members
    "warcio/post-test.warc.gz": 3,
    "pywb/warcs/dupes.warc.gz": 12,
    "pywb/warcs/example-extra.warc": 4,
    "pywb/warcs/example-wget-1-14.warc.gz": 4,
    "pywb/warcs/example.warc": 3,
    "pywb/warcs/iana.warc.gz": 171,
    "pywb/warcs/missing-status-text.warc": 1,
    "pywb/waczs/valid_example_1.wacz": 3,  # a WARC between junk
    "pywb/cdx/iana.cdx": 1,  # no archive
}


@pytest.mark.parametrize("name", COUNTS)
def test_every_capture_of_an_odd_archive_is_delivered_or_counted(name: str) -> None:
    file = shared(f"warc-zoo/{name}")
    assert len(list(read(Source(file.name, str(file), None), Limits()))) == COUNTS[name]


def test_nothing_in_the_zoo_raises() -> None:
    shared("warc-zoo")
    for file in sorted((FOLDER / "warc-zoo").rglob("*.*")):
        list(read(Source(file.name, str(file), None), Limits()))


def test_encodings_that_others_wrote_decode_to_one_page() -> None:
    folder = shared("warc-zoo/webarchive-discovery/compression")
    pages = {
        entry.payload
        for file in sorted(folder.iterdir())
        for entry in read(Source(file.name, str(file), None), Limits())
        if outcome(entry) == "page"
    }
    assert len(pages) == 1


@pytest.mark.parametrize("name", ["flink", "cleanportaleval"])
def test_an_index_gives_the_same_captures_as_its_file(name: str) -> None:
    (whole,) = expand([str(shared(f"{name}/{name}.warc.gz"))])
    for ending in ("cdx", "cdxj"):
        (listed,) = expand([str(shared(f"{name}/{name}.{ending}"))])
        assert list(read(listed, Limits())) == list(read(whole, Limits()))
