"""Identity of captures: sort keys, hosts and sites, and when a capture was made and who says so."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import host, select, site, surt
from dbce.archive.inputs.capture import inspect
from dbce.archive.records.head import intended_date
from dbce.model import Capture, DateSource, Limits
from tests.archive.build import answer, arc_head, arc_record, captures, outcomes, record, stored
from tests.data import shared

TEXTS = st.text(st.characters(exclude_categories=()))
"""Of all characters, halves of some too."""

VISIBLE = re.compile(r"[!-~]*")


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com", "com,example)/"),
        ("https://www.Example.com:443/A/b/?q=1", "com,example)/a/b?q=1"),
        ("http://www2.example.com/", "com,example)/"),
        ("http://www.com/", "com,www)/"),
        ("http://user:secret@example.com:8080/", "com,example:8080)/"),
        ("http://example.com?b=2&a=1#part", "com,example)/?a=1&b=2"),
        ("http://example.com/?", "com,example)/"),
        ("http://example.com/a//b/./c/../d/", "com,example)/a/b/d"),
        ("http://example.com/%7Ea%20b/%2541", "com,example)/~a%20b/a"),
        ("http://example.com/grüße", "com,example)/gr%c3%bc%c3%9fe"),
        ("http://bücher.example/", "example,xn--bcher-kva)/"),
        ("http://192.0.2.7/x", "192.0.2.7)/x"),
        ("http://[2001:DB8::1]:81/", "[2001:db8::1]:81)/"),
        ("http://example.com/x;jsessionid=0123456789abcdef0123456789ABCDEF", "com,example)/x"),
        (f"http://example.com/x?a=1&PHPSESSID={'0123456789abcdef' * 2}", "com,example)/x?a=1"),
        ("ftp://example.com/f", "ftp://com,example)/f"),
        ("dns:Example.com", "dns:example.com"),
        ("http://foo%20bar.com/", "com,foo%20bar)/"),
        ("http://foo%2520bar.com/", "com,foo%20bar)/"),
        ("http://www.foo .com/", "com,foo%20)/"),
        ("http://a\u00a0b.com/", "com,a%20b)/"),
        ("http://a\u3000b.com/", "com,a%20b)/"),
        ("http://a%0ab\tc.com/", "com,a%0ab%09c)/"),
        ("http://<b>x</b>.com/", "<b>x<)/b>.com"),
        ('http://a {"b": 1}.com/', 'com,a%20{"b":%201})/'),
        ("urn:a b\n{c", "urn:a%20b%0a{c"),
        ("", ""),
    ],
)
def test_the_key_is_that_of_cdx_indexes(url: str, key: str) -> None:
    assert surt(url) == key


@given(TEXTS | TEXTS.map("http://".__add__) | TEXTS.map("http://[a]/?".__add__))
def test_of_any_text_keys_hosts_and_sites_are_printable_ascii_without_spaces(text: str) -> None:
    for key in (surt(text), host(text), site(text, "host"), site(text, "domain")):
        assert VISIBLE.fullmatch(key), key


@pytest.mark.parametrize(
    ("url", "by_host", "by_domain"),
    [
        ("http://www.example.co.uk/", "example.co.uk", "example.co.uk"),
        ("http://news.example.co.uk/", "news.example.co.uk", "example.co.uk"),
        ("http://me.github.io/", "me.github.io", "me.github.io"),
        ("http://192.0.2.7/", "192.0.2.7", "192.0.2.7"),
        ("http://box.intranet/", "box.intranet", "box.intranet"),
        ("http://localhost/", "localhost", "localhost"),
    ],
)
def test_a_site_is_a_host_or_a_registered_domain(url: str, by_host: str, by_domain: str) -> None:
    assert site(url, "host") == by_host
    assert site(url, "domain") == by_domain
    assert host("https://me@WWW.Example.com.:8080/x") == "www.example.com"
    assert host("dns:example.com") == ""


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["cleanportaleval", "cleaneval", "dragnet", "dragnet-sites", "flink", "sites"]
)
def test_keys_agree_with_indexes_that_others_made(name: str) -> None:
    lines = shared(f"{name}/{name}.cdxj").read_text(encoding="utf-8").splitlines()
    entries = [line.split(" ", 2) for line in lines]
    differing = [key for key, _, fields in entries if surt(json.loads(fields)["url"]) != key]
    assert differing == []


def test_pages_of_other_schemes_are_sites_of_their_own() -> None:
    urls = ("dat://ab12/x", "ipfs://bafy1/x", "ipfs://bafy2/x", "file:///x", "data:,x", "data:,y")
    sites = [site(url, by) for url in urls for by in ("host", "domain")]
    assert len(set(sites)) == len(urls)
    assert site("ipfs://bafy1/other", "host") == site("IPFS://bafy1", "domain") == "ipfs:bafy1"


# When a capture was made, and who says so.


CLUEWEB = "2008-10-294T05:21:46-0700"
SERVED = answer(Date="Mon, 20 Oct 2008 12:21:46 GMT")
MOMENT = datetime(2008, 10, 20, 12, 21, 46, tzinfo=UTC)
WARCINFO = record(0, b"software: test\r\n", kind="warcinfo", url="", date="2008-10-20T12:21:46Z")


def dated(data: bytes) -> list[tuple[datetime | None, str | None]]:
    return [(one.timestamp, one.dated_by) for one in captures(data)]


def odd(data: bytes) -> list[str]:
    return [o.detail for entry in inspect(stored(data), Limits()) for o in entry.odd]


@pytest.mark.parametrize(
    ("date", "moment", "source"),
    [
        (CLUEWEB, MOMENT, "day-of-year"),
        ("2009-03-65T08:43:19-0800", datetime(2009, 3, 6, 16, 43, 19, tzinfo=UTC), "day-of-year"),
        ("2009-02-45", datetime(2009, 2, 14, tzinfo=UTC), "day-of-year"),
        ("2008-12-366T23:00:00Z", datetime(2008, 12, 31, 23, tzinfo=UTC), "day-of-year"),
        ("2008-10-20T05:21:46-0700", MOMENT, "record"),
        ("2008-10-20T14:21:46+02:00", MOMENT, "record"),
        ("2008-10-20T12:21:46Z", MOMENT, "record"),
        ("20081020122146789", MOMENT, "record"),
        ("2016-04", datetime(2016, 4, 1, tzinfo=UTC), "record"),
        ("2008/10/20 12:21:46", MOMENT, "record"),
        ('"2008-10-20T12:21:46 UTC"', MOMENT, "record"),
        ("Mon, 20 Oct 2008 12:21:46 GMT", MOMENT, "record"),
        ("Mon Oct 20 12:21:46 2008", MOMENT, "record"),
        ("2008-10-20T12:21:60Z", datetime(2008, 10, 20, 12, 21, 59, tzinfo=UTC), "record"),
    ],
)
def test_a_date_is_read_as_what_it_says(date: str, moment: datetime, source: str) -> None:
    assert dated(record(date=date)) == [(moment, source)]


@pytest.mark.parametrize(
    "date", ["2008-11-294", "2008-10-000", "0000-01-032", "9999-12-400T-0100", "T" * 60_000]
)
def test_a_day_of_another_month_or_of_no_year_is_no_date(date: str) -> None:
    assert intended_date(date)[1] is None
    assert outcomes(record(date=date)) == ["bad-record"]


def test_where_a_date_cannot_be_read_the_servers_counts() -> None:
    for date in ("yesterday", "", None):
        assert dated(record(1, SERVED, date=date)) == [(MOMENT, "http")]
    assert dated(record(1, SERVED, kind="revisit", date="yesterday")) == [(MOMENT, "http")]


def test_else_that_of_the_warcinfo_which_the_file_begins_with_counts() -> None:
    bad = record(1, answer(Date="Monday"), date="yesterday")
    assert dated(WARCINFO + record(2) + bad)[1] == (MOMENT, "warcinfo")
    at = len(WARCINFO + record(2))
    (alone,) = captures(WARCINFO + record(2) + bad, offsets=(at,))
    assert (alone.timestamp, alone.dated_by) == (MOMENT, DateSource.WARCINFO)
    arc = arc_head() + arc_record(1, date="99999999999999")
    assert dated(arc) == [(datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC), "warcinfo")]


def test_what_nothing_dates_is_rejected() -> None:
    assert outcomes(record(2) + record(1, date="yesterday")) == ["page", "bad-record"]


def test_what_was_odd_is_told() -> None:
    assert odd(WARCINFO + record(1)) == []
    assert odd(record(1, date=CLUEWEB)) == [
        f"the date is {CLUEWEB!r}: with the day of the year it is 2008-10-20T12:21:46Z"
    ]
    assert odd(record(1, SERVED, date="?")) == [
        "the date is '?': the server said 2008-10-20T12:21:46Z"
    ]
    assert odd(record(1, date="?")) == []


def test_a_selection_by_time_knows_the_date() -> None:
    bad = record(1, SERVED, date="yesterday")
    whole = stored(bad + record(2, date=CLUEWEB) + record(3))
    source = replace(whole, selection=select(since="2008", until="2008"))
    found = [e.result for e in inspect(source, Limits()) if isinstance(e.result, Capture)]
    assert [one.record_id for one in found] == ["urn:test:1", "urn:test:2"]


@given(st.text() | st.from_regex(r"\d{4}-\d\d-\d{2,3}T\d\d:\d\d:\d\d[+-]\d{4}", fullmatch=True))
def test_no_text_makes_it_raise(text: str) -> None:
    _, moment = intended_date(text)
    assert moment is None or moment.tzinfo is UTC or moment.utcoffset() is not None
