"""Pages on captures that are damaged, revisits, compared with few others, variants, or texts of their crawler."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from flask.testing import FlaskClient

from dbce.model import Config
from dbce.view.run import Run
from dbce.view.search import read_search, search
from tests.crawls import WAITING, shell, text_record, warc
from tests.site import article, page, revisit, snapshots, stored, story
from tests.view.conftest import client_of, viewed

Open = Callable[..., Run]


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Iterator[Open]:
    """Open the run on an archive."""
    with ExitStack() as runs:
        yield lambda *archive: runs.enter_context(viewed(tmp_path_factory.mktemp("run"), *archive))


LOST = "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>"


@pytest.fixture(scope="module")
def damaged(opened) -> FlaskClient:
    """A client of the view of a run with one error."""
    return client_of(opened(stored(*snapshots(2014), page("lost", "20150101000000", LOST))))


def test_damaged_captures_are_listed_with_what_shows_it(damaged) -> None:
    text = damaged.get("/damage").text
    assert "http://harbour.example/lost</a>" in text
    assert '<td class="nowrap">error</td><td data-name="What shows it">404</td>' in text
    assert "harbour.example/lost" not in damaged.get("/damage?kind=parked").text


def test_damaged_captures_are_a_file_and_timeline_and_history_say_what_shows_it(damaged) -> None:
    (line,) = damaged.get("/damage?format=jsonl").text.splitlines()
    row = json.loads(line)
    assert (row["damage"], row["url"]) == ("error", "http://harbour.example/lost")
    for name in ("timeline", "history"):
        text = damaged.get(f"/{name}?id={row['record_id']}").text
        assert "an error page that is answered as a page (evidence: 404)" in text


FERRY = page("ferry", "20140101000000")


@pytest.fixture(scope="module")
def repeated(opened) -> FlaskClient:
    """A client of the view of a run with a revisit: it has a row, a time and no texts."""
    again = revisit(FERRY, "20150101", "urn:again", WARC_Refers_To=FERRY.record_id)
    return client_of(opened(stored(*snapshots(2014)) + again))


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/capture", {"id": FERRY.record_id}),
        ("/capture", {"id": "urn:again"}),
        ("/cross", {"id": FERRY.record_id, "with": "next"}),
        ("/timeline", {"id": FERRY.record_id}),
        ("/timeline", {"id": "urn:again"}),
    ],
)
def test_every_page_that_shows_a_revisit_is_there(repeated, path, query) -> None:
    answer = repeated.get(path, query_string=query)
    assert answer.status_code == 200, answer.text
    assert "2015" in answer.text


def test_a_snapshot_without_texts_is_compared_with_nothing(repeated) -> None:
    for record in ("urn:again", FERRY.record_id):
        text = repeated.get("/compare", query_string={"id": record}).text
        assert "There is no other" in text
    answer = repeated.get("/compare", query_string={"id": FERRY.record_id, "with": "urn:again"})
    assert answer.status_code == 404


FRONTS = [
    page("", f"{year}0101000000", article("front", story(f"day{year}")))
    for year in (2014, 2015, 2016)
]
FIRST, INNER, _ = (one.record_id for one in FRONTS)


@pytest.fixture(scope="module")
def fronts(opened) -> Run:
    """A run on a page that was compared with its own snapshots alone."""
    return opened(stored(*FRONTS))


@pytest.mark.parametrize("role", ["prev", "next", ""])
def test_a_cross_without_other_pages_shows_the_snapshots(fronts, role) -> None:
    asked = {"id": INNER} | ({"with": role} if role else {})
    answer = client_of(fronts).get("/cross", query_string=asked)
    assert answer.status_code == 200
    assert "of this page stand on the other one too" in answer.text
    assert answer.text.count('empty"><b>') == 2, "there is neither up nor down"


def test_texts_of_snapshots_alone_say_who_has_them(fronts) -> None:
    client = client_of(fronts)
    answer = client.get("/why", query_string={"id": INNER, "run": 0})
    assert "also on prev, next, but no other page to compare with" in answer.text
    assert "What pushed the verdict" in answer.text
    answer = client.get("/timeline", query_string={"id": FIRST})
    assert "<h2>3 " in answer.text
    assert ">snapshots</" in answer.text
    assert "day20150 day20151" in answer.text


def test_the_patterns_do_not_disagree_with_verdicts_of_snapshots_alone(fronts) -> None:
    asked = read_search({"sort": "disagreement"}, {"harbour.example": 3})
    rows = search(fronts.tables, asked).rows
    assert [row["disagreement"] for row in rows] == [None] * 3


def test_the_variant_of_a_page_is_linked(opened) -> None:
    text = article("ferry", *(story(f"ferry{part}") for part in range(4)))
    own, moved, other = page("ferry", html=text), page("2016/ferry", html=text), page("goat")
    run = opened(stored(own, moved, other))
    client = client_of(run)
    told = client.get("/capture", query_string={"id": own.record_id}).text
    assert f">{moved.url}</a>" in told
    assert "which was left out, is" in told
    assert "which was left out, is" not in client.get(f"/capture?id={other.record_id}").text


TIME = "2024-05-06T07:08:09.123Z"


def test_a_text_that_the_crawler_stored_is_shown_and_whose_it_is(opened) -> None:
    """Of two shells, of which one holds no text at all."""
    records = warc(shell("ferry"), text_record("ferry"), shell("bus", WAITING), text_record("bus"))
    client = client_of(opened(records, Config(method="T002")))
    for name in ("ferry", "bus"):
        text = client.get(f"/capture?id=urn:shell:{name}:{TIME}").text
        assert "<p>The ferry to the island leaves at nine.</p>" in text
        assert "Text stored by the crawler; not classified." in text
        assert f"urn:text:{name}:2024-05-06T07:08:12.000Z" in text
