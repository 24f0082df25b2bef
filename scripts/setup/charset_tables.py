"""Write dbce/html/charsets.npz, by which the charset of a page is told that names none.

python -m scripts.setup.charset_tables

What `scripts.experiments.charset_statistics` counted stands in `charset_counts.json`, as costs by language, character and
kind of character. Here it becomes the arrays that pages are decoded with: to make them takes a fifth of a second.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbce.html.decode import ASTRAL, FILE, SINGLE_BYTE, Floats, Ints

COUNTS = Path(__file__).with_name("charset_counts.json")
OUT = Path(__file__).resolve().parents[2] / "dbce" / "html" / FILE

PRECISION = 8  # steps of a nat in the file
ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyz"
BROKEN = "\ufffd"
BROKEN_COST = 12.0  # nats: rarer than any character that a page means
CONTROL_COST = 11.0
# Shares of the characters beyond ASCII that are letters of the language, letters of others of its
# script, signs, and anything.
OWN, ALIKE, SIGNS, ANY = 0.6, 0.14, 0.25, 0.01
# Kinds of ASCII characters; those that stand for themselves are what text and markup meet at.
SPACE, DIGIT, MARK = "space", "digit", "mark"
ALONE = frozenset("<>\"'().,&;:-/!?=")
EAST_ASIAN = {"CJK": "han", "HIRAGANA": "hiragana", "KATAKANA": "katakana", "HANGUL": "hangul"}
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC", "THAI")


def script(char: str) -> str:
    """Return the script of a letter as the first word of its name in Unicode, "" of one without name."""
    return unicodedata.name(char, "").partition(" ")[0].partition("-")[0]


def is_letter(char: str) -> bool:
    """Return whether a character is a letter or a vowel sign of a script."""
    category = unicodedata.category(char)[0]
    return category in "LM" and char not in "ªº" and script(char) != "COMBINING"


def kind(char: str) -> str:
    """Return the kind by which neighbours are counted: of a letter its case, of a sign itself."""
    if script(char) == "COMBINING":
        return "combining"
    if char.isascii():
        if char.isalpha():
            return "lower-ascii" if char.islower() else "upper"
        if char.isspace():
            return SPACE
        return DIGIT if char.isdigit() else char if char in ALONE else MARK
    if is_letter(char):
        case = {"Ll": "lower", "Lu": "upper", "Lt": "upper"}.get(unicodedata.category(char))
        latin = "-latin" if script(char) == "LATIN" else ""
        return EAST_ASIAN.get(script(char)) or (f"{case}{latin}" if case else "caseless")
    return char


def letters_beside(left: str, right: str) -> bool:
    """Return whether two characters are letters of two alphabets, which no word mixes."""
    scripts = {script(char) for char in (left, right) if is_letter(char)}
    return len(scripts) == 2 and scripts.isdisjoint(EAST_ASIAN)


@cache
def _common(charset: str, first: int, last: int) -> frozenset[str]:
    """The characters of the lead bytes that a charset gave its frequent ones."""
    pairs = bytes(
        b for lead in range(first, last + 1) for t in range(0xA1, 0xFF) for b in (lead, t)
    )
    return frozenset(pairs.decode(charset, "ignore"))


def zone(char: str) -> str:
    """Return the part of its script that a character is in which is not listed one by one."""
    if char == BROKEN:
        return "broken"
    category = unicodedata.category(char)
    if category in {"Cc", "Cn", "Co", "Cs"}:
        return "control"
    if not is_letter(char):
        return "sign"
    named = EAST_ASIAN.get(script(char))
    if named == "han":
        planes = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_jp", 0xB0, 0xCF))
        return "han" + "".join(str(int(char in _common(*plane))) for plane in planes)
    if named == "hangul":
        return "hangul" + str(int(char in _common("euc_kr", 0xB0, 0xC8)))
    return named or (script(char) if script(char) in SCRIPTS else "OTHER")


def tables() -> dict[str, NDArray[Any]]:
    """The arrays of `dbce.html.decode.Statistics`, but for those of bytes."""
    stored = json.loads(COUNTS.read_text(encoding="utf-8"))
    languages = list(stored["languages"].values())
    listed = {char for charset in SINGLE_BYTE for char in _table(charset)}
    listed |= set(stored["signs"]["chars"])
    listed |= {char for language in languages for char in language["chars"]}
    characters = [BROKEN, *sorted(listed - {BROKEN})]
    number = {char: place for place, char in enumerate(characters)}
    zones = _zones(listed)
    for place, members in enumerate(zones.values(), len(characters)):
        number |= dict.fromkeys(members, place)
    numbers = np.full(ASTRAL + 1, number[BROKEN])
    numbers[ASTRAL] = len(characters) + list(zones).index("sign")
    numbers[[ord(char) for char in number]] = list(number.values())
    firsts = [*characters, *(members[0] for members in zones.values())]
    kinds, neighbours = _neighbours(stored, firsts)
    letters = np.array([language["ascii"] for language in languages], dtype=np.float32)
    return {
        "numbers": numbers.astype(np.uint16),
        "frequency": _frequency(stored, characters, zones),
        "kinds": kinds.astype(np.uint8),
        "beside": neighbours,
        "ascii": (-letters / PRECISION).astype(np.float32),
        "prior": np.log(_weights(stored)).astype(np.float32),
        "latin": np.array([_is_latin(language) for language in languages]),
        "letter": np.array([is_letter(char) for char in firsts]),
    }


def _table(charset: str) -> str:
    """The characters of all bytes."""
    return bytes(range(0x100)).decode(charset, "replace")


def _zones(listed: set[str]) -> dict[str, list[str]]:
    """The characters of each zone that have no frequency of their own."""
    zones: dict[str, list[str]] = {}
    for char in map(chr, (*range(0x80, 0xD800), *range(0xE000, 0x10000))):
        if char not in listed:
            zones.setdefault(zone(char), []).append(char)
    return zones


def _frequency(
    stored: Mapping[str, Any], characters: Sequence[str], zones: Mapping[str, Sequence[str]]
) -> Floats:
    """Logarithms of the frequency of each character, and of one of each zone, by language."""
    place = {name: number for number, name in enumerate((*characters, *zones))}
    sizes = np.array([1] * len(characters) + [len(members) for members in zones.values()])
    by_language = np.zeros((len(stored["languages"]), len(place)))
    for row, language in zip(by_language, stored["languages"].values(), strict=True):
        row[[place[char] for char in language["chars"]]] = _shares(language["costs"])
        row[[place[name] for name in language["zones"]]] = _shares(language["zones"].values())
    by_language /= sizes
    signs = np.zeros(len(place))
    signs[[place[char] for char in stored["signs"]["chars"]]] = _shares(stored["signs"]["costs"])
    latin = np.array([_is_latin(language) for language in stored["languages"].values()])
    weights = _weights(stored)
    alike = np.where(
        latin[:, None],
        np.average(by_language[latin], axis=0, weights=weights[latin]),
        np.average(by_language, axis=0, weights=weights),
    )
    mixed = OWN * by_language + ALIKE * alike + SIGNS * signs + ANY / sizes.sum()
    frequency: Floats = np.log(mixed).astype(np.float32)
    frequency[:, place[BROKEN]] = -BROKEN_COST
    controls = [place[char] for char in characters if zone(char) == "control"]
    frequency[:, [*controls, place["control"]]] = -CONTROL_COST
    return frequency


def _weights(stored: Mapping[str, Any]) -> NDArray[np.float64]:
    """Share of each language."""
    weights = [float(language["weight"]) for language in stored["languages"].values()]
    return np.array(weights) / sum(weights)


def _shares(costs: Iterable[int]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.exp(-np.array(list(costs), dtype=float) / PRECISION)
    return shares


def _neighbours(stored: Mapping[str, Any], characters: Sequence[str]) -> tuple[Ints, Floats]:
    """Kinds of characters, each with its script, and what they gain from standing beside each other."""
    names = {name: number for number, name in enumerate(stored["kinds"])}
    scripts = [script(char) if is_letter(char) else "" for char in characters]
    found = [
        (names.get(kind(char), names["sign"]), s)
        for char, s in zip(characters, scripts, strict=True)
    ]
    distinct = sorted(set(found))
    number = {pair: place for place, pair in enumerate(distinct)}
    tables = [
        (np.array([[ord(step) for step in row] for row in table]) - ord("Y")) / 4
        for table in stored["beside"]
    ]
    at = np.array([name for name, _ in distinct])
    alphabet = [s if s not in EAST_ASIAN else "" for _, s in distinct]
    strange = np.array([[bool(a and b) and a != b for b in alphabet] for a in alphabet])
    gains = np.where(strange, tables[1][np.ix_(at, at)], tables[0][np.ix_(at, at)])
    return np.array([number[pair] for pair in found]), gains.astype(np.float32)


def _is_latin(language: Mapping[str, Any]) -> bool:
    """Return whether a language's letters beyond ASCII are Latin ones."""
    latin = [script(char) in {"LATIN", "COMBINING"} for char in language["chars"]]
    shares = _shares(language["costs"])
    return bool(shares[latin].sum() >= shares.sum() / 2)


if __name__ == "__main__":
    np.savez_compressed(OUT, allow_pickle=False, **tables())
