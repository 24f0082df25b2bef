"""What label mode answers, and whom it refuses."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from dbce.annotate.content.desk import LabelDesk, add_labelling
from dbce.annotate.content.history import NODE_GOLD, Mark
from dbce.annotate.core.queue import sample
from dbce.annotate.core.store import AnnotationStore
from dbce.model import Label
from dbce.view.app import create_app
from dbce.view.guard import Guard
from tests.annotate.conftest import HIDDEN, OWN, REMARK, refuses_nonsense
from tests.annotate.core.notes import no_room_for_gold, opened
from tests.evaluate.conftest import evaluate
from tests.view.conftest import let_in


@pytest.fixture
def store(tmp_path) -> Iterator[AnnotationStore]:
    with opened(tmp_path / "gold.jsonl", NODE_GOLD) as store:
        yield store


@pytest.fixture
def desk(run, store) -> LabelDesk:
    return LabelDesk(run, store, sample(run, "random", 3))


@pytest.fixture
def client(desk) -> FlaskClient:
    """What asks the application without a network; an error in it is an error of the test."""
    app = create_app(desk.run, Guard(token="secret"))
    add_labelling(app, desk)
    return let_in(app)


@pytest.fixture
def post(client) -> Callable:
    """Sends a change as our own pages do; the answer."""

    def send(path: str, **given: object):
        return client.post(path, json=given, headers=OWN)

    return send


@pytest.fixture
def record_id(desk) -> str:
    return desk.queue.tasks("Anna")[0]["page"]["record_id"]


def place(desk: LabelDesk, record_id: str, text: str) -> int:
    return next(n for n, r in enumerate(desk.sheet(record_id).runs) if text in r["text"])


def test_a_name_is_asked_first(client):
    page = client.get("/label").text
    assert "Your name" in page
    assert "text runs left" not in page


@pytest.mark.parametrize("name", ["", " ", "<b>Anna</b>", "-", "a" * 41, "Anna\x00", "Anna&by=Ben"])
def test_a_name_that_is_none_is_told_at_its_field(client, name):
    page = client.get("/label", query_string={"by": name}).text
    assert 'aria-invalid="true" aria-describedby="by-wrong"' in page
    assert re.search(r'id="by-wrong">[^<]*name', page)
    assert "<b>Anna" not in page


@pytest.mark.parametrize("name", ["Anna", "Jürgen O’Neil-Maß", "安娜", "r2.d2"])
def test_people_have_all_kinds_of_names(client, name):
    assert "text runs left" in client.get("/label", query_string={"by": name}).text


def test_a_known_name_is_not_spelled_in_two_ways(client, post, record_id):
    post("/label/say", by="Anna", id=record_id, runs=[0], label="content")
    assert "Anna is here already" in client.get("/label?by=anna").text
    assert post("/label/undo", by="ANNA", id=record_id).json["field"] == "by"
    assert client.get(f"/label/page?by=anna&id={record_id}").location == "/label?by=anna"


def test_a_page_asks_for_all_but_what_is_hidden(client, desk, record_id):
    page = client.get(f"/label/page?by=Anna&id={record_id}").text
    runs = desk.sheet(record_id).runs
    assert page.count('role="option"') == len(runs)
    assert page.count('data-mark="boilerplate"') - page.count('class="say boilerplate"') == 1
    assert f"{len(runs) - 1} of {len(runs)} left" in page


def test_what_is_said_is_saved_and_told(post, desk, store, record_id):
    answer = post("/label/say", by="Anna", id=record_id, runs=[0, 1], label="boilerplate").json
    assert answer["said"] == f"2 text runs are boilerplate. {answer['left']} left."
    assert answer["marks"][:3] == ["boilerplate", "boilerplate", None]
    labels = {json.loads(line)["text"]: line for line in store.path.read_text().splitlines()}
    assert HIDDEN in labels
    assert len(labels) == 3


def test_taking_back_says_which_runs_it_was_about(post, desk, record_id):
    post("/label/say", by="Anna", id=record_id, runs=[0, 1], label="content")
    answer = post("/label/undo", by="Anna", id=record_id).json
    assert answer["undone"] == [0, 1]
    assert answer["marks"][:2] == [None, None]
    again = post("/label/undo", by="Anna", id=record_id).json
    assert (again["undone"], again["said"][:16]) == ([], "There is nothing")


def test_hidden_texts_can_be_said_to_be_content(post, desk, record_id):
    hidden = place(desk, record_id, HIDDEN)
    answer = post("/label/say", by="Anna", id=record_id, runs=[hidden], label="content").json
    assert answer["marks"][hidden] == "content"


def test_next_is_what_has_something_left_and_at_last_the_list(client, post, desk):
    anna = desk.queue.tasks("Anna")
    tasks = {task["page"]["record_id"]: list(range(task["runs"])) for task in anna}
    first, second, third = tasks
    for one, after, following in ((second, first, third), (third, third, first), (first, "", None)):
        answer = post("/label/say", by="Anna", id=one, runs=tasks[one], label="boilerplate").json
        assert (answer["said"].partition(". ")[2], answer["left"]) == (
            "Nothing is left on this page.",
            0,
        )
        leads_to = client.get("/label/next", query_string={"by": "Anna", "id": after}).location
        assert leads_to.endswith(f"id={following}" if following else "/label?by=Anna")
    page = client.get("/label?by=Anna").text
    assert "All captures are done" in page
    assert page.count("done</span>") == 3
    assert "3 captures" in client.get("/label").text


def test_what_somebody_began_stays_on_the_list(client, post, desk):
    asked = {task["page"]["record_id"] for task in desk.queue.tasks("Anna")}
    rows = desk.run.tables.rows("SELECT record_id FROM pages")
    other = next(row["record_id"] for row in rows if row["record_id"] not in asked)
    post("/label/say", by="Anna", id=other, runs=[0], label="content")
    assert [task["page"]["record_id"] for task in desk.queue.tasks("Anna")][3:] == [other]
    assert len(desk.queue.tasks("Ben")) == 3


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"label": "invalid"}, "label"),
        ({"label": None}, "label"),
        ({"label": ["content"]}, "label"),
        ({"runs": []}, "runs"),
        ({"runs": "0"}, "runs"),
        ({"runs": [-1]}, "runs"),
        ({"runs": [10_000]}, "runs"),
        ({"runs": [True]}, "runs"),
        ({"runs": [0.5]}, "runs"),
        ({"by": None}, "by"),
        ({"by": "../Anna"}, "by"),
    ],
)
def test_what_makes_no_sense_is_told_by_field_and_not_saved(post, store, record_id, change, field):
    given = {"by": "Anna", "id": record_id, "runs": [0], "label": "content"} | change
    answer = post("/label/say", **given)
    assert (answer.status_code, answer.json["field"]) == (400, field)
    assert answer.json["message"]
    assert store.people() == {}


@pytest.mark.parametrize("record", ["", "../run.json", "urn:uuid:0", None, 5, ["x"], "%2e%2e%2f"])
def test_captures_are_known_by_what_the_run_has(client, post, store, record):
    answer = post("/label/say", by="Anna", id=record, runs=[0], label="content")
    assert answer.status_code == 404
    assert "no capture" in answer.json["message"]
    page = client.get("/label/page", query_string={"by": "Anna", "id": record})
    assert (page.status_code, page.content_type[:9]) == (404, "text/html")
    assert store.people() == {}


def test_what_makes_no_sense_is_refused_everywhere(client, store, record_id):
    assert refuses_nonsense(client, id=record_id, runs=[0], label="content") >= 3
    for media in ("text/plain", "application/x-www-form-urlencoded"):
        answer = client.post("/label/say", data="{}", content_type=media, headers=OWN)
        assert (answer.status_code, answer.json["field"]) == (415, "")
    assert store.people() == {}


def test_a_disk_that_is_full_is_told_and_what_is_in_the_journal_stays(post, store, record_id):
    with no_room_for_gold():
        answer = post("/label/say", by="Anna", id=record_id, runs=[0], label="content")
    assert answer.status_code == 500
    assert "the label is in" in answer.json["message"]
    assert post("/label/say", by="Anna", id=record_id, runs=[1], label="content").status_code == 200
    assert store.path.read_text().count('"content"') == 2


def test_two_people_are_compared_and_a_reviewer_settles(client, post, desk, store, record_id):
    runs = desk.sheet(record_id).runs
    every = list(range(len(runs)))
    post("/label/say", by="Anna", id=record_id, runs=every, label="boilerplate")
    post("/label/say", by="Ben", id=record_id, runs=every, label="boilerplate")
    assert "No disagreements" in client.get("/label/review").text
    story, remark = (place(desk, record_id, text) for text in ("old town", REMARK))
    for name in ("Anna", "Ben"):
        post("/label/say", by=name, id=record_id, runs=[story], label="content")
    post("/label/say", by="Anna", id=record_id, runs=[remark], label="comment")
    page = client.get("/label/review?by=Anna").text
    kappa = float(re.search(r"<strong>([\d.]+)</strong> Cohen", page)[1])
    assert 0 < kappa < 1
    assert "1 open" in page
    assert page.count("<blockquote>") == 1
    assert REMARK in page
    assert REMARK not in store.path.read_text()
    where = {name: runs[remark][name] for name in ("xpath", "start", "end")}
    answer = post("/label/settle", by="Cara", id=record_id, label="comment", **where)
    assert answer.json["said"] == "Settled: comment. Saved."
    assert f'"{REMARK}", "label": "comment"' in store.path.read_text()
    page = client.get("/label/review").text
    assert "0 open, 1 settled" in page
    assert "Cara" not in store.people()


def test_only_what_people_disagree_on_is_settled(post, desk, store, record_id):
    run = desk.sheet(record_id).runs[0]
    where = {name: run[name] for name in ("xpath", "start", "end")}
    given = {"by": "Cara", "id": record_id, "label": "content"} | where
    told = post("/label/settle", **given).json["message"]
    assert told.startswith("There is no disagreement")
    for name, label in (("Anna", "content"), ("Ben", "boilerplate")):
        post("/label/say", by=name, id=record_id, runs=[0], label=label)
    for change in ({"end": 10_000}, {"xpath": "/etc/passwd"}, {"start": None}, {"id": "other"}):
        assert post("/label/settle", **given | change).status_code == 400
    assert post("/label/settle", **given | {"by": ""}).json["field"] == "by"


def test_one_alone_has_nothing_to_review(client, post, record_id):
    assert "So far nobody has" in client.get("/label/review").text
    post("/label/say", by="Anna", id=record_id, runs=[0], label="content")
    assert "So far only Anna has" in client.get("/label/review").text


def test_a_disagreement_leads_to_its_place(client, post, desk, record_id):
    for name, label in (("Anna", "content"), ("Ben", "boilerplate")):
        post("/label/say", by=name, id=record_id, runs=[2], label=label)
    link = re.search(r'href="(/label/page[^"]*)"', client.get("/label/review").text)[1]
    assert 'data-chosen="2"' in client.get(link.replace("&amp;", "&")).text


def test_the_run_itself_can_be_looked_at_meanwhile(client, record_id):
    page = client.get(f"/capture?id={record_id}").text
    assert ">Label</a>" in page
    assert client.get(f"/frame?id={record_id}").status_code == 200


def test_what_was_labelled_gives_scores(post, desk, store, harbour_run, record_id):
    runs = desk.sheet(record_id).runs
    for label in Label.CONTENT, Label.BOILERPLATE:
        places = [n for n, run in enumerate(runs) if run["label"] == label]
        post("/label/say", by="Anna", id=record_id, runs=places, label=label)
    report = evaluate(str(harbour_run), str(store.path))
    assert report.summary["acc"]["all"] == 1
    assert report.table.index.tolist() == [record_id]
    assert report.table["unlabelled"].sum() == 0
    post("/label/say", by="Anna", id=record_id, runs=[0], label=Mark.UNDECIDED)
    assert evaluate(str(harbour_run), str(store.path)).table["unlabelled"].sum() == 1
