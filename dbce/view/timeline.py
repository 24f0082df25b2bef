"""The snapshots of a URL, and what came and went from one to the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from dbce.output import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.view.run import Run
    from dbce.view.tables import Row

SHOWN = 40
"""Snapshots on one page."""

LINES = 30
"""Texts that are named of what came, and of what went."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text node: what it says, its label, the place of its first run, and how many runs it has."""

    text: str
    label: str
    place: int
    runs: int


@dataclass(frozen=True, slots=True)
class Step:
    """A snapshot; what came and went since the judged one before, None of the first.

    `before` is the record id of that one; `unchanged` says that the bytes of both are the same.
    """

    page: Row
    before: str | None
    came: tuple[Text, ...] | None
    went: tuple[Text, ...] | None
    unchanged: bool


def timeline(run: Run, snapshots: Sequence[Row]) -> list[Step]:
    """The steps of a page's history, the latest first; those without verdicts have no texts."""
    judged = [row for row in snapshots if row["status"] in JUDGED]
    texts = {row["record_id"]: texts_of(run.runs(run.page(row["record_id"]))) for row in judged}
    before = {after["record_id"]: earlier for earlier, after in pairwise(judged)}
    steps = []
    for row in snapshots:
        earlier = before.get(row["record_id"])
        came = went = before_id = None
        if earlier is not None:
            before_id = earlier["record_id"]
            old, new = texts[before_id], texts[row["record_id"]]
            came, went = only_in(new, old), only_in(old, new)
        same = earlier is not None and earlier["content_digest"] == row["content_digest"]
        steps.append(Step(row, before_id, came, went, same))
    return steps[::-1]


@dataclass(frozen=True, slots=True)
class Turns:
    """The snapshots before and after a capture, and how many there are."""

    earlier: Row | None
    later: Row | None
    snapshots: int


def turns(snapshots: Sequence[Row], page: Row) -> Turns:
    """Return the snapshots before and after a page; `snapshots` are in the order of time."""
    own = [n for n, row in enumerate(snapshots) if row["record_id"] == page["record_id"]]
    before = snapshots[: own[0]][-1:] if own else ()
    after = snapshots[own[0] + 1 :][:1] if own else ()
    return Turns(next(iter(before), None), next(iter(after), None), len(snapshots))


def texts_of(runs: Sequence[Row]) -> tuple[Text, ...]:
    """The text nodes that the runs tile, each with the label of most of its characters."""
    return tuple(_texts(runs))


def _texts(runs: Sequence[Row]) -> Iterator[Text]:
    place = 0
    for _, group in groupby(runs, key=lambda run: run["node"]):
        of_node = list(group)
        sizes: Counter[str] = Counter()
        for run in of_node:
            sizes[run["label"]] += run["end"] - run["start"]
        text = " ".join(run["text"] for run in of_node)
        yield Text(text, sizes.most_common(1)[0][0], place, len(of_node))
        place += len(of_node)


def only_in(one: Sequence[Text], other: Sequence[Text]) -> tuple[Text, ...]:
    """The texts that one page has oftener than another, in its order."""
    left = Counter(text.text for text in other)
    found = []
    for text in one:
        if left[text.text]:
            left[text.text] -= 1
        else:
            found.append(text)
    return tuple(found)
