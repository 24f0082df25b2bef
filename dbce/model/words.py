"""Text as it is compared: words of all scripts, and texts without what templates set as they like."""

import re
import unicodedata

from dbce.kernel import compiled

UNSPACED_LETTERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts that set no spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""

WORD = re.compile(rf"[{UNSPACED_LETTERS}]|[^\W{UNSPACED_LETTERS}]+")
"""A word: a run of letters, digits and underscores; a letter of a script that sets no spaces is one."""

WORD_RUN = re.compile(r"\w+")
"""A run of letters, digits and underscores of any script, be it a sentence of one that sets no spaces."""

LETTER_RUN = re.compile(r"[^\W\d_]+")

NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 does not allow (section 2.2), and for which browsers refuse a drawing."""

_FORMS = (
    *((sign, "'") for sign in "‘’‚‛`´"),  # noqa: RUF001
    *((sign, '"') for sign in "“”„‟«»"),
    *((sign, "-") for sign in "‐‑‒–—―−"),  # noqa: RUF001
    *((sign, "") for sign in "¶\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"),
)
"""Signs that templates exchange, by one that stands for all; those that nobody sees, and marks of headings, go."""

_APART = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) == "_" else 32 for code in range(256)
)
"""Bytes of UTF-8 by what is left of them where words are to be parted: all signs of ASCII are a space."""


def unify_signs(text: str) -> str:
    """Return the text with one sign for all that templates exchange."""
    if text.isascii() and "`" not in text:  # that is the only such sign of ASCII
        return text
    for sign, form in _FORMS:  # replacing what is not there costs a thirtieth of `str.translate`
        text = text.replace(sign, form)
    return text


def key_of(text: str) -> str:
    """Return the text without white space, hyphenation and forms of signs and letters (NFKC), as texts are compared."""
    return "".join(unicodedata.normalize("NFKC", unify_signs(text)).split())


def words_of(text: str) -> list[str]:
    """Return the words of a text, as WORD finds them."""
    parted = text.encode("utf-8", "surrogatepass").translate(_APART)
    pieces = parted.decode("utf-8", "surrogatepass").split()
    if text.isascii():
        return pieces
    words: list[str] = []
    for piece in pieces:
        if piece.isascii():
            words.append(piece)
        else:
            words += WORD.findall(piece)
    return words


def count_words(text: str) -> int:
    """Return the number of words that `words_of` finds in a text."""
    return compiled.hash_runs(text.encode("utf-8", "surrogatepass"), WORD.findall, None)
