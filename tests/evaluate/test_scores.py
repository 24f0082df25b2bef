"""Word scores, which agree with the scorer of the shared data sets, and which texts of a page are in its gold text."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate import scores
from dbce.evaluate.scores import PageScore, gold_share, page_table, score_page, summarise, words
from tests.data import shared

TEXT = st.lists(st.sampled_from("river bank Bank über 12 der-die".split())).map(" ".join)


def scores_of(*pages: tuple[str, str]):
    return summarise(page_table([score_page(gold, predicted) for gold, predicted in pages]))


def test_bag_ignores_order_and_lcs_does_not_and_a_word_counts_as_often_as_both_texts_have_it():
    assert score_page("one two three", "three ONE two, four") == PageScore(3, 4, bag=3, lcs=2)
    assert score_page("tea tea tea", "tea tea coffee").bag == 2


def test_micro_weighs_words_and_mean_weighs_pages():
    found = scores_of(("a b c d e f g h", "a b c d e f g h"), ("a b", "x y"))
    assert found["bag_f1_mean"] == pytest.approx(0.5)
    assert found["bag_f1_micro"] == pytest.approx(0.8)
    assert found["bag_f1_se"] == pytest.approx(0.5)


def test_a_page_without_predicted_words_scores_zero_and_is_counted_and_one_page_has_no_spread():
    found = scores_of(("a b", "..."), ("a b", "a b"))
    assert (found["empty"], found["bag_p_mean"], found["lcs_f1_median"]) == (1, 0.5, 0.5)
    assert scores_of(("a", "a b"))["lcs_f1_se"] == 0


@given(TEXT, TEXT)
def test_order_can_only_cost(gold, predicted):
    score = score_page(gold, predicted)
    assert 0 <= score.lcs <= score.bag <= min(score.gold, score.predicted)
    same = score_page(gold, gold)
    assert same.gold == same.bag == same.lcs


def original_scores(folder, pages: list[tuple[str, str]]) -> dict:
    """What score_text.py says of (gold, predicted) pages."""
    for name, field, column in (("gold", "gold_text", 0), ("pred", "text", 1)):
        lines = [json.dumps({"url": str(i), field: page[column]}) for i, page in enumerate(pages)]
        (folder / name).write_text("\n".join(lines))
    script = shared("../score_text.py")
    options = ["--gold", "gold", "--pred", "pred", "--json", "scores"]
    subprocess.run([sys.executable, script, *options], cwd=folder, check=True, capture_output=True)
    return json.loads((folder / "scores").read_text())["pred"]["all"]


def random_pages() -> list[tuple[str, str]]:
    draw = random.Random(7)
    pages = []
    for _ in range(200):
        sizes = draw.randrange(0, 60), draw.randrange(0, 60)
        gold, predicted = (" ".join(draw.choices("aäbcdef_-", k=k)) for k in sizes)
        pages.append((gold, predicted))
    return pages


def real_pages() -> list[tuple[str, str]]:
    """Real texts, each with a third of its lines lost and two lines of the page before it."""
    with shared("cleanportaleval/cleanportaleval.gold.jsonl").open(encoding="utf-8") as lines:
        texts = [json.loads(line)["gold_text"].split("\n") for line in lines]
    return [
        ("\n".join(text), "\n".join([*before[:2], *text[::3], *text[1::3]]))
        for before, text in zip([texts[-1], *texts], texts, strict=False)
    ]


@pytest.mark.data
@pytest.mark.parametrize("pages", [random_pages, real_pages])
def test_scores_agree_with_the_original_to_four_decimals(tmp_path, pages):
    theirs = original_scores(tmp_path, pages())
    scored = [score_page(*page) for page in pages()]
    ours = summarise(page_table([score for score in scored if score.gold]))
    assert (ours["pages"], ours["empty"]) == (theirs["pages"], theirs["empty"])
    for measure in scores.MEASURES:
        assert ours[f"{measure}_f1_se"] == pytest.approx(theirs[measure]["f1_se"], abs=5e-5)
        for kind in ("mean", "median", "micro"):
            found = [ours[f"{measure}_{name}_{kind}"] for name in ("p", "r", "f1")]
            assert found == pytest.approx(theirs[measure][kind], abs=5e-5)


# Which texts of a page are in its gold text.


TEXTS = st.lists(st.lists(st.sampled_from("ferry goat Bank über 12 :".split())).map(" ".join))


@pytest.mark.parametrize(
    ("page", "gold", "share"),
    [
        # All words of a text, some, or none.
        (
            ["Home", "The last ferry", "It takes a goat."],
            "The last ferry. It takes a",
            [0, 1, 0.75],
        ),
        # Order tells a word in the menu from the same word in the story.
        (["Ferry", "Clocks", "are wound", "Ferry"], "Ferry: clocks are wound", [1, 1, 1, 0]),
        # Texts without words have no share; no text and no gold are no error.
        (["...", "", "x"], "x", [np.nan, np.nan, 1]),
        ([], "x", []),
        (["x"], "", [0]),
    ],
)
def test_a_text_counts_by_its_words_that_are_in_the_gold(page, gold, share):
    np.testing.assert_array_equal(gold_share(page, gold), share)


def test_a_word_with_a_soft_hyphen_is_one():
    assert words("Vott\u00adar og\u200b mid\u00adnight") == ["vottar", "og", "midnight"]


def test_words_of_a_page_too_large_to_align_are_counted(monkeypatch):
    monkeypatch.setattr(scores, "CELLS", 3)
    assert gold_share(["a b", "b", "c"], "b a").tolist() == [1, 0, 0]


@given(TEXTS, TEXTS)
def test_as_many_words_are_found_as_a_longest_common_subsequence_has(page, gold):
    lengths = np.array([len(words(text)) for text in page])
    share = np.nan_to_num(gold_share(page, " ".join(gold)))
    assert share @ lengths == pytest.approx(score_page(" ".join(gold), " ".join(page)).lcs)
