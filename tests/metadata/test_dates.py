"""Dates: how pages write them, which of them are believed."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.metadata.dates import date_in_url, dates_in_text, declared_date, month_in_url
from tests.metadata.pages import meta, said_by

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
        *("2016年5月1日", "2016년 5월 1일", "Posted 01-May-2016 by Ann", "2016. május 1."),
        *("1. toukokuuta 2016", "1 Mayıs 2016", "الأحد، 01 مايو 2016", "1 травня 2016"),
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
    "text",
    [
        *("", "soon", "2016-13-01", "31.2.2016", "99999999", "2017", "1.5.16.20"),
        *("0000-00-00", "99999-05-01", "2016-99-99", "-2016-05-01" * 20, "9" * 99, "٩" * 8),
    ],
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
        ("http://a.example/2016/5/1/ferry", "2016-05-01"),
        ("http://a.example/news/01-05-2016-ferry", "2016-05-01"),
        ("http://a.example/id/120160501", None),
        ("http://a.example/31-02-2016/0000/00/00/99999999", None),
        ("http://a.example/1216/05/01/", None),
    ],
)
def test_a_date_in_the_url(url, told):
    assert date_in_url(url, LATEST) == told


def test_a_month_in_the_url():
    assert month_in_url("http://a.example/2016/5/ferry", LATEST) == "2016-05"
    assert said_by(url="http://a.example/2016/05/ferry").date == "2016-05"


@given(st.dates(date(1990, 1, 1), LATEST))
def test_every_day_of_the_web_is_read(day):
    for written in (day.isoformat(), f"{day:%d.%m.%Y}", f"{day:%B %d, %Y}", f"{day:%d %b %Y}"):
        assert dates_in_text(f"on {written}", LATEST) == [(3, day.isoformat())]


def test_a_year_of_two_digits_is_read_where_it_is_asked_for():
    assert dates_in_text("Ann, 8.5.12", LATEST) == []
    assert dates_in_text("Ann, 8.5.12", LATEST, short_years=True) == [(5, "2012-05-08")]
    assert dates_in_text("8.5.97", LATEST, short_years=True) == [(0, "1997-05-08")]
    assert dates_in_text("version 1.8.5.12", LATEST, short_years=True) == []


@given(st.text(max_size=60))
def test_no_text_stops_the_reader(text):
    days = [day for _, day in dates_in_text(text, LATEST, short_years=True)]
    for day in (declared_date(text, LATEST), date_in_url(text, LATEST), *days):
        assert day is None or day <= LATEST.isoformat()
