"""What all desks answer, whatever kind of gold is made on them."""

import pytest

from tests.annotate.core.notes import (
    NoteDesk,
    client_of,
    no_room_for_gold,
    note,
    opened,
    refuses_to_open,
)
from tests.annotate.harbour import OWN


@pytest.fixture
def desk(tmp_path):
    with opened(tmp_path / "notes.jsonl") as store:
        yield NoteDesk(store)


@pytest.fixture
def client(desk):
    return client_of(desk)


@pytest.fixture
def say(client):
    def send(**given):
        given = {"by": "Anna", "id": "a", "note": "a ferry"} | given
        return client.post("/notes/say", json=given, headers=OWN)

    return send


def test_who_works_is_asked_before_there_are_tasks(client, say):
    assert client.get("/notes").text == "||"
    assert client.get("/notes?by=Anna").text == "Anna||a b"
    say(by="Jürgen")
    assert client.get("/notes?by=jürgen").text.endswith("write the name the same way.|")


def test_a_task_belongs_to_somebody(client, say):
    assert client.get("/notes/page?by=-&id=a").location == "/notes?by=-"
    say()
    assert client.get("/notes/page?by=Anna&id=a").text == "Anna|a ferry|secret"
    assert client.get("/notes/page?by=Ben&id=a").text == "Ben|None|secret"


def test_next_is_what_is_not_done_and_at_last_the_list(client, say):
    assert client.get("/notes/next?by=Anna&id=a").location == "/notes/page?by=Anna&id=b"
    say(id="b")
    assert client.get("/notes/next?by=Anna&id=b").location == "/notes/page?by=Anna&id=a"
    assert client.get("/notes/next?by=Anna&id=nowhere").location == "/notes/page?by=Anna&id=a"
    say()
    assert client.get("/notes/next?by=Anna").location == "/notes?by=Anna"


def test_what_somebody_began_is_a_task_behind_those_that_are_asked_for(client, say):
    say(id="c")
    assert client.get("/notes?by=Anna").text == "Anna||a b c"
    assert client.get("/notes?by=Ben").text == "Ben||a b"


def test_the_review_pairs_those_who_spoke_of_the_same(client, say):
    say()
    say(by="Ben", note="a ship")
    say(by="Ben", id="b")
    say(by="Cleo", id="c")
    assert (
        client.get("/notes/review?by=Ben").text
        == "Ben|Anna Ben Cleo|[(&#39;Anna&#39;, &#39;Ben&#39;, 0.0)]"
    )


@pytest.mark.parametrize(
    ("given", "told", "sentence"),
    [
        ({"by": ""}, (400, "by"), "Give a name"),
        ({"by": ["Anna"]}, (400, "by"), "Give a name"),
        ({"note": 5}, (400, "note"), "A note is a text."),
        ({"note": "\ud800"}, (400, ""), "cannot be stored"),
        ({"id": "d"}, (404, ""), "there is no page d"),
        ({"id": None}, (404, ""), "there is no page None"),
    ],
)
def test_what_makes_no_sense_is_told_and_not_noted(say, desk, given, told, sentence):
    answer = say(**given)
    assert (answer.status_code, answer.json["field"]) == told
    assert sentence in answer.json["message"]
    assert desk.store.people() == {}


@pytest.mark.parametrize(
    ("body", "media", "code"),
    [
        ("[1]", "application/json", 400),
        ("{", "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ("{}", "text/plain", 415),
        ("by=Anna&token=secret", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_change_is_a_json_object(client, body, media, code):
    answer = client.post("/notes/say", data=body, content_type=media, headers=OWN)
    assert (answer.status_code, answer.json["field"]) == (code, "")
    assert client.get("/notes/say", headers=OWN).status_code == 405


def test_a_page_that_is_not_there_is_told_on_a_page(client):
    answer = client.get("/notes/page?by=Anna&id=d")
    assert answer.status_code == 404
    assert "there is no page d" in answer.text
    assert answer.content_type.startswith("text/html")


def test_a_disk_that_is_full_is_told_and_what_is_in_the_journal_stays(say, client, desk):
    with no_room_for_gold():
        answer = say()
    assert answer.status_code == 500
    assert "the label is in" in answer.json["message"]
    assert say(id="b").status_code == 200
    assert len(desk.store.path.read_text().splitlines()) == 2
    assert client.get("/notes/next?by=Anna").location == "/notes?by=Anna"


def test_one_desk_has_the_file(desk):
    refuses_to_open(desk.store.path, "another dbce label has")
    desk.store.note(note("still mine"))
