"""Readers of others accept what a run writes: warcio's own check, FastWARC, and, of packages, py-wacz."""

import gzip
import json
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecord
from warcio.archiveiterator import ArchiveIterator

from dbce.archive.records.identity import sha1
from dbce.output.rows import JUDGED
from tests.acceptance.conftest import environment, judged
from tests.runs import page_rows, process

pytestmark = pytest.mark.tools

WARCIO = Path(sys.executable).with_name("warcio")


def archives(run: Path) -> list[Path]:
    """The annotated archives of a run and its WET."""
    found = sorted([*run.glob("warc/*.gz"), *run.glob("wet/*.gz")])
    assert len(found) == 4
    return found


def test_warcio_check_finds_every_digest_right(finished) -> None:
    for file in archives(finished):
        told = process(WARCIO, "check", "--verbose", file)
        assert "digest pass" in told.stdout
        assert "fail" not in told.stdout


def test_warcio_and_our_index_agree_on_every_offset(finished, kind) -> None:
    for file in finished.glob("warc/*.gz"):
        told = process(WARCIO, "index", "--fields", "offset,warc-type,warc-target-uri", file)
        found = {line for line in told.stdout.splitlines() if f'"{kind}"' in line}
        index = (finished / "warc" / "index.cdxj").read_text()
        own = [line for line in index.splitlines() if f'"{file.name}"' in line]
        assert len(found) == len(own)
        for line in own:
            offset = line.partition('"offset": ')[2].split(",")[0]
            url = line.partition('"url": ')[2].split(", ")[0]
            expected = f'{{"offset": {offset}, "warc-type": "{kind}", "warc-target-uri": {url}}}'
            assert expected in found


def test_fastwarc_reads_every_record_with_right_digests(finished, kind) -> None:
    types: Counter[str] = Counter()
    for file in archives(finished):
        with file.open("rb") as stream:
            for record in FastIterator(stream, parse_http=False):
                types[f"{file.parent.name} {record.record_type}"] += 1
                assert record.verify_block_digest()
                assert "warcinfo" in str(record.record_type) or has_its_payload(record)
    assert types == {
        "warc warcinfo": 2,
        f"warc {kind}": judged(finished),
        "wet warcinfo": 2,
        "wet conversion": judged(finished),
    }


def has_its_payload(record: WarcRecord) -> bool:
    """Whether the payload is that of the declared digest; FastWARC asks only of HTTP records."""
    if record.is_http:
        record.parse_http()
        return record.verify_payload_digest()
    return record.headers["WARC-Payload-Digest"] == sha1(record.reader.read())


@pytest.fixture
def packages(finished) -> list[Path]:
    """The packages of a run."""
    found = sorted(finished.glob("wacz/*.wacz"))
    assert [file.name for file in found] == ["sample-2013.dbce.wacz", "sample-2017.dbce.wacz"]
    return found


@pytest.mark.slow
@pytest.mark.nightly
def test_wacz_validate_accepts_the_package(packages) -> None:
    wacz = environment("wacz") / "bin" / "wacz"
    for file in packages:
        assert "the passed WACZ is valid" in process(wacz, "validate", "-f", file).stdout


def test_every_line_of_the_index_yields_exactly_its_record(packages, finished, kind) -> None:
    found = 0
    for file in packages:
        with ZipFile(file) as package:
            for line in gzip.decompress(package.read("indexes/index.cdx.gz")).decode().splitlines():
                entry = json.loads(line.split(" ", 2)[2])
                stored = package.getinfo(f"archive/{entry['filename']}")
                assert stored.compress_type == ZIP_STORED
                offset, length = int(entry["offset"]), int(entry["length"])
                data = BytesIO(package.read(stored)[offset : offset + length])
                ((record, page),) = (
                    (one, one.content_stream().read()) for one in ArchiveIterator(data)
                )
                assert record.rec_type == kind
                assert record.rec_headers.get_header("WARC-Target-URI") == entry["url"]
                assert sha1(page) == entry["digest"]
                found += 1
    assert found == judged(finished)


def test_the_blocks_of_the_index_begin_where_its_own_index_says(packages) -> None:
    for file in packages:
        with ZipFile(file) as package:
            blocks = package.read("indexes/index.cdx.gz")
            head, *entries = package.read("indexes/index.idx").decode().splitlines()
        assert head == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'
        for entry in entries:
            key, at, place = entry.split(" ", 2)
            where = json.loads(place)
            block = gzip.decompress(blocks[where["offset"] : where["offset"] + where["length"]])
            assert block.decode().startswith(f"{key} {at} {{")


def test_the_pages_of_a_package_have_the_texts_of_the_run(packages, finished) -> None:
    stored = page_rows(finished)
    rows = {row["record_id"]: row for row in stored if row["status"] in JUDGED}
    told = []
    for file in packages:
        with ZipFile(file) as package:
            head, *lines = map(json.loads, package.read("pages/pages.jsonl").splitlines())
        assert head["format"] == "json-pages-1.0"
        told += lines
    assert len(told) == judged(finished)
    for page in told:
        row = rows[page["id"]]
        assert (page["url"], page["title"], page["text"]) == (row["url"], row["title"], row["text"])
        assert page["ts"] == f"{row['fetch_time']:%Y-%m-%dT%H:%M:%SZ}"
