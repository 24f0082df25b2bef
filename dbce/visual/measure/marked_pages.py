"""Pages with blocks marked by people or an algorithm: as stored in gold, and as measured on the page.

Gold is JSON lines, one object a page. Its fields are `record_id`, `url`, `timestamp`, `viewport` [width, height],
`width`, `height`, `words`, and `blocks`, each with `id`, `parent`, `rect` [x, y, w, h] in pixels of the document,
`xpaths`, `label`, `type`, `elements`, `words`, `by`, `at`, `from` and, of candidates, `algorithm`. A page is named by
its record id or else by its URL; a block needs an id and a rectangle or XPaths. Other missing fields are unknown;
further fields are free.

On a rendered page blocks with XPaths alone are located, their contents counted, and atoms extracted.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from dbce.visual import Rect, RenderedPage, has_area, union
from dbce.visual.measure import measures
from dbce.visual.measure.measures import Atoms, Flat, Floats, NormalBlock


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block of a page.

    `parent` is the id of the block around it, "" if it is the page. `rect` is in pixels of the
    document, None if only `xpaths`, those of its elements, are known. `label` is its role, `type` any
    other name. `elements` and `words` are None if not counted. `by` and `at` are annotator and time,
    `origin` is "drawn" or "candidate", then of `algorithm`.
    """

    id: str
    parent: str = ""
    rect: Rect | None = None
    xpaths: tuple[str, ...] = ()
    label: str = ""
    type: str = ""
    elements: int | None = None
    words: int | None = None
    by: str = ""
    at: str = ""
    origin: str = "drawn"
    algorithm: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page and its blocks, parents before children, in reading order.

    `viewport` is (width, height) of the window, `size` that of the document, `words` the number of all
    rendered ones; each is 0 where unknown. `timestamp` has 14 digits. `algorithm` is "gold" for blocks
    drawn by people.
    """

    record_id: str
    url: str
    blocks: tuple[MarkedBlock, ...]
    algorithm: str = "gold"
    timestamp: str = ""
    viewport: tuple[float, float] = (0, 0)
    size: tuple[float, float] = (0, 0)
    words: int = 0
    group: str = field(default="", kw_only=True)

    @property
    def terminal(self) -> tuple[MarkedBlock, ...]:
        """Blocks without children, which are compared."""
        parents = {block.parent for block in self.blocks}
        return tuple(block for block in self.blocks if block.id not in parents)

    @property
    def drawn_width(self) -> float:
        """Width of the window that rectangles were drawn in, in CSS pixels; 0 if it is not known or there are none."""
        return self.viewport[0] if any(block.rect for block in self.blocks) else 0


def page_of(stored: dict[str, Any], algorithm: str = "gold", group: str = "") -> MarkedPage:
    """Return the page in a JSON object; ValueError says what is wrong with it."""
    record_id, url = (_text(stored, name) for name in ("record_id", "url"))
    if not record_id and not url:
        raise ValueError("neither record_id nor url")
    return MarkedPage(
        record_id=record_id.strip("<>"),
        url=url,
        blocks=blocks_of(stored.get("blocks")),
        algorithm=algorithm,
        timestamp=_text(stored, "timestamp"),
        viewport=_pair(stored.get("viewport", (0, 0)), "viewport"),
        size=_pair((stored.get("width", 0), stored.get("height", 0)), "width and height"),
        words=_count(stored, "words") or 0,
        group=str(stored.get(group, "")),
    )


def blocks_of(stored: Any) -> tuple[MarkedBlock, ...]:
    """Return the blocks in a list of JSON objects; ValueError says what is wrong with it."""
    if not isinstance(stored, list):
        raise ValueError("no list of blocks")  # noqa: TRY004 - of the input
    blocks = tuple(map(_block, stored))
    seen: set[str] = set()
    for block in blocks:
        if block.id in seen:
            raise ValueError(f"two blocks have the id {block.id}")
        if block.parent and block.parent not in seen:
            raise ValueError(
                f"block {block.id}: its parent {block.parent} does not stand before it"
            )
        seen.add(block.id)
    return blocks


def fields_of(page: MarkedPage) -> dict[str, Any]:
    width, height = page.size
    return {
        "record_id": page.record_id,
        "url": page.url,
        "timestamp": page.timestamp,
        "viewport": list(page.viewport),
        "width": width,
        "height": height,
        "words": page.words,
        "blocks": [block_fields(block) for block in page.blocks],
    }


def block_fields(block: MarkedBlock) -> dict[str, Any]:
    stored = {field.name: getattr(block, field.name) for field in fields(block)}
    stored |= {"rect": block.rect and list(block.rect), "xpaths": list(block.xpaths)}
    present = ((name, value) for name, value in stored.items() if name != "algorithm" or value)
    return {"from" if name == "origin" else name: value for name, value in present}


def _block(stored: Any) -> MarkedBlock:
    if not isinstance(stored, dict):
        raise ValueError(f"a block is {stored!r}, not an object")  # noqa: TRY004 - of the input
    name = _text(stored, "id")
    rect = stored.get("rect")
    xpaths = stored.get("xpaths", [])
    if not isinstance(xpaths, list) or not all(isinstance(path, str) for path in xpaths):
        raise ValueError(f"block {name}: xpaths is {xpaths!r}, not a list of strings")
    if not name or (rect is None and not xpaths):
        raise ValueError(f"a block needs an id, and rect or xpaths; it has {sorted(stored)}")
    return MarkedBlock(
        id=name,
        rect=None if rect is None else _rect(rect, name),
        xpaths=tuple(xpaths),
        elements=_count(stored, "elements"),
        words=_count(stored, "words"),
        origin=_text(stored, "from") or "drawn",
        **{key: _text(stored, key) for key in ("parent", "label", "type", "by", "at", "algorithm")},
    )


def _rect(value: Any, block: str) -> Rect:
    if not isinstance(value, list) or len(value) != 4 or not all(map(is_number, value)):
        raise ValueError(f"block {block}: rect is {value!r}, not [x, y, w, h]")
    if value[2] < 0 or value[3] < 0:
        raise ValueError(f"block {block}: rect is {value!r}; no width or height is below 0")
    return Rect(*value)


def _pair(value: Any, name: str) -> tuple[float, float]:
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    if not is_pair or not all(is_number(v) and v >= 0 for v in value):
        raise ValueError(f"{name} is {value!r}; it must be two numbers from 0 on")
    return value[0], value[1]


def is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _text(stored: dict[str, Any], name: str) -> str:
    value = stored.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} is {value!r}, not a string")  # noqa: TRY004 - of the input
    return value


def _count(stored: dict[str, Any], name: str) -> int | None:
    value = stored.get(name)
    if value is None or (type(value) is int and value >= 0):
        return value
    raise ValueError(f"{name} is {value!r}; it must be a whole number from 0 on")


def locate_blocks(page: MarkedPage, rendered: RenderedPage) -> tuple[MarkedPage, tuple[str, ...]]:
    """Return the page with rectangles for blocks without one, and the XPaths that are not found.

    A block's rectangle is the union of its elements' boxes; an element without area has that of its
    descendants. A block without layout is left out, as it is invisible.
    """
    places = {plain_xpath(element.xpath): n for n, element in enumerate(rendered.elements)}
    xpaths = {path for block in page.blocks if not block.rect for path in block.xpaths}
    missing = tuple(sorted(path for path in xpaths if plain_xpath(path) not in places))
    boxes = _boxes(rendered)
    blocks = []
    for block in page.blocks:
        roots = (places.get(plain_xpath(path)) for path in block.xpaths)
        rect = block.rect or union(box for n in roots if n is not None and (box := boxes[n]))
        if rect:
            blocks.append(replace(block, rect=rect))
    return replace(page, blocks=tuple(blocks)), missing


def plain_xpath(path: str) -> str:
    """Return an XPath without indices of 1: `/html/body/p[2]` for `/html[1]/body[1]/p[2]`."""
    return re.sub(r"\[1\](?=/|$)", "", path)


def _boxes(rendered: RenderedPage) -> list[Rect | None]:
    """Return the box of each element: its own if that has an area, else that of its contents."""
    boxes_inside: defaultdict[int, list[Rect]] = defaultdict(list)
    for text in rendered.texts:
        boxes_inside[text.parent] += filter(has_area, text.rects)
    boxes: list[Rect | None] = [None] * len(rendered.elements)
    for place in range(len(boxes) - 1, -1, -1):  # children come after their parents
        element = rendered.elements[place]
        box = element.rect if has_area(element.rect) else union(boxes_inside[place])
        if box:
            boxes[place] = box
            boxes_inside[element.parent].append(box)
    return boxes


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """Contents of a page: its texts, weighted by their characters, their words, its elements."""

    texts: Atoms
    words: Floats
    elements: Atoms

    def coverage(self, blocks: Sequence[NormalBlock]) -> tuple[int, int]:
        """Return the number of words of texts centred in any block, each once, and of all words."""
        inside = measures.members(self.texts, blocks).any(axis=1)
        return int(self.words[inside].sum()), int(self.words.sum())


def contents(page: RenderedPage) -> Contents:
    """Return all texts and elements that are laid out and not hidden.

    White space in texts is collapsed before their characters are counted.
    """
    texts = [
        (*centre_of(box, page.size), len(" ".join(words)), len(words))
        for text in page.texts
        if _is_shown(page, text.parent)
        and (box := union(filter(has_area, text.rects)))
        and (words := text.text.split())
    ]
    elements = [
        (*centre_of(element.rect, page.size), 1.0)
        for place, element in enumerate(page.elements)
        if element.rect and has_area(element.rect) and _is_shown(page, place)
    ]
    return Contents(
        measures.atoms([text[:3] for text in texts]),
        np.array([text[3] for text in texts], np.float64),
        measures.atoms(elements),
    )


def flat_on_page(page: MarkedPage, rendered: RenderedPage, on_page: Contents) -> Flat:
    """Return the segmentation with counts of its blocks, as `counted_blocks`; every block of `page` needs a rectangle."""
    rects = (block.rect for block in page.terminal if block.rect)
    counted = counted_blocks(rects, rendered.size, on_page)
    return Flat(
        page.algorithm,
        rendered.size,
        int(on_page.words.sum()),
        counted,
        measures.importances(counted, min(1.0, rendered.viewport[1] / max(1, rendered.size[1]))),
    )


def counted_blocks(
    rects: Iterable[Rect], size: tuple[float, float], on_page: Contents
) -> tuple[NormalBlock, ...]:
    """Return blocks with the numbers of elements and words centred in each.

    Elements are counted by their boxes and not by the DOM, so that blocks of several or no elements are
    counted alike.
    """
    blocks = [measures.normalise(rect, size) for rect in rects]
    elements = measures.members(on_page.elements, blocks).sum(axis=0)
    words = on_page.words @ measures.members(on_page.texts, blocks)
    return tuple(
        block._replace(elements=int(e), words=int(w))
        for block, e, w in zip(blocks, elements, words, strict=True)
    )


def centre_of(box: Rect, size: tuple[float, float]) -> tuple[float, float]:
    """Return the centre of a box in units of a normalised page, of some size."""
    left, top, right, bottom, *_ = measures.normalise(box, size)
    return (left + right) / 2, (top + bottom) / 2


def _is_shown(page: RenderedPage, place: int) -> bool:
    return page.styles[page.elements[place].style].visibility == "visible"
