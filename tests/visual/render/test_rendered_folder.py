"""Single pages found directly in a rendering, and pages drawn from their tables."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from dbce.model import DbceError, NotInRun, UsageError
from dbce.visual.render import RenderedFolder, read_rendered
from dbce.visual.render.rendered_folder import wireframe
from tests.visual.pages import HIDDEN, PLAIN, box, page, words, write_rendered


def numbered(number, *texts):
    lines = [box("p", (0, 50 * n, 900, 40), text) for n, text in enumerate(texts)]
    return replace(page(*lines), record_id=f"urn:uuid:{number}", url=f"http://a.example/{number}")


PAGES = [numbered(0, "one", "two"), numbered(1), numbered(2, "three"), numbered(3, "four", "five")]
SHOTS = [f"\x89PNG {n}".encode() for n in range(4)]


@pytest.fixture
def rendered(tmp_path):
    write_rendered(tmp_path, PAGES[:3], SHOTS[:3], "one")
    write_rendered(tmp_path, PAGES[3:], SHOTS[3:], "two")
    return tmp_path


def test_each_page_is_what_it_is_in_order(rendered):
    folder = RenderedFolder(str(rendered))
    in_order = list(read_rendered(str(rendered)))
    assert list(folder.rows) == [one.record_id for one in in_order]
    for one in reversed(in_order):
        found = folder.page(one.record_id)
        assert (found.elements, found.texts, found.styles) == (one.elements, one.texts, one.styles)
        assert (found.url, found.size) == (one.url, one.size)


def test_each_screenshot_is_found_by_its_offset_whatever_lies_before_it(rendered):
    folder = RenderedFolder(str(rendered))
    assert [folder.screenshot(one.record_id) for one in PAGES] == SHOTS
    offset = folder.rows["urn:uuid:1"]["screenshot_offset"]
    stored = rendered / "rendered" / "screenshots" / "one.dbce.warc.gz"
    data = stored.read_bytes()
    stored.write_bytes(b"x" * offset + data[offset:])
    assert RenderedFolder(str(rendered)).screenshot("urn:uuid:2") == SHOTS[2]
    with pytest.raises(DbceError):
        folder.screenshot("urn:uuid:0")


def test_what_is_not_there_is_told_in_a_sentence(rendered, tmp_path):
    folder = RenderedFolder(str(rendered))
    for read in (folder.page, folder.screenshot):
        with pytest.raises(NotInRun, match="holds no rendered page nobody"):
            read("nobody")
    with pytest.raises(UsageError, match="dbce render INPUT --out"):
        RenderedFolder(str(tmp_path / "nowhere"))


SVG = "{http://www.w3.org/2000/svg}"
BLUE = PLAIN._replace(background_color="rgb(0, 0, 255)")


def drawn(shown):
    return list(ET.fromstring(wireframe(shown)))[1:]  # the first is the paper


def test_words_stand_in_the_lines_that_their_widths_give_room_for():
    lines = words("The lamp is lit at dusk", (10, 10, 300, 20), (10, 30, 100, 20))
    (group,) = drawn(page(box("p", (0, 0, 400, 60), lines)))
    assert [line.text for line in group] == ["The lamp is lit at", "dusk"]
    assert [line.get("textLength") for line in group] == ["300", "100"]


def test_backgrounds_and_frames_stand_in_document_order_below_what_comes_later():
    menu = box("nav", (0, 0, 400, 50), words("Menu", (5, 5, 40, 20)), style=BLUE)
    shapes = drawn(page(menu, box("img", (0, 60, 100, 100)), box("div", (0, 200, 400, 50))))
    assert [shape.tag.removeprefix(SVG) for shape in shapes] == ["rect", "g", "rect"]
    assert [shape.get("fill") for shape in shapes] == ["rgb(0, 0, 255)", "rgb(0, 0, 0)", "#eee"]


def test_what_nobody_sees_is_not_drawn_and_a_page_without_anything_is_white_paper():
    hidden = box("p", (0, 0, 400, 60), words("secret", (0, 0, 90, 20)), style=HIDDEN)
    assert drawn(page(hidden)) == drawn(replace(page(), texts=(), elements=())) == []


def test_words_of_pages_are_text_and_never_markup():
    hostile = '</text><script>alert("\x0b\ufffe")</script>'
    (group,) = drawn(page(box("p", (0, 0, 400, 60), words(hostile, (0, 0, 390, 20)))))
    assert "".join(group[0].itertext()) == '</text><script>alert("")</script>'
    assert len(group[0]) == 0


def test_a_folder_gives_the_picture_that_was_taken_or_a_wireframe(tmp_path):
    write_rendered(tmp_path / "shot", PAGES, SHOTS)
    write_rendered(tmp_path / "plain", PAGES)
    for name, media in (("shot", "image/png"), ("plain", "image/svg+xml")):
        picture = RenderedFolder(str(tmp_path / name)).picture("urn:uuid:2")
        assert picture.media == media
        assert picture.uri.startswith(f"data:{media};base64,")
        assert (picture.data == SHOTS[2]) == (name == "shot")
