"""Who agrees with whom, how far, and what is gold."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from dbce.annotate.content.desk import agreement
from dbce.annotate.content.history import LabelHistory
from dbce.annotate.core.agreement import kappa, observed_agreement
from tests.annotate.content.said import BP, COM, CON, UND, says, settles, span

DECIDED = st.sampled_from([CON, BP, COM])


@given(st.lists(st.tuples(DECIDED, DECIDED), min_size=1, max_size=40))
def test_kappa_is_that_of_scikit_learn(marks):
    assume(len({mark for pair in marks for mark in pair}) > 1)
    one, other = zip(*marks, strict=True)
    assert kappa(Counter(marks)) == pytest.approx(cohen_kappa_score(one, other))


def test_kappa_is_not_defined_where_chance_alone_agrees():
    assert (kappa({}), observed_agreement({})) == (None, None)
    assert (kappa({(BP, BP): 2}), observed_agreement({(BP, BP): 2})) == (None, 1)


def said(*events: dict) -> LabelHistory:
    return LabelHistory(events)


def counted(*events: dict) -> dict:
    return dict(agreement("Anna", "Ben", said(*events).pieces("page")).counts)


A, B, C = span(0, "a "), span(2, "b "), span(4, "c ")


def be(one, mark):
    return span(one.start, one.text, mark)


def test_only_what_both_decided_counts():
    found = counted(
        says("Anna", be(A, CON), be(B, UND), be(C, BP)), says("Ben", be(A, BP), be(B, BP))
    )
    assert found == {(CON, BP): 1}


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


def test_what_nobody_decides_is_no_gold():
    assert gold(says("Anna", be(A, UND))) == {}


def test_gold_names_the_capture_the_place_and_who_said_so():
    [line] = said(says("Anna", A), says("Ben", A)).lines(("page",))
    assert line == {
        "record_id": "page",
        "url": "http://a.example/",
        "site": "a.example",
        "node": 0,
        "xpath": "/p[0]",
        "start": 0,
        "end": 2,
        "text": "a ",
        "label": "content",
        "annotators": ["Anna", "Ben"],
    }


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
