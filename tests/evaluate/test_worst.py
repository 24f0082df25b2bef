"""The pages that a run does worst on."""

from __future__ import annotations

from dbce.evaluate import evaluate_all
from dbce.evaluate.diagnostics import LENGTH, PAGES, PIECES, Pieces, differences, worst
from tests.evaluate.rows import page, run, truth


def test_what_is_missing_and_what_is_surplus_stand_apart_as_they_are_written():
    missing, surplus = differences(
        "The last ferry. It takes a goat.", "Home News\nThe last ferry\nShare"
    )
    assert missing == Pieces(4, 1, ("It takes a goat",))
    assert surplus == Pieces(3, 2, ("Home News", "Share"))


def test_long_pieces_are_shortened_and_the_longest_shown_in_order():
    story = " ".join(f"word{n}" for n in range(60))
    texts = [f"k{n} {'x ' * (n + 1)}" for n in range(PIECES + 2)]
    between = [f"same{n}" for n in range(PIECES + 2)]
    gold = " ".join(f"{b} {t}" for b, t in zip(between, texts, strict=True))
    missing, surplus = differences(gold, f"{' '.join(between)} {story}")
    assert (missing.pieces, len(missing.shown)) == (PIECES + 2, PIECES)
    assert missing.shown[0].startswith("k2 ")
    assert surplus.shown[0].endswith(" ... (60 words)")
    assert len(surplus.shown[0]) < LENGTH + 20


def test_pages_come_worst_first_and_perfect_ones_not_at_all(stored):
    gold = [truth("bad", "x y"), truth("fine", "x"), truth("gone", "x"), truth("fair", "x y")]
    pages = [page("bad", "x a b c"), page("fine", "x"), page("fair", "x y z", url="http://f/")]
    comparison = evaluate_all(*_folders(stored(gold, pages)))
    found = worst(comparison, comparison.runs[0])
    assert [(one.record_id, one.url) for one in found] == [
        ("", "gone"),
        ("bad", "u"),
        ("fair", "http://f/"),
    ]
    assert found[2].surplus.shown == ("z",)
    assert found[0].missing.shown == ("x",)


def test_no_more_than_twenty(stored):
    gold = [truth(str(n), "x") for n in range(PAGES + 5)]
    comparison = evaluate_all(*_folders(stored(gold, [page("0", "y")])))
    assert len(worst(comparison, comparison.runs[0])) == PAGES


def test_node_gold_names_the_runs_that_are_wrong(stored):
    nodes = [
        run("a", 0, "story ", "invalid"),
        run("a", 6, "menu ", "content"),
        run("a", 11, "foot", "boilerplate"),
    ]
    gold = [
        run("a", 0, "story ", "content"),
        run("a", 6, "menu ", "boilerplate"),
        run("a", 11, "foot", "boilerplate"),
    ]
    comparison = evaluate_all(*_folders(stored(gold, [page("a", "menu")], nodes)))
    (one,) = worst(comparison, comparison.runs[0])
    assert (one.missing.shown, one.surplus.shown, one.url) == (("story",), ("menu",), "u")


def _folders(places: tuple[str, str]) -> tuple[list[str], str]:
    folder, gold = places
    return [folder], gold
