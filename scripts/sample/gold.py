"""The truth about a rendered page, read from its marks.

Content are: the headline, sub-headings, paragraphs, quotations, captions, list items, ingredients
and steps of the page's own piece. Boilerplate is all else: navigation, advertisements, teasers,
related links, byline and date, share buttons, tags, headings that the template prints, readers'
comments, the footer, and everything hidden. A page with an empty body, an error page and a revisit
have no gold.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dbce.archive import site
from dbce.html import load, xpaths
from dbce.model import Label, Limits
from scripts.sample.exchange import record_id, timestamp
from scripts.sample.marks import BLOCK, END, RUN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.sample.fetch import Fetch

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
class PageTruth:
    """The gold of one page: its runs in document order, and its content, one line a block."""

    runs: tuple[GoldRun, ...]
    text: str


def truth(marked: str) -> PageTruth:
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
    return PageTruth(tuple(runs), "\n".join(" ".join(block.split()) for block in blocks))


def tile(marked: str, xpath: str) -> list[GoldRun]:
    """The runs of one text node; white space between two runs belongs to the one before it."""
    runs: list[GoldRun] = []
    for text, label in _pieces(marked):
        before = runs[-1] if runs else GoldRun(xpath, 0, 0, "", label)
        blank = not before.text.strip()
        if blank or not text.strip() or label is before.label:
            merged = label if blank else before.label
            whole = before.text + text
            runs[-1:] = [replace(before, end=len(whole) + before.start, text=whole, label=merged)]
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


@dataclass(frozen=True, slots=True)
class Gold:
    """A page and the truth about it, as lines of JSON."""

    fetch: Fetch
    truth: PageTruth

    def page(self) -> str:
        """The line of `sample.gold.jsonl`: the page's content."""
        return _line({**self._key(), "gold_text": self.truth.text})

    def nodes(self) -> Iterator[str]:
        """The lines of `sample.nodes.gold.jsonl`: a run each, its white space normalised."""
        for run in self.truth.runs:
            where: dict[str, str | int] = {"xpath": run.xpath, "start": run.start, "end": run.end}
            what = {"text": " ".join(run.text.split()), "label": run.label.value}
            yield _line({**self._key(), **where, **what})

    def _key(self) -> dict[str, str | int]:
        return {
            "record_id": record_id(self.fetch),
            "url": self.fetch.url,
            "timestamp": timestamp(self.fetch),
            "site": site(self.fetch.url, "host"),
        }


def _line(row: dict[str, str | int]) -> str:
    return json.dumps(row, ensure_ascii=False)
