"""The pages that the application answers with, and their lists, each of which is a file, too; why a text has its verdict, and where it stands in another page."""

import csv
import io
import json
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from dbce.boilerplate.classify.explain import in_words
from dbce.boilerplate.classify.features import feature_names
from dbce.view.app import boxes, labels
from dbce.view.maps import DRAWN, map_of
from dbce.view.run import Run
from dbce.view.why import counterparts, places_of, plain
from tests.view.harbour import AD, EVIL_PATH, EVIL_TITLE, SITE, TOPICS, YEARS, record_id

FERRY = record_id(2015, "ferry")
EVIL = record_id(2013, "evil")


def body(client: FlaskClient, path: str, **query: object) -> str:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def place_of(run: Run, text: str, capture: str = FERRY) -> int:
    """The place of a text among the runs of a capture."""
    return next(n for n, row in enumerate(run.runs(run.page(capture))) if text in row["text"])


def test_the_overview_names_sites_counts_and_what_was_rejected(client) -> None:
    text = body(client, "/")
    assert "harbour.example" in text
    assert "damaged" in text
    assert "Most contested" in text


def test_rejects_say_where_and_why(client) -> None:
    assert "harbour.warc.gz" in body(client, "/rejects", reason="damaged")
    assert "harbour.warc.gz at" not in body(client, "/rejects", reason="no such reason")


def test_what_was_typed_wrong_is_said_at_its_field(client) -> None:
    text = body(client, "/captures", since="soon")
    field = re.search(r'<input id="since"[^>]*>', text)
    assert 'aria-invalid="true" aria-describedby="since-wrong"' in field[0]
    assert '<span class="wrong" id="since-wrong">give a year or a date' in text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/captures", {"words": "evil"}),
        ("/capture", {"id": EVIL}),
        ("/timeline", {"id": EVIL}),
        ("/history", {"id": EVIL}),
        ("/cross", {"id": EVIL}),
        ("/cross", {"id": record_id(2015, "evil"), "with": "prev"}),
        ("/why", {"id": EVIL, "run": 3}),
        ("/captures", {"words": "<script>alert(1)</script>", "site": '"><script>x</script>'}),
        ("/capture", {"id": "<script>alert(1)</script>"}),
        ("/templates", {"site": "<script>alert(1)</script>"}),
        ("/rejects", {"reason": "<script>alert(1)</script>"}),
        ("/<script>alert(1)</script>", {}),
    ],
)
def test_markup_of_others_is_text_everywhere(client, path, query) -> None:
    text = client.get(path, query_string=query).text
    own = re.findall(r"<script\b[^>]*>", text)
    assert all(re.fullmatch(r'<script type="module" src="/static/\w+\.js">', tag) for tag in own)
    assert not re.search(r"<[^>]+\s(on\w+|style)=", text)
    assert "<img" not in text
    if (path, query) == ("/capture", {"id": EVIL}):
        assert "&lt;script&gt;parent.hacked=1&lt;/script&gt;" in text
        assert str(escape(f"{SITE}{EVIL_PATH}")) in text


def test_why_tells_bits_neighbours_and_pushes(client, run) -> None:
    text = body(client, "/why", id=FERRY, run=place_of(run, AD))
    assert AD in text
    assert "has it: " in text
    assert re.search(r'<p class="plain-why">This is boilerplate, because the most similar', text)
    assert "What pushed the verdict" in text
    assert sum(in_words(name) in unescape(text) for name in feature_names()) >= 5
    assert "dbce show" in text
    links = re.findall(
        r'href="/capture\?id=([^&"]+)&amp;run=(\d+)"><span class="unseen">has it', text
    )
    assert links
    for capture, place in links:
        assert run.runs(run.page(capture))[int(place)]["text"] == AD, "linked at the very place"


def test_a_cross_marks_in_both_what_is_shared(client, run) -> None:
    text = body(client, "/cross", id=FERRY, **{"with": "up"})
    assert re.search(r"data-shared=\"\{", text)
    assert str(place_of(run, AD)) in text


