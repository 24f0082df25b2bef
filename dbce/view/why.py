"""Why a text run has its verdict: who shares it, and what pushed the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.boilerplate.classify import in_words, value_in_words
from dbce.model import ROLES, DbceError
from dbce.report.show import STRONGEST, reason_of
from dbce.report.views import MEANINGS
from dbce.run import explain
from dbce.view.places import places_of
from dbce.view.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.boilerplate.classify import Pushes
    from dbce.view.run import Run
    from dbce.view.tables import Row
ROUNDED = 0.001
"""Difference of two probabilities that only rounding makes."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A member of the cross: whether it has the run, and the place of the run there, if known.

    `page` is None where the cross has no such member.
    """

    role: str
    meaning: str
    page: Row | None
    has_it: bool
    place: int | None


@dataclass(frozen=True, slots=True)
class Pushed:
    """A feature in words, its value in words, and what it adds to the log-odds of content."""

    feature: str
    value: str
    weight: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a run has its verdict.

    `plain` says it in a sentence, `reason` in the words of the method.
    `line` is the line that was judged as a whole, `pushed` what pushed it most, `others` what all
    other features add; `stricter` says that more is asked of it than of others, `differs` that judging
    again gives another probability than the run has. Without these `unexplained` says why.
    """

    run: Row
    place: int
    plain: str
    reason: str
    neighbours: tuple[Neighbour, ...]
    line: str = ""
    pushes: Pushes | None = None
    pushed: tuple[Pushed, ...] = ()
    others: float = 0.0
    stricter: bool = False
    differs: bool = False
    unexplained: str = ""

    @property
    def widest(self) -> float:
        """The strongest push of all, to draw the others by."""
        return max((abs(push.weight) for push in self.pushed), default=1.0) or 1.0


def why(run: Run, page: Row, runs: Sequence[Row], place: int) -> Why:
    """Why one run of a capture has its verdict; `place` is its place among `runs`, all of them."""
    own = runs[place]
    sentence = plain(own, page["cross_bits"])
    neighbours = tuple(_neighbours(run, page, own))
    try:
        found = explain(run.folder, run.manifest, page, own["node"])
    except DbceError as e:
        return Why(own, place, sentence, reason_of(own), neighbours, unexplained=str(e))
    named = found.pushes.pushes[:STRONGEST]
    return Why(
        run=own,
        place=place,
        plain=sentence,
        reason=reason_of(own),
        neighbours=neighbours,
        line=found.line,
        pushes=found.pushes,
        differs=_differs(run, own, found.pushes.probability),
        stricter=found.pushes.cut > found.pushes.usual_cut,
        pushed=tuple(
            Pushed(in_words(push.feature), value_in_words(push.feature, push.value), push.weight)
            for push in named
        ),
        others=sum(push.weight for push in found.pushes.pushes[STRONGEST:]),
    )


def _differs(run: Run, own: Row, probability: float) -> bool:
    # Where comments are kept, the run's probability is that of content or a comment.
    return run.config.comments == "drop" and abs(probability - own["probability"]) > ROUNDED


def _neighbours(run: Run, page: Row, own: Row) -> list[Neighbour]:
    members = run.members(page)
    found = []
    for role, bit in zip(ROLES[1:], own["bits"][1:], strict=True):
        member = members.get(role)
        place = None
        if member is not None and bit == "1":
            others = run.runs(run.page(member["record_id"]))
            place = next(iter(places_of([own], others)[0]), None)
        found.append(Neighbour(role, MEANINGS[role], member, bit == "1", place))
    return found
