"""From the bytes of an HTTP body to text: by the charset that is declared, or that its bytes speak for."""

import codecs
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_letters
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from w3lib.encoding import http_content_type_encoding, read_bom, resolve_encoding, to_unicode

from dbce.model import InputError, Reason, stored_arrays

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

# The charset of a page that names none, by what its bytes would say in each.
#
# A charset turns the same bytes into other characters, so the likeliest text names the charset:
# the sum of the logarithms of how frequent each of its characters beyond ASCII is in a language,
# and of how much likelier than by chance it stands beside its neighbours (a lower-case letter
# behind another, a quotation mark behind a space). The language is the one in which that sum is
# highest; ASCII letters, the same in all charsets, vote for it. Browsers guess in the same spirit
# (Firefox: chardetng).
#
# `charsets.npz` has the frequencies; `scripts.setup.charset_tables` makes it of those that
# `scripts.experiments.charset_statistics` counts.

FILE = "charsets.npz"
# Charsets of the WHATWG Encoding Standard by Python's names, and what each costs beforehand, in
# nats: where few bytes tell, that of more pages is likelier.
SINGLE_BYTE: Mapping[str, float] = {
    "cp1252": 0.0,
    "cp1251": 1.0,
    "cp1250": 1.0,
    **dict.fromkeys(("cp1254", "cp1253", "cp1255", "cp1256", "cp1257", "cp1258", "cp874"), 1.5),
    **dict.fromkeys(("iso8859-2", "iso8859-15", "koi8-r", "koi8-u"), 2.0),
    **dict.fromkeys((f"iso8859-{part}" for part in (3, 4, 5, 6, 7, 8, 10, 13, 14, 16)), 2.5),
    **dict.fromkeys(("cp866", "mac-roman", "mac-cyrillic"), 3.0),
}
MULTI_BYTE: Mapping[str, float] = {
    "gb18030": 0.5,
    "cp932": 1.0,
    "cp949": 1.0,
    "big5hkscs": 1.0,
    "euc_jp": 1.5,
}
# ASCII letters that vote for a language at most: markup is English, whatever the text is.
VOTES = 300
ASTRAL = 0x10000  # code points from here on count as one: emoji for the most part
# A text in another alphabet than the Latin has that many different bytes beyond ASCII, and that
# many for each ASCII letter of text and markup; what it costs, in nats, to have next to none.
VARIOUS, DENSE, ABSENT = 6, 0.1, 30.0
DECLARED = 10.0  # nats that a declaration is worth where single bytes contradict it
# Exponent of a number of times: a sign that the template repeats is hardly more evidence.
REPEATED = 0.5
LONELY = 3.0  # nats for a letter without one beside it: few words are that short
REACH = 2  # bytes on either side: what belongs to a character of several, and a neighbour
LOOKED_AT = 1 << 17  # bytes that are judged at most
# Nats of an ASCII character: in Big5, Shift_JIS and GB 18030 it may belong to one beyond ASCII.
PLAIN_COST = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Logarithms of frequencies: of characters by language, of kinds of characters beside kinds.

    `numbers` has the number of a character by code point, `frequency` is by language and number, `kinds` has the
    kind by number and `beside` is by two kinds; `ascii` is by language and ASCII letter, `prior` by language. `bytes` has
    the numbers of the 256 bytes by charset of one byte, and `high` the frequencies of those beyond ASCII.
    """

    numbers: Ints
    frequency: Floats
    kinds: Ints
    beside: Floats
    ascii: Floats
    prior: Floats
    latin: NDArray[np.bool_]
    letter: NDArray[np.bool_]
    bytes: Mapping[str, Ints]
    high: Mapping[str, NDArray[np.float64]]


@cache
def statistics() -> Statistics:
    tables = stored_arrays("dbce.html", FILE)
    numbers = tables.pop("numbers").astype(np.intp)
    characters = {
        charset: bytes(range(0x100)).decode(charset, "replace") for charset in SINGLE_BYTE
    }
    of_bytes = {c: numbers[[ord(char) for char in table]] for c, table in characters.items()}
    high = {c: tables["frequency"][:, row[0x80:]].astype(float, "C") for c, row in of_bytes.items()}
    return Statistics(
        numbers=numbers,
        kinds=tables.pop("kinds").astype(np.intp),
        bytes=of_bytes,
        high=high,
        **tables,
    )


def detect(payload: bytes, declared: Collection[str] = ()) -> str:
    """Return Python's name of the charset in which a body is the likeliest text; `declared` ones are likelier beforehand."""
    known = statistics()
    data = np.frombuffer(payload, dtype=np.uint8)
    votes = _votes(data, known)
    kept = _non_ascii_context(data)
    single = _single_byte(kept, known, votes, declared)
    body = kept.tobytes()
    scores = {
        charset: _score(body.decode(charset, "replace"), known, votes) - cost
        for charset, cost in {single: SINGLE_BYTE[single], **MULTI_BYTE}.items()
    }
    return max(scores, key=lambda charset: scores[charset] + DECLARED * (charset in declared))