@pytest.mark.wing
def test_a_capture_has_the_outline_of_its_content(client, run) -> None:
    text = body(client, "/capture", id=FERRY)
    outline = re.search(r'<details class="outline">.*?</details>', text, re.DOTALL)
    entries = re.findall(r'data-at="(\d+)">([^<]+)</a>', outline[0])
    rows = run.runs(run.page(FERRY))
    assert [said for _, said in entries] == ["Ferry in the old town"]
    assert rows[int(entries[0][0])]["text"] == "Ferry"  # the first text run of the heading


def test_a_history_tells_what_was_added_and_removed(client) -> None:
    text = body(client, "/history", id=FERRY)
    assert re.search(r"\d captures? (of|from) \d{4}", text)
    assert "first captured: " in text
    assert ".passages" in body(client, "/history.css")


def test_replay_finds_a_history_by_url_and_time(client) -> None:
    """The capture nearest to the time, as replay shows one of the original or of the run."""
    url = f"{SITE}/ferry"
    for year in YEARS:
        expected = body(client, "/history", id=record_id(year, "ferry"))
        assert body(client, "/history", url=url, at=f"{year}0630") == expected
        assert body(client, "/history", url=url.upper(), at=f"{year}") == expected
    assert body(client, "/history", url=url) == expected, "the latest"
    assert client.get("/history", query_string={"url": f"{SITE}/nowhere"}).status_code == 404


def test_of_many_captures_the_history_tells_the_latest(client, monkeypatch) -> None:
    monkeypatch.setattr("dbce.view.routes.SHOWN", 1)
    assert "The latest 1 of 2 captures are shown" in body(client, "/history", id=FERRY)


def test_a_capture_knows_its_snapshots(client) -> None:
    assert 'rel="prev"' in body(client, "/capture", id=FERRY)
    assert 'rel="next"' in body(client, "/capture", id=record_id(2013, "ferry"))
    assert "2 snapshots" in re.sub(r"<[^>]*>", "", body(client, "/timeline", id=FERRY))


def test_the_source_is_text(client) -> None:
    answer = client.get("/source", query_string={"id": EVIL})
    assert answer.content_type == "text/plain; charset=utf-8"
    assert "evil.example" in answer.text
    assert "data-dbce" not in answer.text


def test_two_snapshots_are_compared_the_earlier_first(client) -> None:
    first, latest = record_id(2013, "ferry"), FERRY
    for asked in ({"id": latest}, {"id": first}, {"id": first, "with": latest}):
        text = body(client, "/compare", **asked)
        assert text.index(f"/frame?id={first}") < text.index(f"/frame?id={latest}")
        assert "<ins>In 2015 the ferry were counted again.</ins>" in text


def test_the_timeline_leads_to_any_two_snapshots(client) -> None:
    text = body(client, "/timeline", id=FERRY)
    for name in ("with", "id"):
        for year in YEARS:
            assert f'name="{name}" value="{record_id(year, "ferry")}"' in text


@pytest.mark.parametrize("word", ["cross", "up", "down", "bits", "confidence", "prev", "next"])
def test_a_word_of_the_method_is_explained_where_it_stands(client, word) -> None:
    text = body(client, "/capture", id=FERRY)
    assert f'popovertarget="about-{word}">' in text
    assert f'id="about-{word}" popover' in text


def test_a_text_run_is_found_by_its_text_node(client, run) -> None:
    place = place_of(run, AD)
    row = run.runs(run.page(FERRY))[place]
    text = body(client, "/capture", id=FERRY, node=row["node"], start=row["start"])
    assert f'data-chosen="{place}"' in text
    assert "data-chosen" not in body(client, "/capture", id=FERRY, node=row["node"], start=99999)


def test_what_was_found_leads_to_its_reason(client) -> None:
    text = body(client, "/captures", words="herring")
    link = re.search(r'href="(/capture\?[^"]*node=\d+[^"]*)">Fresh <mark>herring</mark>', text)
    assert "data-chosen" in client.get(link[1].replace("&amp;", "&")).text


