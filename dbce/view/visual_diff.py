"""Two captures as people saw them, and the blocks that changed from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.view.changes import Kind
from dbce.view.layers import content_of
from dbce.visual import Rect
from dbce.visual.changes import boxes_of, changed_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.view.tables import Row
    from dbce.visual import RenderedPage


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """A block that came, went or changed: where it was and is, None where it was not or is not."""

    kind: Kind
    old: Rect | None
    new: Rect | None
    is_content: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """The sizes of two captures as they were laid out, and what changed, from above downwards."""

    old_size: tuple[int, int]
    new_size: tuple[int, int]
    blocks: tuple[ChangedBlock, ...]


def seen(
    old: RenderedPage, new: RenderedPage, old_runs: Sequence[Row], new_runs: Sequence[Row]
) -> Seen:
    """Return the differences of two rendered captures, of which these are the text runs."""
    found = sorted(_changed(old, new, old_runs, new_runs), key=_from_above)
    return Seen(old.size, new.size, tuple(found))


def _changed(
    old: RenderedPage, new: RenderedPage, old_runs: Sequence[Row], new_runs: Sequence[Row]
) -> Iterator[ChangedBlock]:
    before, after = boxes_of(old, content_of(old_runs)), boxes_of(new, content_of(new_runs))
    found = changed_blocks(before, after)
    rects = [[Rect(*rect) for rect in side.rects.tolist()] for side in (before, after)]
    content = [side.is_content.tolist() for side in (before, after)]
    for one, other in found.changed:
        is_content = content[0][one] or content[1][other]
        yield ChangedBlock(Kind.CHANGED, rects[0][one], rects[1][other], is_content)
    for block in found.removed:
        yield ChangedBlock(Kind.WENT, rects[0][block], None, content[0][block])
    for block in found.added:
        yield ChangedBlock(Kind.CAME, None, rects[1][block], content[1][block])


def _from_above(one: ChangedBlock) -> tuple[float, float, str]:
    rect = one.new or one.old or Rect(0, 0, 0, 0)
    return rect.y, rect.x, one.kind
