"""Snapshots of a URL, and what was added, removed, moved and changed between two, as `dbce.history` aligns their texts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

from dbce.history import SAYS_THE_SAME, SENTENCE, AlignedUnit, PassageKind, align
from dbce.model import count_words, key_of
from dbce.output import JUDGED, Row
from dbce.view.run import Run

SHOWN = 40  # snapshots on one page
LINES = 30  # added texts that are named, and removed ones


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text node: what it says, its label, the place of its first run, and how many runs it has."""

    text: str
    label: str
    place: int
    runs: int
    kind: str = SENTENCE

    @property
    def key(self) -> str:
        return key_of(self.text)


Unit = AlignedUnit[LabelledText]


@dataclass(frozen=True, slots=True)
class Step:
    """A snapshot; what was added and removed since the judged one before, None of the first."""

    page: Row
    before: str | None = None  # record id of that one
    added: tuple[LabelledText, ...] | None = None
    removed: tuple[LabelledText, ...] | None = None
    unchanged: bool = False  # the bytes of both are the same


def timeline(run: Run, snapshots: Sequence[Row]) -> list[Step]:
    """Return the steps of a page's history, the latest first; those without verdicts have no texts."""
    judged = [row for row in snapshots if row["status"] in JUDGED]
    texts = {row["record_id"]: texts_of(run.runs(run.page(row["record_id"]))) for row in judged}
    before = {after["record_id"]: earlier for earlier, after in pairwise(judged)}
    steps = []
    for row in reversed(snapshots):
        if earlier := before.get(row["record_id"]):
            before_id = earlier["record_id"]
            added, removed = added_and_removed(texts[before_id], texts[row["record_id"]])
            same = earlier["content_digest"] == row["content_digest"]
            steps.append(Step(row, before_id, added, removed, same))
        else:
            steps.append(Step(row))
    return steps


@dataclass(frozen=True, slots=True)
class Turns:
    earlier: Row | None
    later: Row | None
    snapshots: int


def turns(snapshots: Sequence[Row], page: Row) -> Turns:
    """Return the snapshots before and after a page; `snapshots` are in the order of time."""
    places = [n for n, row in enumerate(snapshots) if row["record_id"] == page["record_id"]]
    before = snapshots[: places[0]][-1:] if places else ()
    after = snapshots[places[0] + 1 :][:1] if places else ()
    return Turns(next(iter(before), None), next(iter(after), None), len(snapshots))


def texts_of(runs: Sequence[Row]) -> list[LabelledText]:
    """Return the text nodes that the runs tile, each with the label of most of its words."""
    texts = []
    place = 0
    for _, group in groupby(runs, key=lambda run: run["node"]):
        of_node = list(group)
        sizes: Counter[str] = Counter()
        for run in of_node:
            sizes[run["label"]] += count_words(run["text"])
        text = " ".join(run["text"] for run in of_node)
        texts.append(LabelledText(text, sizes.most_common(1)[0][0], place, len(of_node)))
        place += len(of_node)
    return texts


def added_and_removed(
    old: Sequence[LabelledText], new: Sequence[LabelledText]
) -> tuple[tuple[LabelledText, ...], tuple[LabelledText, ...]]:
    """Return the texts that were added and removed; a reworded one is in both, what says the same in neither."""
    differing = [c for c in changes(old, new) if c.kind not in (*SAYS_THE_SAME, PassageKind.MOVED)]
    return (
        tuple(change.new for change in differing if change.new),
        tuple(change.old for change in differing if change.old),
    )


class MarkKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"


def mark_kind(change: Unit) -> MarkKind:
    if change.old is None or change.new is None:
        return MarkKind.ADDED if change.old is None else MarkKind.REMOVED
    return MarkKind.MOVED if change.kind is PassageKind.MOVED else MarkKind.CHANGED


def changes(old: Sequence[LabelledText], new: Sequence[LabelledText]) -> list[Unit]:
    """Return the texts that are not where and what they were, in the order of the newer page; removed ones where they were."""
    return [aligned for aligned in align(old, new) if aligned.kind is not PassageKind.KEPT]
