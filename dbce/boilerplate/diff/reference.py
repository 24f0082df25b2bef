"""The thesis' own matcher, `lxml.html.diff`: slower, and the oracle of the fast one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from lxml.html.diff import html_annotate

if TYPE_CHECKING:
    from dbce.model import Hashes, Mask


def match(words: Hashes, other_words: Hashes) -> Mask:
    """True for every word that the other page shares, as `html_annotate` finds it.

    lxml compares its tokens by their text alone, so hashes stand for words here; images, which are
    tokens of lxml too, are left out. The annotated page is the newer of the two versions.
    """
    pieces: list[tuple[str, int]] = []

    def collect(text: str, version: str) -> str:
        pieces.append((version, len(text.split())))
        return text

    html_annotate([(_document(other_words), "shared"), (_document(words), "own")], collect)
    versions, lengths = zip(*pieces, strict=True)
    return np.repeat(np.array(versions) == "shared", lengths)


def _document(words: Hashes) -> str:
    return " ".join(format(word, "x") for word in words.tolist())
