"""Dates: how pages write them, which of them are believed."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.metadata.dates import DateReader
from tests.metadata.pages import json_ld, meta, og, said_by

LATEST = date(2016, 6, 2)
READ = DateReader(LATEST)


@pytest.mark.parametrize(
    "text",
    [
        *("2016-05-01", "2016-05-01T23:30:00+02:00", "20160501", "20160501T101500Z", "2016/5/1"),
        *("1.5.2016", "01.05.2016, 10:15 Uhr", "1. Mai 2016", "den 1 maj 2016", "1er mai 2016"),
        *("1 de mayo de 2016", "1 maggio 2016", "1 de maio de 2016", "1 mei 2016", "1 maja 2016"),
        *("1 мая 2016", "May 1, 2016", "May 1st 2016", "1st of May 2016", "1 de mayo del 2016"),
        *("Sun, 01 May 2016 10:15:00", "1. toukokuuta 2016", "1462060800", "1 травня 2016"),
        *("2016年5月1日", "2016년 5월 1일", "Posted 01-May-2016 by Ann", "2016. május 1."),
        *("الأحد، 01 مايو 2016", "1 במאי 2016", "1. maí 2016", "1 MAYIS 2016", "1 May ’16"),
        *("Ngày 1 tháng 5 năm 2016", "2016. 5. 1.", "1 أيار/مايو 2016", "2016 m. gegužės 1 d."),
        *("平成28年5月1日", "中華民國105年5月1日", "1 พ.ค. 2559", "1 พฤษภาคม 2559"),
        *("१ मई २०१६", "০১ মে ২০১৬", "1 மே 2016", "۱۲ اردیبهشت ۱۳۹۵", "2016. gada 1. maijs"),
        *("1 მაისი 2016", "2016ko maiatzaren 1a", "1 Μαΐ 2016", "1 พ.ค. พ.ศ. 2559", "1 тра. 2016"),
    ],
)
def test_a_date_is_read_however_it_is_written(text):
    assert READ.declared_date(text) == "2016-05-01"


@pytest.mark.parametrize("text", ["2016", "2016-05", "1850"])
def test_a_declared_date_is_as_exact_as_it_is(text):
    assert READ.declared_date(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "2016-13-01", "31.2.2016", "99999999", "2017", "1.5.16.20", "1970-01-01"),
        *("0001-01-01", "99999-05-01", "2016-99-99", "-2016-05-01" * 20, "9" * 99, "٩" * 8),
    ],
)
def test_what_is_no_date_is_none(text):
    assert READ.declared_date(text) is None


def test_day_and_month_change_places_in_american_english_alone():
    assert READ.declared_date("03/04/2016") == "2016-04-03"
    assert DateReader(LATEST, language="en-US").declared_date("03/04/2016") == "2016-03-04"
    assert READ.declared_date("04/30/2016") == "2016-04-30"
    page = {"head": meta("date", "03/04/2016")}
    assert said_by(**page, html="<html lang=en-US>").date == "2016-03-04"
    assert said_by(**page, html="<html lang=en-GB>").date == "2016-04-03"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        *((f"2016/{a}", "2016-05-01") for a in ("05/01/ferry", "05/160501-ferry", "5/1/a")),
        *((name, "2016-05-01") for name in ("ferry-20160501.html", "news/01-05-2016-ferry")),
        *((f"2016/05/{name}", None) for name in ("150501-ferry", "0000/00/00/99999999")),
        *((path, None) for path in ("id/120160501", "1216/05/01/", "31-02-2016")),
    ],
)
def test_a_date_in_the_url(path, told):
    assert READ.in_url(f"http://a.example/{path}") == told


@given(st.dates(date(1990, 1, 1), LATEST))
def test_every_day_of_the_web_is_read(day):
    for written in (day.isoformat(), f"{day:%d.%m.%Y}", f"{day:%B %d, %Y}", f"{day:%d %b %Y}"):
        assert READ.publication_in(f"on {written}") == day.isoformat()


def test_a_year_of_two_digits_is_read_where_it_is_asked_for():
    assert READ.days_in("Ann, 8.5.12") == (None, None)
    assert READ.days_in("Ann, 8.5.12", short_years=True) == ("2012-05-08", None)
    assert READ.days_in("8.5.97", short_years=True) == ("1997-05-08", None)
    text = "version 1.8.5.12, 2016. 05. 04. 12:00"
    assert READ.days_in(text, short_years=True) == ("2016-05-04", None)
    text = "12.05.08, updated 101-05-08"
    assert DateReader(LATEST, "zh").days_in(text, short_years=True) == ("2012-05-08",) * 2
    assert READ.declared_date("2 تشرين الثاني 2015") == "2015-11-02"


@given(st.text(max_size=60) | st.text(st.sampled_from("0123456789.-/: ,aMypril年月日\u0660\u2028")))
def test_no_text_stops_the_reader(text):
    for day in (READ.declared_date(text), READ.in_url(text), *READ.days_in(text, short_years=True)):
        assert day is None or day <= LATEST.isoformat()


TITLE = "<title>The last hand ferry | The Paper</title>"
HEADLINE = "<h1>The last hand ferry</h1>"
PARAGRAPH = "<p>" + "It takes four people and a goat. " * 8 + "</p>"


def dated(body: str, head: str = TITLE) -> tuple[str | None, str | None]:
    """The date of a page, and where it was found."""
    metadata = said_by(head, body)
    return metadata.date, metadata.date_source


def test_no_page_is_younger_than_its_capture():
    head = og("article:published_time", "2017-01-01") + meta("date", "2016-05-01")
    assert said_by(head).date == "2016-05-01"
    assert said_by(meta("date", "2016-06-02")).date == "2016-06-02"  # east of Greenwich it was
    assert said_by(head, captured=datetime(2018, 1, 1, tzinfo=UTC)).date == "2017-01-01"


TODAY = "<p class='date'>June 1, 2016</p>"


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("<time pubdate datetime='2016-05-01'>May Day</time>", "time"),
        ("<article><time datetime='2016-05-01T10:00'>1.5.</time></article>", "time"),
        ("<article><time title='May 1, 2016'>3 weeks ago</time></article>", "time"),
        ("<abbr class='published' title='2016-05-01T05:11:00-05:00'>5:11 AM</abbr>", "time"),
        ("<p class='entry-date'>1. Mai <b>2016</b></p>", "byline"),
        ("<div id='byline'>By Ann Ferry, 1 May 2016</div>", "byline"),
        ("<p><b>Posted on:</b> <i>May 1, 2016</i></p>", "byline"),
        ("<p>Mise en ligne</p><p>1 mai 2016</p>", "byline"),
        ("<div class='post-footer'>Von <a>Ann</a> am 1.5.2016, 11:51</div>", "byline"),
        # What day it is today is believed last.
        (f"{TODAY}<p class='date'>May 1, 2016</p>", "byline"),
    ],
)
def test_a_date_that_the_page_shows(body, source):
    assert dated(body, "") == ("2016-05-01", source)


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ("<time datetime='2016-05-01'>in the margin</time><p>a</p>", None),
        ("<p>The flood of May 1, 2016 took the ferry away.</p>", None),
        ("<div class='date'>" + "a long story " * 20 + "1.5.2016</div>", None),
        (TODAY, "2016-06-01"),
    ],
)
def test_a_date_that_may_be_of_anything_is_not_that_of_the_page(body, day):
    assert dated(body, "")[0] == day


def test_when_a_page_was_changed_is_better_than_nothing():
    changed = og("article:modified_time", "2016-05-20")
    assert said_by(changed).date_source == "meta:article:modified_time"
    assert said_by(changed + meta("date", "2016-05-01")).date == "2016-05-01"


@pytest.mark.parametrize(
    "body",
    [
        f"{HEADLINE}<p>1 May 2016</p>{PARAGRAPH}",
        f"<p>1 May 2016</p>{HEADLINE}{PARAGRAPH}",
        f"{HEADLINE}<p>{'A standfirst. ' * 15}</p><p>Ann Ferry, 1.5.16</p>{PARAGRAPH}",
        f"{HEADLINE}<div><b>1.</b> <b>May</b> <b>2016</b></div>{PARAGRAPH}",
        f"{HEADLINE}<p>(1.5.2016) {'The ferry is gone. ' * 20}</p>",
        f"<h1>The Paper</h1><p>20 April 2016</p>{PARAGRAPH}{HEADLINE}<p>1 May 2016</p>",
        f"<b>The last hand ferry</b><p>1 May 2016</p>{PARAGRAPH}",
        f"{HEADLINE}<p>Updated 20 May 2016, published 1 May 2016</p>{PARAGRAPH}",
        f"{HEADLINE}<p>Diubah 20 Mei 2016, dimuat 1 Mei 2016</p>{PARAGRAPH}",
        f"{HEADLINE}<p>3 April 1931 - 9 March 2016</p><p>1 May 2016</p>{PARAGRAPH}",
        f"{HEADLINE}<p>Joined: 20 March 2015</p><p>۱۳۹۵/۰۲/۱۲</p>{PARAGRAPH}",
        f"{HEADLINE}<p>Received 2 March 2015, accepted 3 April 2016, published 1 May 2016</p>",
    ],
)
def test_the_date_of_a_page_stands_beside_its_headline(body):
    assert dated(body) == ("2016-05-01", "dateline")


def test_a_date_is_taken_from_title_text_and_json_that_is_broken():
    assert dated(f"<p>Ann Ferry, 8.5.12</p>{PARAGRAPH}", "") == ("2012-05-08", "text")
    assert dated("<p>a</p>", "<title>01.05.2016 | Ferry</title>") == ("2016-05-01", "title")
    broken = '{"@type": "Article", "datePublished": "2016-05-01", "dateModified": "2016-05-20",}'
    assert dated(PARAGRAPH, json_ld(broken)) == ("2016-05-01", "json-ld:datePublished")
    job = '{"@type": "JobPosting", "datePosted": "2016-05-01"}'
    assert dated(PARAGRAPH, json_ld(job)) == ("2016-05-01", "json-ld:datePosted")


def test_a_month_in_the_url_chooses_among_the_dates_of_the_page():
    body = "<p>3 April 2016</p><p>8 May 2016</p>"
    metadata = said_by(body=body, url="http://paper.example/2016/05/ferry")
    assert (metadata.date, metadata.date_source) == ("2016-05-08", "text")
    assert said_by(url="http://a.example/2016/05/ferry").date == "2016-05"


@pytest.mark.parametrize(
    "footer",
    [
        *("Last modified: 1 May 2016", "Diese Seite wurde zuletzt am 1. Mai 2016 geändert"),
        *("This page was last edited on 1 May 2016", "最后更新 2016-05-01", "© 1.5.2016 The Paper"),
    ],
)
def test_what_a_footer_says_is_no_date_of_publication(footer):
    assert dated(f"{HEADLINE}{PARAGRAPH}<footer><p>{footer}</p></footer>") == (None, None)
    assert dated(f"<div class='date'>{footer}</div>") == (None, None)


def test_a_change_that_the_headline_has_beside_it_is_better_than_nothing():
    changed = f"{HEADLINE}<p>Stand: 20. Mai 2016</p>{PARAGRAPH}"
    assert dated(changed) == ("2016-05-20", "changed")
    below = f"{changed}{PARAGRAPH}<p>Veröffentlicht am 1. Mai 2016</p>"
    assert dated(below) == ("2016-05-01", "byline")


def test_what_a_page_says_of_itself_below_its_text_is_better_than_nothing():
    below = f"{HEADLINE}{PARAGRAPH}{PARAGRAPH}<p>{{}} on 1 May 2016 by Ann</p>{PARAGRAPH}"
    assert dated(below.format("This entry was made")) == ("2016-05-01", "text")
    assert dated(below.format("The boat was made")) == (None, None)


def test_dates_of_comments_and_of_other_pages_are_not_that_of_the_page():
    time = "<time class='published' datetime='2016-05-01'>1.5.</time>"
    assert dated(f"<main>{time}</main>") == ("2016-05-01", "time")
    for name in ("comments", "comment-list", "related-posts", "recent posts"):
        assert dated(f"<main><div class='{name}'>{time}</div></main>") == (None, None)


def test_a_date_that_may_be_of_a_change_comes_behind_that_beside_the_headline():
    body = f"{HEADLINE}<p>1 May 2016</p>{PARAGRAPH}"
    assert dated(body, TITLE + meta("date", "2016-05-20")) == ("2016-05-01", "dateline")
    assert dated(PARAGRAPH, TITLE + meta("date", "2016-05-20")) == ("2016-05-20", "meta:date")


@pytest.mark.parametrize(
    "written", ["99999-01-01", "0000-00-00", "2016-13-45", "1" * 100_000, "2016-05-01 " * 50_000]
)
def test_what_cannot_be_a_date_is_none_wherever_it_stands(written):
    linked = f'{{"@type": "Article", "datePublished": "{written}", "dateModified": {written}}}'
    declared = meta("date", written) + og("article:published_time", written) + json_ld(linked)
    head = f"<title>{written}</title>{declared}"
    body = f"<time datetime='{written}'></time><h1>{written}</h1><p class='date'>{written}</p>"
    metadata = said_by(head, body, url=f"http://paper.example/{written}")
    assert metadata.date in {None, "2016-05-01"}
