"""Dates: how pages write them, which of them are believed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.metadata.dates import date_in_text, date_in_url, declared_date, month_in_url
from tests.metadata.pages import meta, og, said_by

LATEST = date(2016, 6, 2)


@pytest.mark.parametrize(
    "text",
    [
        *("2016-05-01", "2016-05-01T23:30:00+02:00", "20160501", "20160501T101500Z", "2016/5/1"),
        *("1.5.2016", "01.05.2016, 10:15 Uhr", "1. Mai 2016", "den 1 maj 2016", "1er mai 2016"),
        *("1 de mayo de 2016", "1 maggio 2016", "1 de maio de 2016", "1 mei 2016", "1 maja 2016"),
        *(
            "1 мая 2016",
            "May 1, 2016",
            "May 1st 2016",
            "1st of May 2016",
            "Sun, 01 May 2016 10:15:00",
        ),
        *("2016年5月1日", "2016년 5월 1일", "Posted 01-May-2016 by Ann"),
    ],
)
def test_a_date_is_read_however_it_is_written(text):
    assert declared_date(text, LATEST) == "2016-05-01"


@pytest.mark.parametrize(
    ("text", "told"), [("2016", "2016"), ("2016-05", "2016-05"), ("1850", "1850")]
)
def test_a_declared_date_is_as_exact_as_it_is(text, told):
    assert declared_date(text, LATEST) == told


@pytest.mark.parametrize(
    "text", ["", "soon", "2016-13-01", "31.2.2016", "99999999", "2017", "1.5.16.20"]
)
def test_what_is_no_date_is_none(text):
    assert declared_date(text, LATEST) is None


def test_day_and_month_change_places_in_american_english_alone():
    assert declared_date("03/04/2016", LATEST) == "2016-04-03"
    assert declared_date("03/04/2016", LATEST, month_first=True) == "2016-03-04"
    assert declared_date("04/30/2016", LATEST) == "2016-04-30"
    page = {"head": meta("date", "03/04/2016")}
    assert said_by(**page, html="<html lang=en-US>").date == "2016-03-04"
    assert said_by(**page, html="<html lang=en-GB>").date == "2016-04-03"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://a.example/2016/05/01/ferry", "2016-05-01"),
        ("http://a.example/ferry-20160501.html", "2016-05-01"),
        ("http://a.example/2016-05-01-ferry", "2016-05-01"),
        ("http://a.example/id/120160501", None),
        ("http://a.example/1216/05/01/", None),
    ],
)
def test_a_date_in_the_url(url, told):
    assert date_in_url(url, LATEST) == told


def test_a_month_in_the_url():
    assert month_in_url("http://a.example/2016/5/ferry", LATEST) == "2016-05"
    assert said_by(url="http://a.example/2016/05/ferry").date == "2016-05"


def test_no_page_is_younger_than_its_capture():
    head = og("article:published_time", "2017-01-01") + meta("date", "2016-05-01")
    assert said_by(head).date == "2016-05-01"
    assert said_by(meta("date", "2016-06-02")).date == "2016-06-02"  # east of Greenwich it was
    assert said_by(head, captured=datetime(2018, 1, 1, tzinfo=UTC)).date == "2017-01-01"


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("<time pubdate datetime='2016-05-01'>May Day</time>", "time"),
        ("<article><time datetime='2016-05-01T10:00'>1.5.</time></article>", "time"),
        ("<article><time>May 1, 2016</time></article>", "time"),
        ("<p class='entry-date'>1. Mai <b>2016</b></p>", "byline"),
        ("<div id='byline'>By Ann Ferry, 1 May 2016</div>", "byline"),
        ("<p><b>Posted on:</b> <i>May 1, 2016</i></p>", "byline"),
        ("<p>Veröffentlicht am 01.05.2016</p>", "byline"),
    ],
)
def test_a_date_that_the_page_shows(body, source):
    found = said_by(body=body)
    assert (found.date, found.date_source) == ("2016-05-01", source)


@pytest.mark.parametrize(
    "body",
    [
        "<time datetime='2016-05-01'>in the margin</time><p>a</p>",
        "<p>The flood of May 1, 2016 took the ferry away.</p>",
        "<div class='date'>" + "a long story " * 20 + "1.5.2016</div>",
    ],
)
def test_a_date_that_may_be_of_anything_is_not_that_of_the_page(body):
    assert said_by(body=body).date is None


def test_what_day_it_is_today_is_believed_last():
    today = "<p class='date'>June 1, 2016</p>"
    assert said_by(body=today).date == "2016-06-01"
    assert said_by(body=today + "<p class='date'>May 1, 2016</p>").date == "2016-05-01"


def test_when_a_page_was_changed_is_better_than_nothing():
    changed = og("article:modified_time", "2016-05-20")
    assert said_by(changed).date_source == "meta:article:modified_time"
    assert said_by(changed + meta("date", "2016-05-01")).date == "2016-05-01"


@given(st.dates(date(1990, 1, 1), LATEST))
def test_every_day_of_the_web_is_read(day):
    for written in (day.isoformat(), f"{day:%d.%m.%Y}", f"{day:%B %d, %Y}", f"{day:%d %b %Y}"):
        assert date_in_text(f"on {written}", LATEST) == day.isoformat()


@given(st.text(max_size=60))
def test_no_text_stops_the_reader(text):
    for found in (
        declared_date(text, LATEST),
        date_in_text(text, LATEST),
        date_in_url(text, LATEST),
    ):
        assert found is None or found <= LATEST.isoformat()
