"""What people say of texts: it holds for characters, however a text was split; who agrees with whom; what is kept as gold."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from dbce.annotate.content import history as labels
from dbce.annotate.content.desk import common_marks
from dbce.annotate.core.agreement import kappa, observed_agreement
from dbce.annotate.core.store import AnnotationStore
from tests.annotate.core.notes import opened, refuses_to_open

CON, BP, COM, UND = labels.Mark


def span(
    start: int, text: str, mark: labels.Mark = CON, node: int = 0, *, end: int | None = None
) -> labels.Span:
    """A stretch of a text node; with `end` its text is normalised and of another length."""
    return labels.Span(node, f"/p[{node}]", start, end or start + len(text), text, mark)


ABOUT = {"record_id": "page", "url": "http://a.example/", "site": "a.example"}


def says(by: str, *spans: labels.Span, hidden: bool = False) -> dict:
    """Somebody's saying, as the journal has it."""
    return labels.event_of(by, ABOUT, spans, hidden=hidden)


def settles(span: labels.Span) -> dict:
    return labels.event_of("a reviewer", ABOUT, [span], settles=True)


TEXT = "The ferry has left. Subscribe now"
WHOLE = span(0, TEXT, CON)
TEXTS = {WHOLE.xpath: TEXT}


def say(spans: list, new: list) -> list:
    """What is said after a further saying, as the journal gets it."""
    return labels.paint_over(spans, [*labels.remainders(spans, new, TEXTS), *new])


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
    return span(start, TEXT[start:end], draw(st.sampled_from(labels.Mark)))


@given(st.lists(sayings(), max_size=8))
def test_every_character_is_what_was_said_of_it_last(said):
    spans, expected = [], {}
    for one in said:
        spans = say(spans, [one])
        expected |= dict.fromkeys(range(one.start, one.end), one.mark)
    for place, mark in expected.items():
        if not TEXT[place].isspace():
            assert labels.mark_of(spans, place, place + 1).mark is mark
    for one in spans:
        assert one.text == TEXT[one.start : one.end]


def test_a_run_is_what_most_of_its_characters_are_and_nothing_if_half_is_not_labelled():
    said = [span(0, "The ferry ", CON), span(10, "has left.", BP)]
    assert [labels.mark_of(said, start, 19).mark for start in (0, 8)] == [CON, BP]
    assert labels.mark_of([span(0, "The")], 0, 6) is None
    assert labels.mark_of([span(0, "The ")], 0, 6).mark is CON
    assert labels.mark_of([], 0, 6) is None


