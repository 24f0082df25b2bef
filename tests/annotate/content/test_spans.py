"""What is said holds for characters, however the text was split when it was said."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dbce.annotate.content.history import Mark, mark_of, paint_over, pieces, remainders
from tests.annotate.content.said import BP, COM, CON, span

TEXT = "The ferry has left. Subscribe now"
WHOLE = span(0, TEXT, CON)
TEXTS = {WHOLE.xpath: TEXT}


def say(spans: list, new: list) -> list:
    """What is said after a further saying, as the journal gets it."""
    return paint_over(spans, [*remainders(spans, new, TEXTS), *new])


def test_what_is_said_later_goes_over_what_was_said_before():
    other = replace(WHOLE, mark=BP)
    assert say([WHOLE], [other]) == [other]


def test_a_part_of_what_was_said_stays_where_nothing_else_is_said():
    after = say([WHOLE], [span(4, "ferry", BP)])
    found = sorted((one.start, one.text, one.mark) for one in after)
    assert found == [(0, "The ", CON), (4, "ferry", BP), (9, " has left. Subscribe now", CON)]


def test_white_space_alone_does_not_stay():
    assert say([span(0, "The ")], [span(0, "The", BP)]) == [span(0, "The", BP)]


def test_other_text_nodes_are_not_touched():
    other = span(0, "Home", BP, node=1)
    assert say([other], [WHOLE]) == [other, WHOLE]


@st.composite
def sayings(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, len(TEXT)))
    return span(start, TEXT[start:end], draw(st.sampled_from(Mark)))


@given(st.lists(sayings(), max_size=8))
def test_every_character_is_what_was_said_of_it_last(said):
    spans, expected = [], {}
    for one in said:
        spans = say(spans, [one])
        expected |= dict.fromkeys(range(one.start, one.end), one.mark)
    for place, mark in expected.items():
        if not TEXT[place].isspace():
            assert mark_of(spans, place, place + 1).mark is mark
    for one in spans:
        assert one.text == TEXT[one.start : one.end]


def test_a_run_is_what_most_of_its_characters_are():
    said = [span(0, "The ferry ", CON), span(10, "has left.", BP)]
    assert mark_of(said, 0, 19).mark is CON
    assert mark_of(said, 8, 19).mark is BP


def test_a_run_of_which_half_is_not_labelled_is_not():
    assert mark_of([span(0, "The")], 0, 6) is None
    assert mark_of([span(0, "The ")], 0, 6).mark is CON
    assert mark_of([], 0, 6) is None


def split(one: list, other: list) -> list[tuple]:
    return [
        (piece.text, {name: said.mark for name, said in piece.said.items()})
        for piece in pieces({"Anna": one, "Ben": other})
    ]


def test_people_who_split_a_text_differently_meet_in_pieces():
    anna = [span(0, "The ferry "), span(10, "has left. Subscribe now", BP)]
    ben = [span(0, "The ferry has left. "), span(20, "Subscribe now", BP)]
    assert split(anna, ben) == [
        ("The ferry ", {"Anna": CON, "Ben": CON}),
        ("has left. ", {"Anna": BP, "Ben": CON}),
        ("Subscribe now", {"Anna": BP, "Ben": BP}),
    ]


def test_what_one_alone_spoke_of_is_a_piece():
    assert split([span(0, "The")], [span(4, "ferry", COM)]) == [
        ("The", {"Anna": CON}),
        ("ferry", {"Ben": COM}),
    ]


def test_pieces_come_in_document_order():
    later, earlier = span(0, "b", node=2), span(0, "a", node=1)
    assert [text for text, _ in split([later], [earlier])] == ["a", "b"]


def test_a_text_of_which_parts_are_not_known_is_not_cut():
    # Its white space was normalised by whoever made the gold.
    given_gold = span(0, "The ferry", CON, end=14)
    assert split([given_gold], [span(0, "The  ", BP), span(5, "   ferry.", CON)]) == [
        ("The ferry", {"Anna": CON, "Ben": CON})
    ]
