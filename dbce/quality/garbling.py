"""Text whose charset went wrong before it was archived: the bytes are sound, and what they say is not."""

import re

from dbce.model import WORD_RUN

LEAST = 3  # garbled places from which on a text counts as garbled: authors paste a few themselves
SHARE = 1 / 1_500  # garbled places for each character, at least
QUESTIONS = 1 / 150  # words with a question mark for a letter for each word, at least

_RUN = re.compile(r"[^\x00-\x7f]{2,64}")
_READ_AS = ("cp1252", "latin-1", "cp1251", "cp1250")
"""Charsets that bytes of UTF-8 are often read as; that of old Macs has French that looks like it."""

_ACCENTED = re.compile(r"[\xc0-\xff]{4}")
_ACCENTED_WORD = re.compile(r"(?<![A-Za-z\u0100-\uffff])[\xc0-\xff]{4,}(?![A-Za-z\u0100-\uffff])")
_QUESTIONED = re.compile(r"(?<![\w/?=&.:])[^\W\d_]+\?+[a-zß-ÿ]+(?:\?[a-zß-ÿ]+)*(?![\w/=&])")
_BEGUN = re.compile(r"(?<!\S)\?+[^\W\d_]{2,}(?![\w/=&])")
_MARKS_ALONE = re.compile(r"(?<!\S)\?{2,}(?=[.,;:!)]?(?:\s|$))")
_ELIDED = re.compile(
    r"(?i)(?<![\w?])(?:[a-z]+\?(?:s|t|re|ve|ll|d|m)|(?:[cdjlmnst]|qu)\?[^\W\d_]{2,})(?![\w?])"
)
"""Words with a question mark for an apostrophe, as English and French have them."""
_MAY_BE_QUESTIONED = re.compile(r"\?[^\W\d_]|(?<!\S)\?\?")
_REPLACED = re.compile("\ufffd+|锟斤拷|ï¿½")

_NO_ASCII = bytes(code if code > 127 else 32 for code in range(256))


def describe_garbling(text: str) -> str:
    """Return how a text is garbled, "" where it is not.

    UTF-8 that was read as another charset shows as runs that come to sound UTF-8 when they are written in that charset
    again; Cyrillic or Greek read as Western as words of accented letters alone.
    """
    if not text:
        return ""
    least = max(LEAST, SHARE * len(text))
    if not text.isascii() and (found := _foreign(text, least)):
        return found
    # Few texts have any, and words take long.
    if text.count("?") >= LEAST and len(_MAY_BE_QUESTIONED.findall(text)) >= LEAST:
        return _question_marks(text, least)
    return ""


def _question_marks(text: str, least: float) -> str:
    alone = _MARKS_ALONE.findall(text)
    # Words have many lengths; marks that stand for a number to be filled in have one.
    found = len(alone) if len(set(alone)) >= LEAST else 0
    found += len({*_QUESTIONED.findall(text), *_BEGUN.findall(text)})
    elided = len(_ELIDED.findall(text))
    if found >= max(LEAST, QUESTIONS * len(WORD_RUN.findall(text))) or elided >= least:
        return f"{max(found, elided)} words with question marks for letters"
    return ""


def _foreign(text: str, least: float) -> str:
    # Little of most texts.
    runs = text.encode("utf-8", "surrogatepass").translate(_NO_ASCII).split()
    beyond = b" ".join(runs).decode("utf-8", "surrogatepass")
    if (replaced := len(_REPLACED.findall(beyond))) >= least:
        return f"{replaced} places with replacement characters"
    if len(_MAY_BE_MISREAD.findall(beyond)) >= least:
        misread = sum(_is_misread(run) for run in _RUN.findall(beyond))
        if misread >= least:
            return f"{misread} places of UTF-8 read as another charset"
    accented = len(_ACCENTED_WORD.findall(text)) if _ACCENTED.search(beyond) else 0
    if accented >= LEAST and accented >= len(WORD_RUN.findall(text)) / 5:
        return f"{accented} words of accented letters alone"
    return ""


def _is_misread(run: str) -> bool:
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


def _characters(codes: range) -> str:
    """Return the characters beyond ASCII that are written as one of those bytes in a charset of _READ_AS."""
    found = {bytes([code]).decode(charset, "ignore") for charset in _READ_AS for code in codes}
    if codes.start < 0xA0:
        found |= set(map(chr, range(0x80, 0xA0)))  # see _bytes
    return "".join(sorted(found))


_MAY_BE_MISREAD = re.compile(
    f"[{_characters(range(0xC2, 0xF5))}][{_characters(range(0x80, 0xC0))}]"
)
"""First two bytes of a character in UTF-8 as other charsets read them: runs without it are not misread."""
