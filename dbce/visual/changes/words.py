"""Words of a text, as they are counted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from dbce.model import hash_strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint32]

_OF_ITSELF = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts that set no spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""

_END = "\0"
"""Separator of texts: no text has it (dbce.html.parse)."""

_WORD = re.compile(rf"[{_OF_ITSELF}{_END}]|[^\W{_OF_ITSELF}]+")


def word_hashes(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of the words of some texts, and where those of each end, as `words`."""
    found = pa.array(
        _WORD.findall(_END.join([*texts, ""]).lower()), pa.string()
    ).dictionary_encode()
    hashes = hash_strings(found.dictionary.to_pylist())[found.indices.to_numpy()]
    is_end = hashes == hash_strings([_END])[0]
    stops = np.flatnonzero(is_end)
    return hashes[~is_end], stops - np.arange(len(stops))


def words(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lower-cased words of some texts, and where those of each end.

    A word is a run of letters, digits and underscores; a Chinese character is one.
    """
    found = _WORD.findall(_END.join([*texts, ""]).lower())
    stops = [place for place, word in enumerate(found) if word == _END]
    return [w for w in found if w != _END], [stop - n for n, stop in enumerate(stops)]
