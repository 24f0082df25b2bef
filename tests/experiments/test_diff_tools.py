"""Changes that tools report, against those of the content."""

from collections import Counter

from scripts.experiments.diff_tools import Change, Pair, by_difflib, marked, score, words

PAIR = Pair(
    "http://harbour.example/",
    ("a", "b"),
    (Counter(words("the ferry left at nine")), Counter(words("the ferry left at ten"))),
    ("<p>News</p><p>The ferry left at nine</p>", "<p>Letters</p><p>The ferry left at ten</p>"),
)


def test_a_change_of_a_menu_is_boilerplate_and_what_no_tool_says_is_missed() -> None:
    found = score(PAIR, by_difflib(PAIR))
    assert found == Counter(true=2, pairs=1, changes=2, unreal=1, words=4, beside=2, hits=2)
    assert score(PAIR, ())["true"] == 2


def test_changes_are_read_from_a_page_that_marks_them() -> None:
    page = "<p>The ferry left at <del>nine</del> <ins>ten</ins> <ins> </ins></p>"
    assert list(marked(page)) == [Change((), ["nine"]), Change(["ten"], ())]
    assert list(marked("")) == []
