"""The halves of a set stay what they are."""

import json

import pytest

from dbce.visual.evaluate.results import Half, half
from tests.data import shared


def test_all_pages_of_a_domain_are_in_one_half():
    urls = ["http://www.wikipedia.org", "https://de.wikipedia.org/wiki/Fähre"]
    assert {half(url) for url in urls} == {half("http://wikipedia.org/")}


@pytest.mark.data
@pytest.mark.parametrize(("name", "held_out", "pages"), [("kreuzer", 13, 25), ("gosh", 32, 68)])
def test_the_halves_of_the_sets(name, held_out, pages):
    lines = shared(f"{name}/{name}.blocks.jsonl").read_text(encoding="utf-8").splitlines()
    halves = [half(json.loads(line)["url"]) for line in lines]
    assert len(halves) == pages
    assert halves.count(Half.HELD_OUT) == held_out
