"""Text as it is compared: words of all scripts, and texts without what templates set as they like."""

from __future__ import annotations

import re
import unicodedata

OF_ITSELF = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts that set no spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""

WORD = re.compile(rf"[{OF_ITSELF}]|[^\W{OF_ITSELF}]+")
"""A word: a run of letters, digits and underscores; a letter of a script that sets no spaces is one."""

ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´", "'"),  # noqa: RUF001
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),  # noqa: RUF001
        **dict.fromkeys("¶\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"),
    }
)
"""Signs that templates exchange, by one that stands for all; those that nobody sees, and marks of headings, go."""


def key_of(text: str) -> str:
    """Return the text as texts are compared by it; "" where nothing of it can be seen.

    White space, hyphenation, forms of quotation marks, dashes and letters (NFKC) make no difference.
    """
    return "".join(unicodedata.normalize("NFKC", text.translate(ALIKE)).split())


def count_words(text: str) -> int:
    """Return the number of words."""
    return sum(1 for _ in WORD.finditer(text))
