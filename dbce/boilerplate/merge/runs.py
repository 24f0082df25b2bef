"""Words become text runs: neighbours in one text node with one verdict."""

from __future__ import annotations

import re
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.merge.votes import RULES
from dbce.model import LABELS, TextRun, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.merge.votes import Pooled
    from dbce.model import Hashes, Structure, TextNode

_WORD = re.compile(r"\S+")


def text_runs(
    nodes: Sequence[TextNode],
    ends: Hashes,
    bits: NDArray[np.uint8],
    pooled: Pooled,
    comparisons: int,
    *,
    structures: Sequence[Structure | None] | None = None,
) -> tuple[TextRun, ...]:
    """The runs of all text nodes, in order; each node is tiled without gaps.

    Args:
        nodes: the page's text nodes.
        ends: end of each node's words among all words.
        bits: every word's bits in the strongest cross, as five-bit numbers.
        pooled: every word's label, probability and rule.
        comparisons: number of crosses that were pooled.
        structures: the structure that each node was decided on with.
    """
    starts = _starts(ends, bits, pooled)
    # What is true of most runs, that they are whole nodes, is said of all in one go. Numbers of Python
    # are quicker to take one by one than those of numpy. Runs of which the same is said share a verdict.
    keys = zip(
        pooled.labels[starts].tolist(),
        pooled.probabilities[starts].round(4).tolist(),
        bits[starts].tolist(),
        pooled.rules[starts].tolist(),
        strict=True,
    )
    distinct: dict[tuple[int, float, int, int], Verdict] = {}
    verdicts = []
    for key in keys:
        verdict = distinct.get(key)
        if verdict is None:
            verdict = distinct[key] = _verdict(*key, comparisons)
        verdicts.append(verdict)
    its_node = np.searchsorted(ends, starts, side="right")
    run_nodes = its_node.tolist()
    begins = [0] * len(run_nodes)
    stops = [len(nodes[node].text) for node in run_nodes]
    first = starts - np.append(0, ends)[its_node]
    last = np.append(starts[1:], len(bits)) - np.append(0, ends)[its_node]
    is_part = (first > 0) | (last < np.diff(ends, prepend=0)[its_node])
    parted, words = -1, [0]  # the last node of several runs, and where its words begin
    for run in np.flatnonzero(is_part).tolist():
        if run_nodes[run] != parted:
            parted = run_nodes[run]
            words = _word_starts(nodes[parted].text)
        begins[run], stops[run] = words[first[run]], words[last[run]]
    # tuple.__new__ is what TextRun() calls, in a function of Python.
    of_runs = (
        repeat(None, len(run_nodes)) if structures is None else [structures[n] for n in run_nodes]
    )
    columns = zip(run_nodes, begins, stops, verdicts, of_runs, strict=True)
    return tuple(map(tuple.__new__, repeat(TextRun), columns))


def _verdict(label: int, probability: float, bits: int, rule: int, comparisons: int) -> Verdict:
    return Verdict(LABELS[label], probability, f"{bits:05b}", comparisons, RULES[rule])


def _starts(ends: Hashes, bits: NDArray[np.uint8], pooled: Pooled) -> NDArray[np.int64]:
    """The first word of every run."""
    changes = np.zeros(len(bits), dtype=np.bool_)
    changes[0] = True
    changes[ends[:-1]] = True
    for values in (bits, pooled.labels, pooled.probabilities, pooled.rules):
        changes[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(changes)


def _word_starts(text: str) -> list[int]:
    """The place where each word's share of a text begins, and the end of the last one."""
    starts = [match.start() for match in _WORD.finditer(text)]
    return [0, *starts[1:], len(text)]
