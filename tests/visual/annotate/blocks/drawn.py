"""Builders: blocks, a page to draw them on, and the operations of a journal."""

from dataclasses import replace
from typing import Any

from dbce.visual import Rect, RenderedPage
from dbce.visual.measure import MarkedBlock
from tests.visual.pages import box, page
from tests.visual.render.build import png

AT = "2026-05-24T02:48:00Z"
WIDE, HIGH = 1000, 2000
PNG = png((230, 230, 230), WIDE, HIGH)


def block(name: str, *rect: float, parent: str = "", **more: Any) -> MarkedBlock:
    """A block, of the XPath /NAME unless told otherwise."""
    given = {"xpaths": (f"/{name}",)} | more
    return MarkedBlock(name, parent, Rect(*rect) if rect else Rect(0, 0, 10, 10), **given)


def shown(number: int = 1) -> RenderedPage:
    """A header, two columns of text, a picture, and an element that nobody sees."""
    made = page(
        box("header", (0, 0, WIDE, 100), box("h1", (20, 20, 300, 60), "The old harbour")),
        box(
            "div",
            (0, 120, WIDE, 1700),
            box(
                "main",
                (0, 120, 700, 1700),
                box("p", (20, 140, 660, 400), "one two three four"),
                box("p", (20, 560, 660, 400), "five six seven eight"),
                box("img", (20, 1000, 300, 300)),
            ),
            box("aside", (720, 120, 280, 1700), box("p", (730, 140, 260, 100), "nine ten")),
        ),
        box("div", (0, 1850, WIDE, 100)),
        size=(WIDE, HIGH),
    )
    return replace(
        made, record_id=f"urn:uuid:page-{number}", url=f"http://harbour.example/{number}"
    )


def element(rendered: RenderedPage, tag: str, nth: int = 0) -> int:
    """The place of an element by its tag."""
    return [n for n, one in enumerate(rendered.elements) if one.tag == tag][nth]
