"""The text of a page as a person would copy it: one line a paragraph."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from dbce.html.lines import holders, lines
from dbce.model import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.model import Page, TextRun


def main_text(page: Page, runs: Sequence[TextRun]) -> str:
    """The content of a page: white space normalised, lines as a browser would break them."""
    line_of = lines(page, holders(page))
    content = [run for run in runs if run.verdict.label is Label.CONTENT]
    texts = (
        " ".join("".join(_pieces(page, list(line))).split())
        for _, line in groupby(content, key=lambda run: line_of[run.node])
    )
    return "\n".join(text for text in texts if text)


def _pieces(page: Page, line: Sequence[TextRun]) -> Iterator[str]:
    before: TextRun | None = None
    for run in line:
        if before is not None and _apart(page, before, run):
            yield " "
        yield page.nodes[run.node].text[run.start : run.end]
        before = run


def _apart(page: Page, before: TextRun, run: TextRun) -> bool:
    """Whether dropped text or white space stands between two runs of a line.

    Otherwise at most inline markup does, and words go through it: `<b>W</b>ord`.
    """
    if before.node == run.node:
        return before.end != run.start
    return run.node - before.node > 1 or page.nodes[run.node].spaced
