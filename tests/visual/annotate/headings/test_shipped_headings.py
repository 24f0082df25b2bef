"""The heading gold that comes with dbce: of many sites, well-formed, and of the pages that it names."""

from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dbce import html
from dbce.archive import expand, read, site
from dbce.model import Capture, Limits
from dbce.quality import PageKind
from dbce.visual.annotate.headings.history import DEEPEST, KINDS, digest, read_outlines
from dbce.visual.evaluate.results import Half, half
from tests.data import shared

SETS = (
    *("cleaneval", "dragnet", "dragnet-sites", "flink", "gosh", "kreuzer", "sites", "timelines"),
    "wcxb",
)

GOLD = Path(str(files("dbce"))) / "visual" / "headings" / "gold.jsonl"
OF_KINDS = GOLD.with_name("gold-kinds.jsonl")


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


def test_pages_of_kinds_are_open_and_of_sites_of_their_own():
    outlines = read_outlines(OF_KINDS)
    sites = [site(outline.url, "domain") for outline in outlines]
    assert len(outlines) >= 40
    assert len(set(sites)) == len(sites)
    assert not set(sites) & {site(outline.url, "domain") for outline in read_outlines(GOLD)}
    assert {half(outline.url) for outline in outlines} == {Half.DEVELOPMENT}
    assert len({outline.kind for outline in outlines}) >= 7


@pytest.mark.parametrize(
    ("gold", "kinds"), [(GOLD, set(KINDS)), (OF_KINDS, set(PageKind))], ids=["sites", "kinds"]
)
def test_each_heading_is_made_of_something_and_no_text_belongs_to_two(gold, kinds):
    for outline in read_outlines(gold):
        parts = [part for heading in outline.headings for part in heading.parts]
        assert len(parts) == len(set(parts))
        assert all(heading.parts for heading in outline.headings)
        assert all(1 <= heading.level <= DEEPEST for heading in outline.headings)
        assert outline.kind in kinds
        assert outline.body.startswith("/html/body")


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_its_texts_are_those_of_the_pages(name):
    gold = [one for file in (GOLD, OF_KINDS) for one in read_outlines(file) if one.set == name]
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
