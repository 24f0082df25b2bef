"""From the bytes of an HTTP body to text.

The charset is the first of these that fits:

1. a byte order mark;
2. the bytes themselves, where they are valid UTF-8: old pages declare iso-8859-1 out of habit, and
   legacy text that is valid UTF-8 by accident is next to impossible. A few broken characters in
   what is otherwise UTF-8 do not change that;
3. the HTTP header, then `<meta>` or the XML declaration, read by the labels of the WHATWG Encoding
   Standard (`iso-8859-1` means windows-1252): the first that decodes every byte;
4. the escape sequences of ISO-2022-JP;
5. the charset in which the whole body is the likeliest text (`charsets.detect`), with replacement
   characters where single bytes mean nothing in it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from w3lib.encoding import (
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

from dbce.html.charsets import detect
from dbce.model import InputError, Reason

Source = Literal["bom", "utf-8", "header", "meta", "detected"]

HEAD = 4096  # bytes that tell text from anything else
# Control bytes that no charset uses in text; ESC and SO/SI belong to ISO-2022.
CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\x0b\x0c\r\x0e\x0f\x1b"))
# Compressed and random bytes have one control in ten, text none: half of that tells them apart.
MAX_CONTROLS = 0.05
# Broken characters among the non-ASCII ones of a page that still counts as UTF-8. Legacy text has
# far more: each of its letters is a broken character.
MAX_BROKEN = 0.1
WITHOUT_MARK = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# Python codecs that are no charset of pages although a header may name them.
NO_CHARSETS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"}
PRIVATE_SPACE = "\ue5e5"  # A3 A0 in GB 18030
ISO_2022_JP = re.compile(rb"\x1b\$[@B][!-~]{2}")  # what leads from ASCII to Kanji, and one


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as text, without byte order mark.

    `charset` is Python's name of the codec and `source` who named it; `replacements` counts the
    U+FFFD in the text, that is bytes without meaning.
    """

    text: str
    charset: str
    source: Source
    replacements: int


def decode(payload: bytes, content_type: str) -> Decoded:
    """The text of a body; `content_type` is the HTTP header's value, "" where there is none.

    Raises:
        InputError: UNDECODABLE, the bytes are text in no charset.
    """
    mark, bom = read_bom(payload)
    if mark and bom:
        return _decoded(to_unicode(payload[len(bom) :], mark), mark, "bom")
    head = payload[:HEAD]
    if len(head) - len(head.translate(None, CONTROLS)) > MAX_CONTROLS * len(head):
        return _without_mark(payload)
    # ISO-2022 is ASCII with escape sequences: valid UTF-8, yet not meant so.
    if b"\x1b" not in payload:
        text = _strict(payload, "utf-8")
        if text is not None:
            return _decoded(text, "utf-8", "utf-8")
    return _legacy(payload, content_type)


def _legacy(payload: bytes, content_type: str) -> Decoded:
    """A body that is not plain valid UTF-8."""
    text = payload.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken and broken <= MAX_BROKEN * (len(text) - len(text.encode("ascii", "ignore"))):
        return _decoded(text, "utf-8", "utf-8")
    declared = _declared(payload, content_type)
    for source, charset in declared:
        strict = _strict(payload, charset)
        if strict is not None:
            return _decoded(strict, charset, source)
    if not broken:
        japanese = _strict(payload, "iso2022_jp") if ISO_2022_JP.search(payload) else None
        if japanese is not None:
            return _decoded(japanese, "iso2022_jp", "detected")
        return _decoded(text, "utf-8", "utf-8")
    detected = detect(payload, [charset for _, charset in declared])
    return _decoded(to_unicode(payload, detected), detected, "detected")


def _declared(payload: bytes, content_type: str) -> list[tuple[Source, str]]:
    """The charsets that are declared, with their source, the weightier first; UTF-8 was tried before."""
    charsets: list[tuple[Source, str | None]] = [
        ("header", http_content_type_encoding(content_type)),
        ("meta", resolve_encoding(_meta(payload) or "")),
    ]
    return [(source, charset) for source, charset in charsets if charset and _is_charset(charset)]


def _meta(payload: bytes) -> str | None:
    """The charset of an XML declaration or a `<meta>` near the top, as it stands there."""
    from bs4.dammit import EncodingDetector  # a slow start, and most pages are UTF-8

    return EncodingDetector.find_declared_encoding(payload, is_html=True)


def _is_charset(name: str) -> bool:
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    if name.startswith(("utf-8", "utf-16", "utf-32")) or name in NO_CHARSETS:
        return False
    return codecs.lookup(name)._is_text_encoding  # noqa: SLF001 - no public way to tell


def _without_mark(payload: bytes) -> Decoded:
    """UTF-16 or UTF-32 without a byte order mark: markup is ASCII, so every other byte is NUL."""
    for charset in WITHOUT_MARK:
        text = _strict(payload, charset)
        if text is not None and "<" in text and "\0" not in text:
            return _decoded(text, charset, "detected")
    raise InputError(Reason.UNDECODABLE, "control bytes: this is no text in any charset")


def _strict(payload: bytes, charset: str) -> str | None:
    try:
        return payload.decode(charset)
    except UnicodeError:
        return None


def _decoded(text: str, charset: str, source: Source) -> Decoded:
    # The index of GB 18030 in the Encoding Standard has a space there, as pages mean it; Python's has a private sign.
    if charset == "gb18030" and PRIVATE_SPACE in text:
        text = text.replace(PRIVATE_SPACE, "\N{IDEOGRAPHIC SPACE}")
    # To find one is ten times cheaper than to count them, and most pages have none.
    replacements = text.count("\ufffd") if "\ufffd" in text else 0
    return Decoded(text, charset, source, replacements)
