"""Tags of languages as pages write them, and the language of a text where a page names none."""

from __future__ import annotations

import re

TAG = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?", re.IGNORECASE
)
# Undetermined, several and none (ISO 639), and what templates have in the place of one.
NO_LANGUAGE = frozenset({"und", "mul", "zxx", "xx", "xxx"})

SAMPLE = 400
"""Characters of a text that are looked at: a millisecond, and enough to tell languages apart."""

FEWEST = 60
"""Letters below which a text says too little of its language."""


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


def detect(text: str) -> str | None:
    """The language that a text looks like, of two letters; None where there is too little of it.

    The sample is from the middle: bylines and headlines hold names.
    """
    start = max(0, (len(text) - SAMPLE) // 2)
    sample = text[start : start + SAMPLE]
    if sum(map(str.isalpha, sample)) < FEWEST:
        return None
    # Read when it is first needed, which takes half a second: most pages name their language.
    from py3langid import classify

    language, _ = classify(sample)
    return str(language)
