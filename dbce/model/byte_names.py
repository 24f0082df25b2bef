"""Text fit to be written: names of files, which are bytes, and texts without control characters.

A name that is no UTF-8 has a written form that is. Inside of the program such a byte is a lone surrogate, as
Python's file functions give and take it (PEP 383). That is no character, so it can be neither stored nor shown. Wherever a name is written it is
`%xE9` instead, and a `%` that would be read as the beginning of that is `%x25`. All other names, those
with a `%` too, are written as they are, and every name comes back from what is written.
"""

import codecs
import re
from functools import partial
from io import TextIOWrapper

_NO_TEXT = re.compile("[\udc80-\udcff]")
_TO_WRITE = re.compile(f"{_NO_TEXT.pattern}|%(?=x(?:[89A-F][0-9A-F]|25))")
_WRITTEN = re.compile("%x([89A-F][0-9A-F]|25)")
_SPOKEN = "dbce-"  # in front of how a stream treats what it lacks


def escape_bytes(name: str) -> str:
    """Return a name or a path in its written form, which is valid UTF-8."""
    return _TO_WRITE.sub(_escape, name)


def unescape_bytes(text: str) -> str:
    """Return the name that `escape_bytes` wrote so, to open the file by."""
    return _WRITTEN.sub(lambda m: bytes.fromhex(m[1]).decode("ascii", "surrogateescape"), text)


def speakable(sentence: str) -> str:
    """Return a sentence, for people and logs, with the bytes in it written so; names that are stay as they are."""
    return _NO_TEXT.sub(_escape, sentence)


def speak_names(stream: TextIOWrapper) -> None:
    """Make a stream write what is said on it so; of other signs that it lacks it makes what it did before."""
    errors = stream.errors or "strict"
    if errors.startswith(_SPOKEN):
        return
    codecs.register_error(_SPOKEN + errors, partial(_spoken, errors))
    stream.reconfigure(errors=_SPOKEN + errors)


def _spoken(errors: str, lacking: UnicodeError) -> tuple[str, int]:
    """Text for signs that an encoding lacks, and the place behind them."""
    if not isinstance(lacking, UnicodeEncodeError):
        raise lacking
    encoding, text = lacking.encoding, lacking.object[lacking.start : lacking.end]
    return speakable(text).encode(encoding, errors).decode(encoding), lacking.end


def _escape(match: re.Match[str]) -> str:
    return f"%x{ord(match[0]) & 0xFF:02X}"


# Control characters: orders to terminals, printers and browsers, which a text for readers never has.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff]")

_AS_SPACE = "\f\r\x85"  # those that separate words: white space of HTML, line ends of Unicode


def printable(text: str) -> str:
    """Return a text with no control character (C0, DEL, C1) but tab and line feed; one that parts words becomes a space.

    Soft hyphens and characters without width, which serve to break lines, are none of it; joiners, which shape letters, are.
    """
    if text.isprintable():  # as most
        return text
    return _CONTROL.sub(lambda sign: " " if sign[0] in _AS_SPACE else "", text)
