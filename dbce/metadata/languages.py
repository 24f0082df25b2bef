"""Tags of languages as pages write them, and the language of a text where a page names none."""

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dbce.model import LETTER_RUN, stored_arrays

TAG = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?", re.IGNORECASE
)
# Undetermined, several and none (ISO 639), and what templates have in the place of one.
NO_LANGUAGE = frozenset({"und", "mul", "zxx", "xx", "xxx"})

SAMPLE = 400  # characters that are looked at: half a millisecond, enough to tell languages apart
LARGE = 10_000  # the same where the middle is not in the language that the page says
FEWEST = 60  # letters below which a text says too little of its language

LIKELY, SURE = 0.6, 0.9
"""Probability from which a language is told of a page that names none, and of one that names another.

Below, names of functions and mojibake are taken for any language (docs/evaluation.md).
"""

ENGLISH = frozenset(
    "a an and are as at be by can for from have in is it not of on or that the this to with you".split()
)
LEAST_ENGLISH = 0.1  # share of these words in a text that may be English; most have over a quarter


def as_tag(text: str) -> str | None:
    """A language tag in its usual spelling (`pt_br` is `pt-BR`), the first of several; None where it is none."""
    match = TAG.fullmatch(text.partition(",")[0].strip())
    if match is None or match[1].lower() in NO_LANGUAGE:
        return None
    language, script, region = match.groups()
    parts = (language.lower(), script and script.title(), region and region.upper())
    return "-".join(part for part in parts if part)


def language_of(text: str, declared: str | None) -> str | None:
    """Language of a text, if it is another one than declared; None where it is uncertain.

    Templates come in English, and many pages of other languages still say so: English alone is not believed of a text
    that has hardly any of its small words.
    """
    start = max(0, (len(text) - SAMPLE) // 2)  # bylines and headlines hold names
    sample = text[start : start + SAMPLE]
    if declared is None:
        return _detect(sample, LIKELY)
    # The middle may be a quotation, so the rest is asked where it is not English.
    if declared.partition("-")[0] != "en":
        return None
    for part in (sample, text[:LARGE]):
        words = LETTER_RUN.findall(part.lower())
        if sum(word in ENGLISH for word in words) >= LEAST_ENGLISH * len(words):
            return None
    detected = _detect(sample, SURE)
    return None if detected == "en" else detected


def _detect(sample: str, least: float) -> str | None:
    if sum(map(str.isalpha, sample)) < FEWEST:
        return None
    language, probability = language_model().likeliest(sample)
    return None if probability < least or language in NO_LANGUAGE else language


# The language of a text by py3langid's model: naive Bayes on sequences of bytes that languages have.
#
# The model knows 104,583 sequences of up to six bytes. Behind each byte of a text the longest
# that ends there counts, and what languages have it how often is summed up (Lui and Baldwin 2012,
# Barbaresi's py3langid). `language_model.npz` has py3langid's numbers for languages of two
# letters, in the order in which they are looked up; `scripts/setup/language_model.py` writes it.
# Reading py3langid's own file takes half a second and 75 MB. Languages and probabilities are the
# same to the last bit.

FILE = "language_model.npz"
LONGEST = 6  # bytes of the longest sequence that the model knows


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """Sequences of bytes, and how likely each is in each language."""

    languages: tuple[str, ...]  # a code for each column
    again: tuple[tuple[int, int], ...]  # columns of one language, which is written in two scripts
    priors: NDArray[np.float32]  # logarithm of the probability of each column
    usual: NDArray[np.float16]  # commonest logarithm of a sequence's probability in each column
    # All known sequences as numbers, ascending: the length, and below it the bytes.
    sequences: NDArray[np.uint64]
    # The row of each sequence, or -1: some are known only for what begins with them.
    rows: NDArray[np.int32]
    differs: NDArray[np.uint8]  # bits of each row: the columns where it is not the usual value
    begins: NDArray[np.int32]  # where the values of each row begin, and the end of the last
    values: NDArray[np.float16]  # those that are not the usual ones, row by row

    def likeliest(self, text: str) -> tuple[str, float]:
        """(code of the language that a text is most probably in, the probability)."""
        written = unicodedata.normalize("NFC", text.lower() if text.isupper() else text)
        raw = written.encode("utf-8", "surrogatepass")
        scores = self._scores(raw)
        # Longer texts would make the difference between any two languages certain.
        scores *= 1.0 / math.sqrt(len(raw) or 1)
        np.exp(scores - scores.max(), out=scores)
        scores /= scores.sum()
        for first, second in self.again:
            scores[first] += scores[second]
            scores[second] = 0
        best = int(scores.argmax())
        return self.languages[best], float(scores[best])

    def _scores(self, raw: bytes) -> NDArray[np.float32]:
        """Logarithm of the probability of each column; zeros where no known sequence occurs."""
        rows, counts = self._rows_of(raw)
        if not len(rows):
            return np.zeros(len(self.languages), np.float32)
        return np.log1p(counts) @ self._table(rows) + self.priors

    def _rows_of(self, raw: bytes) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(rows that count for a text, in the order in which they first do; how often each does)."""
        octets = np.frombuffer(raw, np.uint8)
        behind = np.full(len(octets), -1, np.int32)
        ends, numbers = np.arange(len(octets)), np.zeros_like(octets, np.uint64)
        for length in range(1, LONGEST + 1):
            numbers = (numbers << np.uint64(8)) + octets[ends] + np.uint64(1 << 8 * length)
            place = np.searchsorted(self.sequences, numbers)
            place[place == len(self.sequences)] = 0
            is_known = self.sequences[place] == numbers
            behind[ends[is_known]] = self.rows[place[is_known]]
            # Of a known sequence all beginnings are known, too.
            ends = ends[is_known] + 1
            ends = ends[ends < len(octets)]
            numbers = numbers[is_known][: len(ends)]
        rows, firsts, counts = np.unique(behind[behind >= 0], return_index=True, return_counts=True)
        order = np.argsort(firsts)  # sums round as they are ordered
        return rows[order], counts[order].astype(np.float32)

    def _table(self, rows: NDArray[np.int32]) -> NDArray[np.float16]:
        table = np.tile(self.usual, (len(rows), 1))
        differs = np.unpackbits(self.differs[rows], axis=1, count=len(self.usual)).astype(bool)
        counts = self.begins[rows + 1] - self.begins[rows]
        # Their values one behind the other: each begins as far behind the last as in the file.
        moved = self.begins[rows] - (np.cumsum(counts) - counts)
        table[differs] = self.values[np.repeat(moved, counts) + np.arange(counts.sum())]
        return table


@cache
def language_model() -> LanguageModel:
    arrays = stored_arrays("dbce.metadata", FILE)
    languages = tuple(arrays.pop("languages").tolist())
    columns = ((languages.index(language), column) for column, language in enumerate(languages))
    again = tuple((first, column) for first, column in columns if first != column)
    return LanguageModel(languages, again, **arrays)
