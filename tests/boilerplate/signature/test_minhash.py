"""Signatures estimate similarity, stay as they are from release to release, and fall into bands."""

from __future__ import annotations

from itertools import combinations, count
from random import Random

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.boilerplate.signature import (
    RECALL,
    SCHEME,
    bands,
    bands_and_rows,
    minima,
    path_tokens,
    permutations,
    signature,
)
from dbce.model import Config, Page
from tests.html.soup import page
from tests.site import DOC1, DOC2

SEED = Config().seed
PERMUTATIONS = Config().num_perm


def with_tokens(names: set[str]) -> Page:
    """A page with three times as many path tokens as there are names, and no others."""
    tags = [tag for name in sorted(names) for tag in (f"{name}-a", f"{name}-b", f"{name}-c")]
    parents = [parent for i in range(len(names)) for parent in (-1, 3 * i, 3 * i + 1)]
    return Page(
        tags=tuple(tags),
        parents=tuple(parents),
        classes=("",) * len(tags),
        ids=("",) * len(tags),
        roles=("",) * len(tags),
        hidden=(False,) * len(tags),
        nodes=(),
        title="",
    )


def sign(of: Page, num_perm: int = PERMUTATIONS, seed: int = SEED) -> np.ndarray:
    return signature(of, "paths", num_perm, seed)


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


@settings(max_examples=60)
@given(
    st.sets(st.integers(0, 200), min_size=1, max_size=60),
    st.sets(st.integers(0, 200), min_size=1, max_size=60),
)
def test_the_share_of_equal_values_estimates_the_similarity(one, other):
    pages = [with_tokens({f"t{n}" for n in numbers}) for numbers in (one, other)]
    exact = jaccard(*map(path_tokens, pages))
    estimate = (sign(pages[0]) == sign(pages[1])).mean()
    # Five standard errors; equal sets must be equal.
    bound = 5 * np.sqrt(exact * (1 - exact) / PERMUTATIONS) + (1 / PERMUTATIONS if exact < 1 else 0)
    assert abs(estimate - exact) <= bound


def test_estimates_do_not_lean_to_one_side():
    errors = []
    for seed in range(100):
        rng = Random(seed)
        names = [{f"t{rng.randrange(60)}" for _ in range(40)} for _ in range(2)]
        pages = [with_tokens(its) for its in names]
        estimate = (sign(pages[0]) == sign(pages[1])).mean()
        errors.append(estimate - jaccard(*map(path_tokens, pages)))
    standard_error = 0.5 / np.sqrt(PERMUTATIONS)
    assert abs(np.mean(errors)) < 4 * standard_error / np.sqrt(len(errors))
    assert np.std(errors) < 1.5 * standard_error


@pytest.mark.parametrize(
    ("html", "recipe", "first"),
    [
        (DOC1, "layers", [733883539, 923679737, 45287040, 104812974]),
        (DOC1, "paths", [142974221, 305412710, 788725251, 1242068333]),
    ],
)
def test_a_signature_has_the_values_that_earlier_releases_stored(html, recipe, first):
    values = signature(page(html), recipe, PERMUTATIONS, SEED)
    assert values.dtype == np.uint32
    assert values.shape == (PERMUTATIONS,)
    assert values[:4].tolist() == first


def test_fewer_permutations_and_another_seed_are_another_signature():
    of = page(DOC2)
    assert len(sign(of, 64)) == 64
    assert not np.array_equal(sign(of), sign(of, seed=1))
    assert np.array_equal(sign(of), sign(of))


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 2**32 - 1), max_size=80),
    st.sampled_from([(PERMUTATIONS, SEED % 2**32), (64, 1), (256, 0)]),
)
def test_signatures_are_those_of_datasketch(hashes, of):
    oracle = MinHash(num_perm=of[0], seed=of[1], scheme=SCHEME, hashfunc=int)
    oracle.update_batch(hashes)
    values = minima(np.array(hashes, np.uint32), permutations(*of))
    assert values.dtype == np.uint32
    assert values.tolist() == oracle.hashvalues.tolist()


def test_the_permutations_of_the_default_are_stored(monkeypatch):
    monkeypatch.setattr("dbce.boilerplate.signature.made", lambda *_: None)
    permutations.cache_clear()
    assert permutations(PERMUTATIONS, SEED % 2**32).shape == (2, PERMUTATIONS)
    assert permutations(PERMUTATIONS, 1) is None
    permutations.cache_clear()


def recall(similarity: float, banding: tuple[int, int]) -> float:
    b, r = banding
    return 1 - (1 - similarity**r) ** b


@pytest.mark.parametrize("num_perm", [64, 128, 256])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.6, 0.8])
def test_pages_at_the_threshold_meet_and_no_narrower_banding_would_do(threshold, num_perm):
    b, r = bands_and_rows(threshold, num_perm)
    assert b * r <= num_perm
    assert recall(threshold, (b, r)) >= RECALL
    assert recall(threshold, (num_perm // (r + 1), r + 1)) < RECALL


def test_the_default_banding():
    assert bands_and_rows(0.6, 128) == (32, 4)


def test_a_hopeless_threshold_has_one_row_a_band():
    assert bands_and_rows(0.05, 16) == (16, 1)


def test_bands_are_the_rows_of_the_signature_one_after_the_other():
    values = np.arange(128, dtype=np.uint32)
    found = list(bands(values, 0.6))
    assert [band for band, _ in found] == list(range(32))
    assert np.array_equal(np.frombuffer(b"".join(key for _, key in found), np.uint32), values)


def test_pages_that_share_a_bucket_are_those_that_brute_force_finds_similar():
    threshold = 0.6
    names = count()
    pages = []
    for group in range(20):  # groups of four pages that change their template step by step
        rng = Random(group)
        own = [f"t{next(names)}" for _ in range(20)]
        for _ in range(4):
            own = [f"t{next(names)}" if rng.random() < 0.12 else name for name in own]
            pages.append(with_tokens(set(own)))
    tokens = list(map(path_tokens, pages))
    buckets = [set(bands(sign(of), threshold)) for of in pages]
    pairs = {(i, j): jaccard(tokens[i], tokens[j]) for i, j in combinations(range(len(pages)), 2)}
    met = {pair for pair in pairs if buckets[pair[0]] & buckets[pair[1]]}
    similar = {pair for pair, value in pairs.items() if value >= threshold}
    assert len(similar) > 40
    assert len(similar & met) >= 0.97 * len(similar)
    assert not met & {pair for pair, value in pairs.items() if value < 0.1}
