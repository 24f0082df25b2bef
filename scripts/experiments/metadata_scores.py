"""Are the day of publication and the language of a page right, wrong or unknown?

    python -m scripts.experiments.metadata_scores [--set NAME]...

Languages are those of a page with its gold text as the main text. Gold is `metadata.date` and `language`.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any

from dbce.evaluate.results import table
from dbce.html import declared_metadata, load
from dbce.metadata import Metadata, describe
from dbce.model import Capture, Config, InputError
from dbce.storage import json_objects
from scripts.experiments.sets import add_sets, add_title, call, captures_of, choose_sets, present

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

SETS = ("dates", "trafeval", "fundus", "misinfo", "chinese", "sites", "timelines")
ANSWERS = ("right", "wrong", "unknown")
HEADER = ("set", "pages", *ANSWERS)
DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
SAME = {"nb": "no", "nn": "no"}  # gold sets have all three


def main(arguments: Sequence[str] = ()) -> None:
    """Prints a table for dates and one for languages."""
    parser = ArgumentParser(
        prog="python -m scripts.experiments.metadata_scores",
        description="Days of publication and languages: right, wrong, unknown.",
    )
    add_sets(parser, SETS)
    options = parser.parse_args(arguments)
    dates, languages = [], []
    for name, archive, gold in present(choose_sets(SETS, options.set)):
        of_dates, of_languages = score(archive, gold)
        dates += [row(name, of_dates)] if of_dates else []
        languages += [row(name, of_languages)] if of_languages else []
    print(add_title("Day of publication:", table(HEADER, dates)))
    print(add_title("Language:", table(HEADER, languages)))


def row(name: str, answers: Counter[str]) -> list[object]:
    """A set with its number of pages, and the share of each answer."""
    pages = answers.total()
    return [name, pages, *(answers[answer] / pages for answer in ANSWERS)]


def score(archive: Path, gold: Path) -> tuple[Counter[str], Counter[str]]:
    """Number of pages by answer, for dates and for languages, of the pages whose gold has them."""
    dates: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for facts, metadata in described_pages(archive, gold):
        if day := gold_day(facts):
            dates[answer(metadata.date, day)] += 1
        if facts.get("gold_text") and (language := facts.get("language")):
            told = metadata.language and metadata.language.partition("-")[0]
            languages[answer(told and SAME.get(told, told), SAME.get(language, language))] += 1
    return dates, languages


def described_pages(archive: Path, gold: Path) -> Iterator[tuple[Mapping[str, Any], Metadata]]:
    """The gold of each page of an archive, and its metadata, empty where it cannot be read."""
    facts = {str(row["record_id"]).strip("<>"): row for _, row in json_objects(str(gold))}
    config = Config()
    for capture in captures_of(str(archive), config):
        if not isinstance(capture, Capture) or capture.record_id not in facts:
            continue
        of_page = facts[capture.record_id]
        try:
            document = load(capture.payload, capture.content_type, config.limits)
        except InputError:
            yield of_page, Metadata()
            continue
        declared = declared_metadata(document.root, capture.payload)
        text = str(of_page.get("gold_text") or "")
        yield of_page, describe(declared, document.page, capture.url, capture.timestamp, text)


def gold_day(facts: Mapping[str, Any]) -> str | None:
    """The day of publication in a gold; None where it has none, or no day of the calendar."""
    written = DAY.match(str((facts.get("metadata") or {}).get("date")))
    try:
        return written and date(*map(int, written.groups())).isoformat()
    except ValueError:
        return None


def answer(told: str | None, right: str) -> str:
    """An answer beside the right one: right, wrong or unknown."""
    if not told:
        return "unknown"
    return "right" if told == right else "wrong"


if __name__ == "__main__":
    call(main)
