"""The packages: what py-wacz says of them, and whether their index leads to every record."""

import gzip
import json
import subprocess
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from warcio.archiveiterator import ArchiveIterator

from dbce.archive.records.identity import sha1
from dbce.output.rows import JUDGED
from dbce.storage.folder import Folder
from tests.acceptance.conftest import environment, judged
from tests.runs import page_rows

pytestmark = pytest.mark.tools


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
        told = subprocess.run(
            [wacz, "validate", "-f", file], capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout
        assert "the passed WACZ is valid" in told.stdout


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
    stored = page_rows(Folder(str(finished)))
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
