"""The worked page: 200 x 400, visible 200, in four blocks by people and in five by an algorithm; laid out, and written."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dbce.visual import Rect, RenderedPage
from dbce.visual.measure.measures import ND, Atoms, Flat, NormalBlock, atoms, importances, normalise
from tests.visual import pages

SIZE = (200, 400)
VISIBLE = 200

# Box, words, characters.
TEXTS = [
    (Rect(10, 10, 100, 20), 4, 20),
    *((Rect(5, 50 + 20 * k, 40, 15), 2, 10) for k in range(5)),
    *((Rect(60, 50 + 70 * k, 130, 60), 25, 125) for k in range(4)),
    *((Rect(x, 370, 80, 20), 3, 15) for x in (10, 110)),
]
HEADER, NAV, MAIN, FOOTER = (
    Rect(0, 0, 200, 40),
    Rect(0, 40, 50, 320),
    Rect(50, 40, 150, 320),
    Rect(0, 360, 200, 40),
)
HALVES = (Rect(0, 360, 100, 40), Rect(100, 360, 100, 40))
ELEMENTS = [HEADER, NAV, MAIN, *HALVES, *(box for box, _, _ in TEXTS)]

GOLD = (HEADER, NAV, MAIN, FOOTER)
COMPUTED = (HEADER, Rect(0, 40, 200, 320), *HALVES, Rect(20, 30, 60, 20))


def counted(rect: Rect) -> NormalBlock:
    """A block with the elements and words that have their centre in it."""
    elements = sum(_centre_is_in(rect, box) for box in ELEMENTS)
    words = sum(words for box, words, _ in TEXTS if _centre_is_in(rect, box))
    return normalise(rect, SIZE, elements, words)


def flat(rects: tuple[Rect, ...], algorithm: str = "gold") -> Flat:
    blocks = tuple(map(counted, rects))
    words = sum(words for _, words, _ in TEXTS)
    return Flat(algorithm, SIZE, words, blocks, importances(blocks, VISIBLE / SIZE[1]))


def texts() -> Atoms:
    """The texts, by their characters."""
    return atoms([(*_centre(box), characters) for box, _, characters in TEXTS])


def elements() -> Atoms:
    return atoms([(*_centre(box), 1) for box in ELEMENTS])


def _centre(box: Rect) -> tuple[float, float]:
    return (box.x + box.w / 2) * ND / SIZE[0], (box.y + box.h / 2) * ND / SIZE[1]


def _centre_is_in(rect: Rect, box: Rect) -> bool:
    x, y = box.x + box.w / 2 - rect.x, box.y + box.h / 2 - rect.y
    return 0 <= x <= rect.w and 0 <= y <= rect.h


URL = "http://uferbote.example/"
RECORD = "urn:uuid:11111111-1111-1111-1111-111111111111"


def worked_page() -> RenderedPage:
    """The worked page; its body, which has no box of its own, holds all elements, each text is in one."""
    inside = [pages.box("div", box) for box in ELEMENTS[: -len(TEXTS)]]
    inside += [pages.box("div", box, written(*numbers)) for box, *numbers in TEXTS]
    made = pages.page(*inside, size=SIZE, viewport=(SIZE[0], VISIBLE))
    body, *others = made.elements
    unboxed = (body._replace(rect=None), *others)
    return replace(made, record_id=RECORD, url=URL, elements=unboxed)


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
