"""Digests and signatures of main texts: what is the same, what is nearly so."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.boilerplate.signature import (
    PERMUTATIONS,
    text_bands,
    text_digest,
    text_signature,
    text_similarity,
)

WORDS = [f"word{number}" for number in range(400)]
TEXT = " ".join(WORDS)
REWORDED = " ".join([*WORDS[:380], "other", *WORDS[381:]])


@pytest.mark.parametrize(
    "other",
    [
        "The captain’s “ferry” \u2013 at 7",
        'the CAPTAIN\'S\n\n"ferry" - at  7',
        "The cap\u00adtain's \u200b«ferry» — at 7",
        'The captain\'s "\ufb00"'.replace("\ufb00", "ferry") + " - at 7",
    ],
)
def test_the_same_words_have_the_same_digest(other: str) -> None:
    assert text_digest(other) == text_digest('The captain\'s "ferry" - at 7')


@pytest.mark.parametrize(
    "other", ["The ferry at 8", "A ferry at 7", "The ferry at 7 €", "The ferry at -7"]
)
def test_another_word_number_or_sign_is_another_text(other: str) -> None:
    assert text_digest(other) != text_digest("The ferry at 7")


def test_a_text_without_anything_to_be_seen_has_neither() -> None:
    assert text_digest(" \u00ad\n") is None
    assert text_signature(" … ") is None


def test_the_recipe_never_changes() -> None:
    assert text_digest("The Ferry") == (
        "sha256:dbb43af2a0c64c407372e96edad38920c85b7d7ef0fcd5774e5e3916705e03db"
    )
    values = np.frombuffer(text_signature("The ferry leaves at seven") or b"", "<u4")
    assert len(values) == PERMUTATIONS
    assert values[:3].tolist() == [418741292, 3001132689, 428880116]


def test_signatures_estimate_the_similarity_that_texts_have() -> None:
    ours, theirs = (np.frombuffer(text_signature(t) or b"", "<u4") for t in (TEXT, REWORDED))
    similarity = text_similarity(TEXT, REWORDED)
    assert similarity == pytest.approx(395 / 401)
    assert abs(np.mean(ours == theirs) - similarity) < 0.1
    assert text_similarity(TEXT, " ".join(reversed(WORDS))) == 0


def test_texts_that_are_nearly_the_same_share_a_band() -> None:
    ours, theirs = (set(text_bands(text_signature(t) or b"", 0.8)) for t in (TEXT, REWORDED))
    assert ours & theirs


def test_a_long_text_has_the_signature_of_all_its_parts() -> None:
    long = " ".join(f"{n} ferry" for n in range(20_000))
    assert text_signature(f"{long} {TEXT}") != text_signature(long)
