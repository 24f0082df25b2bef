"""Builders: the worked page as it was laid out, and as gold and segmentations are written."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dbce.visual import Element, Rect, RenderedPage, Text
from tests.visual.measure.worked import COMPUTED, ELEMENTS, GOLD, SIZE, TEXTS, VISIBLE
from tests.visual.pages import HIDDEN, PLAIN

URL = "http://uferbote.example/"
RECORD = "urn:uuid:11111111-1111-1111-1111-111111111111"


def element(xpath: str, rect: Rect | None, parent: int, style: int = 0) -> Element:
    return Element(parent, 0, xpath.rsplit("/", 1)[-1].partition("[")[0], xpath, rect, style, {})


def rendered(
    elements: Sequence[Element],
    texts: Sequence[Text] = (),
    size: tuple[int, int] = SIZE,
    url: str = URL,
) -> RenderedPage:
    return RenderedPage(
        record_id=RECORD,
        url=url,
        timestamp=datetime(2013, 6, 11, tzinfo=UTC),
        viewport=(size[0], VISIBLE),
        size=size,
        elements=tuple(elements),
        styles=(PLAIN, HIDDEN),
        texts=tuple(texts),
    )


def worked_page() -> RenderedPage:
    """The worked page; its body, which has no box of its own, holds all elements, each text is in one."""
    elements = [element("/html/body", None, -1)]
    elements += [element(f"/html/body/div[{n}]", box, 0) for n, box in enumerate(ELEMENTS, 1)]
    places = {box: n for n, box in enumerate(ELEMENTS, 1)}
    texts = [
        Text(places[box], 0, written(words, characters), (box,), -1)
        for box, words, characters in TEXTS
    ]
    return rendered(elements, texts)


def written(words: int, characters: int) -> str:
    """A text of so many words and characters, and white space around that does not count."""
    letters = characters - (words - 1)
    first = letters - (words - 1)
    return "  " + "x" * first + " \n y" * (words - 1) + "\t"


def marked(rects: Sequence[Rect], **more: Any) -> dict[str, Any]:
    """A page in the form of block gold."""
    blocks = [{"id": f"b{n}", "rect": list(rect)} for n, rect in enumerate(rects)]
    return {"record_id": RECORD, "url": URL, "blocks": blocks} | more


def write_lines(path: Path, *objects: dict[str, Any]) -> str:
    path.write_text("".join(f"{json.dumps(o)}\n" for o in objects), encoding="utf-8")
    return str(path)


def gold_file(folder: Path) -> str:
    return write_lines(folder / "gold.jsonl", marked(GOLD))


def computed_file(folder: Path) -> str:
    return write_lines(folder / "ours.jsonl", marked(COMPUTED))
