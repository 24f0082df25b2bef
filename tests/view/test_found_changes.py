"""What `dbce changes` found, in the timeline of a page."""

import json
import re
import shutil
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from dbce.cli import main
from dbce.view.run import open_view
from tests.view.conftest import client_of
from tests.view.harbour import record_id

pytestmark = pytest.mark.wing

FERRY, BEFORE = record_id(2015, "ferry"), record_id(2013, "ferry")


@pytest.fixture(scope="module")
def compared(harbour, tmp_path_factory) -> Iterator[FlaskClient]:
    """A run whose snapshots were compared."""
    folder = tmp_path_factory.mktemp("compared") / "out"
    shutil.copytree(harbour, folder)
    assert main(["changes", str(folder)]) == 0
    opened = open_view(str(folder), {})
    yield client_of(opened)
    opened.tables.close()


def test_the_timeline_says_what_kind_of_change_there_was(compared) -> None:
    text = compared.get("/timeline", query_string={"id": FERRY}).text
    (line,) = re.findall(r'<p><span class="chip changed">.*?</p>', text)
    assert ">content<" in line
    assert "6 words of content new, 0 lost; 0 links and 0 images added or removed" in line
    assert re.search(r"score .\d\.\d\d", line)


def test_without_a_table_of_changes_it_has_no_such_line(client) -> None:
    text = client.get("/timeline", query_string={"id": FERRY}).text
    assert "words of content new" not in text


def test_the_history_of_a_site_counts_changes_by_month(compared) -> None:
    (row,) = compared.get("/site", query_string={"format": "jsonl"}).text.splitlines()
    told = json.loads(row)
    assert (told["month"], told["snapshots"], told["not_compared"]) == ("2015-06", 10, 4)
    assert (told["content"], told["redesigns"], told["gone"]) == (6, 0, 0)
    text = compared.get("/site").text
    assert '<span class="chip changed">6</span>' in text
    assert f'href="/timeline?id={told["example"]}"' in text


@pytest.mark.parametrize("address", ["/", f"/timeline?id={FERRY}"])
def test_overview_and_timeline_lead_to_the_history_of_the_site(compared, client, address) -> None:
    assert 'href="/site?site=harbour.example"' in compared.get(address).text
    assert 'href="/site' not in client.get(address).text


def test_without_a_table_of_changes_the_history_says_how_to_get_it(client) -> None:
    assert "dbce changes" in client.get("/site").text
    assert client.get("/site?site=nowhere.example").status_code == 404
