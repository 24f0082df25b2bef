"""Pieces of a file on Spark."""

import pytest

from dbce.cli import main
from tests.runs import same
from tests.site import snapshots, stored

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]


def test_pieces_of_a_file_give_the_same_bytes_on_spark(tmp_path):
    data = b"".join(stored(*snapshots(year)) for year in range(2010, 2016))
    (tmp_path / "big.warc.gz").write_bytes(data)
    options = ["--method", "T002", "--split-bytes", str(len(data) // 4)]
    for master in ("none", "local[2]"):
        out = ["--out", str(tmp_path / master), "--master", master]
        assert main(["run", str(tmp_path / "big.warc.gz"), *out, *options]) == 0
    same(tmp_path / "none", tmp_path / "local[2]")
    assert len(list((tmp_path / "none" / "warc").glob("*.gz"))) == 4
