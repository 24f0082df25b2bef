"""A real archive read from its file and from its index."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.data import shared
from tests.runs import finished_run

NAME = "cleanportaleval/cleanportaleval"

pytestmark = [pytest.mark.data, pytest.mark.slow, pytest.mark.nightly]


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[str, Path]:
    """A run for each way to name the same captures."""
    out = tmp_path_factory.mktemp("runs")
    return {
        ending: finished_run(shared(f"{NAME}.{ending}"), out / ending)
        for ending in ("warc.gz", "cdxj", "cdx")
    }


@pytest.mark.parametrize("kind", ["pages", "nodes"])
@pytest.mark.parametrize("ending", ["cdxj", "cdx"])
def test_an_index_gives_the_tables_of_the_file_it_lists(runs, ending, kind):
    whole, listed = (pq.read_table(runs[of] / kind) for of in ("warc.gz", ending))
    assert whole.num_rows > 70
    assert listed.equals(whole)
    name = "warc/cleanportaleval.dbce.warc.gz"
    assert (runs[ending] / name).read_bytes() == (runs["warc.gz"] / name).read_bytes()


def test_nine_years_of_snapshots_read_by_their_index_give_the_same_bytes(tmp_path):
    for ending in ("warc.gz", "cdxj"):
        finished_run(shared(f"flink/flink.{ending}"), tmp_path / ending, method="T002")
    for name in ("pages/flink.parquet", "nodes/flink.parquet", "warc/flink.dbce.warc.gz"):
        whole, listed = ((tmp_path / of / name).read_bytes() for of in ("warc.gz", "cdxj"))
        assert listed == whole
