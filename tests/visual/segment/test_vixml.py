"""A page with its blocks as one document in reading order: nothing that shows is lost, nothing stands in it twice."""

from xml.etree import ElementTree as ET

import pytest

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment import PaperOptions, PublishedOptions, segment
from dbce.visual.segment.bom import place_label
from dbce.visual.segment.vixml import block_contents, vixml
from tests.visual.pages import HIDDEN, box, page

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
