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
    if node["decided_by"] == "density":
        return f"{node['label']}: no other page to compare with; judged by length and link density"
    if node["decided_by"] == "joint" and not node["comparisons"]:
        by = "the model weighs length, links, place and names around it"
        return f"{node['label']}: no other page to compare with; {by}"
    shared = [r for r, bit in zip(ROLES[1:], node["bits"][1:], strict=True) if bit == "1"]
    where = "also on " + ", ".join(shared) if shared else "on this page only"
    by = {
        "invalid-is-boilerplate": "the patterns do not decide that, which counts as boilerplate",
        "pattern": "the bit pattern says so in every comparison",
        "majority": f"most of {node['comparisons']} comparisons say so",
        "strongest-cross": f"{node['comparisons']} comparisons are split; the strongest decides",
        "joint": "the model weighs this with length, links, place and names around it",
        "reclassified": "learned from the texts of this page that the bit patterns decide",
    }[node["decided_by"]]
    return f"{node['label']}: {where}; {by}"
