"""The measures of H 5.3 and 5.4.6, on a worked example and on small trees."""

import pytest

from dbce.visual.evaluate.headings import evaluation


def item(heading, *, block=(), parent=-1, optional=False):
    return evaluation.Item(frozenset({heading}), frozenset(block or (heading,)), parent, optional)


PAGES = [
    # Three are marked; two are found, both headings right, one block right.
    (
        [item(1, block=(1, 2)), item(3, block=(3, 4)), item(5, block=(5, 6))],
        [item(1, block=(1, 2)), item(3, block=(3, 4, 5))],
    ),
    ([item(1), item(2)], []),
    ([], [item(1)]),
]
"""The worked example: marked and found, page by page."""


def test_the_worked_example_to_the_digit():
    headings = evaluation.means(evaluation.counts(gold, found, "heading") for gold, found in PAGES)
    blocks = evaluation.means(evaluation.counts(gold, found, "block") for gold, found in PAGES)
    assert headings == pytest.approx((0.5, 1 / 3, 0.4))
    assert blocks == pytest.approx((0.25, 1 / 6, 0.2))


def test_a_page_counts_for_precision_only_if_something_was_extracted():
    assert evaluation.counts(*PAGES[1], "heading").precision is None
    assert evaluation.counts(*PAGES[2], "heading").recall is None


def test_a_marked_heading_is_found_once_at_most():
    assert evaluation.counts([item(1)], [item(1), item(1)], "heading") == (1, 2, 1)


def test_what_is_optional_is_neither_missed_nor_wrong():
    gold = [item(1), item(2, optional=True), item(3, optional=True)]
    assert evaluation.counts(gold, [item(1), item(2), item(4)], "heading") == (1, 2, 1)


TREE = [item(1), item(2, parent=0), item(3, parent=0), item(4, parent=1), item(5)]


@pytest.mark.parametrize(
    ("relation", "innermost", "outermost"),
    [
        ("ancestors", [1, 0], []),
        ("parent", [1], []),
        ("siblings", [], [4]),
        ("children", [], [1, 2]),
        ("descendants", [], [1, 2, 3]),
    ],
)
def test_items_are_related(relation, innermost, outermost):
    assert [list(evaluation.RELATIONS[relation](TREE, n)) for n in (3, 0)] == [innermost, outermost]


def test_only_what_is_found_correctly_asks_for_its_relatives():
    gold = [item(1), item(2, parent=0), item(3, parent=0)]
    found = [item(1), item(2, parent=0), item(9, parent=0)]
    for relation, counts in (
        ("children", (1, 2, 2)),
        ("parent", (1, 1, 1)),
        ("siblings", (0, 1, 1)),
    ):
        related = evaluation.RELATIONS[relation]
        assert evaluation.relation_counts(gold, found, "heading", related) == counts, relation
