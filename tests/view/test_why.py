"""Words of the pages on a capture; why, in a sentence that needs no knowledge of the method; and where its texts stand in another."""

import pytest

from dbce.view.app import boxes, labels
from dbce.view.why import counterparts, label_by_bits, places_of, plain


def test_a_box_tells_no_from_absent_and_a_page_judged_alone_has_one() -> None:
    states = dict(boxes("10010", "11010"))
    assert states == {"cur": "on", "up": "off", "down": "none", "prev": "on", "next": "none"}
    assert [state for _, state in boxes("10000", None)] == ["on", *["none"] * 4]


def test_shares_add_up() -> None:
    row = {"words": 4, "words_content": 1}
    assert labels(row) == [("content", 1, 0.25), ("boilerplate", 3, 0.75)]


SENTENCES = """
boilerplate 11111 joint 1 11111
  This is boilerplate, because the most similar page of the site, the second most similar, the
  snapshot before and the snapshot after have the same text.
content 10011 joint 1 11111
  This is content, because no other page has it, only the snapshot before and the snapshot after
  of this one.
content 10000 joint 1 11100
  This is content, because none of the 2 captures compared has it.
boilerplate 10000 joint 1 11011
  This is boilerplate, because none of the 3 captures compared has it, not even this page at
  another time.
content 11000 joint 1 11000
  This is content, although the most similar page of the site has the same text: its length, its
  links and its place on the page counted for more.
content 10001 joint 1 10001
  This is content: the snapshot after has the same text, which may mean either, and its length,
  its links and its place on the page decided.
boilerplate 11000 majority 4 11101
  This is boilerplate: the most similar page of the site has the same text, which may mean either,
  and most of several comparisons decided.
invalid 10110 pattern 1 11111
  This is left open: the second most similar and the snapshot before have the same text, and the
  method has no rule for that.
boilerplate 10000 density 0 -
  This is boilerplate, going by its length, its links and its place on the page: there was no
  other capture to compare it with.
boilerplate 10000 comment 1 11000
  This is boilerplate: it looks like what a reader wrote below an article; the most similar page
  of the site does not have it, and nothing else was compared.
"""
"""Label, bits, rule, number of comparisons, bits of the cross: the sentence."""


@pytest.mark.parametrize("case", SENTENCES.strip().replace("\n  ", " ").splitlines())
def test_why_is_told_by_who_has_the_text(case) -> None:
    label, bits, rule, comparisons, cross, sentence = case.split(" ", 5)
    row = {"label": label, "bits": bits, "decided_by": rule, "comparisons": int(comparisons)}
    assert plain(row, cross.strip("-")) == sentence


def test_bits_say_what_the_thesis_says_of_them() -> None:
    assert label_by_bits("11111", "10011") == "content"
    assert label_by_bits("11111", "11111") == "boilerplate"
    assert label_by_bits("11111", "10101") is None
    assert label_by_bits("10011", "10011") is None


def test_a_word_is_explained_in_two_sentences_at_most(client) -> None:
    terms = client.application.jinja_env.get_template("words.html").module.terms
    assert all(len(text) < 260 and text.endswith(".") for text in terms.values())


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
