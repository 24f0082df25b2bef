"""Word scores, which agree with the scorer of the shared data sets; probabilities that keep what they promise; and the worst pages of a run."""

import json
import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate import diagnostics, read_gold, scores
from dbce.evaluate.scores import PageScore, gold_share, page_table, score_page, summarise, words
from dbce.storage.folder import Folder
from tests.data import shared
from tests.evaluate.conftest import page, run, truth

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


TEXTS = st.lists(st.lists(st.sampled_from("ferry goat Bank über 12 :".split())).map(" ".join))


@pytest.mark.parametrize(
    ("page", "gold", "share"),
    [
        # All words of a text, some, or none.
        (["Home", "The last ferry", "It takes a goat"], "The last ferry. It takes a", [0, 1, 0.75]),
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


def of(*said_and_true: tuple[float, bool], weight: list[float] | None = None):
    said, true = (np.array(column) for column in zip(*said_and_true, strict=True))
    return diagnostics.reliability(said, true, np.array(weight or [1.0] * len(said)))


def test_the_error_is_the_mean_distance_of_the_bins_weighed_by_what_is_in_them():
    found = of((0.95, True), (0.95, True), (0.95, False), (0.15, False))
    assert found.error == pytest.approx(3 / 4 * (0.95 - 2 / 3) + 1 / 4 * 0.15)
    assert found.bins["weight"].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert found.bins["content"].iloc[[1, 9]].tolist() == pytest.approx([0, 2 / 3])


def test_words_weigh_as_many_runs():
    few = of((0.9, True), (0.9, False), weight=[3, 1])
    many = of((0.9, True), (0.9, True), (0.9, True), (0.9, False))
    assert few.error == pytest.approx(many.error)


def test_certainty_is_in_the_last_bin_and_nothing_has_no_error():
    assert of((1.0, True)).bins["weight"].iloc[-1] == 1
    nothing = np.array([])
    assert math.isnan(diagnostics.reliability(nothing, nothing.astype(bool), nothing).error)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_the_error_lies_between_none_and_all(pairs):
    found = of(*pairs)
    assert 0 <= found.error <= 1
    assert found.bins["weight"].sum() == len(pairs)


def test_node_gold_says_what_a_run_is(stored):
    nodes = [run("a", 0, "two words", "content", probability=0.8), run("b", 0, "x", "content")]
    folder, path = stored([run("a", 0, "two words", "boilerplate")], nodes=nodes)
    judged = diagnostics.outcomes(Folder(folder), read_gold(path))
    assert judged.to_dict("records") == [{"probability": 0.8, "content": False, "words": 2}]


def test_text_gold_says_it_by_the_words_that_are_in_the_text(stored):
    nodes = [
        run("a", 0, "Home", "boilerplate", probability=0.1),
        run("a", 5, "the last ferry", "content", probability=0.9),
        run("a", 20, "...", "content"),
    ]
    folder, path = stored([truth("a", "The last goat")], [page("a", "the last ferry")], nodes)
    judged = diagnostics.outcomes(Folder(folder), read_gold(path))
    assert judged.to_numpy().tolist() == [[0.1, False, 1], [0.9, True, 3]]


# The pages that a run does worst on.


BOILERPLATE = "boilerplate"


def test_what_is_missing_and_what_is_surplus_stand_apart_as_they_are_written():
    gold, ours = "The last ferry. It takes a goat.", "Home News\nThe last ferry\nShare"
    missing, surplus = diagnostics.differences(gold, ours)
    assert missing == diagnostics.Pieces(4, 1, ("It takes a goat",))
    assert surplus == diagnostics.Pieces(3, 2, ("Home News", "Share"))


def test_long_pieces_are_shortened_and_the_longest_shown_in_order():
    story = " ".join(f"word{n}" for n in range(60))
    texts = [f"k{n} {'x ' * (n + 1)}" for n in range(diagnostics.PIECES + 2)]
    between = [f"same{n}" for n in range(diagnostics.PIECES + 2)]
    gold = " ".join(f"{b} {t}" for b, t in zip(between, texts, strict=True))
    missing, surplus = diagnostics.differences(gold, f"{' '.join(between)} {story}")
    assert (missing.pieces, len(missing.shown)) == (diagnostics.PIECES + 2, diagnostics.PIECES)
    assert missing.shown[0].startswith("k2 ")
    assert surplus.shown[0].endswith(" ... (60 words)")
    assert len(surplus.shown[0]) < diagnostics.LENGTH + 20


def test_pages_come_worst_first_and_perfect_ones_not_at_all(compared):
    gold = [truth("bad", "x y"), truth("fine", "x"), truth("gone", "x"), truth("fair", "x y")]
    pages = [page("bad", "x a b c"), page("fine", "x"), page("fair", "x y z", url="http://f/")]
    comparison = compared(gold, one=({}, pages, []))
    found = diagnostics.worst(comparison, comparison.runs[0])
    told = [(one.record_id, one.url) for one in found]
    assert told == [("", "gone"), ("bad", "u"), ("fair", "http://f/")]
    assert found[2].surplus.shown == ("z",)
    assert found[0].missing.shown == ("x",)


def test_no_more_than_twenty(compared):
    gold = [truth(str(n), "x") for n in range(diagnostics.PAGES + 5)]
    comparison = compared(gold, one=({}, [page("0", "y")], []))
    assert len(diagnostics.worst(comparison, comparison.runs[0])) == diagnostics.PAGES


def test_node_gold_names_the_runs_that_are_wrong(compared):
    texts, places = ("story ", "menu ", "foot"), (0, 6, 11)
    nodes, gold = (
        [run("a", *of) for of in zip(places, texts, labels, strict=True)]
        for labels in (("invalid", "content", BOILERPLATE), ("content", BOILERPLATE, BOILERPLATE))
    )
    comparison = compared(gold, one=({}, [page("a", "menu")], nodes))
    (one,) = diagnostics.worst(comparison, comparison.runs[0])
    assert (one.missing.shown, one.surplus.shown, one.url) == (("story",), ("menu",), "u")
