"""A page drawn from its tables, where no picture of it was taken."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from dbce.visual.render import RenderedFolder
from dbce.visual.render.wireframe import wireframe
from tests.visual.pages import HIDDEN, PLAIN, box, page, words
from tests.visual.render.test_directly import PAGES, SHOTS
from tests.visual.stored import write_rendered

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.visual import RenderedPage

SVG = "{http://www.w3.org/2000/svg}"
BLUE = PLAIN._replace(background_color="rgb(0, 0, 255)")


def drawn(shown: RenderedPage) -> list[ET.Element]:
    return list(ET.fromstring(wireframe(shown)))[1:]  # the first is the paper


def test_words_stand_in_the_lines_that_their_widths_give_room_for() -> None:
    lines = words("The lamp is lit at dusk", (10, 10, 300, 20), (10, 30, 100, 20))
    (group,) = drawn(page(box("p", (0, 0, 400, 60), lines)))
    assert [line.text for line in group] == ["The lamp is lit at", "dusk"]
    assert [line.get("textLength") for line in group] == ["300", "100"]


def test_backgrounds_and_frames_stand_in_document_order_below_what_comes_later() -> None:
    menu = box("nav", (0, 0, 400, 50), words("Menu", (5, 5, 40, 20)), style=BLUE)
    shapes = drawn(page(menu, box("img", (0, 60, 100, 100)), box("div", (0, 200, 400, 50))))
    assert [shape.tag.removeprefix(SVG) for shape in shapes] == ["rect", "g", "rect"]
    assert [shape.get("fill") for shape in shapes] == ["rgb(0, 0, 255)", "rgb(0, 0, 0)", "#eee"]


def test_what_nobody_sees_is_not_drawn() -> None:
    hidden = box("p", (0, 0, 400, 60), words("secret", (0, 0, 90, 20)), style=HIDDEN)
    assert drawn(page(hidden)) == []


def test_words_of_pages_are_text_and_never_markup() -> None:
    hostile = '</text><script>alert("\x0b\ufffe")</script>'
    (group,) = drawn(page(box("p", (0, 0, 400, 60), words(hostile, (0, 0, 390, 20)))))
    assert "".join(group[0].itertext()) == '</text><script>alert("")</script>'
    assert len(group[0]) == 0


def test_a_page_without_anything_is_white_paper() -> None:
    assert drawn(replace(page(), texts=(), elements=())) == []


def test_a_folder_gives_the_picture_that_was_taken_or_a_wireframe(tmp_path: Path) -> None:
    write_rendered(tmp_path / "shot", PAGES, SHOTS)
    write_rendered(tmp_path / "plain", PAGES)
    for name, media in (("shot", "image/png"), ("plain", "image/svg+xml")):
        picture = RenderedFolder(str(tmp_path / name)).picture("urn:uuid:2")
        assert (picture.media, picture.is_wireframe) == (media, name == "plain")
        assert picture.uri.startswith(f"data:{media};base64,")
        assert (picture.data == SHOTS[2]) == (name == "shot")
