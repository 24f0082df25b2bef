"""Pages whose address no browser takes are laid out all the same, under one that stands in for it."""

from __future__ import annotations

import pytest

from dbce.model import Dropped
from dbce.visual.render.address import addresses
from tests.visual.render.build import RED, got, html, png, rendered

NOWHERE = "http://stand-in.invalid/"


def shown(url: str) -> list[str]:
    return [address.shown for address in addresses(url)]


def test_an_address_of_the_web_is_tried_first():
    first, *_ = addresses("http://harbour.example/a?b#c")
    assert first.shown == "http://harbour.example/a?b#c"
    assert first.archived("http://harbour.example/x.png") == "http://harbour.example/x.png"


@pytest.mark.parametrize(
    ("url", "stand_in"),
    [
        ("ftp://files.example/a/b.html", "http://files.example/a/b.html"),
        ("ftp://me@files.example:2121/a?b#c", "http://files.example/a?b"),
        ("file:///etc/hostname", f"{NOWHERE}etc/hostname"),
        ("chrome://version/", "http://version/"),
        ("ftp://b\u00fccher.example/a", f"{NOWHERE}a"),
    ],
)
def test_what_is_relative_to_a_page_is_looked_for_beside_it(url, stand_in):
    first, *others = addresses(url)
    assert first.shown == stand_in
    assert [address.shown for address in others] == [NOWHERE]
    site = stand_in.split("/")[2]
    own = "/".join(url.split("/")[:3])
    assert first.archived(f"http://{site}/x.png") == f"{own}/x.png"
    assert first.archived("http://other.example/x.png") == "http://other.example/x.png"


@pytest.mark.parametrize(
    "url",
    [
        "urn:x:y",
        "mailto:a@b.example",
        "about:blank",
        "blob:http://a.example/1",
        "data:,x",
        "http://[x",
    ],
)
def test_an_address_that_names_no_place_has_nothing_beside_it(url):
    assert shown(url) == [NOWHERE]
    assert addresses(url)[0].archived(f"{NOWHERE}a.png") == f"{NOWHERE}a.png"


@pytest.mark.browser
@pytest.mark.usefixtures("_browser")
def test_pages_are_laid_out_whatever_their_address():
    urls = [
        *("ftp://files.example/a/b", "http://port.example:99999/a", "http://port.example:22/a"),
        *("file:///etc/hostname", "http://exam ple.example/a", "chrome://version/"),
    ]
    page = html("<img src=/a.png>seen")
    pictures = [
        got(f"{site}/a.png", png(RED), "image/png")
        for site in ("ftp://files.example", "http://port.example:99999")
    ]
    # In the order of the records; the one behind them must not notice.
    pages = rendered(*(got(url, page) for url in [*urls, "http://harbour.example/"]), *pictures)
    assert [one.reason for one in pages if isinstance(one, Dropped)] == []
    assert [one.page.url for one in pages] == [*urls, "http://harbour.example/"]
    assert {text.text for one in pages for text in one.page.texts} == {"seen"}
    assert [one.laid_out.found for one in pages] == [1, 1, 0, 0, 0, 0, 0]
