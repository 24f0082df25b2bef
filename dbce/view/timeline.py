"""The snapshots of a URL, and what came and went from one to the next.

Of two side by side: the texts that came, went, moved and changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel, LCSseq

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
class LabelledText:
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
    came: tuple[LabelledText, ...] | None
    went: tuple[LabelledText, ...] | None
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


def texts_of(runs: Sequence[Row]) -> tuple[LabelledText, ...]:
    """The text nodes that the runs tile, each with the label of most of its characters."""
    return tuple(_texts(runs))


def _texts(runs: Sequence[Row]) -> Iterator[LabelledText]:
    place = 0
    for _, group in groupby(runs, key=lambda run: run["node"]):
        of_node = list(group)
        sizes: Counter[str] = Counter()
        for run in of_node:
            sizes[run["label"]] += run["end"] - run["start"]
        text = " ".join(run["text"] for run in of_node)
        yield LabelledText(text, sizes.most_common(1)[0][0], place, len(of_node))
        place += len(of_node)


def only_in(
    page: Sequence[LabelledText], other: Sequence[LabelledText]
) -> tuple[LabelledText, ...]:
    """The texts that one page has oftener than another, in its order."""
    left = Counter(text.text for text in other)
    lone = []
    for text in page:
        if left[text.text]:
            left[text.text] -= 1
        else:
            lone.append(text)
    return tuple(lone)


ALIKE = 0.5
"""Share of words in common from which on a text is another one changed, and not a new one."""

LARGEST_GAP = 10_000
"""Pairs of texts between two that stayed that are tried; beyond, texts come and go whole."""


class Kind(StrEnum):
    """Kind of change to a text."""

    CAME = "came"
    WENT = "went"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a changed text one after another: in both (None), or that came or went."""

    text: str
    kind: Kind | None


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text that is not where and what it was; `old` is None of one that came, `new` if it went."""

    kind: Kind
    old: LabelledText | None
    new: LabelledText | None

    @property
    def words(self) -> tuple[Words, ...]:
        """The words of a changed text, what stayed and what did not."""
        if self.old is None or self.new is None:
            return ()
        return tuple(_words(self.old.text.split(), self.new.text.split()))


def changes(old: Sequence[LabelledText], new: Sequence[LabelledText]) -> list[TextChange]:
    """Return the differences between two snapshots, in the order of the newer page.

    Texts that went stand where they were.
    """
    gaps = list(_gaps(old, new))
    by_place = {text.place: text for text in old}
    moved = _moved(
        [unmatched for gap, _ in gaps for unmatched in gap],
        [unmatched for _, gap in gaps for unmatched in gap],
    )
    were_moved = set(moved.values())
    differences = []
    for gone, come in gaps:
        left = [text for text in gone if text.place not in were_moved]
        changed = _changed(left, [text for text in come if text.place not in moved])
        were_changed = set(changed.values())
        differences += [
            TextChange(Kind.WENT, text, None) for text in left if text.place not in were_changed
        ]
        for text in come:
            kinds = ((Kind.MOVED, moved), (Kind.CHANGED, changed))
            kind, was = next(
                ((k, of[text.place]) for k, of in kinds if text.place in of), (Kind.CAME, None)
            )
            differences.append(TextChange(kind, None if was is None else by_place[was], text))
    return differences


def _gaps(
    old: Sequence[LabelledText], new: Sequence[LabelledText]
) -> Iterator[tuple[list[LabelledText], list[LabelledText]]]:
    """The texts between those that stayed in their order: (of the older page, of the newer)."""
    gone: list[LabelledText] = []
    come: list[LabelledText] = []
    steps = LCSseq.opcodes([text.text for text in old], [text.text for text in new])
    for step in steps:
        if step.tag == "equal":
            yield gone, come
            gone, come = [], []
        else:
            gone += old[step.src_start : step.src_end]
            come += new[step.dest_start : step.dest_end]
    yield gone, come


def _moved(gone: Sequence[LabelledText], come: Sequence[LabelledText]) -> dict[int, int]:
    """The places of texts that did not stay and are there again, new to old, in their order."""
    by_text: defaultdict[str, deque[int]] = defaultdict(deque)
    for text in gone:
        by_text[text.text].append(text.place)
    return {text.place: by_text[text.text].popleft() for text in come if by_text[text.text]}


def _changed(gone: Sequence[LabelledText], come: Sequence[LabelledText]) -> dict[int, int]:
    """The places of texts of a gap that are there in other words, new to old: the most alike left."""
    if len(gone) * len(come) > LARGEST_GAP:
        return {}
    left = list(gone)
    pairs: dict[int, int] = {}
    for text in come:
        words = text.text.split()
        alike = [Indel.normalized_similarity(candidate.text.split(), words) for candidate in left]
        if alike and max(alike) >= ALIKE:
            pairs[text.place] = left.pop(alike.index(max(alike))).place
    return pairs


def _words(old: Sequence[str], new: Sequence[str]) -> Iterator[Words]:
    went: list[str] = []
    came: list[str] = []
    for step in LCSseq.opcodes(old, new):
        if step.tag != "equal":
            went += old[step.src_start : step.src_end]
            came += new[step.dest_start : step.dest_end]
            continue
        yield from _parted(went, came)
        went, came = [], []
        yield Words(" ".join(new[step.dest_start : step.dest_end]), None)
    yield from _parted(went, came)


def _parted(went: Sequence[str], came: Sequence[str]) -> Iterator[Words]:
    """Yield the words between two stretches that stayed: first those that went, then those new."""
    for words, kind in ((went, Kind.WENT), (came, Kind.CAME)):
        if words:
            yield Words(" ".join(words), kind)
