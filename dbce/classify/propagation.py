"""Labels climb from texts to the elements that hold them (thesis, section 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Label, Page, TextRun


def propagate(page: Page, runs: Sequence[TextRun]) -> list[Label | None]:
    """The label of every element: that of all labelled elements and texts in it, if they agree.

    Deepest layer first: when all members of a sibling group have one class, or the group has one
    member, the parent takes it. Elements without any text have no label (None) and no say.
    Elements that hold different labels have none either, and pass the disagreement on.
    """
    inside: list[set[Label]] = [set() for _ in page.tags]
    for run in runs:
        inside[page.nodes[run.node].element].add(run.verdict.label)
    # Children come after their parents in document order, so backwards is deepest first.
    for element in range(len(page.tags) - 1, 0, -1):
        inside[page.parents[element]] |= inside[element]
    return [next(iter(labels)) if len(labels) == 1 else None for labels in inside]
