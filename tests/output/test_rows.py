"""Rows of `pages`, before they stand among others."""

import pyarrow as pa
import pytest

from dbce.output.rows import PAGES, check_page_row


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"title": "a half \ud800 of a character"}, UnicodeEncodeError),
        ({"charset_replacements": 1 << 40}, pa.ArrowInvalid),
        ({"warc_record_offset": "five"}, pa.ArrowInvalid),
        ({"title": 5}, pa.ArrowTypeError),
    ],
)
def test_what_fails_for_a_row_is_what_fails_for_all(row, error):
    with pytest.raises(error):
        check_page_row(row)
    with pytest.raises(error):
        pa.Table.from_pylist([row, {}], PAGES)


def test_a_row_that_can_be_stored_passes() -> None:
    check_page_row({"title": "a title", "warc_record_offset": 1 << 40, "confidence": 0.5})
