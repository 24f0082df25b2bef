"""The truth about a rendered page, read from its marks.

Content are: the headline, sub-headings, paragraphs, quotations, captions, list items, ingredients
and steps of the page's own piece. Boilerplate is all else: navigation, advertisements, teasers,
related links, byline and date, share buttons, tags, headings that the template prints, readers'
comments, the footer, and everything hidden. A page with an empty body, an error page and a revisit
have no gold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dbce.html import load, xpaths
from dbce.model import Label, Limits
from dbce.sample.marks import BLOCK, END, RUN

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTENT = re.compile(f"([{BLOCK}{RUN}])([^{END}]*){END}")


@dataclass(frozen=True, slots=True)
class GoldRun:
    """A run of a text node and its label; the runs of a node tile it.

    `start` and `end` are character offsets in the node's text, `text` is the run itself.
    """

    xpath: str
    start: int
    end: int
    text: str
    label: Label


@dataclass(frozen=True, slots=True)
class Truth:
    """The gold of one page: its runs in document order, and its content, one line a block."""

    runs: tuple[GoldRun, ...]
    text: str


def truth(marked: str) -> Truth:
    """The gold of a marked page."""
    page = load(marked.encode(), "text/html; charset=utf-8", Limits()).page
    runs: list[GoldRun] = []
    blocks: list[str] = []
    for node, xpath in zip(page.nodes, xpaths(page), strict=True):
        runs += tile(node.text, xpath)
        for opener, text in _CONTENT.findall(node.text):
            if opener == BLOCK:
                blocks.append(text)
            else:
                blocks[-1] += text
    return Truth(tuple(runs), "\n".join(" ".join(block.split()) for block in blocks))


def tile(marked: str, xpath: str) -> list[GoldRun]:
    """The runs of one text node; white space between two runs belongs to the one before it."""
    runs: list[GoldRun] = []
    for text, label in _pieces(marked):
        before = runs[-1] if runs else GoldRun(xpath, 0, 0, "", label)
        blank = not before.text.strip()
        if blank or not text.strip() or label is before.label:
            kept = label if blank else before.label
            whole = before.text + text
            runs[-1:] = [replace(before, end=len(whole) + before.start, text=whole, label=kept)]
        else:
            runs.append(GoldRun(xpath, before.end, before.end + len(text), text, label))
    return runs


def _pieces(marked: str) -> Iterator[tuple[str, Label]]:
    end = 0
    for match in _CONTENT.finditer(marked):
        if match.start() > end:
            yield marked[end : match.start()], Label.BOILERPLATE
        yield match[2], Label.CONTENT
        end = match.end()
    if end < len(marked):
        yield marked[end:], Label.BOILERPLATE
