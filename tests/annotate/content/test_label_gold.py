"""Labels are kept as node gold; what was there is taken over."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dbce.annotate.content.history import NODE_GOLD, SOMEBODY
from dbce.annotate.core.store import AnnotationStore
from dbce.evaluate import read_gold
from dbce.model import Label
from tests.annotate.content.said import BP, CON, UND, about, span
from tests.annotate.core.notes import opened, refuses_to_open

TEXT = "The ferry has left"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "gold.jsonl"


@pytest.fixture
def store(path) -> Iterator[AnnotationStore]:
    with opened(path, NODE_GOLD) as store:
        yield store


def say(store: AnnotationStore, *spans, by: str = "Anna", hidden=(), record_id: str = "page"):
    texts = {one.xpath: TEXT for one in (*spans, *hidden)}
    with store.turn() as history:
        said = history.labelling_events(by, about(record_id), spans, hidden=hidden, texts=texts)
        store.note(*said)


def lines(path: Path) -> list[tuple[str, str]]:
    objects = map(json.loads, path.read_text().splitlines())
    return [(one["text"], one["label"]) for one in objects]


def test_what_is_said_can_be_evaluated_at_once(store, path):
    say(store, span(0, "The ferry", CON))
    say(store, span(10, "has left", BP), span(0, "Home", UND, node=1))
    assert lines(path) == [("The ferry", "content"), ("has left", "boilerplate")]
    [first, _] = read_gold(str(path))
    assert (first.record_id, first.label, first.group) == ("page", Label.CONTENT, "a.example")


def test_who_takes_everything_back_is_told_what_it_was(store, path):
    say(store, span(0, "The ferry", CON))
    say(store, span(0, "Home", UND, node=1))
    for undone in ([("/p[1]", 0)], [("/p[0]", 0)], []):
        with store.turn() as history:
            events, spans = history.undo_events("Anna", "page")
            assert [(span.xpath, span.start) for span in spans] == undone
            store.note(*events)
    assert path.read_text() == ""


def test_the_rule_for_hidden_texts_speaks_once_and_before_the_first_label(store, path):
    unseen = [span(0, "unseen", BP, node=2)]
    say(store, span(0, "The ferry", CON), hidden=unseen)
    say(store, span(0, "Home", BP, node=1), hidden=unseen)
    journal = path.with_name("gold.jsonl.journal").read_text()
    events = [json.loads(line) for line in journal.splitlines()]
    assert [event.get("hidden", False) for event in events] == [True, False, False]
    assert [text for text, _ in lines(path)] == ["The ferry", "Home", "unseen"]


def test_what_the_rule_covers_of_earlier_gold_is_not_said_again(store):
    say(store, span(0, TEXT, CON))
    hidden = span(0, "The ferry", BP)
    say(store, span(4, "ferry", CON), hidden=[hidden])
    with store.turn() as history:
        assert [one.text for one in history.spans("Anna", "page")] == ["The ", "ferry"]


def test_gold_that_is_there_is_gone_on_with(path):
    given = about() | {"era": 2015, "xpath": "/p[0]", "start": 0, "end": 9, "text": "The ferry"}
    path.write_text(json.dumps(given | {"record_id": "<page>", "label": "boilerplate"}) + "\n")
    with opened(path, NODE_GOLD) as store:
        assert store.people() == {SOMEBODY: ["page"]}
        say(store, span(0, "Home", CON, node=1), by=SOMEBODY)
    first, second = map(json.loads, path.read_text().splitlines())
    assert first["era"] == second["era"] == 2015
    assert (first["record_id"], first["label"]) == ("page", "boilerplate")
    assert first["annotators"] == [SOMEBODY]


def test_a_file_that_lost_its_journal_knows_its_annotators(path):
    with opened(path, NODE_GOLD) as store:
        say(store, span(0, "The ferry", CON))
        say(store, span(0, "The ferry", CON), by="Ben")
    before = path.read_bytes()
    path.with_name("gold.jsonl.journal").unlink()
    with opened(path, NODE_GOLD) as store:
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
        refuses_to_open(path, sentence, NODE_GOLD)
    assert path.read_text() == written
