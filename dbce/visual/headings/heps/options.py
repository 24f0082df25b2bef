"""The switches of HEPS: those of the paper, and those of its authors' public code."""

from __future__ import annotations

from dataclasses import dataclass

from dbce.visual.segment.boxes import check


@dataclass(frozen=True, slots=True)
class HepsOptions:
    """Options of one list of candidates after the other; the defaults are the paper's (table 1).

    `breaking` says what breaks a sentence: `internal` nodes between two texts, `any` node (so br and img
    too), or `none`, for the ablation. `image_text` is what an image says: `src`, its address, or `words`
    of its address and its alternative text. `theta_1` to `theta_5` are the shares of a list that may
    fulfil the five conditions, `t` how many times as long as its heading a block must be, and `at_least`
    makes a share of exactly θ too many. With `sibling` off the third condition counts for nothing.
    """

    breaking: str = "internal"
    image_text: str = "src"
    theta_1: float = 0.1
    theta_2: float = 0.2
    theta_3: float = 0.7
    theta_4: float = 0.6
    theta_5: float = 0.3
    t: float = 1.5
    at_least: bool = False
    sibling: bool = True

    def __post_init__(self) -> None:
        check(self, breaking=("internal", "any", "none"), image_text=("src", "words"))

    @property
    def thetas(self) -> tuple[float, ...]:
        """The five shares, in order."""
        return self.theta_1, self.theta_2, self.theta_3, self.theta_4, self.theta_5


@dataclass(frozen=True, slots=True)
class PublishedOptions(HepsOptions):
    """Options with the values of the public code, 1.0.4, which were fitted to all of the data."""

    breaking: str = "any"
    image_text: str = "words"
    theta_2: float = 0.5
    theta_3: float = 0.9
    theta_4: float = 0.4
    at_least: bool = True
