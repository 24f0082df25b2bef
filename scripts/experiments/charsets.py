"""Is the charset of a page that names none told right, in every charset that the page could have been written in?

    python -m scripts.experiments.charsets [--set NAME]... [--every N]

Each page is written in every legacy charset that can hold its text, its declarations are taken away, and the text that
comes back is compared with the original. Pages are those whose charset is sure: declared, or valid UTF-8.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

from dbce.evaluate.results import table
from dbce.html import decode
from dbce.html.decode import MULTI_BYTE, SINGLE_BYTE
from dbce.model import Capture, Config, InputError
from dbce.storage import json_objects
from scripts.experiments.sets import add_title, call, captures_of, choose_sets, present, set_parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SETS = (
    *("chinese", "sites", "timelines", "fundus", "misinfo", "wcxb", "dragnet-sites", "dragnet"),
    *("cleaneval", "cleanportaleval", "trafeval", "recipes", "dates", "flink"),
)
CHARSETS = (*SINGLE_BYTE, *MULTI_BYTE, "iso2022_jp")
# Pages are written in Big5 proper, and read with its extension, as browsers do.
WRITTEN = {"big5hkscs": "big5"}
DECLARATION = re.compile(
    r"<meta\b[^>]*charset[^>]*>|(?<=<\?xml)[^>]*encoding[^>]*(?=\?>)", re.IGNORECASE
)
GARBLED = re.compile("[\x80-\x9f\ufffd]")  # controls that no page means: it was read wrongly before
PAGES_OF_SITE = 3
LONGEST = 400_000  # characters


@dataclass(frozen=True, slots=True)
class Page:
    """A page without a declaration; `counted` if the statistics of the package are of its domain."""

    language: str
    text: str
    counted: bool


def main(arguments: Sequence[str] = ()) -> None:
    """Prints shares of texts that come back, by charset, by language and by half of the domains."""
    parser = set_parser("charsets", "Texts decoded right whose charset nobody names.", SETS)
    parser.add_argument("--every", metavar="N", type=int, default=1, help="each Nth page alone")
    options = parser.parse_args(arguments)
    right: defaultdict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    size, started, spent = 0, 0.0, 0.0
    for page in islice(pages(choose_sets(SETS, options.set)), None, None, options.every):
        half = "domains that were counted" if page.counted else "other domains"
        for charset, payload in encodings(page.text):
            started = process_time()
            text = decode(payload, "").text
            spent += process_time() - started
            size += len(payload)
            keys = (("charset", charset), ("language", page.language or "?"), ("pages", half))
            for key in (*keys, ("pages", "all")):
                right[key][text == page.text] += 1
    for title in ("pages", "charset", "language"):
        rows = [
            (name, answers.total(), answers[True] / answers.total())
            for (kind, name), answers in sorted(right.items())
            if kind == title
        ]
        print(add_title(f"Decoded right, by {title}:", table((title, "cases", "right"), rows)))
    print(f"\n{spent / max(size, 1) * 1e8:.1f} ms of CPU for 100 KB")


def pages(names: Sequence[str] = SETS) -> Iterator[Page]:
    """Yield pages of the sets that are not all ASCII: the first of a site and language."""
    taken: Counter[tuple[str, str]] = Counter()
    for name, archive, gold in present(names):
        languages = {
            str(row["record_id"]).strip("<>"): str(row.get("language") or "")
            for _, row in json_objects(str(gold))
        }
        for capture in captures_of(str(archive), Config()):
            if not isinstance(capture, Capture):
                continue
            site = (urlsplit(capture.url).hostname or name).removeprefix("www.")
            language = languages.get(capture.record_id, "")
            if taken[site, language] >= PAGES_OF_SITE:
                continue
            if text := without_declaration(capture.payload, capture.content_type):
                taken[site, language] += 1
                yield Page(language, text, crc32(site.encode()) % 2 == 0)


def without_declaration(payload: bytes, content_type: str) -> str:
    """The text of a page without declarations of its charset; "" of one that says nothing about charsets."""
    try:
        decoded = decode(payload, content_type)
    except InputError:
        return ""
    text = DECLARATION.sub(" ", decoded.text)
    sure = decoded.charset.source != "detected" and not GARBLED.search(text)
    return text if sure and not text.isascii() and len(text) <= LONGEST else ""


def encodings(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the charsets that can hold a text, with its bytes."""
    for charset in CHARSETS:
        try:
            payload = text.encode(WRITTEN.get(charset, charset))
            if payload.decode(charset) == text:
                yield charset, payload
        except UnicodeError:
            continue


if __name__ == "__main__":
    call(main)