def test_templates_are_drawn(client) -> None:
    text = body(client, "/templates")
    assert f"{(len(TOPICS) + 1) * len(YEARS)} captures form" in text
    assert "<circle" in text


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("/compare", "with", (record_id(2013, "clocks"), "x", "urn:test:2013-92")),  # of other URLs
        ("/why", "run", ("-1", "99999", "x", "", "1e3", "²")),
    ],
)
def test_a_capture_or_a_run_that_is_not_there_is_said_so(client, path, name, values) -> None:
    for value in values:
        assert client.get(path, query_string={"id": FERRY, name: value}).status_code == 404, value


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
def test_a_page_leads_to_its_list_as_a_file_the_same_in_both_formats(client, name) -> None:
    path, query = LISTS[name]
    table, lines = (rows(client, path, query, form) for form in ("csv", "jsonl"))
    assert lines
    assert len(table) == len(lines)
    assert all(list(row) == list(lines[0]) for row in [*table, *lines])
    text = client.get(path, query_string=query).text
    for form in ("csv", "jsonl"):
        assert f"format={form}" in text


def test_all_that_was_found_is_in_the_file_and_not_a_page_of_it(client, monkeypatch) -> None:
    monkeypatch.setattr("dbce.view.search.ROWS", 2)
    for asked, shown in (("", "1 to 2 of 12"), ("?page=6&sort=change", "11 to 12 of 12")):
        assert f"{shown} captures" in client.get(f"/captures{asked}").text
    found = rows(client, "/captures", {"page": "2"}, "jsonl")
    assert len(found) == (len(TOPICS) + 1) * len(YEARS)


def test_the_file_of_a_search_has_the_text_that_was_found(client) -> None:
    found = rows(client, "/captures", {"words": AD.upper()}, "jsonl")
    assert {row["snippet"] for row in found} == {AD}
    assert {row["label"] for row in found} == {"boilerplate"}


def test_texts_of_archives_are_exact_in_jsonl_and_another_format_is_refused(client, run) -> None:
    found = rows(client, "/capture", {"id": FERRY}, "jsonl")
    assert [row["text"] for row in found] == [row["text"] for row in run.runs(run.page(FERRY))]
    assert EVIL_TITLE in {row["title"] for row in rows(client, "/captures", {}, "jsonl")}
    answer = client.get("/captures?format=xlsx")
    assert answer.status_code == 404
    assert "csv or jsonl" in answer.text


def capture(url: str, year: int) -> dict[str, object]:
    time = datetime(year, 1, 1, tzinfo=UTC)
    return {"record_id": f"{url}{year}", "url_surtkey": url, "fetch_time": time, "title": url}


def test_a_redesign_is_where_pages_change_from_one_template_to_another() -> None:
    rows = [capture(url, year) for year in (2010, 2012, 2014) for url in "abc"]
    numbers = [1, 1, 1, 1, 2, 2, 2, 2, 2]
    old, new = map_of("harbour.example", rows, numbers).templates
    assert (old.captures, old.urls, old.first.year, old.last.year) == (4, 3, 2010, 2012)
    assert old.before == ()
    assert new.before == ((1, 3),)
    assert (old.start, new.end) == (0, 1)


def test_years_are_where_they_begin() -> None:
    of_site = map_of("x", [capture("a", 2010), capture("a", 2012)], [1, 1])
    assert [year for _, year in of_site.years] == [2011, 2012]
    assert of_site.years[-1][0] == 1


def test_of_many_templates_the_largest_are_drawn() -> None:
    rows = [capture(str(n), 2010) for n in range(DRAWN + 5)] + [capture("0", 2011)]
    numbers = [*range(1, DRAWN + 6), 1]
    of_site = map_of("x", rows, numbers)
    assert (len(of_site.templates), of_site.left_out, of_site.left_out_captures) == (DRAWN, 5, 5)
    assert of_site.templates[0].captures == 2


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
