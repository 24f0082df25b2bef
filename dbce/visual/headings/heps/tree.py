"""The content body as HEPS sees it: elements, texts and images, without what is no part of the text.

Sentence-breaking nodes in it, such as links in a sentence, are replaced by their texts (H 4.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.headings.blocks import Extent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual import Element, RenderedPage

SKIPPED = frozenset("iframe noscript script style template".split())
"""Elements that are left out with all that is in them."""

SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:/*")
WORD = re.compile(r"\w+")


class StyleKey(NamedTuple):
    """Properties that are equal among nodes of one style (H 4.2).

    `path` is the names from the content body to the node, "" that of a text; `height` is an image's.
    """

    path: tuple[str, ...]
    font_size: float
    font_style: str
    font_weight: int
    text_decoration: str
    color: str
    height: float | None


@dataclass(slots=True, eq=False)
class ContentNode:
    """An element, an image, or a text, which may be joined of several.

    `texts` and `images` are the places of what it is made of, if it is no element that holds others.
    It stands from `first` to `end` in the order of the page.
    """

    tag: str
    looks: StyleKey
    first: int
    end: int
    content: str = ""
    texts: tuple[int, ...] = ()
    images: tuple[int, ...] = ()
    parent: ContentNode | None = None
    children: list[ContentNode] = field(default_factory=list)

    @property
    def is_text(self) -> bool:
        return self.tag == ""

    @property
    def is_candidate(self) -> bool:
        """True if it may be a heading: texts and images may (H 4.2)."""
        return self.is_text or self.tag == "img"

    @property
    def depth(self) -> int:
        """Number of nodes above it."""
        return len(self.looks.path) - 1

    def all(self) -> Iterator[ContentNode]:
        """Itself and all below it, in document order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def leaves(self) -> Iterator[ContentNode]:
        """The texts and images in it, in document order."""
        return (node for node in self.all() if node.is_candidate)


def tree(page: RenderedPage, body: int, image_text: str) -> ContentNode:
    """The content body; blank texts are gone already (H 4.1), for a rendered page has none."""
    nodes: dict[int, ContentNode] = {}
    ends = Extent(page).ends
    last = ends[body]
    items = [(element.order, place, True) for place, element in enumerate(page.elements)]
    items += ((text.order, place, False) for place, text in enumerate(page.texts))
    for order, place, is_element in sorted(items):
        if not page.elements[body].order <= order < last:
            continue
        above = page.elements[place].parent if is_element else page.texts[place].parent
        parent = nodes.get(above)
        if parent is None and place != body:
            continue  # what is above it was left out
        if is_element:
            element = page.elements[place]
            if element.tag in SKIPPED:
                continue
            nodes[place] = node = _element(page, place, parent, image_text, ends[place])
        else:
            node = _text(page, place, parent)
        if parent is not None:
            node.parent = parent
            parent.children.append(node)
    return nodes[body]


def _element(
    page: RenderedPage, place: int, parent: ContentNode | None, image_text: str, end: int
) -> ContentNode:
    element = page.elements[place]
    is_image = element.tag == "img"
    height = element.rect.h if is_image and element.rect else None
    looks = _looks(page, place, (*_path(parent), element.tag), height)
    node = ContentNode(element.tag, looks, element.order, end)
    if is_image:
        node.images = (place,)
        node.content = text_of_image(element, image_text)
    return node


def _text(page: RenderedPage, place: int, parent: ContentNode | None) -> ContentNode:
    text = page.texts[place]
    looks = _looks(page, text.parent, (*_path(parent), ""), None)
    content = " ".join(text.text.split())
    return ContentNode("", looks, text.order, text.order + 1, content, texts=(place,))


def _path(parent: ContentNode | None) -> tuple[str, ...]:
    return () if parent is None else parent.looks.path


def _looks(
    page: RenderedPage, element: int, path: tuple[str, ...], height: float | None
) -> StyleKey:
    """With the five properties of an element, which are those of its texts, too."""
    style = page.styles[page.elements[element].style]
    own = (style.font_size, style.font_style, style.font_weight, style.text_decoration, style.color)
    return StyleKey(path, *own, height)


def text_of_image(image: Element, image_text: str) -> str:
    """Return the text of an image: its address, or the words of the address and of the alternative text."""
    address = image.attributes.get("src", "").strip()
    if image_text == "src":
        return address
    words = WORD.findall(SCHEME.sub("", address))
    return " ".join([*words, *image.attributes.get("alt", "").split()])


def without_breaking(root: ContentNode, breaking: str) -> None:
    """Replaces the sentence-breaking nodes of a content body, in place.

    They are those between two sibling texts, and all that look like one of these. Each becomes a text of
    its content, joined with the texts beside it, by a space, as texts are everywhere in the paper.
    """
    if breaking == "none":
        return
    looks = {node.looks for node in _between(root, only_internal=breaking == "internal")}
    for node in list(root.all()):
        if any(child.looks in looks for child in node.children):
            _replace(node, looks)


def _between(root: ContentNode, *, only_internal: bool) -> Iterator[ContentNode]:
    for node in root.all():
        beside = zip(node.children, node.children[1:], node.children[2:], strict=False)
        for before, middle, after in beside:
            is_between = before.is_text and after.is_text and not middle.is_text
            if is_between and (middle.children or not only_internal):
                yield middle


def _replace(parent: ContentNode, looks: set[StyleKey]) -> None:
    """Joins texts and breaking nodes that stand in a row with at least one of the latter."""

    def is_joined(node: ContentNode) -> bool:
        return node.is_text or node.looks in looks

    children: list[ContentNode] = []
    for joins, row in groupby(parent.children, key=is_joined):
        nodes = list(row)
        if joins and not all(node.is_text for node in nodes):
            children += _joined(parent, nodes)
        else:
            children += nodes
    parent.children = children


def _joined(parent: ContentNode, nodes: Sequence[ContentNode]) -> list[ContentNode]:
    """One text of a row of nodes; none of a row without any, as of a lone br."""
    leaves = [leaf for node in nodes for leaf in node.leaves()]
    if not leaves:
        return []
    return [
        ContentNode(
            tag="",
            looks=parent.looks._replace(path=(*parent.looks.path, ""), height=None),
            first=nodes[0].first,
            end=nodes[-1].end,
            content=" ".join(leaf.content for leaf in leaves if leaf.content),
            texts=tuple(text for leaf in leaves for text in leaf.texts),
            images=tuple(image for leaf in leaves for image in leaf.images),
            parent=parent,
        )
    ]
