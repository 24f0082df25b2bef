"""`strip` gives back what was marked, whatever the page."""

from contextlib import suppress
from itertools import islice

import pytest

from dbce.archive import expand, read
from dbce.html import load
from dbce.model import Capture, InputError, Limits
from tests.data import shared
from tests.gate import first
from tests.html.soup import comes_back


def page_comes_back(payload: bytes, content_type: str, seed: int) -> bool:
    """True of what is no page, too."""
    try:
        return comes_back(load(payload, content_type, Limits()), seed)
    except InputError:
        return True


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<span>b<span>c</span></span>d",
        "<plaintext>a</plaintext><b>c",
        "<select><p>a</p><option>b c</select>",
        "<table>a<b>c<td>d</table>e",
        "<svg><style>a</style><desc><p>b c</desc></svg>d",
        "<math><annotation-xml encoding='text/html'><p>a b</p></annotation-xml></math>",
        "<p a='data-dbce' data-dbce-source=data-dbce>data-dbce-source data-dbce-source-source",
        "<title>a <b>b</b></title><textarea>c d",
        "a\0b\x0bc&#0;d&#x1f;e&#xd800;f",
        "<!-- data-dbce --><!--> a --><?xml data-dbce?>b",
        "<data-dbce data-dbce=1>a b</data-dbce>c",
        "<style>data-dbce='<b'</style><style data-dbce=\"style\">p > a</style>a",
    ],
)
def test_an_odd_page_comes_back(html: str) -> None:
    assert all(
        page_comes_back(html.encode(), "text/html; charset=utf-8", seed) for seed in range(20)
    )


SETS = {
    "cleaneval": (4, 131),
    "cleanportaleval": (1, 71),
    "dragnet": (4, 142),
    "dragnet-sites": (3, 138),
    "flink": (9, 75),
    "kreuzer": (1, 61),
    "sites": (3, 127),
    "warc-zoo": (3, 93),
    "wcxb": (8, 187),
}
"""Each with one of how many of its pages is taken, and the least number of these that are read, parsed and held to it."""


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", first(SETS))
def test_pages_of_the_set_come_back(name: str) -> None:
    every, least = SETS[name]
    checked = 0
    for source in expand([str(shared(name))]):
        for capture in islice(read(source, Limits()), 0, None, every):
            if isinstance(capture, Capture):
                with suppress(InputError):
                    document = load(capture.payload, capture.content_type, Limits())
                    assert comes_back(document, checked), capture.url
                    checked += 1
    assert checked >= least
