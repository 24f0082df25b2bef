"""Are title, author, day of publication and language of a page right, wrong or unknown?

    python -m scripts.experiments.metadata_scores [--set NAME]... [--peer]

Languages are those of a page with its gold text as the main text. Gold is `metadata` (`title`, `authors`, `date`) and
`language`. Titles and names are compared by their letters and digits, names in any order. `--peer` adds rows of trafilatura's
`extract_metadata` on the same pages (`pip install 'dbce[peers]'`).
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from html import unescape
from typing import TYPE_CHECKING, Any

from dbce.evaluate.results import table
from dbce.html import load
from dbce.metadata import Metadata, describe, letters
from dbce.model import Capture, Config, InputError
from dbce.storage import json_objects
from scripts.experiments.sets import add_title, call, captures_of, choose_sets, present, set_parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    Description = Callable[[Capture, str], Metadata]

SETS = (
    *("dates", "trafeval", "fundus", "misinfo", "chinese", "readers", "recipes"),
    *("sites", "timelines"),
)
VALUES = ("title", "author", "date", "language")
ANSWERS = ("right", "wrong", "unknown")
HEADER = ("set", "pages", *ANSWERS)
AND = re.compile(r";|, | und | and | & | y | et | e |\s\|\s|/")
DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
SAME = {"nb": "no", "nn": "no"}  # gold sets have all three


def main(arguments: Sequence[str] = ()) -> None:
    """Print a table for each value."""
    parser = set_parser(
        "metadata_scores",
        "Titles, authors, days of publication and languages: right, wrong, unknown.",
        SETS,
    )
    parser.add_argument("--peer", action="store_true", help="also score trafilatura")
    options = parser.parse_args(arguments)
    systems = {"": describe_page} | ({", trafilatura": described_by_peer} if options.peer else {})
    rows: dict[str, list[list[object]]] = {value: [] for value in VALUES}
    for name, archive, gold in present(choose_sets(SETS, options.set)):
        for system, describe_as in systems.items():
            for value, answers in score(archive, gold, describe_as).items():
                rows[value] += [row(name + system, answers)] if answers else []
    for value, of_value in rows.items():
        print(add_title(f"{value.capitalize()}:", table(HEADER, of_value)))


def row(name: str, answers: Counter[str]) -> list[object]:
    """A set with its number of pages, and the share of each answer."""
    pages = answers.total()
    return [name, pages, *(answers[answer] / pages for answer in ANSWERS)]


def score(
    archive: Path, gold: Path, describe_as: Description | None = None
) -> dict[str, Counter[str]]:
    """Number of pages by answer, for each value, of the pages whose gold has it."""
    answers: dict[str, Counter[str]] = {value: Counter() for value in VALUES}
    for facts, metadata in described_pages(archive, gold, describe_as or describe_page):
        of_gold = facts.get("metadata") or {}
        if title := of_gold.get("title"):
            answers["title"][
                answer(letters(unescape(metadata.title or "")), letters(unescape(title)))
            ] += 1
        if names := name_keys(of_gold.get("authors")):
            answers["author"][answer(name_keys(metadata.author), names)] += 1
        if day := gold_day(facts):
            answers["date"][answer(metadata.date, day)] += 1
        if facts.get("gold_text") and (language := facts.get("language")):
            detected = (metadata.language or "").partition("-")[0]
            answers["language"][
                answer(SAME.get(detected, detected), SAME.get(language, language))
            ] += 1
    return answers


def name_keys(names: Any) -> frozenset[str]:
    """The letters of each name in a text, or in lists of such, in whatever way they are parted."""
    if isinstance(names, list):
        return frozenset().union(*map(name_keys, names))
    return frozenset(filter(None, map(letters, AND.split(unescape(names or "")))))


def described_pages(
    archive: Path, gold: Path, describe_as: Description
) -> Iterator[tuple[Mapping[str, Any], Metadata]]:
    """The gold of each page of an archive, and its metadata, empty where it cannot be read."""
    facts = {str(row["record_id"]).strip("<>"): row for _, row in json_objects(str(gold))}
    for capture in captures_of(str(archive), Config()):
        if isinstance(capture, Capture) and capture.record_id in facts:
            of_page = facts[capture.record_id]
            yield of_page, describe_as(capture, str(of_page.get("gold_text") or ""))


def describe_page(capture: Capture, text: str) -> Metadata:
    """Metadata of a page by dbce."""
    try:
        document = load(capture.payload, capture.content_type, Config().limits)
    except InputError:
        return Metadata()
    return describe(document.declared_metadata, document.page, capture.url, capture.timestamp, text)


def described_by_peer(capture: Capture, _: str) -> Metadata:
    """Metadata of a page by trafilatura (Barbaresi, 2021)."""
    from trafilatura import extract_metadata

    found = extract_metadata(capture.payload, default_url=capture.url)
    return (
        Metadata(title=found.title, author=found.author, date=found.date) if found else Metadata()
    )


def gold_day(facts: Mapping[str, Any]) -> str | None:
    """The day of publication in a gold; None where it has none, or no day of the calendar."""
    written = DAY.match(str((facts.get("metadata") or {}).get("date")))
    try:
        return written and date(*map(int, written.groups())).isoformat()
    except ValueError:
        return None


def answer(value: object, right: object) -> str:
    """An answer beside the right one: right, wrong or unknown."""
    if not value:
        return "unknown"
    return "right" if value == right else "wrong"


if __name__ == "__main__":
    call(main)
