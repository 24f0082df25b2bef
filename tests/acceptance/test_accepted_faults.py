"""Of files with the faults of real collections we count what warcio and FastWARC count, and never less."""

from pathlib import Path

import pytest

from tests.acceptance.faults import FILES, by_fastwarc, by_us, by_warcio, row

pytestmark = pytest.mark.tools

TABLE = Path(__file__).with_name("odd_files.md")

OVER_OUR_LIMIT = "a header line of 100 kB"
"""The file with a record that is rejected by name, which is then no record of a type."""

STOPS_BEFORE_ZEROS = "zeros between gzip members"
"""The file in which warcio takes zeros for the end, and says nothing."""


@pytest.mark.parametrize("what", FILES)
def test_no_reader_counts_more_records(what: str) -> None:
    told, account = by_us(*FILES[what])
    data = FILES[what][1]
    rejected = (what == OVER_OUR_LIMIT) * account.damaged
    assert told.records + rejected >= max(by_warcio(data).records, by_fastwarc(data).records)


@pytest.mark.parametrize("what", FILES)
def test_where_warcio_reads_all_the_counts_are_its_own(what: str) -> None:
    theirs = by_warcio(FILES[what][1])
    if theirs.gave_up or what in (OVER_OUR_LIMIT, STOPS_BEFORE_ZEROS):
        return
    assert by_us(*FILES[what])[0] == theirs


@pytest.mark.parametrize("what", FILES)
def test_the_table_says_what_we_count(what: str) -> None:
    """What others count there is that of their versions when it was written."""
    rows = [line.strip("| ").split(" | ") for line in TABLE.read_text().splitlines()]
    (there,) = (cells for cells in rows if cells[0] == what)
    now = row(what)
    assert (there[0], *there[3:]) == (now[0], *now[3:])
