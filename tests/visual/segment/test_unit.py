"""`dbce segment` on what a rendering left: tables, drawings, a page that fails, and a page with its blocks as one XML document."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.model import UsageError
from dbce.visual import Block, Rect, Segmentation
from dbce.visual.commands.pages import granularity_option
from dbce.visual.render import Picture, RenderedFolder
from dbce.visual.segment import BLOCKS, DEFAULT, PaperOptions, PublishedOptions, segment, unit
from dbce.visual.segment.bom import place_label
from dbce.visual.segment.unit import overlaps, overlay
from dbce.visual.segment.vixml import block_contents, vixml
from tests.runs import job, refusal
from tests.visual.pages import HIDDEN, box, page, write_rendered

TWO = page(box("h1", (0, 0, 1000, 100), "Title"), box("p", (0, 200, 1000, 1800), "Text"))
ONE = replace(page(box("p", (0, 0, 1000, 900), "All")), record_id="urn:uuid:2")


@pytest.fixture
def rendered(tmp_path):
    """A folder with two pages, as `dbce render` leaves it but for the pictures."""
    write_rendered(tmp_path, [TWO, ONE])
    return tmp_path


@pytest.mark.spark
@pytest.mark.slow
def test_on_spark_the_bytes_are_the_same(rendered):
    for kind in ("pages", "elements", "texts"):
        copied = (rendered / "rendered" / kind / "site.parquet").read_bytes()
        (rendered / "rendered" / kind / "other.parquet").write_bytes(copied)
    blocks = rendered / "blocks" / "blocks" / "dbce.parquet"
    assert main(["segment", str(rendered), "--master", "none"]) == 0
    in_one_process = blocks.read_bytes()
    assert job("segment", rendered, "--overwrite", "--master", "local[2]") == 0
    assert blocks.read_bytes() == in_one_process
    assert len(rows(rendered, "blocks/dbce.parquet")) == 2 * (3 + 1)
    assert sorted(path.name for path in (rendered / "blocks").iterdir()) == ["blocks", "rejects"]


def rows(folder, name):
    return pq.read_table(folder / "blocks" / name).to_pylist()


def test_without_a_name_it_is_the_house_s_own_algorithm(rendered):
    assert main(["segment", str(rendered), "--set", "level=2"]) == 0
    (name,) = {row["algorithm"] for row in rows(rendered, "blocks/dbce.level-2.parquet")}
    assert str(name).startswith(f"{DEFAULT}(level=2, ")


def test_there_is_a_row_for_each_block_in_reading_order(rendered, capsys):
    assert main(["segment", str(rendered), "--algorithm", "body-children"]) == 0
    table = pq.read_table(rendered / "blocks" / "blocks" / "body-children.parquet")
    assert table.schema.equals(BLOCKS)
    page_row, title, text, *_ = table.to_pylist()
    assert title == {
        "record_id": TWO.record_id,
        "url": "https://example.org/",
        "fetch_time": TWO.timestamp,
        "algorithm": "body-children()",
        "block": 1,
        "parent": 0,
        "terminal": True,
        "x": 0,
        "y": 0,
        "w": 1000,
        "h": 100,
        "category": "heading",
        "role": "header",
        "floating": False,
        "weight": 0.5,
        "elements": [1],
        "xpaths": ["/html[1]/body[1]/h1[1]"],
    }
    assert (page_row["parent"], page_row["terminal"], page_row["h"]) == (-1, False, 2000)
    assert (text["block"], text["role"]) == (2, "article")
    assert "2 pages, 3 blocks: " in capsys.readouterr().out


def test_options_are_set_by_name_and_name_the_table(rendered):
    options = ["--set", "granularity=9.5", "--set", "small-share=1"]
    assert main(["segment", str(rendered), "--algorithm", "bom-paper", *options]) == 0
    (path,) = (rendered / "blocks" / "blocks").iterdir()
    assert path.name == "bom-paper.granularity-9.5.small_share-1.0.parquet"


def test_a_page_that_an_algorithm_fails_on_costs_itself_alone(rendered, monkeypatch, capsys):
    def fails_on_one(shown, *options, **known):
        if shown.record_id == TWO.record_id:
            raise ValueError("no such block")
        return segment(shown, *options, **known)

    monkeypatch.setattr(unit, "segment", fails_on_one)
    assert main(["segment", str(rendered), "--algorithm", "page"]) == 0
    assert [row["record_id"] for row in rows(rendered, "blocks/page.parquet")] == [ONE.record_id]
    (reject,) = rows(rendered, "rejects/page.parquet")
    assert reject["record_id"] == TWO.record_id
    assert str(reject["detail"]).startswith("ValueError: no such block")
    assert "1 page could not be cut" in capsys.readouterr().out


def test_blocks_are_drawn_on_the_screenshot(rendered, monkeypatch):
    monkeypatch.setattr(RenderedFolder, "picture", lambda *_: Picture(b"png", "image/png"))
    drawn = rendered / "drawn"
    command = ["segment", str(rendered), "--algorithm", "body-children", "--overlays", str(drawn)]
    assert main(command) == 0
    picture = (drawn / "site.0000-body-children.svg").read_text(encoding="utf-8")
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 2000"')
    assert picture.count("<rect") == 2
    assert ">1 header</text>" in picture
    assert "data:image/png;base64,cG5n" in picture


def test_a_page_with_its_blocks_is_written_as_xml(rendered):
    folder = rendered / "vixml"
    assert main(["segment", str(rendered), "--algorithm", "bom-paper", "--xml", str(folder)]) == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"site.000{n}-bom-paper.xml" for n in (0, 1)]
    first = (folder / "site.0000-bom-paper.xml").read_text(encoding="utf-8")
    assert f'Record="{TWO.record_id}"' in first
    assert first.count("<Block") == first.count("</Block>") > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["vips"], "holds no rendered pages; dbce render INPUT --out"),
        (["viips"], "no algorithm is called 'viips': say one of dbce, bom-paper,"),
        (["vips", "--set", "pdoc"], "--set pdoc: say --set NAME=VALUE"),
    ],
)
def test_wrong_use_gets_one_sentence(words, sentence, tmp_path, capsys):
    assert sentence in refusal(capsys, "segment", tmp_path, "--algorithm", *words)


def test_the_dial_is_the_option_of_the_algorithm():
    assert granularity_option("dbce", 5.0) == {"least": "5"}
    assert granularity_option("vips", 7.5) == {"pdoc": "7.5"}
    assert granularity_option("page", None) == {}
    with pytest.raises(UsageError, match="page cuts in one way"):
        granularity_option("page", 3.0)


def test_pairs_that_overlap_by_more_than_two_pixels_are_found():
    places = [(0, 0, 100, 100), (98, 0, 100, 100), (97, 50, 10, 10), (500, 500, 9, 9)]
    rects = [Rect(*place) for place in places]
    assert overlaps(rects) == ((0, 2), (1, 2))
    assert overlaps(rects, more_than=1) == ((0, 1), (0, 2), (1, 2))


def test_what_is_out_of_the_flow_is_drawn_with_a_dashed_line():
    whole = Block(-1, Rect(0, 0, 1000, 1000), (), "", "", 10)
    inside = [Block(0, Rect(0, 0, 500, 500), (), "", "", 1, floating=n > 0) for n in range(2)]
    lines = overlay(page(), Segmentation("", "", (whole, *inside)), "").splitlines()
    dashed = ["stroke-dasharray" in line for line in lines if line.startswith("<rect")]
    assert dashed == [False, True]


LINK = box("a", (50, 200, 90, 20), "here", href="/weir")
IMAGE = box("img", (0, 600, 300, 200), src="heron.png", alt="a heron")
PAGE = page(
    box("h1", (0, 0, 1000, 100), "The heron"),
    box(
        "div",
        (0, 200, 1000, 900),
        box("p", (0, 200, 400, 300), "It waits ", LINK),
        box("p", (500, 200, 400, 300), "It flies < falls & rises"),
        box("p", (0, 600, 900, 300), IMAGE),
        box("p", (0, 950, 900, 50), "unseen", style=HIDDEN),
    ),
    box("address", (0, 1900, 1000, 100), "End\x0b of page"),
)


def document(**options):
    found = segment(PAGE, "bom-paper", PaperOptions(**options))
    return ET.fromstring(vixml(PAGE, found))


@pytest.mark.parametrize("granularity", [0.1, 2, 5, 10])
def test_every_visible_text_stands_in_one_block_in_reading_order(granularity):
    first, *texts, last = (text.text for text in document(granularity=granularity).iter("Txt"))
    assert (first, last) == ("The heron", "End of page")
    assert sorted(texts) == ["It flies < falls & rises", "It waits", "here"]


def test_links_and_images_have_their_address_and_name():
    found = document(granularity=0.1)
    (link,), (image,) = found.iter("Link"), found.iter("Img")
    assert link.attrib == {"Adr": "/weir", "Name": "here"}
    assert image.attrib == {"Src": "heron.png", "Name": "a heron"}


def test_blocks_lie_in_each_other_with_their_boxes_labels_and_elements():
    found = document(granularity=0.1)
    (whole,) = found.findall("Block")
    assert whole.attrib["Pos"] == "0 0 1000 2000"
    labels = [block.attrib["Label"] for block in whole.findall("Block")]
    assert (labels[0], labels[-1]) == ("top", "bottom")
    first = whole.find("Block")
    assert first is not None
    assert (first.attrib["Ref"], first.attrib["Role"]) == ("1", "header")
    (element,) = first.iter("Element")
    assert element.attrib["Path"] == "/html[1]/body[1]/h1[1]"


def test_a_text_of_body_stands_in_the_block_at_its_place():
    shown = page("above", box("div", (0, 300, 1000, 100), "between"), "below")
    blocks = [((0, 0, 1000, 200), 0), ((0, 300, 1000, 100), 1), ((0, 500, 1000, 1500), 0)]
    made = tuple(Block(0, Rect(*rect), (element,), "", "", 1) for rect, element in blocks)
    whole = Block(-1, Rect(0, 0, 1000, 2000), (), "", "", 10)
    contents = block_contents(shown, Segmentation("", "", (whole, *made)))
    assert [content.texts for content in contents] == [(), (), ("between",), ("above", "below")]


def test_a_page_nested_deeply_is_no_recursion():
    block = Block(-1, Rect(0, 0, 1000, 2000), (), "", "", 10)
    nested = (block, *(block._replace(parent=n) for n in range(5000)))
    text = vixml(PAGE, Segmentation("", "", nested))
    assert text.count("</Block>") == len(nested)


@pytest.mark.parametrize(
    ("rect", "label"),
    [
        ((0, 0, 900, 100), "top"),
        ((0, 2000, 400, 100), "bottom"),
        ((0, 1000, 400, 900), "left"),
        ((500, 1000, 400, 900), "right"),
        ((0, 1000, 900, 900), "middle"),
        ((0, 0, 900, 1000), "standard"),
    ],
)
def test_places_are_named_by_thirds_and_halves(rect, label):
    assert place_label(Rect(*rect), (900, 2700)) == label


def test_labels_may_be_places():
    found = segment(PAGE, "bom-published", PublishedOptions(labels="places"))
    assert found.blocks[1].role == "top"
    assert segment(PAGE, "bom-published").blocks[1].role == "header"
