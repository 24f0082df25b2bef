"""Sketches of pages: their hashes, template tokens and signatures, on the thesis' own example documents."""

import sys
from importlib import import_module
from itertools import combinations, count
from random import Random

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.boilerplate.sketch import RECIPES, bands, layer_tokens, text_digest, text_signature
from dbce.model import Config, InputError, Page
from tests import reference
from tests.boilerplate.builders import of_texts, tree
from tests.html.soup import page, soup
from tests.site import DOC1, article

module = import_module("dbce.boilerplate.sketch")  # the package has a function of this name

EVERY_CHARACTER = "x".join(
    chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000
)


def same_in_python(of: Page) -> None:
    paths = np.unique(reference.hash_strings(list(reference.path_tokens(of))))
    found = *module.word_hashes(of), module.node_places(of), np.unique(module.path_hashes(of))
    expected = *reference.word_hashes(of), reference.node_places(of), paths
    for one, other in zip(found, expected, strict=True):
        assert (one.tolist(), one.dtype) == (other.tolist(), other.dtype)


@given(soup)
@example("")
@example("<p class='b a'><b class=''>x<span class=é>y z</span></b><a>a<i>b</i></a><br>c")
def test_sketches_of_any_page_are_the_same(html):
    try:
        of = page(html)
    except InputError:
        return
    same_in_python(of)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.text(" ab\u2003"), max_size=9)
)
@example([EVERY_CHARACTER])
@example(["a", "", " ", "b c"])
def test_words_of_any_texts_are_the_same(texts):
    same_in_python(of_texts(*texts))


# Template tokens, on the thesis' own example documents.


ABOVE_LIST = "0_0_4_ul/0_0_4_span/0_0_4_body/0_0_4_html/0_0_4_[document]"
TOKENS = {
    "0_0_0_html/0_0_0_[document]",
    "0_0_1_head/0_0_1_html/0_0_1_[document]",
    "1_0_1_body/1_0_1_html/1_0_1_[document]",
    "0_0_2_span/0_0_2_body/0_0_2_html/0_0_2_[document]",
    "0_0_3_ul/0_0_3_span/0_0_3_body/0_0_3_html/0_0_3_[document]",
    f"0_0_4_li/{ABOVE_LIST}",
    f"1_0_4_li/{ABOVE_LIST.replace('0_0_4', '1_0_4')}",
}


def test_the_tokens_of_the_thesis_example():
    assert layer_tokens(page(DOC1)) == TOKENS


@pytest.mark.parametrize("recipe", RECIPES)
def test_texts_and_attributes_that_name_no_template_move_no_token(recipe):
    def tokens(html: str) -> set[int]:
        return set(RECIPES[recipe](page(html)).tolist())

    one, other = article("ferry"), article("clocks")
    assert tokens(one) == tokens(other)
    assert tokens(one.replace('href="/1"', 'href="/x" id="y"')) == tokens(one)


def test_a_paragraph_in_front_moves_no_path_token_but_every_later_layer_token():
    html = "<p>a</p><div><ul><li>b</li></ul></div>"
    before, after = page(html), page(f"<p>c</p>{html}")
    assert {*module.path_hashes(before)} == {*module.path_hashes(after)}
    moved = layer_tokens(before) - layer_tokens(after)
    assert {token.split("/")[0] for token in moved} == {"1_0_2_div"}


# Signatures estimate similarity, stay as they are from release to release, and fall into bands.


SEED = Config().seed
NUM_PERM = Config().num_perm


def with_tokens(names: set[str]) -> Page:
    """A page with three times as many path tokens as there are names, and no others."""
    tags = [tag for name in sorted(names) for tag in (f"{name}-a", f"{name}-b", f"{name}-c")]
    return tree(tags, [parent for i in range(len(names)) for parent in (-1, 3 * i, 3 * i + 1)])


def sign(of: Page, num_perm: int = NUM_PERM, seed: int = SEED) -> np.ndarray:
    return module.signature(of, "paths", num_perm, seed)


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


