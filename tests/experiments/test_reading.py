"""The table of what reading costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.experiments import reading
from tests.archive.build import members, record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def archive(tmp_path) -> Path:
    path = tmp_path / "three.warc.gz"
    path.write_bytes(b"".join(members(map(record, range(3)))))
    return path


def test_every_reader_reads_an_archive_and_tells_its_seconds(archive, capsys):
    for name in reading.READERS:
        reading.main([str(archive), name])
        assert float(capsys.readouterr().out) > 0
