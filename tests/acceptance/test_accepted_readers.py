"""Readers of WARC accept what a run writes: warcio's own check, and FastWARC."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecord

from dbce.archive.records.identity import sha1
from tests.acceptance.conftest import judged

pytestmark = pytest.mark.tools

WARCIO = Path(sys.executable).with_name("warcio")


def archives(run: Path) -> list[Path]:
    """The annotated archives of a run and its WET."""
    found = sorted([*run.glob("warc/*.gz"), *run.glob("wet/*.gz")])
    assert len(found) == 4
    return found


def test_warcio_check_finds_every_digest_right(finished) -> None:
    for file in archives(finished):
        check = [WARCIO, "check", "--verbose", file]
        told = subprocess.run(check, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout
        assert "digest pass" in told.stdout
        assert "fail" not in told.stdout


def test_warcio_and_our_index_agree_on_every_offset(finished, kind) -> None:
    for file in finished.glob("warc/*.gz"):
        fields = ["--fields", "offset,warc-type,warc-target-uri"]
        told = subprocess.run(
            [WARCIO, "index", *fields, file], capture_output=True, text=True, check=True
        )
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
            for record in ArchiveIterator(stream, parse_http=False):
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
