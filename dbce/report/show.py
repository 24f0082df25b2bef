"""One capture in the terminal: its cross, its text runs, and why each verdict is what it is."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from dbce.model import ROLES
from dbce.output.read import STAMP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.output.rows import Row

WIDTH = 100
SIGNS = {"content": "+", "boilerplate": "-", "invalid": "?"}

WHY = {
    "pattern": "the bit pattern says so in every comparison",
    "majority": "most of {} comparisons say so",
    "strongest-cross": "{} comparisons are split; the strongest decides",
    "invalid-is-boilerplate": "the patterns do not decide that, which counts as boilerplate",
    "reclassified": "learned from the texts of this page that the bit patterns decide",
    "joint": "the model weighs this with length, links, place and names around it",
    "self-trained": "learned from the lines of this template that the patterns decide",
    "comment": "the model takes it for a comment of a user",
}
"""Why a text run of a compared page has its label, by the deciding rule and the comparisons."""

WHY_ALONE = {
    "density": "judged by length and link density",
    "joint": "the model weighs length, links, place and names around it",
    "comment": WHY["comment"],
}
"""The same for a page that was compared with no other."""


def show(page: Row, members: Mapping[str, Row], nodes: Sequence[Row]) -> Iterator[str]:
    """The lines that tell about a capture.

    Args:
        page: its row of `pages`.
        members: rows of `pages` of the captures in its cross, by record id.
        nodes: its rows of `nodes`.
    """
    yield f"{page['url']}  {page['fetch_time']:{STAMP}}  {page['status']}"
    if page["reason"]:
        yield f"reason: {page['reason']}"
    if page["title"]:
        yield f"title:  {page['title']}"
    yield from _cross(page, members)
    if nodes:
        counts = ", ".join(f"{page[f'runs_{label}']} {label}" for label in SIGNS)
        yield f"\n{len(nodes)} text runs: {counts}; confidence {page['confidence']:.2f}"
        yield "  (+ content, - boilerplate, ? invalid; then probability of content, bits, text)"
    why = None
    for node in nodes:
        reason = _why(node)
        if reason != why:
            why = reason
            yield f"\n  {why}"
        text = textwrap.shorten(node["text"], WIDTH - 22, placeholder=" ...")
        yield f"{SIGNS[node['label']]} {node['probability']:4.2f} {node['bits']} {text}"


def _cross(page: Row, members: Mapping[str, Row]) -> Iterator[str]:
    if page["cross_bits"] is None:
        return
    yield f"\ncross {page['cross_bits']}"
    for role in ROLES[1:]:
        member = members.get(page[role]) if page[role] else None
        if page[role] is None:
            yield f"  {role:5} (none)"
        elif member is None:
            yield f"  {role:5} {page[role]}"
        else:
            similar = f"similarity_{role}"
            similarity = f"  template similarity {page[similar]:.2f}" if similar in page else ""
            yield f"  {role:5} {member['url']}  {member['fetch_time']:{STAMP}}{similarity}"


def _why(node: Row) -> str:
    """Why a text run has its label, in words."""
    rule, comparisons = node["decided_by"], node["comparisons"]
    if not comparisons:
        return f"{node['label']}: no other page to compare with; {WHY_ALONE[rule]}"
    shared = [r for r, bit in zip(ROLES[1:], node["bits"][1:], strict=True) if bit == "1"]
    where = "also on " + ", ".join(shared) if shared else "on this page only"
    return f"{node['label']}: {where}; {WHY[rule].format(comparisons)}"
