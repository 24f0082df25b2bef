"""Evidence of other snapshots of a page on its texts: since when they stand there, and what changed.

Text that stays while the page around it changes is the page's own, and so is text that a redesign left;
what was there only once rotates. Snapshots with the very same words say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.model import HISTORY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.cross.members import Members, Numbers

SNAPSHOTS = 8
"""Snapshots that are asked at most, those nearest in time: as many as pages of a circle."""


class Snapshots(NamedTuple):
    """Other snapshots of a capture: their numbers, and if each is earlier and redesigned."""

    captures: Numbers
    earlier: NDArray[np.bool_]
    redesigned: NDArray[np.bool_]


def snapshots(members: Members, cur: int, threshold: float) -> Snapshots:
    """Those snapshots of the capture's URL that can tell something of it.

    Looked at are the `SNAPSHOTS` just before and just after; those with other words count, the nearest
    in time, the earlier of two. Redesigned is one less similar than the threshold.
    """
    start = max(0, cur - SNAPSHOTS)
    around = np.arange(start, min(len(members), cur + SNAPSHOTS + 1))
    own_url = members.urls[around] == members.urls[cur]
    around = around[own_url & (members.texts[around] != members.texts[cur])]
    own = np.full(len(around), cur)
    nearest = np.argsort(members.apart(own, around), kind="stable")[:SNAPSHOTS]
    chosen = np.sort(around[nearest])
    similar = members.similar(np.full(len(chosen), cur), chosen) / members.permutations
    return Snapshots(chosen, chosen < cur, similar < threshold)


def history(own: Numbers, texts_of: Sequence[Numbers], asked: Snapshots) -> NDArray[np.float32]:
    """Shares of snapshots that have each text node of a page, shape (nodes, len(HISTORY)).

    `own` are the numbers of its texts, `texts_of` those of every page, sorted. The columns: share of
    the snapshots that have the text; of the redesigned ones; of those before; of those after. NaN
    where there is none of the kind.
    """
    shares = np.full((len(own), len(HISTORY)), np.nan, dtype=np.float32)
    if not len(asked.captures):
        return shares
    has = np.stack([_in(own, texts_of[snapshot]) for snapshot in asked.captures.tolist()])
    every = np.ones(len(has), dtype=np.bool_)
    kinds = (every, asked.redesigned, asked.earlier, ~asked.earlier)
    for column, chosen in enumerate(kinds):
        if chosen.any():
            shares[:, column] = has[chosen].mean(axis=0)
    return shares


def _in(texts: Numbers, known: Numbers) -> NDArray[np.bool_]:
    """True of the texts that are among those known, which are sorted and at least one."""
    place = np.minimum(np.searchsorted(known, texts), len(known) - 1)
    return np.asarray(known[place] == texts)
