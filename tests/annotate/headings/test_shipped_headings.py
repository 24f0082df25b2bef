"""The heading gold that comes with dbce: of many sites, well-formed, and of the pages that it names."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dbce import html
from dbce.annotate.headings.outline import DEEPEST, KINDS, digest, read_outlines
from dbce.archive import expand, read
from dbce.model import Capture, Limits
from tests.data import shared

SETS = (
    *("cleaneval", "dragnet", "dragnet-sites", "flink", "gosh", "kreuzer", "sites", "timelines"),
    "wcxb",
)

GOLD = Path(str(files("dbce"))) / "visual" / "headings" / "gold.jsonl"


def test_it_has_sixty_content_bodies_of_five_kinds_of_site_and_two_more_opinions():
    said = defaultdict(dict)
    for outline in read_outlines(GOLD):
        assert outline.record_id not in said[outline.by], "one line a page and annotator"
        said[outline.by][outline.record_id] = outline
    first, second, third = said["a"], said["b"], said["c"]
    sites = Counter(urlsplit(outline.url).hostname for outline in first.values())
    assert len(first) >= 60
    assert len({outline.kind for outline in first.values()} - {"other"}) >= 5
    assert len(sites) >= 35
    assert max(sites.values()) <= 3
    assert len(second.keys() & first.keys()) >= 20
    assert len(third.keys() & first.keys()) >= 30
    assert len({urlsplit(outline.url).hostname for outline in third.values()}) == len(third)


def test_each_heading_is_made_of_something_and_no_text_belongs_to_two():
    for outline in read_outlines(GOLD):
        parts = [part for heading in outline.headings for part in heading.parts]
        assert len(parts) == len(set(parts))
        assert all(heading.parts for heading in outline.headings)
        assert all(1 <= heading.level <= DEEPEST for heading in outline.headings)
        assert outline.kind in KINDS
        assert outline.body.startswith("/html/body")


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_its_texts_are_those_of_the_pages(name):
    gold = [outline for outline in read_outlines(GOLD) if outline.set == name]
    wanted = {outline.record_id for outline in gold}
    sources = expand([str(shared(f"{name}/{name}.warc.gz"))])
    pages = {
        capture.record_id: html.load(capture.payload, capture.content_type, Limits()).page
        for source in sources
        for capture in read(source, Limits())
        if isinstance(capture, Capture) and capture.record_id in wanted
    }
    assert gold
    for outline in gold:
        nodes = pages[outline.record_id].nodes
        for heading in outline.headings:
            if not heading.images:
                text = " ".join(nodes[node].text for node in heading.nodes)
                assert digest(text) == heading.hash, (outline.url, heading)