def _non_ascii_context(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes beyond ASCII with those beside them: no charset looks further for what they mean."""
    kept = data >= 0x80
    for _ in range(REACH):
        kept[1:] |= kept[:-1].copy()
        kept[:-1] |= kept[1:].copy()
    return data[kept][:LOOKED_AT]


def _votes(data: NDArray[np.uint8], known: Statistics) -> Floats:
    """Logarithms of how likely each language is by the ASCII in a text."""
    counts = np.bincount(data, minlength=0x100)
    letters = counts[ord("a") : ord("z") + 1] + counts[ord("A") : ord("Z") + 1]
    whole = max(letters.sum(), 1)
    likely = known.ascii @ (letters * min(1, VOTES / whole)) + known.prior
    # Other alphabets have Latin letters in markup and names, of which nothing follows, but their own too.
    beyond = counts[0x80:]
    present = min(np.count_nonzero(beyond) / VARIOUS, beyond.sum() / (DENSE * whole), 1)
    likely[~known.latin] = (
        likely[known.latin].max() + known.prior[~known.latin] - ABSENT * (1 - present)
    )
    votes: Floats = (likely - likely.max()).astype(np.float32)
    return votes


def _single_byte(
    data: NDArray[np.uint8], known: Statistics, votes: Floats, declared: Collection[str]
) -> str:
    """The charset of one byte in which the bytes are the likeliest.

    Pages repeat themselves, so that what comes often is less evidence than its number.
    """
    beyond = data[:-1] | data[1:] >= 0x80
    left, right = data[:-1][beyond].astype(np.intp), data[1:][beyond]
    pairs = np.bincount(left << 8 | right, minlength=0x10000)
    present = np.flatnonzero(pairs)
    before, behind = present >> 8, present & 0xFF
    counts = np.bincount(data, minlength=0x100)
    evidence = np.maximum(counts, 1) ** (REPEATED - 1)
    evidence[:0x80] = 1
    times = pairs[present] * np.minimum(evidence[before], evidence[behind])
    lonely = _lonely(data) * evidence[0x80:]
    scores = {}
    for charset, cost in SINGLE_BYTE.items():
        numbers = known.bytes[charset]
        kinds = known.kinds[numbers]
        context = known.beside[kinds[before], kinds[behind]] @ times
        by_language = known.high[charset] @ (counts * evidence)[0x80:] + votes
        alone = known.letter[numbers[0x80:]] @ lonely
        scores[charset] = float(by_language.max() + context - LONELY * alone) - cost
    return max(scores, key=lambda charset: scores[charset] + DECLARED * (charset in declared))


def _lonely(data: NDArray[np.uint8]) -> Ints:
    """Number of times that each byte beyond ASCII stands between ASCII that is no letter."""
    folded = data | 0x20
    wordless = (data < 0x80) & ((folded < ord("a")) | (folded > ord("z")))
    alone = wordless[:-2] & wordless[2:] & (data[1:-1] >= 0x80)
    return np.bincount(data[1:-1][alone], minlength=0x100)[0x80:]


def _score(text: str, known: Statistics, votes: Floats) -> float:
    points = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    numbers = known.numbers[np.minimum(points, ASTRAL)]
    beyond = points >= 0x80
    counts = np.bincount(numbers[beyond], minlength=known.frequency.shape[1])
    kinds = known.kinds[numbers]
    touching = beyond[:-1] | beyond[1:]
    context = known.beside[kinds[:-1][touching], kinds[1:][touching]].sum()
    plain = len(points) - np.count_nonzero(beyond)
    return float((known.frequency @ counts + votes).max() + context - PLAIN_COST * plain)


# The charset is the first of these that fits:
#
# 1. a byte order mark;
# 2. the bytes themselves, where they are valid UTF-8: old pages declare iso-8859-1 out of habit, and
#    legacy text that is valid UTF-8 by accident is next to impossible. A few broken characters in
#    what is otherwise UTF-8 do not change that;
# 3. the HTTP header, then `<meta>` or the XML declaration, read by the labels of the WHATWG Encoding
#    Standard (`iso-8859-1` means windows-1252): the first that decodes every byte to likely text;
# 4. the escape sequences of ISO-2022-JP;
# 5. the charset in which the whole body is the likeliest text (`charsets.detect`), with replacement
#    characters where single bytes mean nothing in it.

Source = Literal["bom", "utf-8", "header", "meta", "detected"]
HEAD = 4096  # bytes that tell text from anything else
# Control bytes that no charset uses in text; ESC and SO/SI belong to ISO-2022.
CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\x0b\x0c\r\x0e\x0f\x1b"))
# Compressed and random bytes have one control in ten, text none: half of that tells them apart.
MAX_CONTROLS = 0.05
# Broken characters among the non-ASCII ones of a page that still counts as UTF-8. Of legacy text nearly
# each is broken: of 7,000 pages four have between .1 and .7, all of them in UTF-8 with cut characters.
MAX_BROKEN = 0.5
# Of 1,131 pages in other alphabets, each in a charset of its language, none with so many bytes beyond ASCII is taken
# for one in another; of 1,416 that say windows-1252 or 1251 and are in another, 1,244 are known.
LEAST_HIGH = 100
HIGH, LETTERS = bytes(range(0x80, 0x100)), ascii_letters.encode()
WITHOUT_MARK = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# Python codecs that are no charset of pages although a header may name them.
NO_CHARSETS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"}
PRIVATE_SPACE = "\ue5e5"  # A3 A0 in GB 18030
ISO_2022_JP = re.compile(rb"\x1b\$[@B][!-~]{2}")  # what leads from ASCII to Kanji, and one


@dataclass(frozen=True, slots=True)
class Charset:
    """Charset of a body: Python's name of the codec, who named it, and the number of bytes without meaning in it."""

    name: str
    source: Source
    replacements: int


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A body as text, without byte order mark; U+FFFD stands there for bytes without meaning."""

    text: str
    charset: Charset


def decode(payload: bytes, content_type: str) -> DecodedText:
    """The text of a body, `content_type` is the HTTP header's value; an InputError of what is text in no charset."""
    mark, bom = read_bom(payload)
    if mark and bom:
        return _decoded_text(to_unicode(payload[len(bom) :], mark), mark, "bom")
    head = payload[:HEAD]
    if len(head) - len(head.translate(None, CONTROLS)) > MAX_CONTROLS * len(head):
        return _without_mark(payload)
    # ISO-2022 is ASCII with escape sequences: valid UTF-8, yet not meant so.
    if b"\x1b" not in payload:
        text = _strict(payload, "utf-8")
        if text is not None:
            return _decoded_text(text, "utf-8", "utf-8")
    return _legacy(payload, content_type)


def _legacy(payload: bytes, content_type: str) -> DecodedText:
    text = payload.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken and broken <= MAX_BROKEN * (len(text) - len(text.encode("ascii", "ignore"))):
        return _decoded_text(text, "utf-8", "utf-8")
    declared = _declared_charsets(payload, content_type)
    for source, charset in declared:
        strict = _strict(payload, charset)
        if strict is not None and not _is_in_another(payload, charset):
            return _decoded_text(strict, charset, source)
    if not broken:
        japanese = _strict(payload, "iso2022_jp") if ISO_2022_JP.search(payload) else None
        if japanese is not None:
            return _decoded_text(japanese, "iso2022_jp", "detected")
        return _decoded_text(text, "utf-8", "utf-8")
    detected = detect(payload, [charset for _, charset in declared])
    return _decoded_text(to_unicode(payload, detected), detected, "detected")


def _is_in_another(payload: bytes, charset: str) -> bool:
    """Return whether a page with many letters beyond ASCII, which tell its charset, is in another one than it says."""
    if charset not in SINGLE_BYTE and charset not in MULTI_BYTE:
        return False
    high, letters = (len(payload) - len(payload.translate(None, of)) for of in (HIGH, LETTERS))
    return high > max(LEAST_HIGH, DENSE * letters) and detect(payload, [charset]) != charset


def _declared_charsets(payload: bytes, content_type: str) -> list[tuple[Source, str]]:
    """Declared charsets with their source, the weightier first; UTF-8 was tried before."""
    from bs4.dammit import EncodingDetector  # a slow start, and most pages are UTF-8

    # Of an XML declaration or a `<meta>` near the top, as it stands there.
    stated = EncodingDetector.find_declared_encoding(payload, is_html=True)
    charsets: list[tuple[Source, str | None]] = [
        ("header", http_content_type_encoding(content_type)),
        ("meta", resolve_encoding(stated or "")),
    ]
    return [(source, charset) for source, charset in charsets if charset and _is_charset(charset)]


def _is_charset(name: str) -> bool:
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    if name.startswith(("utf-8", "utf-16", "utf-32")) or name in NO_CHARSETS:
        return False
    return codecs.lookup(name)._is_text_encoding  # noqa: SLF001 - no public way to tell


def _without_mark(payload: bytes) -> DecodedText:
    """UTF-16 or UTF-32 without a byte order mark: markup is ASCII, so every other byte is NUL."""
    for charset in WITHOUT_MARK:
        text = _strict(payload, charset)
        if text is not None and "<" in text and "\0" not in text:
            return _decoded_text(text, charset, "detected")
    raise InputError(Reason.UNDECODABLE, "control bytes: this is no text in any charset")


def _strict(payload: bytes, charset: str) -> str | None:
    try:
        return payload.decode(charset)
    except UnicodeError:
        return None


def _decoded_text(text: str, charset: str, source: Source) -> DecodedText:
    # The index of GB 18030 in the Encoding Standard has a space there, as pages mean it; Python's has a private sign.
    if charset == "gb18030" and PRIVATE_SPACE in text:
        text = text.replace(PRIVATE_SPACE, "\N{IDEOGRAPHIC SPACE}")
    # To find one is ten times cheaper than to count them, and most pages have none.
    replacements = text.count("\ufffd") if "\ufffd" in text else 0
    return DecodedText(text, Charset(charset, source, replacements))
