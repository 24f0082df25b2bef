"""Records of real archives besides pages: redirects, errors, images, repeats and damage."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from scripts.sample.fetch import ALONE, MAGAZINE, NEWS, RECIPES, Fetch, Quirk
from scripts.sample.layout import fill, lines
from scripts.sample.marks import content
from scripts.sample.prose import shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROBOTS = b"User-agent: *\nDisallow: /klick/\nDisallow: /klik\nCrawl-delay: 5\n"
_STYLE = b"body { background: #fffdf7; }\n@media print { .reklama { display: none; } }\n"
# A GIF of one pixel.
_DOT = base64.b64decode("R0lGODlhAQABAIAAAB1Kaf///ywAAAAAAQABAAACAkQBADs=")
_NO_TEXT = "<!DOCTYPE html>\n<html><head><title>In Arbeit</title></head><body></body></html>\n"
_DAY = timedelta(days=1)


def before(crawl: int) -> Iterator[Fetch]:
    """The fetches of a crawl that come before the pages."""
    for host in (NEWS, RECIPES, MAGAZINE):
        yield Fetch(crawl, host, "/robots.txt", media="text/plain", body=_ROBOTS)
    if crawl == 0:
        yield _moved(crawl, "uferbote.example", f"http://{NEWS}/")
        yield _missing(crawl, MAGAZINE, "/essays/on-not-finishing-th")
    if crawl == 1:
        yield _alone(crawl)
        yield Fetch(crawl, RECIPES, "/styl.css", media="text/css", body=_STYLE)
    if crawl == 2:
        yield Fetch(crawl, NEWS, "/lokales/2015/in-arbeit.html", marked=_NO_TEXT)
        yield Fetch(crawl, RECIPES, "/przepis/nowy", media="text/html; charset=UTF-8")
        yield _missing(crawl, RECIPES, "/zdjecia/sernik.jpg")
    if crawl == 3:
        yield _moved(crawl, "uferbote.example", f"https://{NEWS}/")
    if crawl in (0, 3):
        yield Fetch(crawl, NEWS, "/img/steg.gif", media="image/gif", body=_DOT)


def recorded(page: Fetch) -> Iterator[Fetch]:
    """A page of the sites, once or more often, with what went wrong when it was recorded."""
    match page.crawl, page.path.rsplit("/", 1)[1]:
        case 1, "notes-towards-a-history-of-benches.html":
            yield replace(page, quirk=Quirk.DAMAGED)
        case 1, "a-defence-of-bad-handwriting.html":
            yield replace(page, quirk=Quirk.TWICE)
        case 2, "soup-for-strangers.html":
            yield page
            yield replace(page, later=3 * _DAY)
        case 3, "winding-the-parish-clocks.html":
            yield page
            yield replace(page, later=2 * _DAY, quirk=Quirk.REVISIT)
        case 4, "the-last-hand-ferry.html":
            yield replace(page, media="application/octet-stream")
        case 4, "barszcz-czerwony-czysty":
            yield replace(page, later=4 * _DAY, quirk=Quirk.CUT)
        case _:
            yield page


def _moved(crawl: int, host: str, location: str) -> Fetch:
    return Fetch(crawl, host, "/", status="301 Moved Permanently", location=location)


def _missing(crawl: int, host: str, path: str) -> Fetch:
    return Fetch(crawl, host, path, status="404 Not Found", marked=fill("missing", path=path))


def _alone(crawl: int) -> Fetch:
    """The one page of a fourth host: no other page shares its template."""
    (piece,) = shelf("single")
    page = fill(
        "single",
        title_plain=piece.title,
        headline=content(piece.title),
        body=lines("<p>{}</p>", [content(text) for text in piece.of("paragraph")]),
        visitors="4.318",
    )
    return Fetch(crawl, ALONE, piece.path, marked=page)
