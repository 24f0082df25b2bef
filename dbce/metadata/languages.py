"""Tags of languages as pages write them, and the language of a text where a page names none."""

from __future__ import annotations

import re

from dbce.metadata.language_model import language_model

TAG = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?", re.IGNORECASE
)
# Undetermined, several and none (ISO 639), and what templates have in the place of one.
NO_LANGUAGE = frozenset({"und", "mul", "zxx", "xx", "xxx"})

SAMPLE = 400
"""Characters of a text that are looked at: half a millisecond, and enough to tell languages apart."""

LARGE = 10_000
"""Characters of a text that are looked at where its middle is not in the language that the page says."""

FEWEST = 60
"""Letters below which a text says too little of its language."""

LIKELY, SURE = 0.6, 0.9
"""Probability from which a language is told of a page that names none, and of one that names another.

Below, names of functions and mojibake are taken for any language (docs/evaluation.md).
"""

ENGLISH = frozenset(
    """
    a an and are as at be by can for from have in is it not of on or that the this to with you
    """.split()
)
LEAST_ENGLISH = 0.1
"""Share of these words in a text that may be English; most have more than a quarter."""
WORD = re.compile(r"[^\W\d_]+")


def as_tag(text: str) -> str | None:
    """A language tag in its usual spelling (`pt_br` is `pt-BR`); None where it is none.

    Of several, parted by commas, the first counts. Regions and scripts are kept, what follows is not.
    """
    match = TAG.fullmatch(text.partition(",")[0].strip())
    if match is None or match[1].lower() in NO_LANGUAGE:
        return None
    language, script, region = match.groups()
    parts = (language.lower(), script and script.title(), region and region.upper())
    return "-".join(part for part in parts if part)


def language_of(text: str, declared: str | None) -> str | None:
    """The language that a text is in, if that is another one than the page says; None where unsure.

    Templates come in English, and many pages of other languages still say so: English alone is not
    believed of a text that has hardly any of its small words.
    """
    sample = _middle(text)
    if declared is None:
        return _detected(sample, LIKELY)
    # The middle may be a quotation, so the rest is asked where it is not English.
    if declared.partition("-")[0] != "en" or any(map(_may_be_english, (sample, text[:LARGE]))):
        return None
    detected = _detected(sample, SURE)
    return None if detected == "en" else detected


def _middle(text: str) -> str:
    """The middle of a text: bylines and headlines hold names."""
    start = max(0, (len(text) - SAMPLE) // 2)
    return text[start : start + SAMPLE]


def _may_be_english(sample: str) -> bool:
    words = WORD.findall(sample.lower())
    return sum(word in ENGLISH for word in words) >= LEAST_ENGLISH * len(words)


def _detected(sample: str, least: float) -> str | None:
    """The most probable language; None below a probability, and of too little text."""
    if sum(map(str.isalpha, sample)) < FEWEST:
        return None
    language, probability = language_model().likeliest(sample)
    return None if probability < least or language in NO_LANGUAGE else language
