"""From the tree to plain values, in one pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dbce.errors import InputError
from dbce.model import Page, Reason, TextNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from dbce.config import Limits

# What no reader sees: thesis, stage 1, step 1. `object` stays, its fallback text is content, and
# `noframes`, the only text of a page of frames.
DROPPED = frozenset({"script", "style", "noscript", "template", "iframe", "noembed"})


HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Handle(NamedTuple):
    """Where a text node lives in the tree: in `element.text`, or in its `tail`."""

    element: Element
    is_tail: bool


def read_page(root: Element, limits: Limits) -> tuple[Page, tuple[Handle, ...]]:
    """The page below `root` (its `<html>`) and, for each of its text nodes, where it lives.

    Text in `<head>` is no text node. A frameset page has no `<body>`: its `<noframes>` counts.

    Raises:
        InputError: TOO_DEEP, TOO_MANY_ELEMENTS or TOO_MANY_WORDS.
    """
    tags: list[str] = []
    parents: list[int] = []
    elements: list[Element] = []
    texts = _Texts()
    # One loop over local variables, because it runs once per element. A level is its remaining
    # children, their parent's index and the number of the parent's text nodes so far.
    outer: list[tuple[Iterator[Element], int, int, Element]] = []
    children, parent, position = iter((root,)), -1, 0
    most, deepest = limits.elements, limits.depth
    while True:
        child = next(children, None)
        if child is None:  # the level is done; go on behind its parent
            if not outer:
                break
            children, parent, position, child = outer.pop()
        elif isinstance(tag := child.tag, str) and tag not in DROPPED:  # no comment either
            index = len(tags)
            if index >= most or len(outer) >= deepest:
                raise _too_big(index, limits)
            tags.append(tag)
            parents.append(parent)
            elements.append(child)
            text = child.text
            if text:
                texts.take(text, Handle(child, is_tail=False), index, 1, index)
            if len(child):
                outer.append((children, parent, position, child))
                children, parent, position = iter(child), index, int(text is not None)
                continue
        tail = child.tail
        if tail is not None:
            position += 1
            if tail:
                texts.take(tail, Handle(child, is_tail=True), parent, position, len(tags) - 1)
    nodes, handles = texts.nodes, texts.handles
    first, end = _outside_head(tags, parents, nodes)
    del nodes[first:end], handles[first:end]
    _check_words(nodes, limits)
    page = Page(
        tags=tuple(tags),
        parents=tuple(parents),
        classes=tuple(element.get("class", "") for element in elements),
        ids=tuple(element.get("id", "") for element in elements),
        hidden=tuple(_hides_itself(element) for element in elements),
        nodes=tuple(nodes),
        title=_title(root),
    )
    return page, tuple(handles)


class _Texts:
    """The text nodes found so far; white space alone is none, but parts those beside it."""

    def __init__(self) -> None:
        self.nodes: list[TextNode] = []
        self.handles: list[Handle] = []
        self._space = False

    def take(self, text: str, handle: Handle, element: int, position: int, after: int) -> None:
        if text.isspace():
            self._space = True
        else:
            self.nodes.append(TextNode(element, position, after, self._space, text))
            self.handles.append(handle)
            self._space = False


def _hides_itself(element: Element) -> bool:
    """Whether an element says itself that it is not shown; style sheets are not asked."""
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or HIDING.search(element.get("style", "")) is not None
    )


def _too_big(elements: int, limits: Limits) -> InputError:
    if elements >= limits.elements:
        return InputError(Reason.TOO_MANY_ELEMENTS, f"more than {limits.elements} elements")
    return InputError(Reason.TOO_DEEP, f"nested deeper than {limits.depth} elements")


def _check_words(nodes: Sequence[TextNode], limits: Limits) -> None:
    # A word takes two characters with its gap: most pages need no counting.
    if sum(len(node.text) + 1 for node in nodes) <= 2 * limits.words:
        return
    words = sum(len(node.text.split()) for node in nodes)
    if words > limits.words:
        raise InputError(Reason.TOO_MANY_WORDS, f"{words} words, the limit is {limits.words}")


def _outside_head(
    tags: Sequence[str], parents: Sequence[int], nodes: Sequence[TextNode]
) -> tuple[int, int]:
    """First and end of the nodes that are in `<head>`: they stand in a row."""
    head = next((i for i, tag in enumerate(tags) if tag == "head" and parents[i] == 0), -1)
    if head < 0:
        return 0, 0
    end = next((i for i in range(head + 1, len(tags)) if parents[i] < head), len(tags))
    inside = [i for i, node in enumerate(nodes) if head <= node.element < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _title(root: Element) -> str:
    """The document's title, its white space collapsed; tag soup has it in the body at times."""
    title = root.find("head/title")
    if title is None:
        title = root.find("body/title")
    return "" if title is None else " ".join((title.text or "").split())
