"""The table of odd_archives.md is what the archives of the collection give."""

import pytest

from scripts.experiments import zoo
from tests.data import shared
from tests.test_docs import read, table

pytestmark = pytest.mark.data

ODD = "tests/archive/odd_archives.md"


@pytest.mark.slow
@pytest.mark.nightly
def test_the_table_of_odd_archives_is_up_to_date() -> None:
    fresh = zoo.table(shared("warc-zoo"))
    documented = [line for line in read(ODD).splitlines() if "|" in line]
    assert documented[-len(fresh.splitlines()) :] == fresh.splitlines()


def test_every_record_of_every_readable_file_is_read() -> None:
    shared("warc-zoo")
    rows = table(read(ODD), columns=7)[1:]
    assert len(rows) == 83
    assert [name for name, there, found, *_ in rows if there != found] == []
