"""From the tree to plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.html.asides import asides
from dbce.html.hidden import hidden
from dbce.html.scriptless import without_scripts
from dbce.html.walk import attributes, end_of, walk
from dbce.model import InputError, Page, Reason, TextNode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from dbce.html.walk import Attributes, Handle, Walk
    from dbce.model import Limits


def read_page(root: Element, limits: Limits) -> tuple[Page, tuple[Handle, ...]]:
    """The page below `root` (its `<html>`) and the handle of each of its text nodes.

    Text in `<head>` is no text node. A frameset page has no `<body>`: its `<noframes>` counts; so
    does `<noscript>` where it holds nearly all the text.

    Raises:
        InputError: TOO_DEEP, TOO_MANY_ELEMENTS, TOO_MANY_TEXTS or TOO_MANY_WORDS.
    """
    tree = walk(root, limits)
    nodes, handles = _text_nodes(tree)
    if (scriptless := without_scripts(root, nodes, limits)) is not None:
        tree = scriptless
        nodes, handles = _text_nodes(tree)
    return page_of(root, tree, attributes(tree.elements), nodes, limits), tuple(handles)


def page_of(
    root: Element, tree: Walk, own: Attributes, nodes: Sequence[TextNode], limits: Limits
) -> Page:
    """The page of a tree's elements, their attributes and its text nodes.

    Raises:
        InputError: TOO_MANY_TEXTS or TOO_MANY_WORDS.
    """
    if len(nodes) > limits.texts:
        raise InputError(Reason.TOO_MANY_TEXTS, f"{len(nodes)} texts, the limit is {limits.texts}")
    _check_words(nodes, limits)
    hides = hidden(tree, own)
    beside = asides(tree, own, hides, nodes)
    return Page(
        tags=tuple(tree.tags),
        parents=tuple(tree.parents),
        classes=tuple(own.classes),
        ids=tuple(own.ids),
        roles=tuple(own.roles),
        hidden=hides,
        nodes=tuple(nodes),
        title=_title(root),
        jumps=tuple(own.jumps),
        unseen=beside.unseen,
        of_site=beside.of_site,
    )


def _text_nodes(tree: Walk) -> tuple[list[TextNode], list[Handle]]:
    """The text nodes outside of `<head>` and their handles.

    White space alone is none, but parts those beside it.
    """
    nodes, handles = [], []
    spaced = False
    new = tuple.__new__  # what TextNode() calls, in a function of Python
    for element, position, after, text, handle in tree.texts:
        if text.isspace():
            spaced = True
        elif text:
            nodes.append(new(TextNode, (element, position, after, spaced, text)))
            handles.append(handle)
            spaced = False
    first, end = _in_head(tree.tags, tree.parents, nodes)
    del nodes[first:end], handles[first:end]
    return nodes, handles


def _in_head(
    tags: Sequence[str], parents: Sequence[int], nodes: Sequence[TextNode]
) -> tuple[int, int]:
    """First and end of the nodes that are in `<head>`: they stand in a row."""
    head = next((i for i, tag in enumerate(tags) if tag == "head" and parents[i] == 0), -1)
    if head < 0:
        return 0, 0
    end = end_of(parents, head)
    inside = [i for i, node in enumerate(nodes) if head <= node.element < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _check_words(nodes: Sequence[TextNode], limits: Limits) -> None:
    # A word takes two characters with its gap: most pages need no counting.
    if sum(len(node.text) + 1 for node in nodes) <= 2 * limits.words:
        return
    words = 0
    for node in nodes:
        words += len(node.text.split(maxsplit=limits.words))  # no list is longer than it must be
        if words > limits.words:
            raise InputError(Reason.TOO_MANY_WORDS, f"more than {limits.words} words")


def _title(root: Element) -> str:
    """The document's title, its white space collapsed; tag soup has it in the body at times."""
    title = root.find("head/title")
    if title is None:
        title = root.find("body/title")
    return "" if title is None else " ".join((title.text or "").split())
