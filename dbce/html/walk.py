"""One pass over the tree: its elements, their texts and attributes as plain lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from dbce.model import Limits

# What no reader sees: thesis, stage 1, step 1. `object` stays, its fallback text is content, and
# `noframes`, the only text of a page of frames. For `noscript` see scriptless.py.
DROPPED = frozenset({"script", "style", "noscript", "template", "iframe", "noembed"})

HIDERS = frozenset({"hidden", "aria-hidden", "style"})

ROLES = frozenset({"role", "itemprop", "itemtype", "aria-label", "data-testid", "data-component"})
"""Attributes that say what an element is for: those of ARIA, of microdata, and what builders of pages
call their parts."""

Handle: TypeAlias = "tuple[Element, bool]"
"""The home of a text node in the tree: the `text` of an element or, if true, its `tail`."""


class Walk(NamedTuple):
    """The content of a tree, in document order.

    A text is (index of its element, position among the element's text nodes from 1 on, index of
    the last element before it, the text itself, its handle). `styles` are the `<style>` elements
    outside of dropped ones.
    """

    tags: list[str]
    parents: list[int]
    elements: Sequence[Element]
    texts: list[tuple[int, int, int, str, Handle]]
    styles: list[Element]


class Attributes(NamedTuple):
    """Class, id and roles of every element, and the attributes that can hide one.

    A hider is (index of its element, its name, its value). `jumps` are the links to another place of the page: their elements, each with the id it names.
    """

    classes: list[str]
    ids: list[str]
    roles: list[str]
    hiders: list[tuple[int, str, str]]
    jumps: list[tuple[int, str]]


def walk(root: Element, limits: Limits, dropped: frozenset[str] = DROPPED) -> Walk:
    """All elements but the dropped ones, and all texts in them, empty ones too.

    Raises:
        InputError: TOO_DEEP or TOO_MANY_ELEMENTS.
    """
    elements: list[Element] = []
    tags, parents, _, texts, styles = tree = Walk([], [], elements, [], [])
    # One loop over local variables, because it runs once per element. A level is its remaining
    # children, their parent's index and the number of the parent's text nodes so far.
    outer: list[tuple[Iterator[Element], int, int, Element]] = []
    children, parent, position = iter((root,)), -1, 0
    index, most, deepest = -1, limits.elements, limits.depth
    while True:
        child = next(children, None)
        if child is None:  # the level is done; go on behind its parent
            if not outer:
                return tree
            children, parent, position, child = outer.pop()
        elif isinstance(tag := child.tag, str) and tag not in dropped:  # no comment either
            index += 1
            if index >= most or len(outer) >= deepest:
                raise _too_big(index, limits)
            tags.append(tag)
            parents.append(parent)
            elements.append(child)
            text = child.text
            if text is not None:
                texts.append((index, 1, index, text, (child, False)))
            below = child[:]  # type: ignore[index]  # the stubs lack slices; one call for all of them
            if below:
                outer.append((children, parent, position, child))
                children, parent, position = iter(below), index, int(text is not None)
                continue
        elif tag == "style":
            styles.append(child)
        tail = child.tail
        if tail is not None:
            position += 1
            texts.append((parent, position, index, tail, (child, True)))


def walk_again(root: Element, tags: Sequence[str], limits: Limits) -> Walk:
    """The walk that a page was read by, of the tags that it has: those of scriptless ones too.

    Raises:
        InputError: TOO_DEEP or TOO_MANY_ELEMENTS.
    """
    return walk(root, limits, DROPPED - {"noscript"} if "noscript" in tags else DROPPED)


def attributes(elements: Sequence[Element]) -> Attributes:
    """The attributes by which elements name, describe or hide themselves."""
    classes = [""] * len(elements)
    ids, roles = classes.copy(), classes.copy()
    hiders: list[tuple[int, str, str]] = []
    jumps = []
    value: Any  # str, but the stubs allow for bytes
    for i, element in enumerate(elements):
        for name, value in element.items():  # one call into lxml for all of them
            if name == "class":
                classes[i] = value
            elif name == "id":
                ids[i] = value
            elif name in HIDERS:
                hiders.append((i, name, value))
            elif name in ROLES:
                roles[i] = f"{roles[i]} {value}" if roles[i] else value
            elif name == "href" and value[:1] == "#" and len(value) > 1:
                jumps.append((i, value[1:]))
    return Attributes(classes, ids, roles, hiders, jumps)


def end_of(parents: Sequence[int], element: int, most: int | None = None) -> int:
    """The index behind the last element in an element; of one with more than `most` elements that of these."""
    last = len(parents) if most is None else min(element + most, len(parents))
    for below in range(element + 1, last):
        if parents[below] < element:
            return below
    return last


def within(parents: Sequence[int], elements: Iterable[int]) -> bytearray:
    """For each element 1 if it is one of some elements or inside one, else 0."""
    inside = bytearray(len(parents))
    for element in sorted(elements):
        if not inside[element]:
            end = end_of(parents, element)
            inside[element:end] = b"\1" * (end - element)
    return inside


def _too_big(elements: int, limits: Limits) -> InputError:
    if elements >= limits.elements:
        return InputError(Reason.TOO_MANY_ELEMENTS, f"more than {limits.elements} elements")
    return InputError(Reason.TOO_DEEP, f"nested deeper than {limits.depth} elements")
