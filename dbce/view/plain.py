"""Why a text run has its verdict, in a sentence for somebody who never heard of crosses and bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.boilerplate.classify import PATTERNS
from dbce.model import ROLES, Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.view.tables import Row

PAGES = frozenset({"up", "down"})
"""The members of a cross that are other pages; the others are the same page at other times."""

MEMBERS = {
    "up": "the most similar page of the site",
    "down": "the second most similar",
    "prev": "the snapshot before",
    "next": "the snapshot after",
}
SAID = {
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
    "self-trained": "what the other texts of this template taught",
}
"""What decides where the bits alone do not, by the rule; of all other rules it is LOOKS."""


def plain(run: Row, cross_bits: str | None) -> str:
    """The sentence for a text run, by its row of `nodes` and the bits of its capture's cross."""
    members = [r for r, bit in zip(ROLES[1:], (cross_bits or "")[1:], strict=False) if bit == "1"]
    said = SAID[Label(run["label"])]
    if not run["comparisons"] or not members:
        return f"{said}, going by {LOOKS}: there was no other capture to compare it with."
    who = who_has(run["bits"], members)
    if run["decided_by"] == "comment":
        return f"{said}: it looks like what a reader wrote below an article; {who}."
    if run["label"] == Label.INVALID:
        return f"{said}: {who}, and the method has no rule for that."
    weighed = WEIGHED.get(run["decided_by"], LOOKS)
    usual = said_by_bits(cross_bits or "", run["bits"])
    if usual is None:
        return f"{said}: {who}, which may mean either, and {weighed} decided."
    if usual != run["label"]:
        return f"{said}, although {who}: {weighed} counted for more."
    return f"{said}, because {who}."


def said_by_bits(cross_bits: str, bits: str) -> str | None:
    """The label that a text with these bits has in such a cross by the thesis; None if it has none."""
    content, boilerplate = PATTERNS.get(cross_bits, ("", ()))
    if bits == content:
        return Label.CONTENT
    return Label.BOILERPLATE if bits in boilerplate else None


def who_has(bits: str, members: Sequence[str]) -> str:
    """A clause that says which members of a cross have a text."""
    having = [r for r, bit in zip(ROLES[1:], bits[1:], strict=True) if bit == "1"]
    pages = [role for role in having if role in PAGES]
    if having and not pages and PAGES & set(members):
        return f"no other page has it, only {_listed(having)} of this one"
    if having:
        return f"{_listed(having)} {'have' if having[1:] else 'has'} the same text"
    if len(members) == 1:
        return f"{MEMBERS[members[0]]} does not have it, and nothing else was compared"
    again = ", not even this page at another time" if PAGES & set(members) < set(members) else ""
    return f"none of the {len(members)} captures compared has it{again}"


def _listed(roles: Sequence[str]) -> str:
    """Members in words, e.g. "a, b and c"."""
    names = [MEMBERS[role] for role in roles]
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])
