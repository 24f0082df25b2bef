"""Text whose charset went wrong before it was archived: the bytes are sound, and what they say is not."""

from __future__ import annotations

import re

LEAST = 3
"""Garbled places from which on a text counts as garbled: authors paste a few themselves."""

SHARE = 1 / 1_500
"""Garbled places for each character, at least."""

QUESTIONS = 1 / 150
"""Words with a question mark inside for each word, at least."""

_RUN = re.compile(r"[^\x00-\x7f]{2,64}")
_READ_AS = ("cp1252", "latin-1", "cp1251", "cp1250")
"""Charsets that bytes of UTF-8 are often read as; that of old Macs has French that looks like it."""

_ACCENTED_WORD = re.compile(r"(?<![A-Za-z\u0100-\uffff])[\xc0-\xff]{4,}(?![A-Za-z\u0100-\uffff])")
_WORD = re.compile(r"\w+")
_QUESTIONED = re.compile(r"(?<![\w/?=&.:])[^\W\d_]+\?+[a-zß-ÿ]+(?:\?[a-zß-ÿ]+)*(?![\w/=&])")
_REPLACED = re.compile("\ufffd+|锟斤拷|ï¿½")


def garbled(text: str) -> str:
    """Return how a text is garbled, "" where it is not.

    UTF-8 that was read as another charset shows as runs that come to sound UTF-8 when they are written in that charset again;
    Cyrillic or Greek read as Western as words of accented letters alone.
    """
    if not text:
        return ""
    least = max(LEAST, SHARE * len(text))
    if (replaced := len(_REPLACED.findall(text))) >= least:
        return f"{replaced} places with replacement characters"
    if not text.isascii():
        misread = sum(_is_misread(run) for run in _RUN.findall(text))
        if misread >= least:
            return f"{misread} places of UTF-8 read as another charset"
    words = len(_WORD.findall(text))
    accented = len(_ACCENTED_WORD.findall(text))
    if accented >= max(LEAST, words / 5):
        return f"{accented} words of accented letters alone"
    questioned = len(set(_QUESTIONED.findall(text)))
    if questioned >= max(LEAST, QUESTIONS * words):
        return f"{questioned} words with question marks for letters"
    return ""


def _is_misread(run: str) -> bool:
    """Return whether a run of characters is UTF-8 that was read as another charset."""
    for charset in _READ_AS:
        try:
            again = _bytes(run, charset).decode("utf-8")
        except ValueError:
            continue
        if len(again) < len(run):
            return True
    return False


def _bytes(run: str, charset: str) -> bytes:
    """Return a run as bytes; what Windows leaves undefined is what browsers read it as."""
    if charset != "cp1252":
        return run.encode(charset)
    return b"".join(bytes([ord(c)]) if "\x80" <= c <= "\x9f" else c.encode(charset) for c in run)
