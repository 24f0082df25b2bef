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


@pytest.mark.slow
@pytest.mark.nightly
def test_the_table_has_a_row_for_every_reader(archive, monkeypatch):
    monkeypatch.setattr(reading, "TRIALS", 1)
    for name in list(reading.READERS)[1:-1]:
        monkeypatch.delitem(reading.READERS, name)
    rows, records = reading.measure(archive, records=10)
    assert records == 12
    assert [row[0] for row in rows] == list(reading.READERS)
    assert all(cost > 0 and peak > 1 for _, cost, peak, _ in rows)
