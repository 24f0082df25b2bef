"""Every list is a file, too."""

import csv
import io
import json

import pytest
from flask.testing import FlaskClient

from tests.view.harbour import AD, EVIL_TITLE, TOPICS, YEARS, record_id

FERRY = record_id(2015, "ferry")
LISTS = {
    "sites": ("/", {}),
    "captures": ("/captures", {}),
    "hits": ("/captures", {"words": AD}),
    "text-runs": ("/capture", {"id": FERRY}),
    "timeline": ("/timeline", {"id": FERRY}),
    "history": ("/history", {"id": FERRY}),
    "changes": ("/compare", {"id": FERRY}),
    "cross": ("/cross", {"id": FERRY}),
    "templates": ("/templates", {}),
    "rejects": ("/rejects", {}),
}


def rows(client: FlaskClient, path: str, query: dict[str, str], form: str) -> list[dict[str, str]]:
    answer = client.get(path, query_string=query | {"format": form})
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    if form == "csv":
        assert answer.content_type == "text/csv; charset=utf-8"
        return list(csv.DictReader(io.StringIO(answer.text)))
    assert answer.content_type == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_the_same_rows_and_columns_in_both_formats(client, name) -> None:
    path, query = LISTS[name]
    table, lines = (rows(client, path, query, form) for form in ("csv", "jsonl"))
    assert lines
    assert len(table) == len(lines)
    assert all(list(row) == list(lines[0]) for row in [*table, *lines])


@pytest.mark.parametrize("name", LISTS)
def test_a_page_leads_to_its_list_as_a_file(client, name) -> None:
    path, query = LISTS[name]
    text = client.get(path, query_string=query).text
    for form in ("csv", "jsonl"):
        assert f"format={form}" in text


def test_all_that_was_found_is_in_the_file_and_not_a_page_of_it(client, monkeypatch) -> None:
    monkeypatch.setattr("dbce.view.search.ROWS", 2)
    assert "1 to 2 of 12" in client.get("/captures").text
    found = rows(client, "/captures", {"page": "2"}, "jsonl")
    assert len(found) == (len(TOPICS) + 1) * len(YEARS)


def test_the_file_of_a_search_has_the_text_that_was_found(client) -> None:
    found = rows(client, "/captures", {"words": AD.upper()}, "jsonl")
    assert {row["snippet"] for row in found} == {AD}
    assert {row["label"] for row in found} == {"boilerplate"}


def test_texts_of_archives_are_exact_in_jsonl(client, run) -> None:
    found = rows(client, "/capture", {"id": FERRY}, "jsonl")
    assert [row["text"] for row in found] == [row["text"] for row in run.runs(run.page(FERRY))]
    assert EVIL_TITLE in {row["title"] for row in rows(client, "/captures", {}, "jsonl")}


def test_a_format_that_is_none_is_said_so(client) -> None:
    answer = client.get("/captures?format=xlsx")
    assert answer.status_code == 404
    assert "csv or jsonl" in answer.text