def split(one: list, other: list) -> list[tuple]:
    return [
        (piece.text, {name: span.mark for name, span in piece.spans.items()})
        for piece in labels.pieces({"Anna": one, "Ben": other})
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
    found = split([span(0, "The")], [span(4, "ferry", COM)])
    assert found == [("The", {"Anna": CON}), ("ferry", {"Ben": COM})]


def test_pieces_come_in_document_order():
    later, earlier = span(0, "b", node=2), span(0, "a", node=1)
    assert [text for text, _ in split([later], [earlier])] == ["a", "b"]


def test_a_text_of_which_parts_are_not_known_is_not_cut():
    # Its white space was normalised by whoever made the gold.
    given_gold = span(0, "The ferry", CON, end=14)
    found = split([given_gold], [span(0, "The  ", BP), span(5, "   ferry.", CON)])
    assert found == [("The ferry", {"Anna": CON, "Ben": CON})]


DECIDED = st.sampled_from([CON, BP, COM])


@given(st.lists(st.tuples(DECIDED, DECIDED), min_size=1, max_size=40))
def test_kappa_is_that_of_scikit_learn(marks):
    assume(len({mark for pair in marks for mark in pair}) > 1)
    one, other = zip(*marks, strict=True)
    assert kappa(Counter(marks)) == pytest.approx(cohen_kappa_score(one, other))


def test_kappa_is_not_defined_where_chance_alone_agrees():
    assert (kappa({}), observed_agreement({})) == (None, None)
    assert (kappa({(BP, BP): 2}), observed_agreement({(BP, BP): 2})) == (None, 1)


def said(*events: dict) -> labels.LabelHistory:
    history = labels.LabelHistory()
    for event in events:
        history.add(event)
    return history


def counted(*events: dict) -> dict:
    return dict(common_marks("Anna", "Ben", said(*events).pieces("page")))


A, B, C = span(0, "a "), span(2, "b "), span(4, "c ")


def be(one, mark):
    return span(one.start, one.text, mark)


def test_only_what_both_decided_counts():
    anna = says("Anna", be(A, CON), be(B, UND), be(C, BP))
    assert counted(anna, says("Ben", be(A, BP), be(B, BP))) == {(CON, BP): 1}


def test_what_a_rule_said_for_both_is_no_agreement():
    anna, ben = says("Anna", be(A, BP), hidden=True), says("Ben", be(A, BP), hidden=True)
    assert counted(anna, says("Anna", be(B, CON)), ben, says("Ben", be(B, CON))) == {(CON, CON): 1}
    assert counted(anna, says("Anna", be(B, CON)), ben, says("Ben", be(A, CON))) == {(BP, CON): 1}


def gold(*events: dict) -> dict[str, str]:
    return {line["text"].strip(): line["label"] for line in said(*events).lines(("page",))}


def test_gold_is_what_all_say_who_decided():
    anna = says("Anna", be(A, CON), be(B, CON), be(C, COM))
    ben = says("Ben", be(A, CON), be(B, BP), be(C, UND))
    assert gold(anna, ben) == {"a": "content", "c": "comment"}


def test_what_a_reviewer_settles_is_gold_whoever_disagrees():
    anna, ben = says("Anna", be(A, CON)), says("Ben", be(A, BP))
    assert gold(anna, ben) == {}
    assert gold(anna, ben, settles(be(A, BP))) == {"a": "boilerplate"}
    assert gold(anna, ben, settles(be(A, BP)), settles(be(A, CON))) == {"a": "content"}
    assert gold(anna, ben, settles(be(A, UND))) == {}


def test_gold_names_the_capture_the_place_and_who_said_so():
    [line] = said(says("Anna", A), says("Ben", A)).lines(("page",))
    place = {"node": 0, "xpath": "/p[0]", "start": 0, "end": 2, "text": "a "}
    assert line == ABOUT | place | {"label": "content", "annotators": ["Anna", "Ben"]}


def test_hidden_texts_are_gold_only_with_something_that_a_person_said():
    rule = says("Anna", be(A, BP), hidden=True)
    assert gold(rule) == {}
    assert gold(rule, says("Anna", be(B, CON))) == {"a": "boilerplate", "b": "content"}
    assert gold(rule, says("Anna", be(B, CON)), {"undo": 1}) == {}


def test_taking_back_brings_back_what_was_before():
    first, second = says("Anna", be(A, CON)), says("Anna", be(A, BP), be(B, BP))
    assert gold(first, second, {"undo": 1}) == {"a": "content"}
    assert gold(first, second, {"undo": 1}, {"undo": 0}) == {}
    after = said(first, second, {"undo": 1})
    assert after.undo_events("Anna", "page")[0] == [{"undo": 0}]
    assert after.undo_events("Ben", "page")[0] == []


SENTENCE = "The ferry has left"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "gold.jsonl"


@pytest.fixture
def store(path) -> Iterator[AnnotationStore]:
    with opened(path, labels.NODE_GOLD) as store:
        yield store


def note(store: AnnotationStore, *spans, by: str = "Anna", hidden=()):
    texts = {one.xpath: SENTENCE for one in (*spans, *hidden)}
    with store.turn() as history:
        events = history.labelling_events(by, ABOUT, spans, hidden=hidden, texts=texts)
        store.note(*events)


def test_the_rule_for_hidden_texts_speaks_once_and_before_the_first_label(store, path):
    unseen = [span(0, "unseen", BP, node=2)]
    note(store, span(0, "The ferry", CON), hidden=unseen)
    note(store, span(0, "Home", BP, node=1), hidden=unseen)
    journal = path.with_name("gold.jsonl.journal").read_text()
    events = [json.loads(line) for line in journal.splitlines()]
    assert [event.get("hidden", False) for event in events] == [True, False, False]
    texts = [json.loads(line)["text"] for line in path.read_text().splitlines()]
    assert texts == ["The ferry", "Home", "unseen"]


def test_what_the_rule_covers_of_earlier_gold_is_not_said_again(store):
    note(store, span(0, SENTENCE, CON))
    hidden = span(0, "The ferry", BP)
    note(store, span(4, "ferry", CON), hidden=[hidden])
    with store.turn() as history:
        assert [one.text for one in history.spans("Anna", "page")] == ["The ", "ferry"]


def test_gold_that_is_there_is_gone_on_with(path):
    given = ABOUT | {"era": 2015, "xpath": "/p[0]", "start": 0, "end": 9, "text": "The ferry"}
    path.write_text(json.dumps(given | {"record_id": "<page>", "label": "boilerplate"}) + "\n")
    with opened(path, labels.NODE_GOLD) as store:
        assert store.people() == {labels.SOMEBODY: ["page"]}
        note(store, span(0, "Home", CON, node=1), by=labels.SOMEBODY)
    first, second = map(json.loads, path.read_text().splitlines())
    assert first["era"] == second["era"] == 2015
    assert (first["record_id"], first["label"]) == ("page", "boilerplate")
    assert first["annotators"] == [labels.SOMEBODY]


def test_a_file_that_lost_its_journal_knows_its_annotators(path):
    with opened(path, labels.NODE_GOLD) as store:
        note(store, span(0, "The ferry", CON))
        note(store, span(0, "The ferry", CON), by="Ben")
    before = path.read_bytes()
    path.with_name("gold.jsonl.journal").unlink()
    with opened(path, labels.NODE_GOLD) as store:
        assert store.people() == {"Anna": ["page"], "Ben": ["page"]}
    assert path.read_bytes() == before


RUN = '{"record_id": "p", "xpath": "/p", "start": 0, "end": 3, "text": "The", "label": "%s"}\n'


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ('{"url": "u", "gold_text": "t"}\n', "gold of whole pages"),
        (RUN % "content" + RUN % "boilerplate", "gives some text two labels"),
    ],
)
def test_gold_that_cannot_be_gone_on_with_is_not_touched(path, written, sentence):
    path.write_text(written)
    for _ in range(2):
        refuses_to_open(path, sentence, labels.NODE_GOLD)
    assert path.read_text() == written
