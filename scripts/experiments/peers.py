"""Other extractors, to compare with: their main text of a decoded page, user comments off.

They are an optional dependency group (`pip install 'dbce[peers]'`); what is not installed is absent.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dbce import html
from dbce.html import holders, lines
from dbce.model import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    Peer = Callable[[str, str], str]
    """A page's main text from its decoded HTML and its language (ISO 639-1, "" if not known)."""

STOP_LISTS = {
    "ar": "Arabic",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
}
"""The stop lists of jusText by language, the common ones."""


def installed_peers() -> dict[str, Peer]:
    """The peers that are installed, by name."""
    return {name: peer for name, (module, peer) in PEERS.items() if find_spec(module)}


def extract(peer: Peer, page: str, language: str = "") -> str:
    """The main text that a peer finds in a page, "" where it fails."""
    try:
        return peer(page, language)
    except Exception:  # noqa: BLE001 - whatever a peer raises, the page is lost to it
        return ""


def trafilatura(page: str, _: str) -> str:
    """Trafilatura's text (Barbaresi, 2021), comments off."""
    from trafilatura import extract as found

    _silence("trafilatura", "htmldate")
    return found(page, include_comments=False) or ""


def trafilatura_markdown(page: str, _: str) -> str:
    """Trafilatura's text as Markdown with metadata, comments off."""
    from trafilatura import extract as found

    _silence("trafilatura", "htmldate")
    rich = found(page, output_format="markdown", with_metadata=True, include_comments=False)
    return rich or ""


def readability(page: str, _: str) -> str:
    """The text of readability-lxml's summary, which is HTML: one line a block."""
    from readability import Document

    _silence("readability")
    # Asked for a whole document, version 0.9 returns an empty one for some pages that it understood.
    return plain(Document(page).summary(html_partial=True))


def resiliparse(page: str, _: str) -> str:
    """Resiliparse's main content (Bevendorff et al.), comments off."""
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(page, main_content=True, comments=False))


def justext(page: str, language: str) -> str:
    """The good paragraphs of jusText (Pomikálek, 2011).

    With the stop list of the page's language, English where it is not known; for a language without
    a list in `STOP_LISTS` as jusText's documentation advises: an empty list and thresholds of 0.
    """
    from justext import justext as paragraphs

    name = STOP_LISTS.get((language or "en").split("-")[0].lower())
    thresholds = {} if name else {"stopwords_low": 0, "stopwords_high": 0}
    found = paragraphs(page, _stop_list(name) if name else frozenset(), **thresholds)
    return "\n".join(one.text for one in found if not one.is_boilerplate)


def plain(markup: str) -> str:
    """All text of an HTML fragment, lines as a browser would break them."""
    page = html.load(markup.encode(), "text/html; charset=utf-8", Limits()).page
    pieces = []
    before = -1
    for node, line in zip(page.nodes, lines(page, holders(page)), strict=True):
        pieces.append("\n" if line != before else " " if node.spaced else "")
        pieces.append(" ".join(node.text.split("\n")))
        before = line
    return "".join(pieces).strip()


@cache
def _stop_list(name: str) -> frozenset[str]:
    from justext import get_stoplist

    return frozenset(get_stoplist(name))


@cache
def _silence(*libraries: str) -> None:
    """Silence the loggers of libraries, whose messages on single pages are of no use here."""
    for name in libraries:
        logging.getLogger(name).setLevel(logging.CRITICAL)


PEERS: dict[str, tuple[str, Peer]] = {
    "trafilatura": ("trafilatura", trafilatura),
    "readability-lxml": ("readability", readability),
    "Resiliparse": ("resiliparse", resiliparse),
    "jusText": ("justext", justext),
}
"""Name: the module that must be there, and how it is asked."""
