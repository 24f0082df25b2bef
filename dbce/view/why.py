"""Reasons of a verdict: who shares it, what pushed the model, and both in a sentence for who never heard of bits."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dbce.model import ROLES, DbceError, Label
from dbce.output import Row
from dbce.report.show import STRONGEST, WHY, reason_of
from dbce.run import Explanation, explain
from dbce.thesis import PATTERNS
from dbce.view.run import Run

PAGES = frozenset({"up", "down"})
"""The members of a cross that are other pages; the others are the same page at other times."""

MEMBERS = {
    "up": "the most similar page of the site",
    "down": "the second most similar",
    "prev": "the snapshot before",
    "next": "the snapshot after",
}
VERDICTS = {
    Label.CONTENT: "This is content",
    Label.BOILERPLATE: "This is boilerplate",
    Label.INVALID: "This is left open",
}
LOOKS = "its length, its links and its place on the page"
WEIGHED = {
    "majority": "most of several comparisons",
    "strongest-cross": "the comparison with the most similar pages",
    "invalid-is-boilerplate": "the rule that what nothing speaks for is boilerplate",
    "reclassified": "what the other texts of this page taught",
    "forest": "what the texts of this page taught on which all comparisons agree",
}
"""Evidence that decides where the bits alone do not, by the rule; of all other rules it is LOOKS."""

OTHER_EVIDENCE = {
    "comment": ": it looks like what a reader wrote below an article",
    **{rule: f": {WHY[rule]}" for rule in ("unseen", "of-site")},
    "dial": ", because content was cut off elsewhere than at the page's own cut",
    "structure": ", as all of what it stands in is: a list, a table, a section or the headline",
}
"""Evidence of rules that decide whatever the bits say."""


def plain(run: Row, cross_bits: str | None) -> str:
    """Return the sentence for a text run, by its row of `nodes` and the bits of its capture's cross."""
    members = [r for r, bit in zip(ROLES[1:], (cross_bits or "")[1:], strict=False) if bit == "1"]
    verdict = VERDICTS[Label(run["label"])]
    if not run["comparisons"] or not members:
        return f"{verdict}, going by {LOOKS}: there was no other capture to compare it with."
    who = holders_in_words(run["bits"], members)
    if because := OTHER_EVIDENCE.get(run["decided_by"]):
        return f"{verdict}{because}; {who}."
    if run["label"] == Label.INVALID:
        return f"{verdict}: {who}, and the method has no rule for that."
    weighed = WEIGHED.get(run["decided_by"], LOOKS)
    usual = PATTERNS.get(cross_bits or "", {}).get(run["bits"])
    if usual is None:
        return f"{verdict}: {who}, which may mean either, and {weighed} decided."
    if usual != run["label"]:
        return f"{verdict}, although {who}: {weighed} counted for more."
    return f"{verdict}, because {who}."


def holders_in_words(bits: str, members: Sequence[str]) -> str:
    """A clause that says which members of a cross have a text."""
    having = [r for r, bit in zip(ROLES[1:], bits[1:], strict=True) if bit == "1"]
    pages = [role for role in having if role in PAGES]
    if having and not pages and PAGES & set(members):
        return f"no other page has it, only {_join_names(having)} of this one"
    if having:
        return f"{_join_names(having)} {'have' if having[1:] else 'has'} the same text"
    if len(members) == 1:
        return f"{MEMBERS[members[0]]} does not have it, and nothing else was compared"
    again = ", not even this page at another time" if PAGES & set(members) < set(members) else ""
    return f"none of the {len(members)} captures compared has it{again}"


def _join_names(roles: Sequence[str]) -> str:
    names = [MEMBERS[role] for role in roles]
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])


ROUNDED = 0.001  # difference of two probabilities that only rounding makes


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A member of the cross (`page`, None without one): whether it has the run, and the place of the run there, if known."""

    role: str
    page: Row | None
    has_it: bool
    place: int | None


@dataclass(frozen=True, slots=True)
class Why:
    """Reasons of the verdict of a run: `explained`, or `unexplained`, which says why nothing is."""

    run: Row
    place: int
    plain: str  # in a sentence
    reason: str  # in the words of the method
    neighbours: list[Neighbour]
    explained: Explanation | None
    unexplained: str
    differs: bool  # judging again gives another probability than the run has

    @property
    def widest(self) -> float:
        """Strongest push of all, to draw the others by."""
        pushed = self.explained.pushes.pushes if self.explained else ()
        return max((abs(push.weight) for push in pushed[:STRONGEST]), default=1.0) or 1.0


def why(run: Run, page: Row, runs: Sequence[Row], place: int) -> Why:
    """Return why one run of a capture has its verdict; `place` is its place among `runs`, all of them."""
    run_row = runs[place]
    explained, unexplained, differs = None, "", False
    try:
        explained = explain(run.folder, run.manifest, page, run_row["node"])
        # Where comments are kept, the run's probability is that of content or a comment.
        if run.config.comments == "drop":
            differs = abs(explained.pushes.probability - run_row["probability"]) > ROUNDED
    except DbceError as e:
        unexplained = str(e)
    return Why(
        run_row,
        place,
        plain(run_row, page["cross_bits"]),
        reason_of(run_row),
        _neighbours(run, page, run_row),
        explained,
        unexplained,
        differs,
    )


def _neighbours(run: Run, page: Row, run_row: Row) -> list[Neighbour]:
    members = run.members(page)
    neighbours = []
    for role, bit in zip(ROLES[1:], run_row["bits"][1:], strict=True):
        member = members.get(role)
        place = None
        if member is not None and bit == "1":
            others = run.runs(run.page(member["record_id"]))
            place = next(iter(places_of([run_row], others)[0]), None)
        neighbours.append(Neighbour(role, member, bit == "1", place))
    return neighbours


def places_of(wanted: Sequence[Row], others: Sequence[Row]) -> list[tuple[int, ...]]:
    """Return, for each run, the places of the runs of another page that have its words, in order; empty where none do."""
    # A space around every word, so that a word is not found in the middle of another.
    texts = [f" {run['text']}" for run in others]
    ends = list(accumulate(map(len, texts)))
    page = "".join(texts) + " "
    places: list[tuple[int, ...]] = []
    at = 0
    for run in wanted:
        words = f" {run['text']} "
        start = page.find(words, at)
        if start < 0:
            start = page.find(words)
        else:
            at = start + len(words) - 1
        stop = bisect_left(ends, start + len(words) - 1) + 1
        places.append(() if start < 0 else tuple(range(bisect_right(ends, start), stop)))
    return places


def counterparts(runs: Sequence[Row], other: Sequence[Row], role: str) -> Mapping[int, list[int]]:
    bit = ROLES.index(role)
    shared = [place for place, run in enumerate(runs) if run["bits"][bit] == "1"]
    there = places_of([runs[place] for place in shared], other)
    return {place: list(places) for place, places in zip(shared, there, strict=True) if places}
