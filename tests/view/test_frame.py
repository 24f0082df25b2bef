"""The archived page in its frame: as it looked, numbered, and unable to act."""

import re
from dataclasses import replace

import pytest

from dbce.view.frame import frame_document
from dbce.view.inert import archived_resources, inert
from tests.view.harbour import SITE, picture, record_id


def test_every_run_has_its_number(run) -> None:
    for topic in ("ferry", "evil"):
        page = run.page(record_id(2013, topic))
        shown = frame_document(run, page)
        numbers = [int(number) for number in re.findall(r'data-dbce-at="(\d+)"', shown)]
        assert sorted(numbers) == list(range(len(run.runs(page))))


def test_style_sheet_and_picture_come_from_the_archive_at_the_pages_time(run) -> None:
    for year in (2013, 2015):
        shown = frame_document(run, run.page(record_id(year, "ferry")))
        sheet = re.search(r'<link rel="stylesheet" href="/resource\?id=([^"]+)"', shown)
        assert sheet[1] == f"urn%3Atest%3A{year}-90"
        assert f'<img src="/resource?id=urn%3Atest%3A{year}-92"' in shown


def test_a_style_sheet_refers_to_the_archive_too(client) -> None:
    first = client.get("/resource?id=urn:test:2013-90")
    assert first.content_type == "text/css; charset=utf-8"
    assert 'url("/resource?id=urn%3Atest%3A2013-92")' in first.text
    second = client.get("/resource?id=urn:test:2015-90").text
    assert '@import "/resource?id=urn%3Atest%3A2015-91"' in second
    assert "evil" not in second


def test_a_picture_is_sent_as_it_is_and_may_do_nothing(client) -> None:
    answer = client.get("/resource?id=urn:test:2013-92")
    assert answer.data == picture()
    assert answer.content_type == "image/png"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_scripts_and_pages_of_the_archive_are_not_served(client) -> None:
    for record in ("urn:test:2013-93", record_id(2013, "ferry")):
        assert client.get(f"/resource?id={record}").status_code == 404


def test_without_the_archive_the_page_is_plain(harbour, run) -> None:
    alone = replace(run, places={})
    shown = frame_document(alone, run.page(record_id(2013, "ferry")))
    assert "/resource" not in shown


def test_nothing_of_an_attack_is_left(run) -> None:
    shown = frame_document(run, run.page(record_id(2013, "evil")))
    tags = "".join(re.findall(r"<[^>]*>", shown))
    assert "evil.example" not in shown
    assert "javascript:" not in tags
    assert not re.search(r"<[^>]*\son\w+=", shown)
    for gone in ("script", "iframe", "object", "embed", "meta", "base", "noscript", "template"):
        assert f"<{gone}" not in shown


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        ("http://[", "2013-92"),
        ("http://evil.example/", None),
        ("//[/", "2013-92"),
        ("/elsewhere/", None),
        ("/?a=1&amp;b=2", "2013-92"),
    ],
)
def test_a_base_that_is_no_address_is_passed_over(run, base, shown) -> None:
    page = f'<base href="{base}"><img src="logo.png">'
    found = archived_resources(
        run, f"{SITE}/ferry", run.page(record_id(2013, "ferry"))["fetch_time"], page
    )
    address = found.picture("logo.png")
    assert address == (shown and f"/resource?id=urn%3Atest%3A{shown}")


@pytest.mark.parametrize(
    "referring",
    [
        '<img src="logo.png?a=1&amp;b=2">',
        '<p style="background: url(&quot;logo.png?a=1&amp;b=2&quot;)">',
    ],
)
def test_an_address_is_read_without_the_escapes_of_html(run, monkeypatch, referring) -> None:
    asked: list[str] = []
    monkeypatch.setattr("dbce.view.inert.nearest", lambda _, keys, __: asked.extend(keys) or {})
    archived_resources(run, f"{SITE}/ferry", None, referring)
    assert asked == ["example,harbour)/logo.png?a=1&b=2"]


def test_no_name_of_a_page_stands_for_a_method_of_the_document() -> None:
    shown = inert('<form name="body"><img name="querySelector" id="kept"><input name="closest">')
    assert "name=" not in shown
    assert 'id="kept"' in shown
