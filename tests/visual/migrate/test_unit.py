"""What is known of a page before it is migrated, and how its looks before and after are compared."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import expand
from dbce.visual import Block, Rect, Segmentation
from dbce.visual.measure import BlockCounts
from dbce.visual.migrate.account import LaidOutPage, LookComparison, compare_looks
from dbce.visual.migrate.unit import NEEDED, Unit, UnitFacts, units
from tests.visual.annotate.blocks.conftest import PNG
from tests.visual.pages import box, numbered, page

LINKS = box("div", (0, 0, 1000, 100), box("a", (0, 0, 500, 50), "home and away"))
ESSAY = box("div", (0, 200, 1000, 1000), "an essay of some words")
PAGE = numbered(page(LINKS, ESSAY))


def blocks(*places):
    found = [Block(-1, Rect(0, 0, 1000, 2000), (0,), "flow", "", 10)]
    found += [Block(parent, rect, (n,), "flow", "section", 1) for parent, rect, n in places]
    return Segmentation("dbce", PAGE.record_id, tuple(found))


def test_a_section_of_content_is_an_article_and_one_of_links_is_not(tmp_path):
    known = UnitFacts(str(tmp_path), Unit("x.parquet", {}, None))
    found = blocks((0, Rect(0, 0, 1000, 100), 1), (0, Rect(0, 200, 1000, 1000), 3))
    _, links, essay = known.labelled_blocks(PAGE, found)
    assert (links.role, links.content) == ("section", 0)
    assert (essay.role, essay.content) == ("article", len("an essay of some words".split()))
    assert essay.xpaths == ("/html[1]/body[1]/div[2]",)


def test_a_section_that_holds_a_block_stays_one(tmp_path):
    known = UnitFacts(str(tmp_path), Unit("x.parquet", {}, None))
    rect = Rect(0, 200, 1000, 1000)
    _, outer, inner = known.labelled_blocks(PAGE, blocks((0, rect, 3), (1, rect, 3)))
    assert (outer.role, inner.role) == ("section", "article")


def test_a_page_that_is_one_block_is_cut_finer(tmp_path):
    known = UnitFacts(str(tmp_path), Unit("x.parquet", {}, None))
    whole = page(box("div", (0, 0, 1000, 2000), "all in one"))
    assert "level=2" in known.segmentation(whole).algorithm


def test_what_was_not_rendered_is_in_the_piece_around_it(tmp_path):
    def write(name, rows, status):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        known = {"warc_filename": "a.warc.gz", "status": status, "reason": ""}
        kept = [
            dict.fromkeys(NEEDED) | known | {"record_id": key, "warc_record_offset": offset}
            for key, offset in rows.items()
        ]
        pq.write_table(pa.Table.from_pylist(kept), tmp_path / name)

    write("rendered/pages/a.warc.gz.0000.parquet", {"first": 100, "second": 200}, "rendered")
    write("rendered/pages/a.warc.gz.0001.parquet", {"third": 500}, "rendered")
    (tmp_path / "rendered/rendered.json").write_text("{}")
    judged = {"before": 0, "first": 100, "between": 300, "third": 500, "after": 600}
    write("pages/a.parquet", judged, "annotated")
    (tmp_path / "a.warc.gz").write_bytes(b"")
    one, two = units(str(tmp_path), expand([str(tmp_path / "a.warc.gz")]))
    told = [{key: row["status"] for key, row in unit.rows.items()} for unit in (one, two)]
    drawn, others = {"first": "rendered", "second": "rendered"}, ("before", "between")
    assert told[0] == drawn | dict.fromkeys(others, "not-rendered")
    assert told[1] == {"third": "rendered", "after": "not-rendered"}
    assert (one.source.offsets, two.source.offsets) == ((0, 100, 200, 300), (500, 600))


WHOLE = Rect(0, 0, 1000, 2000)


def shown(*rects):
    """A page of one element without a box and a word, cut into blocks."""
    frames = page(root="frameset")
    frames = replace(frames, elements=(frames.elements[0]._replace(rect=None),))
    blocks = tuple(
        Block(0 if n else -1, rect, (0,), "", "", 1.0) for n, rect in enumerate((WHOLE, *rects))
    )
    return LaidOutPage(frames, Segmentation("dbce", frames.record_id, blocks), PNG)


def test_a_page_of_frames_is_equal_if_it_is_cut_as_it_was():
    looks = compare_looks(shown(WHOLE), shown(WHOLE))
    assert (looks.quality, looks.blocks.false_alarms, looks.changed_pixels) == (1, 0, 0)
    assert looks.is_good
    halves = Rect(0, 0, 500, 2000), Rect(500, 0, 500, 2000)
    assert not compare_looks(shown(halves[0]), shown(halves[1])).is_good


def test_a_share_is_never_more_than_all():
    counts = BlockCounts(1, 4, 5, missed=0, false_alarms=0, gold=5, computed=9)
    assert counts.quality == 10
    assert LookComparison(counts, 0.0, 100, 100).quality == 1
