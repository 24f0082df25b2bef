"""Where the texts of a page stand in another one."""

from dbce.view.hits import counterparts, places_of, shared_places


def runs(*texts: str, bits: str = "11000") -> list[dict[str, str]]:
    return [{"text": text, "bits": bits} for text in texts]


def test_equal_runs_are_found_in_their_order() -> None:
    page = runs("Home", "News", "The ferry has left")
    other = runs("Home", "News", "Another story", "The ferry has left")
    assert places_of(page, other) == [(0,), (1,), (3,)]


def test_the_second_of_two_equal_runs_is_the_second_there() -> None:
    assert places_of(runs("more", "a", "more"), runs("more", "b", "more")) == [(0,), (), (2,)]


def test_a_run_that_is_part_of_another_is_there() -> None:
    assert places_of(runs("of the harbour"), runs("x", "the clocks of the harbour board")) == [(1,)]


def test_a_run_that_others_share_among_them_is_in_all_of_them() -> None:
    assert places_of(runs("one two three"), runs("zero one", "two", "three four")) == [(0, 1, 2)]


def test_a_word_is_not_found_within_another() -> None:
    assert places_of(runs("art"), runs("the start", "party")) == [()]


def test_a_run_that_stands_earlier_there_is_found_too() -> None:
    assert places_of(runs("b", "a"), runs("a", "b")) == [(1,), (0,)]


def test_only_what_the_bits_say_is_shared() -> None:
    page = [*runs("a", bits="11000"), *runs("b", bits="10000"), *runs("c", bits="10001")]
    assert shared_places(page, "up") == [0]
    assert shared_places(page, "next") == [2]
    assert counterparts(page, runs("c", "b", "a"), "up") == {0: [2]}
