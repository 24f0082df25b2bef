"""Write dbce/metadata/language_model.npz: the model of the py3langid that is installed, ready to use.

python -m scripts.setup.language_model
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from dbce.metadata.languages import FILE, NO_LANGUAGE

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]

TWO_LETTERS = 2
"""Length of the codes of languages that many pages are in. Others, such as Nigerian Pidgin, are found
in English text with many names more often than in pages of theirs."""


def identifier() -> LanguageIdentifier:
    """py3langid with its model, restricted to the languages that dbce tells."""
    whole = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    codes = {code for code in whole.labels if len(code) == TWO_LETTERS}
    whole.set_languages(codes | NO_LANGUAGE.intersection(whole.labels))
    return whole


def arrays(model: LanguageIdentifier) -> dict[str, NDArray[Any]]:
    """The arrays of a `LanguageModel`."""
    table = np.asarray(model.nb_ptc)
    usual = np.array([_commonest(column) for column in table.T])
    differs = table != usual
    state_of = sequences(model)
    ordered = sorted(state_of)
    output = np.array(model.tk_output, np.int32)
    return {
        "languages": np.array(model.nb_classes),
        "priors": model.nb_pc,
        "usual": usual,
        "sequences": np.array(ordered, np.uint64),
        "rows": output[[state_of[number] for number in ordered]],
        "differs": np.packbits(differs, axis=1),
        "begins": np.append(0, differs.sum(axis=1).cumsum()).astype(np.int32),
        "values": table[differs],
    }


def sequences(model: LanguageIdentifier) -> dict[int, int]:
    """State of the automaton by the number of the sequence that it stands for: the first that leads to it.

    It is one of Aho and Corasick (1975): behind each byte it stands for the longest known sequence.
    """
    steps = np.asarray(model.tk_nextmove).reshape(-1, 256)[np.asarray(model.tk_row)]
    number_of = {0: 0}
    reached = [0]
    for state in reached:
        number, length = number_of[state], number_of[state].bit_length() // 8
        head = (length + 1) << 8 * (length + 1)
        tail = (number - (length << 8 * length)) << 8
        for byte, target in enumerate(steps[state].tolist()):
            if target not in number_of:
                number_of[target] = head + tail + byte
                reached.append(target)
    return {number: state for state, number in number_of.items() if state}


def _commonest(values: NDArray[np.float16]) -> np.float16:
    # By their bits: numpy sorts halves otherwise on one processor than on another, and counts some apart.
    distinct, counts = np.unique(values.view(np.uint16), return_counts=True)
    commonest: np.float16 = distinct.view(np.float16)[counts.argmax()]
    return commonest


def main() -> int:
    """Writes the file."""
    stored = arrays(identifier())
    np.savez(ROOT / "dbce/metadata" / FILE, allow_pickle=False, **stored)
    return 0


if __name__ == "__main__":
    sys.exit(main())
