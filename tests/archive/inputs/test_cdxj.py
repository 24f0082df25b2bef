"""Lines of a sorted CDXJ file are found without reading it."""

import json
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import lines_of
from tests.archive.build import stored

KEYS = st.tuples(
    st.sampled_from(["example,a)/", "example,a)/b", "example,a)/ü", "example,b)/" + "x" * 50]),
    st.sampled_from(["20130101000000", "20140101000000", "20150101000000"]),
)


def index(keys: Iterable[tuple[str, str]]) -> str:
    """A CDXJ file in memory; each line has its number as offset."""
    lines = [
        f"{surt} {time} {json.dumps({'filename': 'x.warc.gz', 'offset': str(number)})}\n".encode()
        for number, (surt, time) in enumerate(keys)
    ]
    return stored(b"".join(sorted(lines)), "index.cdxj").uri


@given(st.lists(KEYS, max_size=12), KEYS)
def test_all_lines_of_a_key_are_found_and_no_others(
    keys: list[tuple[str, str]], wanted: tuple[str, str]
) -> None:
    found = {offset for _, offset in lines_of(index(keys), *wanted)}
    assert found == {number for number, key in enumerate(keys) if key == wanted}


def test_in_an_empty_index_nothing_is_found() -> None:
    assert list(lines_of(index([]), "example,a)/", "20130101000000")) == []
