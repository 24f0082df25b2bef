"""Baseline segmentations: trivial ones, and BlockFusion.

An algorithm that does not beat the trivial ones is useless. BlockFusion (Kohlschütter and Nejdl, CIKM 2008) makes one block of
neighbouring texts of like density; as Sanoja 2015 has it (4.3.1, D.1), without Boilerpipe, which throws blocks away.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from textwrap import wrap
from typing import Literal, NamedTuple

from dbce.visual import union
from dbce.visual.segment import boxes
from dbce.visual.segment.boxes import BODY, HTML5, Node, Outline
from dbce.visual.segment.options import Options


@dataclass(frozen=True, slots=True)
class NoOptions(Options):
    """Options of what has none."""


def whole_page(outline: Outline, _options: NoOptions) -> Node:
    """Return one block: the page."""
    return Node(outline.rect, [BODY], boxes.FLOW, boxes.area(outline.rect, outline.size))


def children_of_body(outline: Outline, _options: NoOptions) -> Node:
    """Return a block for each visible child of body; one block if there is none."""
    return _with_children(outline, outline.visible_children(BODY))


def first_branching(outline: Outline, _options: NoOptions) -> Node:
    """Return a block for each visible child of the first element from body down that has more than one."""
    place = BODY
    while len(children := outline.visible_children(place)) == 1:
        (place,) = children
    return _with_children(outline, children)


def html5_elements(outline: Outline, options: NoOptions) -> Node:
    """Return a block for each HTML5 element that has a role, inside that of the nearest one above it."""
    page = whole_page(outline, options)
    containers: dict[int, Node] = {}  # the block around each element
    for n, element in enumerate(outline.page.elements):
        node = containers[element.parent] if element.parent >= 0 else page
        if element.tag in HTML5 and n != BODY and outline.boxes[n]:
            node.children += _blocks(outline, [n])
            node = node.children[-1]
        containers[n] = node
    page.sort()
    return page


def _with_children(outline: Outline, elements: list[int]) -> Node:
    page = whole_page(outline, NoOptions())
    page.children = sorted(_blocks(outline, elements), key=boxes.by_place)
    return page


def _blocks(outline: Outline, elements: Iterable[int]) -> list[Node]:
    return [
        Node(box, [n], boxes.category(outline.page.elements[n]), boxes.area(box, outline.size))
        for n in elements
        if (box := outline.boxes[n])
    ]


@dataclass(frozen=True, slots=True)
class BlockFusionOptions(Options):
    threshold: float = 0.38
    """ϑ_max: the slope below which neighbours merge (the best one, by its authors)."""
    width: int = 80
    """w_max: characters of a line, at which texts are wrapped."""
    lines: Literal["all", "full"] = "all"
    """Lines that count: "all" (D.1), or only "full" ones where there are several (its source)."""


class TextStretch(NamedTuple):
    """Texts between two block tags, or several such runs that are merged: those from `start` to `stop`."""

    start: int
    stop: int
    tokens: int
    lines: int

    @property
    def density(self) -> float:
        """Tokens a line (D.1)."""
        return self.tokens / self.lines


def blockfusion(outline: Outline, options: BlockFusionOptions) -> Node:
    """Return a block for each stretch of texts of like density, in document order."""
    page = Node(outline.rect, weight=boxes.area(outline.rect, outline.size))
    apart = atomic(outline)
    runs = [_run(outline, n, texts, options) for n, texts in enumerate(apart)]
    for run in fuse(runs, options.threshold):
        texts = [text for together in apart[run.start : run.stop] for text in together]
        rect = union(place for text in texts if (place := outline.places[text]))
        if rect:
            elements = [outline.page.texts[text].parent for text in texts]
            weight = boxes.area(rect, outline.size)
            page.children.append(Node(rect, elements, boxes.PHRASING, weight))
    if not page.children:
        page.elements = [BODY]
    return page


def atomic(outline: Outline) -> list[list[int]]:
    """Return visible texts, split wherever the tag of a block is between two of them."""
    elements, texts = outline.page.elements, outline.page.texts
    are_blocks = [e.parent < 0 or boxes.can_be_block(e.tag) for e in elements]
    blocks = (n if is_block else None for n, is_block in enumerate(are_blocks))
    block_of = boxes.inherit(elements, blocks, BODY)  # the nearest block of each element
    parting = [element.order for element in compress(elements, are_blocks)]
    runs: list[list[int]] = []
    last_place = (-1, -1)
    opened = 0
    for n, text in enumerate(texts):
        while opened < len(parting) and parting[opened] < text.order:
            opened += 1
        # A block that closed since the last text was either around that one, or opened since.
        place = (block_of[text.parent], opened)
        if outline.places[n]:
            if place != last_place:
                runs.append([])
            runs[-1].append(n)
            last_place = place
    return runs


def _run(outline: Outline, n: int, texts: list[int], options: BlockFusionOptions) -> TextStretch:
    words = [word for n in texts for word in outline.page.texts[n].text.split()]
    lines = wrap_words(words, options.width)
    if options.lines == "full" and len(lines) > 1:
        lines = lines[:-1]
    return TextStretch(n, n + 1, sum(lines), len(lines))


def wrap_words(words: Iterable[str], width: int) -> list[int]:
    """Return the number of words on each line of at most `width` characters; a longer word has its own."""
    text = " ".join(words)
    lines = wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False)
    return [line.count(" ") + 1 for line in lines]


def slope(a: TextStretch, b: TextStretch) -> float:
    """Δρ of two neighbours (D.2)."""
    return abs(a.density - b.density) / max(a.density, b.density)


def fuse(runs: list[TextStretch], threshold: float) -> list[TextStretch]:
    """Neighbours merged while their slope is below the threshold, pass by pass, until none merges.

    A merged run has the tokens and the lines of both.
    """
    count = -1
    while count != len(runs):
        count = len(runs)
        merged: list[TextStretch] = []
        for run in runs:
            if merged and slope(merged[-1], run) < threshold:
                last = merged.pop()
                both = (last.tokens + run.tokens, last.lines + run.lines)
                merged.append(TextStretch(last.start, run.stop, *both))
            else:
                merged.append(run)
        runs = merged
    return runs