@pytest.mark.parametrize(
    ("recipe", "first"),
    [
        ("layers", [733883539, 923679737, 45287040, 104812974]),
        ("paths", [142974221, 305412710, 788725251, 1242068333]),
    ],
)
def test_a_signature_has_the_values_that_earlier_releases_stored(recipe, first):
    values = module.signature(page(DOC1), recipe, NUM_PERM, SEED)
    assert values.dtype == np.uint32
    assert values.shape == (NUM_PERM,)
    assert values[:4].tolist() == first


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 2**32 - 1), max_size=80),
    st.sampled_from([(NUM_PERM, SEED % 2**32), (64, 1), (256, 0)]),
)
def test_signatures_are_those_of_datasketch(hashes, of):
    oracle = MinHash(num_perm=of[0], seed=of[1], scheme=module.SCHEME, hashfunc=int)
    oracle.update_batch(hashes)
    values = module.minima(np.array(hashes, np.uint32), module.permutations(*of))
    assert values.dtype == np.uint32
    assert values.tolist() == oracle.hashvalues.tolist()


def test_the_permutations_of_the_default_are_stored(monkeypatch):
    monkeypatch.setattr(module, "make_permutations", lambda *_: None)
    module.permutations.cache_clear()
    assert module.permutations(NUM_PERM, SEED % 2**32).shape == (2, NUM_PERM)
    assert module.permutations(NUM_PERM, 1) is None
    module.permutations.cache_clear()


def recall(similarity: float, banding: tuple[int, int]) -> float:
    b, r = banding
    return 1 - (1 - similarity**r) ** b


@pytest.mark.parametrize("num_perm", [64, 128, 256])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.6, 0.8])
def test_pages_at_the_threshold_meet_and_no_narrower_banding_would_do(threshold, num_perm):
    b, r = module.bands_and_rows(threshold, num_perm)
    assert b * r <= num_perm
    assert recall(threshold, (b, r)) >= module.RECALL
    assert recall(threshold, (num_perm // (r + 1), r + 1)) < module.RECALL


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
    tokens = list(map(reference.path_tokens, pages))
    buckets = [set(bands(sign(of), threshold)) for of in pages]
    pairs = {(i, j): jaccard(tokens[i], tokens[j]) for i, j in combinations(range(len(pages)), 2)}
    met = {pair for pair in pairs if buckets[pair[0]] & buckets[pair[1]]}
    similar = {pair for pair, value in pairs.items() if value >= threshold}
    assert len(similar) > 40
    assert len(similar & met) >= 0.97 * len(similar)
    assert not met & {pair for pair, value in pairs.items() if value < 0.1}


# Digests and signatures of main texts: what is the same, what is nearly so.


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
def test_the_same_words_have_the_same_digest(other):
    assert text_digest(other) == text_digest('The captain\'s "ferry" - at 7')


@pytest.mark.parametrize(
    "other", ["The ferry at 8", "A ferry at 7", "The ferry at 7 €", "The ferry at -7"]
)
def test_another_word_number_or_sign_is_another_text(other):
    assert text_digest(other) != text_digest("The ferry at 7")


def test_a_text_without_anything_to_be_seen_has_neither():
    assert text_digest(" \u00ad\n") is None
    assert text_signature(" … ") is None


def signed(text: str) -> np.ndarray:
    return np.frombuffer(text_signature(text), "<u4")


def test_the_recipe_never_changes():
    assert text_digest("The Ferry") == (
        "sha256:dbb43af2a0c64c407372e96edad38920c85b7d7ef0fcd5774e5e3916705e03db"
    )
    values = signed("The ferry leaves at seven")
    assert len(values) == module.PERMUTATIONS
    assert values[:3].tolist() == [418741292, 3001132689, 428880116]


def test_signatures_estimate_the_similarity_that_texts_have_and_similar_ones_share_a_band():
    ours, theirs = signed(TEXT), signed(REWORDED)
    similarity = module.text_similarity(TEXT, REWORDED)
    assert similarity == pytest.approx(395 / 401)
    assert abs(np.mean(ours == theirs) - similarity) < 0.1
    assert {*bands(ours, 0.8)} & {*bands(theirs, 0.8)}
    assert module.text_similarity(TEXT, " ".join(reversed(WORDS))) == 0


def test_a_long_text_has_the_signature_of_all_its_parts():
    long = " ".join(f"{n} ferry" for n in range(20_000))
    assert text_signature(f"{long} {TEXT}") != text_signature(long)
