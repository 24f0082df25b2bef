"""Pages of the three sites, by the crawls that capture them, as their servers send them.

A row of presence has one digit a crawl: 1 where the piece was captured. The rows are chosen so that
every shape of a cross occurs. Glossaries and letters are templates of two URLs only, one of them
with a single snapshot: their captures have no *down*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.sample import magazine, news, recipes
from scripts.sample.fetch import MAGAZINE, NEWS, RECIPES, Fetch
from scripts.sample.prose import Story, shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARTICLES = ("11111", "11011", "11111", "11110", "01111", "11111", "10111")
_RECIPES = ("11111", "11111", "01111", "11011", "11111", "11111", "11101")
_ESSAYS = ("11111", "11111", "11110", "11011", "11111", "11111")
_GLOSSARIES = ("01000", "01000")
_LETTERS = ("01000", "01110")


def articles(crawl: int) -> Iterator[Fetch]:
    """The news site: latin-1 until its redesign, compressed later."""
    for seen in _captured("news", _ARTICLES, crawl):
        old = crawl < news.REDESIGNED_AT
        charset = "iso-8859-1" if old else "utf-8"
        yield Fetch(
            crawl,
            NEWS,
            seen.path,
            media=f"text/html; charset={charset}",
            marked=news.render(seen, crawl, shelf("news")),
            charset=charset,
            codings=("gzip",) if crawl > news.REDESIGNED_AT else (),
        )


def dishes(crawl: int) -> Iterator[Fetch]:
    """The recipe site: windows-1250 undeclared, then declared in the page, then UTF-8."""
    for n, seen in enumerate(_captured("recipes", _RECIPES, crawl)):
        yield Fetch(
            crawl,
            RECIPES,
            seen.path,
            # In one crawl one page comes without a Content-Type.
            media=("" if n == 0 else "text/html; charset=UTF-8") if crawl == 3 else "text/html",
            marked=recipes.render(seen, crawl, shelf("recipes")),
            charset="windows-1250" if crawl < 2 else "utf-8",
            codings=((), (), ("chunked",), (), ("gzip", "chunked"))[crawl],
        )


def essays(crawl: int) -> Iterator[Fetch]:
    """The magazine: declares latin-1 and means windows-1252, as pages of its time do."""
    for seen in _captured("essays", _ESSAYS, crawl):
        yield Fetch(
            crawl,
            MAGAZINE,
            seen.path,
            marked=magazine.render(seen, crawl, shelf("essays")),
            charset="windows-1252",
        )


def small(crawl: int) -> Iterator[Fetch]:
    """The two small templates: glossaries of the recipe site, letters to the magazine."""
    for seen in _captured("glossary", _GLOSSARIES, crawl):
        yield Fetch(crawl, RECIPES, seen.path, marked=recipes.glossary(seen))
    for seen in _captured("letters", _LETTERS, crawl):
        yield Fetch(crawl, MAGAZINE, seen.path, marked=magazine.letters(seen, crawl))


def _captured(name: str, presence: tuple[str, ...], crawl: int) -> Iterator[Story]:
    """The pieces captured in a crawl, as that crawl finds them."""
    for piece, row in zip(shelf(name), presence, strict=True):
        if row[crawl] == "1":
            yield piece.at(crawl)
