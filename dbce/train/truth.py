"""Labels that gold gives the lines of a page, be it gold of whole pages or of text runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.evaluate import gold_share
from dbce.evaluate.text.gold import by_kind
from dbce.evaluate.text.scores import words
from dbce.html import xpaths
from dbce.model import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Lines
    from dbce.evaluate import GoldText, LabelledRun
    from dbce.evaluate.text.gold import Gold, Segments
    from dbce.model import Page

    Shares = NDArray[np.float64]

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true main text of a page, and its comments of users where the gold tells them.

    Of gold that knows of parts alone `text` is "", and `segments` has them. `share` is the part of each line that is content, `comment_share` the part that is a comment;
    NaN where that is unknown. `group` is as in `GoldText`.
    """

    text: str
    comments: str | None
    share: Shares
    comment_share: Shares
    group: str
    segments: Segments | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Teacher:
    """The gold of one page; `tells_comments` says of text runs whether they tell comments apart."""

    text: GoldText | None
    runs: Sequence[LabelledRun] = ()
    tells_comments: bool = False

    def truth(self, page: Page, lines: Lines) -> Truth | None:
        """Return the gold's labels of the lines; None if it has none for any line."""
        if self.text is not None:
            of = _by_segments if self.text.segments else _by_text
            return of(self.text, lines.texts)
        return _by_runs(self.runs, page, lines, self.tells_comments)


def teachers(gold: Gold) -> dict[str, Teacher]:
    """The gold by page: by record id or, where text gold has none, URL."""
    texts, runs = by_kind(gold)
    found = {one.page: Teacher(one) for one in texts}
    of_page: dict[str, list[LabelledRun]] = {}
    for run in runs:
        of_page.setdefault(run.record_id, []).append(run)
    tells = any(run.comment for run in runs)
    return found | {one: Teacher(None, own, tells) for one, own in of_page.items()}


def _by_text(gold: GoldText, texts: Sequence[str]) -> Truth:
    share = np.nan_to_num(gold_share([*map(apart, texts)], apart(gold.text)))
    comments = comment_share(texts, share, gold.comments)
    return Truth(gold.text, gold.comments, share, comments, gold.group)


def _by_segments(gold: GoldText, texts: Sequence[str]) -> Truth | None:
    """Labels of the lines that a segment is in, or that are in one; None where the gold has none for any line.

    A segment of the main text teaches where the page has it once: of several places one is the main text, and
    nobody knows which. One that is not in the main text is so wherever it stands.
    """
    of_lines = [words(apart(text)) for text in texts]
    page = [word for line in of_lines for word in line]
    line_of_word = np.repeat(np.arange(len(of_lines)), [len(line) for line in of_lines])
    said = np.zeros((2, len(of_lines)), np.bool_)  # content, boilerplate
    for row, segments in enumerate(gold.segments or ()):
        for segment in segments:
            own = words(apart(segment))
            places = list(_places(page, own))
            if row or len(places) == 1:
                for place in places:
                    said[row, line_of_word[place : place + len(own)]] = True
    share = np.where(said[0] ^ said[1], said[0].astype(np.float64), np.nan)
    if np.isnan(share).all():
        return None
    unknown = np.full(len(share), np.nan)
    return Truth("", None, share, unknown, gold.group, gold.segments)


def _places(page: Sequence[str], segment: Sequence[str]) -> Iterator[int]:
    """The places where the words of a segment stand in those of a page, one after another."""
    if segment:
        size, first = len(segment), segment[0]
        for place, word in enumerate(page):
            if word == first and page[place : place + size] == segment:
                yield place


def apart(text: str) -> str:
    """The text with a space around every character of scripts that write words without one.

    Copies of such texts end their lines in the middle of sentences.
    """
    return _UNSPACED.sub(r" \g<0> ", text)


def _by_runs(runs: Sequence[LabelledRun], page: Page, lines: Lines, tells: bool) -> Truth | None:
    """A line is known where most of its characters are labelled; white space is no character."""
    said = np.zeros((3, len(lines.texts)))  # content, boilerplate, comment
    number = {xpath: n for n, xpath in enumerate(xpaths(page))}
    for run in runs:
        node = number.get(run.xpath)
        if node is None or _characters(run.text) != _characters(_labelled(page, node, run)):
            continue  # the gold of another page
        row = 2 if run.comment else int(run.label is not Label.CONTENT)
        said[row, lines.of_node[node]] += len(_characters(run.text))
    all_of_it = np.array([len(_characters(text)) for text in lines.texts])
    labelled = said.sum(axis=0)
    known = 2 * labelled > all_of_it
    if not known.any():
        return None
    content, _, comment = np.where(known, said / np.maximum(labelled, 1), np.nan)
    comments = None
    if tells:
        comments = "\n".join(_where(lines.texts, comment > 0.5))
    else:
        comment = np.full(len(content), np.nan)
    text = "\n".join(_where(lines.texts, content > 0.5))
    return Truth(text, comments, content, comment, runs[0].group)


def comment_share(texts: Sequence[str], share: Shares, comments: str | None) -> Shares:
    """The part of each line's words that text gold has as comments of users; NaN where unknown.

    Gold that does not tell comments apart teaches nothing of them: what is a post of a forum there, and
    content, would be a comment elsewhere. Where it does, a line that it has as content is none,
    whatever words it shares with comments.
    """
    if comments is None:
        return np.full(len(share), np.nan)
    others = ["" if of > 0.5 else text for text, of in zip(texts, share, strict=True)]
    return np.nan_to_num(gold_share(others, comments))


def _labelled(page: Page, node: int, run: LabelledRun) -> str:
    return page.nodes[node].text[run.start : run.end]


def _characters(text: str) -> str:
    return "".join(text.split())


def _where(texts: Sequence[str], chosen: Iterable[bool]) -> list[str]:
    return [text for text, one in zip(texts, chosen, strict=True) if one]
