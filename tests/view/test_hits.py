"""Where the texts of a page stand in another one."""

import pytest

from dbce.view.why import counterparts, places_of


def runs(*texts: str, bits: str = "11000") -> list[dict[str, str]]:
    return [{"text": text, "bits": bits} for text in texts]


@pytest.mark.parametrize(
    ("page", "other", "places"),
    [
        # Equal runs in their order.
        (
            ("Home", "News", "The ferry has left"),
            ("Home", "News", "Another story", "The ferry has left"),
            [(0,), (1,), (3,)],
        ),
        # The second of two equal runs is the second there.
        (("more", "a", "more"), ("more", "b", "more"), [(0,), (), (2,)]),
        # A run that is part of another, and one that others share among them.
        (("of the harbour",), ("x", "the clocks of the harbour board"), [(1,)]),
        (("one two three",), ("zero one", "two", "three four"), [(0, 1, 2)]),
        # No word within another.
        (("art",), ("the start", "party"), [()]),
        # A run that stands earlier there.
        (("b", "a"), ("a", "b"), [(1,), (0,)]),
    ],
)
def test_runs_are_found_where_their_words_stand(page, other, places) -> None:
    assert places_of(runs(*page), runs(*other)) == places


def test_only_what_the_bits_say_is_shared() -> None:
    page = [*runs("a", bits="11000"), *runs("b", bits="10000"), *runs("c", bits="10001")]
    assert counterparts(page, runs("c", "b", "a"), "up") == {0: [2]}
    assert counterparts(page, runs("c", "b", "a"), "next") == {2: [0]}
