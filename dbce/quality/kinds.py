"""The kind of a page: what it is for, told by what it is made of and what it names its parts.

The kinds that people gave to pages are learned: a multinomial logistic regression on the signs of `kind_signs`, whose
weights are in `kinds.npz` (`python -m scripts.experiments.page_kinds` makes and measures them). An error and a form are told by rules,
since no open set has pages of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.quality.damage import SHORT, DamageKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.quality.damage import Damage
    from dbce.quality.kind_signs import KindSigns

FILE = "kinds.npz"

SPREAD = 4.0
"""Standard deviations from the mean beyond which a count says no more."""

OF_A_RULE = 0.95
"""Probability of a kind that a rule tells: about the precision of the damage it goes by (docs/quality.md)."""


class PageKind(StrEnum):
    """Kind of a page."""

    ARTICLE = "article"  # a text to read from beginning to end: news, an essay, a post, a recipe
    DOCUMENTATION = "documentation"  # how something is used: manuals, references, courses
    FORUM = "forum"  # a question or topic and what several people say of it
    PRODUCT = "product"  # one thing to buy
    SERVICE = "service"  # what somebody offers: landing pages, companies of themselves
    LIST = "list"  # many things side by side: a shop's shelf, a catalogue
    HUB = "hub"  # ways to other pages: a start page, an index of articles, a directory
    FORM = "form"  # fields to fill in
    ERROR = "error"  # an error or maintenance page in the place of one


class KindOfPage(NamedTuple):
    """The likeliest kind of a page, and its probability, 0 to 1."""

    kind: PageKind
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class KindModel:
    """A multinomial logistic regression on the signs of a page.

    `means` and `deviations` are those of the counts in training, of shape (counts,); `weights` of counts have the
    shape (counts, kinds), `of_names` those of known names (names, kinds), `row` the row of each; `intercepts` (kinds,).
    """

    kinds: tuple[PageKind, ...]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    of_names: NDArray[np.float64]
    row: dict[str, int]

    def probabilities(self, signs: KindSigns) -> NDArray[np.float64]:
        """Return the probability of each kind, of shape (kinds,)."""
        counts = (np.array(signs.counts) - self.means) / self.deviations
        scores = self.intercepts + np.clip(counts, -SPREAD, SPREAD) @ self.weights
        # Sorted, since a sum of floats depends on its order, and a set has none; along this axis rows are added one by one.
        rows = [self.row[name] for name in sorted(self.row.keys() & signs.names)]
        scores = np.vstack([scores, self.of_names[rows]]).sum(axis=0)
        chances: NDArray[np.float64] = np.exp(scores - scores.max())
        chances /= chances.sum()
        return chances


@cache
def kind_model() -> KindModel:
    """Return the model that comes with dbce."""
    with files("dbce.quality").joinpath(FILE).open("rb") as stream, np.load(stream) as stored:
        return KindModel(
            kinds=tuple(map(PageKind, stored["kinds"].tolist())),
            means=stored["means"],
            deviations=stored["deviations"],
            weights=stored["weights"],
            intercepts=stored["intercepts"],
            of_names=stored["of_names"].astype(np.float64),
            row={name: row for row, name in enumerate(stored["names"].tolist())},
        )


def kind_of_page(signs: KindSigns, damage: Damage | None, content_words: int) -> KindOfPage:
    """Return the kind of a page with so many words of main text, and with this damage if any."""
    if damage is not None and damage.kind in {DamageKind.ERROR, DamageKind.MAINTENANCE}:
        return KindOfPage(PageKind.ERROR, OF_A_RULE)
    if signs.asks and content_words <= SHORT:
        return KindOfPage(PageKind.FORM, OF_A_RULE)
    model = kind_model()
    chances = model.probabilities(signs)
    likeliest = int(chances.argmax())
    return KindOfPage(model.kinds[likeliest], round(float(chances[likeliest]), 4))
