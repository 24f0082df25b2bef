"""Builders: captures of a block, annotations, and pages that were compared with each other."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

import numpy as np

from dbce.boilerplate.classify import Pushes
from dbce.boilerplate.classify.formulas import Formulas, program
from dbce.boilerplate.classify.lines import Lines
from dbce.boilerplate.compare import compare
from dbce.html import load
from dbce.model import CIRCLE, HISTORY, Annotation, Capture, Config, Cross, Page, Sketch, TextNode
from dbce.pipeline import sketch_all

SIZE = 10
"""Values of a signature; so similarities are tenths."""


def entry(
    url: str, time: int = 0, like: int = SIZE, text: int | None = None, **other: str
) -> Sketch:
    """A capture whose signature agrees with that of others in at most `like` places."""
    record_id = other.get("record_id", f"{url}@{time}")
    own = crc32(record_id.encode())
    signature = np.array([0] * like + [own] * (SIZE - like), dtype=np.uint32)
    words = np.array([own if text is None else text], np.uint32)
    moment = datetime.fromtimestamp(time, UTC)
    return Sketch(record_id, "", url, moment, signature, words, ends=words, places=words)


def annotation(
    *crosses: Cross, nodes: int = 0, circle: object = None, history: object = None, **shared: str
) -> Annotation:
    """What was found of the page `cur`; each other page shares the words that its mask has a 1 for."""
    masks = {name: np.array(list(mask)) == "1" for name, mask in shared.items()}
    if circle is None:
        circle = np.zeros((nodes, len(CIRCLE)))
    if history is None:
        history = np.full((nodes, len(HISTORY)), np.nan)
    return Annotation("cur", crosses, masks, np.float32(circle), np.float32(history))


def probability(of: Pushes) -> float:
    """Probability of a line by the sum of all pushes."""
    return 1 / (1 + math.exp(-(of.start + sum(push.weight for push in of.pushes))))


def compared(captures: Iterable[Capture]) -> list[tuple[Page, Annotation | None]]:
    """The pages of captures, with what comparing them with each other found of each."""
    every, config = list(captures), Config()
    sketches, _ = sketch_all(every, config)
    found = {one.record_id: one for one in compare(sketches.values(), config)}
    return [
        (load(c.payload, c.content_type, config.limits).page, found.get(c.record_id)) for c in every
    ]


def tree(
    tags: Sequence[str], parents: Sequence[int], texts: Sequence[str] = (), **more: Any
) -> Page:
    """A page of elements without names, the texts in those behind the first."""
    none = ("",) * len(tags)
    nodes = tuple(TextNode(n, 1, n, False, text) for n, text in enumerate(texts, 1))
    of = Page(tuple(tags), tuple(parents), none, none, none, (False,) * len(tags), nodes, "")
    return replace(of, **more)


def of_texts(*texts: str) -> Page:
    """A page with a text in each of some paragraphs."""
    return tree(["html", *["p"] * len(texts)], [-1, *[0] * len(texts)], texts)


def columns(formulas: Formulas, lines: Lines, **arrays: Any) -> dict[str, Any]:
    """Values of formulas on some lines, by name; the arrays are those that they load beside what lines have."""
    rows = program(formulas).rows(lines, arrays)
    return dict(zip(formulas, rows, strict=True))
