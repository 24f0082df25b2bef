"""Options of the two forms of BoM: pA, pD, and all that their sources leave open."""

from __future__ import annotations

from dataclasses import dataclass

from dbce.visual.segment.boxes import WEIGHTS, check


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """Options for what the thesis leaves open, or says twice. Defaults: table 4.2, and docs/segmentation.md.

    Raises:
        UsageError: a value that it cannot have.
    """

    granularity: float = 5.0
    """pA: the weight that a block should reach, 0 to 10."""
    distance: float = 50.0
    """pD: pixels below which blocks are near, and by which aligned sides may differ."""
    weight: str = "area"
    """Its formula: area, cells, corner or sides."""
    drop_at_body: bool = False
    """True if what has no block below body is lost, as algorithm 1 has it."""
    cuts: str = "above"
    """Blocks that are cut: those "above" pA (text, algorithm 2) or "below" (the example beside it)."""
    spans: str = "one"
    """Axes in which a block must span the page to be cut: "one", or "both"."""
    mixed: bool = False
    """True if simple children merge where a composite block has composite ones as well."""
    small: str = "both"
    """Blocks of a merge that must be below pA: "both" (rule 1) or the "first" (algorithm 3)."""
    aligned: str = "and"
    """Sides that must be alike: place "and" size, or one of them ("or")."""
    gap: str = "gap"
    """The distance of blocks: of their rectangles ("gap"), or of "corners" to edges as in the code."""
    cover: str = "either"
    """Cover of blocks that merge: "either" of two covers the other, or the "first" the second (algorithm 3)."""
    small_share: float = 0.75
    """The share of small children above which all are dropped."""
    small_unmerged: bool = True
    """True if merged children never count as small (algorithm 3); the text has no such condition."""

    def __post_init__(self) -> None:
        check(
            self,
            weight=tuple(WEIGHTS),
            cuts=("above", "below"),
            spans=("one", "both"),
            small=("both", "first"),
            aligned=("and", "or"),
            gap=("gap", "corners"),
            cover=("either", "first"),
        )


@dataclass(frozen=True, slots=True)
class PublishedOptions:
    """Options for what its versions differ in, and for choices that collected boxes ask for.

    Raises:
        UsageError: a value that it cannot have.
    """

    granularity: float = 5.0
    """pA (`ac` of the code): the weight that a block should reach, 0 to 10."""
    distance: float = 50.0
    """pD (`dc`): pixels below which blocks are near, and by which aligned sides may differ."""
    weight: str = "sides"
    """Its formula: area, cells, corner or sides."""
    version: str = "1.1.1"
    """1.1.1 (2016 and later), or 1.1 (May 2014): see `MAY_2014`."""
    aligned: str = "or"
    """Sides that must be alike: place "and" size (2014), or one of them ("or")."""
    gap: str = "corners"
    """The distance of blocks: of "corners" to edges, or of their rectangles ("gap")."""
    overlapping: bool = False
    """True if near blocks that overlap or hold one another merge; in the code that is dead."""
    small_share: float = 0.9
    """The share of small children above which all are dropped (1.1.1 alone)."""
    text_moving: bool = False
    """True if a text that has element siblings is an object behind them. Its box stays."""
    wrappers: bool = True
    """True if an element without area, as wrappers of floats are, has the box of what is in it."""

    def __post_init__(self) -> None:
        check(
            self,
            weight=tuple(WEIGHTS),
            version=("1.1.1", "1.1"),
            aligned=("and", "or"),
            gap=("gap", "corners"),
        )


MAY_2014 = PublishedOptions(version="1.1", weight="cells", aligned="and")
"""As Pagelyzer has it: small blocks with visual cues are accepted unmerged, an only child takes the place
of its parent, there is no rule of 90 %, and one pass."""
