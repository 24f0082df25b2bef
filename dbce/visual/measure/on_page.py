"""Measures taken on a page as it was laid out: what is in each block, and atoms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.measure.atoms import Atoms, atoms, members
from dbce.visual.measure.flat import Flat
from dbce.visual.measure.importance import importances
from dbce.visual.measure.locate import has_area, union
from dbce.visual.measure.normalise import normalise

if TYPE_CHECKING:
    from dbce.visual import Rect, RenderedPage
    from dbce.visual.measure.marked import MarkedPage
    from dbce.visual.measure.normalise import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """Contents of a page: its texts, weighted by their characters, their words, its elements."""

    texts: Atoms
    words: Floats
    elements: Atoms


def contents(page: RenderedPage) -> Contents:
    """All texts and elements that are laid out and not hidden.

    White space in texts is collapsed before their characters are counted.
    """
    texts = [
        (*_centre(box, page.size), len(" ".join(words)), len(words))
        for text in page.texts
        if _is_shown(page, text.parent)
        and (box := union(filter(has_area, text.rects)))
        and (words := text.text.split())
    ]
    elements = [
        (*_centre(element.rect, page.size), 1.0)
        for place, element in enumerate(page.elements)
        if element.rect and has_area(element.rect) and _is_shown(page, place)
    ]
    return Contents(
        atoms([text[:3] for text in texts]),
        np.array([text[3] for text in texts], np.float64),
        atoms(elements),
    )


def flat_on_page(page: MarkedPage, rendered: RenderedPage, found: Contents) -> Flat:
    """The segmentation with what is in its blocks: elements and texts that have their centre there.

    Elements are counted by their boxes and not by the DOM, so that blocks of two or of no elements
    are counted as others are. Every block of `page` has a rectangle.
    """
    blocks = [
        normalise(block.rect, rendered.size) for block in page.terminal if block.rect is not None
    ]
    elements = members(found.elements, blocks).sum(axis=0)
    words = found.words @ members(found.texts, blocks)
    counted = tuple(
        block._replace(elements=int(e), words=int(w))
        for block, e, w in zip(blocks, elements, words, strict=True)
    )
    return Flat(
        page.algorithm,
        rendered.size,
        int(found.words.sum()),
        counted,
        importances(counted, min(1.0, rendered.viewport[1] / max(1, rendered.size[1]))),
    )


def _centre(box: Rect, size: tuple[float, float]) -> tuple[float, float]:
    left, top, right, bottom, *_ = normalise(box, size)
    return (left + right) / 2, (top + bottom) / 2


def _is_shown(page: RenderedPage, place: int) -> bool:
    return page.styles[page.elements[place].style].visibility == "visible"
