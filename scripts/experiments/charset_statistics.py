"""Counts the frequencies by which the charset of a page is told that names none: `scripts/setup/charset_counts.json`.

`python -m scripts.setup.charset_tables` makes the file of the package of them.

    python -m scripts.experiments.charset_statistics      (needs `pip install langdetect`)

Letters by language are those of the profiles in the package langdetect (Apache License 2.0), counted in Wikipedia. Signs,
neighbours and kana are counted on the shared sets, on one half of the domains: `charsets` asks the other half apart.
"""

from __future__ import annotations

import json
import math
import unicodedata
from argparse import ArgumentParser
from collections import Counter, defaultdict
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from dbce.html.decode import ASTRAL
from scripts.experiments.charsets import pages
from scripts.experiments.sets import call
from scripts.setup.charset_tables import (
    ASCII_LETTERS,
    COUNTS,
    PRECISION,
    is_letter,
    kind,
    letters_beside,
    zone,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

EAST = {"zh-cn", "zh-tw", "ja", "ko"}
TONES = "\u0300\u0301\u0303\u0309\u0323"
LISTED = 600  # East Asian characters with a frequency of their own
RAREST = 2e-5  # share of a language's letters below which one is no letter of it
WEIGHT = 300  # pairs that a page counts for at most
OTHER_CASE = 0.03  # of a letter's count, that of the same letter in the other case at least
SIGN_SHARE = 1e-5
KIND_SHARE = 3e-4
# Languages of pages, in tenths of a per cent of all: a rough rank is all that is asked of it.
WEIGHTS = {
    "en": 500,
    "es": 60,
    "de": 55,
    "ja": 50,
    "fr": 45,
    "pt": 40,
    "ru": 40,
    "it": 27,
    "nl": 20,
    "pl": 18,
    "tr": 17,
    "fa": 13,
    "zh-cn": 12,
    "vi": 10,
    "cs": 10,
    "id": 10,
    "ko": 8,
    "ar": 6,
    "uk": 6,
    "el": 5,
    "ro": 5,
    "hu": 5,
    "sv": 5,
    "zh-tw": 4,
    "da": 3,
    "fi": 3,
    "sk": 3,
    "he": 3,
    "bg": 2,
    "hr": 2,
    "th": 2,
    "no": 2,
    "lt": 2,
}
# The language of windows-1252 that has no profile: letters in a hundred thousand.
ICELANDIC = {
    "a": 10110,
    "b": 1043,
    "d": 1575,
    "e": 6418,
    "f": 3013,
    "g": 4241,
    "h": 1871,
    "i": 7578,
    "j": 1144,
    "k": 3314,
    "l": 4532,
    "m": 4041,
    "n": 7711,
    "o": 2166,
    "p": 789,
    "r": 8581,
    "s": 5630,
    "t": 4953,
    "u": 4562,
    "v": 2437,
    "x": 46,
    "y": 900,
    "á": 1799,
    "ð": 4393,
    "é": 647,
    "í": 1570,
    "ó": 994,
    "ú": 613,
    "ý": 228,
    "þ": 1455,
    "æ": 867,
    "ö": 777,
}
FIRST = ord("A")  # of the signs that stand for steps in the rows of neighbours
STEPS = 24


def main(arguments: Sequence[str] = ()) -> None:
    """Writes the file."""
    ArgumentParser(
        prog="python -m scripts.experiments.charset_statistics",
        description="Frequencies by which the charset of a page is told.",
    ).parse_args(arguments)
    texts = [page.text for page in pages() if page.counted]
    signs, kana = count_characters(texts)
    stored = {
        "signs": costs(signs),
        **neighbours(texts, {sign for sign in signs if signs[sign] > KIND_SHARE}),
        "languages": {name: letters(name, kana) for name in languages()},
    }
    COUNTS.write_text(json.dumps(stored, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def languages() -> list[str]:
    """Codes of the languages that there are profiles of."""
    folder = files("langdetect.profiles")
    return sorted({"is", *(path.name for path in folder.iterdir() if path.name[0] != "_")})


def count_characters(texts: Iterable[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Shares of signs among signs beyond ASCII, and of kana among kana; a page weighs little."""
    signs: defaultdict[str, float] = defaultdict(float)
    kana: Counter[str] = Counter()
    for text in texts:
        beyond = Counter(char for char in text if not char.isascii())
        weight = min(beyond.total(), WEIGHT) / max(beyond.total(), 1)
        for char, count in beyond.items():
            if zone(char) in {"hiragana", "katakana"}:
                kana[char] += count
            elif zone(char) == "sign":
                signs[char] += weight * count
    return (
        {c: n for c, n in shares(signs).items() if n > SIGN_SHARE and ord(c) < ASTRAL},
        shares(kana),
    )


def shares(counts: Mapping[str, float]) -> dict[str, float]:
    """Each count's share of all."""
    whole = sum(counts.values())
    return {key: count / whole for key, count in sorted(counts.items())}


def costs(frequencies: Mapping[str, float]) -> dict[str, object]:
    """Characters in a string, and the steps of a nat that each costs."""
    return {
        "chars": "".join(frequencies),
        "costs": [round(-PRECISION * math.log(share)) for share in frequencies.values()],
    }


def letters(language: str, kana: Mapping[str, float]) -> dict[str, object]:
    """Costs of a language's letters: of those of ASCII, of others, and of zones without the others."""
    counts = frequencies(language)
    of_ascii: Counter[str] = Counter(ASCII_LETTERS)
    for char, count in counts.items():
        if char.lower() in ASCII_LETTERS:
            of_ascii[char.lower()] += count
    beyond = fill_cases(
        {c: n for c, n in counts.items() if not c.isascii() and (is_letter(c) or c in TONES)}
    )
    spread_kana(beyond, kana)
    total = beyond.total()
    if language in EAST:
        listed = {c for c, _ in beyond.most_common(LISTED)}
    else:
        listed = {c for c, n in beyond.items() if n > RAREST * counts.total()}
        listed |= {c.upper() for c in listed if c.upper() in beyond}
    rest: Counter[str] = Counter()
    for char in beyond.keys() - listed if language in EAST else ():
        rest[zone(char)] += beyond[char]
    return {
        "ascii": costs({c: of_ascii[c] / of_ascii.total() for c in ASCII_LETTERS})["costs"],
        **costs({c: beyond[c] / total for c in sorted(listed)}),
        "weight": WEIGHTS.get(language, 1),
        "zones": {z: round(-PRECISION * math.log(n / total)) for z, n in sorted(rest.items())},
    }


def fill_cases(counts: Mapping[str, int]) -> Counter[str]:
    """Counts of letters in which none lacks its other case."""
    letters = Counter(counts)
    for char, count in counts.items():
        for other in {char.upper(), char.lower()} - {char}:
            if len(other) == 1 and not other.isascii():
                letters[other] = max(letters[other], round(OTHER_CASE * count))
    return letters


def spread_kana(counts: Counter[str], kana: Mapping[str, float]) -> None:
    """Gives each kana its share of what the profile counts as one."""
    for group, named in (("あ", "hiragana"), ("ア", "katakana")):
        whole = counts.pop(group, 0)
        shares_of = shares({c: n for c, n in kana.items() if zone(c) == named})
        counts.update({c: round(whole * share) for c, share in shares_of.items() if whole})


def frequencies(language: str) -> Counter[str]:
    """Counts of a language's characters."""
    if language == "is":
        return Counter(ICELANDIC)
    return split_tones(profile(language)) if language == "vi" else profile(language)


def profile(language: str) -> Counter[str]:
    """Counts of a language's characters; those that langdetect counts as one share its count."""
    from langdetect.utils.ngram import NGram

    frequencies = json.loads(files("langdetect.profiles").joinpath(language).read_text("utf-8"))
    singles = {c: n for c, n in frequencies["freq"].items() if len(c) == 1}
    groups = {group[0]: group for group in NGram.CJK_CLASS}
    counts: Counter[str] = Counter()
    for char, count in singles.items():
        group = groups.get(char, char)
        for member in group:
            counts[member] += max(round(count / len(group)), 1)
    return counts


def split_tones(counts: Mapping[str, int]) -> Counter[str]:
    """Counts with the tones of Vietnamese as characters of their own, as windows-1258 has them."""
    apart: Counter[str] = Counter()
    for char, count in counts.items():
        *letters, last = list(unicodedata.normalize("NFD", char))
        for part in (
            (char,) if last not in TONES else (unicodedata.normalize("NFC", "".join(letters)), last)
        ):
            apart[part] += count
    return apart


def neighbours(texts: Iterable[str], signs: set[str]) -> dict[str, object]:
    """Likelihood of kinds beside kinds against chance, where one is beyond ASCII."""
    pairs: defaultdict[tuple[str, str, bool], float] = defaultdict(float)
    known: dict[str, str] = {}

    def counted(char: str) -> str:
        if char not in known:
            named = kind(char)
            known[char] = named if len(named) > 1 or char.isascii() or char in signs else "sign"
        return known[char]

    for text in texts:
        of_page = Counter(
            pair for pair in pairwise(text) if not (pair[0].isascii() and pair[1].isascii())
        )
        weight = min(of_page.total(), WEIGHT) / max(of_page.total(), 1)
        for (left, right), count in of_page.items():
            pairs[counted(left), counted(right), letters_beside(left, right)] += weight * count
    kinds = sorted({pair[0] for pair in pairs} | {pair[1] for pair in pairs} | {"sign", "broken"})
    return {"kinds": kinds, "beside": [rows(pairs, kinds, strange) for strange in (False, True)]}


def rows(
    pairs: Mapping[tuple[str, str, bool], float], kinds: Sequence[str], strange: bool
) -> list[str]:
    """Rows of steps, a sign each, of a kind before each kind."""
    left: defaultdict[str, float] = defaultdict(float)
    right: defaultdict[str, float] = defaultdict(float)
    for (before, behind, _), count in pairs.items():
        left[before] += count
        right[behind] += count
    whole = sum(pairs.values())

    def step(before: str, behind: str) -> str:
        by_chance = left[before] * right[behind] / whole
        gain = math.log((pairs.get((before, behind, strange), 0) + 0.2) / (by_chance + 0.2))
        return chr(FIRST + max(-STEPS, min(STEPS, round(gain * 4))) + STEPS)

    return ["".join(step(before, behind) for behind in kinds) for before in kinds]


if __name__ == "__main__":
    call(main)
