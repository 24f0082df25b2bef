"""Frames with advertisements, and all others: nothing of the former is offered to be drawn."""

from dataclasses import replace

import pytest

from dbce.visual import Rect
from dbce.visual.annotate.blocks.pages import Pages, ad_places, is_ad_server, sheet_of
from tests.visual.annotate.blocks.conftest import PAGE, block, shown
from tests.visual.pages import box, page, write_rendered

BANNER = (0, 0, 728, 90)
SHARED = "http://news.example/player"


def is_told(rect=(0, 0, 400, 230), tag="iframe", **has):
    """Tell whether a frame is taken for an advertisement."""
    return bool(ad_places(page(box(tag, rect, **has))))


@pytest.mark.parametrize(
    "has",
    [
        {"src": "http://ad.doubleclick.net/adi/site;sz=300x250"},
        {"src": "//tpc.googlesyndication.com/safeframe/1-0/html/container.html"},
        {"src": "https://9969222.fls.doubleclick.net/activityi"},
        {"src": "http://ox-d.flavorpill.com/w/1.0/afr"},
        {"src": "http://ads2.paper.example/show"},
        {"src": "/ads/homepage_showcase.html?tile=1"},
        {"src": SHARED, "id": "google_ads_iframe_/1024612/th-leaderboard_0"},
        {"src": SHARED, "name": "google_ads_frame1"},
        {"src": SHARED, "id": "aswift_0"},
        {"src": SHARED, "id": "ad_iframe_7"},
        {"src": SHARED, "class": "adframe"},
        {"src": SHARED, "class": "module Ad"},
    ],
)
def test_a_frame_is_told_by_its_address_or_name(has):
    assert is_told(**has)
    assert is_told(tag="embed", **has)
    assert not is_told(tag="img", **has)


@pytest.mark.parametrize("url", ["", "about:blank", "javascript:false", "#"])
def test_a_frame_that_a_script_wrote_is_told_by_the_size_of_a_banner(url):
    assert is_told(BANNER, src=url)
    assert is_told((0, 0, 304, 254), src=url)  # with its border
    assert not is_told((0, 0, 500, 300), src=url)
    assert not is_told((0, 0, 300, 200), src=url)


@pytest.mark.parametrize(
    "has",
    [
        {"src": "http://www.youtube.com/embed/WxAV39ySH2A"},
        {"src": "http://www.facebook.com/plugins/like.php"},
        {"src": SHARED, "id": "gform_ajax_frame_1"},
        {"src": SHARED, "name": "web-pixel-sandbox-3ad4f-8ads1"},
        {"src": "http://ad.nl/film"},  # a newspaper
        {"src": "http://roads.example.org/map"},
        {"src": "http://[broken/ad"},
    ],
)
def test_films_forms_and_maps_are_no_advertisements(has):
    assert not is_told(**has)
    assert not is_told(BANNER, **has)


def test_the_company_that_runs_a_server_may_be_drawn():
    assert is_ad_server("http://ads.pubmatic.com/AdServer/js/user_sync.html")
    assert not is_ad_server("https://www.outbrain.com/about/")
    assert not is_ad_server("http://paper.example/ads/used-bicycles/17")  # classified ones


def with_adverts():
    """The page to draw on with a banner in a box, a frame with a label above it, and a film."""
    frame = {"src": "http://ad.doubleclick.net/adi/x"}
    banner = box("iframe", (100, 10, 728, 90), box("p", (0, 0, 9, 9), "Buy"), **frame)
    label = box("small", (720, 120, 280, 20), "Advertisement")
    made = page(
        box("div", (0, 0, 1000, 110), banner),
        box("p", (0, 120, 700, 400), "one two three four"),
        box("iframe", (0, 540, 560, 315), src="http://www.youtube.com/embed/x"),
        box("aside", (720, 120, 280, 300), label, box("iframe", (720, 140, 300, 250), **frame)),
    )
    return replace(made, record_id=PAGE)


def test_what_shows_nothing_else_cannot_be_picked():
    sheet = sheet_of(with_adverts())
    tags = [sheet.page.elements[place].tag for place in sheet.valid]
    assert tags == ["p", "iframe", "aside", "small"]
    assert sheet.adverts == {
        *("/html[1]/body[1]/div[1]", "/html[1]/body[1]/div[1]/iframe[1]"),
        *("/html[1]/body[1]/div[1]/iframe[1]/p[1]", "/html[1]/body[1]/aside[1]/iframe[1]"),
    }
    assert sheet.outline.boxes[1] == Rect(0, 0, 1000, 110)
    assert sheet.element(1) is None


def test_candidates_come_without_it_and_what_they_hold_stays():
    sheet = sheet_of(with_adverts())
    banner, story = "/html[1]/body[1]/div[1]", "/html[1]/body[1]/p[1]"
    given = [
        block("C1", xpaths=(banner, story)),
        block("C2", parent="C1", xpaths=(banner,)),
        block("C3", parent="C2", xpaths=(f"{banner}/iframe[1]",)),
        block("C4", parent="C3", xpaths=(story,)),
        block("C5", parent="C4", xpaths=()),
    ]
    kept = sheet.without_adverts(given)
    assert [(one.id, one.parent) for one in kept] == [("C1", ""), ("C4", "C1"), ("C5", "C4")]


def test_pages_of_servers_of_advertisements_are_not_asked_for(tmp_path):
    advert = replace(shown(2), url="http://ad.doubleclick.net/adi/x")
    write_rendered(tmp_path, [shown(1), advert])
    pages = Pages(str(tmp_path))
    assert [row["record_id"] for row in pages.random_rows(9)] == [PAGE]
    assert pages.adverts == {advert.record_id}


def test_the_list_says_how_many_are_not_asked_for(client, desk, monkeypatch):
    assert "not on the list" not in client.get("/blocks?by=Anna").text
    more = "1 more page is an advertisement", "2 more pages are advertisements"
    for adverts, told in zip(("a", "ab"), more, strict=True):
        monkeypatch.setattr(desk.pages, "adverts", adverts)
        assert told in client.get("/blocks?by=Anna").text
