"""Text that a page holds for its scripts alone: JSON in a `<script>`, which no reader sees."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

ARTICLE = "articleBody"  # schema.org: "the actual body of the article"

# Other strings are prose by these: code has few words that are letters alone, lists of names no sentences.
PROSE_WORDS = 50  # of one string, at least
PROSE_SHARE = 0.8  # of them at least are letters alone
LARGEST = 5_000_000  # characters of a script; its values can take 30 times the memory

_TAG = re.compile(r"<[^<>]*+>")
_WORD = re.compile(r"[\"'(\[]*+(?:[A-Za-z'-]|[^\x00-\x7f])++[.,:;!?\"')\]]*+")
_SENTENCE_END = re.compile(r"[.!?…。؟।][^\w\s]{0,3}+(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Island:
    """Text that scripts of a page hold: its number of words, and whether it is an `articleBody`."""

    words: int
    is_article: bool


def text_in_scripts(root: Element) -> Island | None:
    """The text that the page's JSON holds, None where there is none.

    It is what JSON-LD gives as `articleBody`, or else strings of prose in any JSON; each counts once.
    """
    articles: dict[str, int] = {}
    prose: dict[str, int] = {}
    for script in root.iter("script"):
        kind = (script.get("type") or "").partition(";")[0].strip().lower()
        if not kind.endswith("json"):
            continue
        for name, text in _strings(_parsed(script.text or "")):
            if kind == "application/ld+json" and name == ARTICLE and text.strip():
                articles[text] = len(text.split())
            elif words := _words_of_prose(text):
                prose[text] = words
    texts = articles or prose
    return Island(sum(texts.values()), bool(articles)) if texts else None


def _parsed(text: str) -> Any:
    """The value of a JSON text, None where it is none."""
    if len(text) > LARGEST:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):  # no JSON, a number of too many digits; nested too deep
        return None


def _strings(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with the name that it, or the list it is in, goes by."""
    waiting = [("", value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list):
            waiting += [(name, item) for item in value]
        elif isinstance(value, dict):
            waiting += value.items()


def _words_of_prose(text: str) -> int:
    """The number of words of a text with sentences, whatever its markup; 0 of what is none."""
    if len(text) < 2 * PROSE_WORDS:
        return 0
    text = _TAG.sub(" ", text)
    words = text.split()
    if len(words) < PROSE_WORDS or not _SENTENCE_END.search(text):
        return 0
    plain = sum(_WORD.fullmatch(word) is not None for word in words)
    return len(words) if plain >= PROSE_SHARE * len(words) else 0
