"""A page whose texts are parted as its marks part them, without writing and reading it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.html.mark import Mark, placed, spelled
from dbce.model import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Page, TextNode, TextRun

NOT_CARRIED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")
"""Control characters that a character reference brings into a page, and writing takes out of it."""


class Pieces(NamedTuple):
    """A page with a text node for each span of its marks.

    `content` are the numbers of the text nodes that are content, `marks` are those of all of them.
    """

    page: Page
    content: list[int]
    marks: list[Mark]


def pieces(page: Page, runs: Sequence[TextRun]) -> tuple[Pieces, list[int]]:
    """The page as it reads once `dbce.html.marked` has marked it.

    `runs` are in the order of the nodes. The numbers beside it are that of the first piece of each text node
    and, last, how many pieces there are.
    """
    of_runs = spelled(runs)
    verdicts = {mark: run.verdict for mark, run in zip(of_runs, runs, strict=True)}
    # The spans are no elements of this page.
    marks = {mark: Mark(round(of.probability, 2), is_span=False) for mark, of in verdicts.items()}
    is_content = {mark for mark, verdict in verdicts.items() if verdict.label == Label.CONTENT}
    of_elements, in_spans = placed(page, runs, of_runs)
    by_node = groupby(chain.from_iterable(in_spans), key=lambda run_and_mark: run_and_mark[0].node)
    parted = {node: list(of_node) for node, of_node in by_node}
    nodes: list[TextNode] = []
    said: list[str] = []
    first: list[int] = []
    spaced = False
    for number, node in enumerate(page.nodes):
        first.append(len(nodes))
        if spaced:
            node = node._replace(spaced=True)  # noqa: PLW2901 - as a reader finds it
        if number not in parted:  # as most
            nodes.append(node)
            said.append(of_elements.get(node.element, ""))
            spaced = False
            continue
        own, spaced = _parts(node, parted[number])
        nodes += (piece for piece, _ in own)
        said += (mark for _, mark in own)
    first.append(len(nodes))
    if NOT_CARRIED.search("".join(node.text for node in nodes)):
        nodes = [node._replace(text=NOT_CARRIED.sub("", node.text)) for node in nodes]
    content = [number for number, mark in enumerate(said) if mark in is_content]
    unmarked = Mark(0.0, is_span=False)
    all_marks = [marks.get(mark, unmarked) for mark in said]
    return Pieces(replace(page, nodes=tuple(nodes)), content, all_marks), first


def _parts(
    node: TextNode, runs: Sequence[tuple[TextRun, str]]
) -> tuple[list[tuple[TextNode, str]], bool]:
    """The spans of a text node, and whether white space alone is behind the last: that parts what it stands between."""
    parts = []
    spaced = node.spaced
    for run, mark in runs:
        text = node.text[run.start : run.end]
        if text.isspace():
            spaced = True
        else:
            parts.append((node._replace(text=text, spaced=spaced), mark))
            spaced = False
    return parts, spaced
