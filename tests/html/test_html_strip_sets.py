"""`strip` gives the annotated pages of archives back."""

from __future__ import annotations

from itertools import islice

import pytest

from dbce.archive import expand, read
from dbce.html import annotate, load, serialise, strip
from dbce.model import Capture, InputError, Limits
from tests.data import shared
from tests.gate import first
from tests.html.soup import random_runs

SETS = {
    "cleaneval": 131,
    "cleanportaleval": 71,
    "dragnet": 142,
    "dragnet-sites": 138,
    "flink": 75,
    "kreuzer": 61,
    "sites": 127,
    "warc-zoo": 93,
    "wcxb": 187,
}
"""Each with the least number of its pages that are read, parsed and held to it."""

EVERY = {
    "cleaneval": 4,
    "dragnet": 4,
    "dragnet-sites": 3,
    "flink": 9,
    "sites": 3,
    "warc-zoo": 3,
    "wcxb": 8,
}
"""One of so many pages of the large sets: snapshots of one site, and single pages that share little."""


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", first(SETS))
def test_pages_of_the_set_come_back(name: str) -> None:
    checked = 0
    for source in expand([str(shared(name))]):
        for capture in islice(read(source, Limits()), 0, None, EVERY.get(name, 1)):
            if not isinstance(capture, Capture):
                continue
            try:
                document = load(capture.payload, capture.content_type, Limits())
            except InputError:
                continue
            original = serialise(document.root)
            runs = random_runs(document.page, checked)
            annotated = annotate(document.root, document.page, document.handles, runs)
            assert strip(annotated) == original, capture.url
            checked += 1
    assert checked >= SETS[name]
