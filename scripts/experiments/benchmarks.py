"""Public benchmarks as their authors publish them, for `scoreboard --benchmark PATH`.

- WebMainBench (Liu et al., 2025): a file of JSON lines with `html`, `convert_main_content` and `meta`;
- article-extraction-benchmark (Scrapinghub, 2020): a folder with `ground-truth.json` and `html/ID.html.gz`;
- WCXB (Foley, 2026): a folder with `ground-truth/ID.json` and `html/ID.html.gz`.

Gold in Markdown is compared as its text. What the annotators left in a page, which tells the answer, is taken out.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.archive import capture
from dbce.evaluate.gold import GoldText
from dbce.model import NO_TIME, UsageError
from dbce.storage import json_objects
from scripts.experiments.sets import GoldFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.model import Capture

ANSWER = re.compile(
    r"\s(?:cc-select|data-anno-uid)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]*)", re.IGNORECASE
)
"""Attributes by which annotators of WebMainBench marked what is content."""

TARGET = re.compile(
    r"\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)|^\s*\[[^\]]+\]:\s.*$", re.MULTILINE
)
"""Address of a link or a picture in Markdown."""

ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>~])")


class Page(NamedTuple):
    """A page of a benchmark: its name there, its HTML, its main text, and what is said of it."""

    name: str
    html: str
    text: str
    about: GoldFacts


class Benchmark(NamedTuple):
    """The pages of a benchmark as captures, with their gold."""

    captures: tuple[Capture, ...]
    gold: tuple[GoldText, ...]
    about: dict[str, GoldFacts]


def read_benchmark(path: Path) -> Benchmark:
    """Read a benchmark; a page without URL is of a site of its own.

    Raises:
        UsageError: the path holds none in a known layout.
    """
    captures, gold, about = [], [], {}
    for page in _pages(path):
        record_id = f"urn:benchmark:{page.name}"
        url = page.about.url or f"https://{page.name}.invalid/"
        captures.append(capture(url, page.html, NO_TIME.isoformat(), record_id=record_id))
        gold.append(GoldText(record_id, page.text, ""))
        about[record_id] = page.about
    return Benchmark(tuple(captures), tuple(gold), about)


def _pages(path: Path) -> Iterator[Page]:
    try:
        if path.is_file():
            yield from _web_main_bench(path)
        elif (path / "ground-truth.json").is_file():
            yield from _article_extraction(path)
        elif (path / "ground-truth").is_dir():
            yield from _wcxb(path)
        else:
            raise UsageError(
                f"{path} is no benchmark; give JSON lines, or a folder with ground-truth.json or ground-truth/"
            )
    except (OSError, KeyError, TypeError, ValueError) as e:
        raise UsageError(f"cannot read {path} as a benchmark: {e!r}") from e


def _web_main_bench(path: Path) -> Iterator[Page]:
    for number, row in json_objects(str(path)):
        meta = row.get("meta") or {}
        facts = (row.get("url"), meta.get("style"), meta.get("language"))
        gold = row.get("groundtruth_content") or row["convert_main_content"]
        yield Page(
            str(row.get("track_id") or number),
            ANSWER.sub("", row["html"]),
            markdown_text(gold),
            GoldFacts(*(str(value or "") for value in facts)),
        )


def markdown_text(markdown: str) -> str:
    """The words of Markdown that readers see: no addresses, and no signs that escape others."""
    return ESCAPE.sub(r"\1", TARGET.sub("]", markdown))


def _article_extraction(path: Path) -> Iterator[Page]:
    truth: dict[str, Any] = json.loads((path / "ground-truth.json").read_text(encoding="utf-8"))
    for name, row in sorted(truth.items()):
        facts = GoldFacts(str(row.get("url") or ""), "article", "")
        yield Page(name, _html(path, name), row["articleBody"], facts)


def _wcxb(path: Path) -> Iterator[Page]:
    for file in sorted((path / "ground-truth").glob("*.json")):
        row: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        kind = ((row.get("_internal") or {}).get("page_type") or {}).get("primary")
        text = row["ground_truth"].get("main_content") or ""
        yield Page(
            file.stem,
            _html(path, file.stem),
            text,
            GoldFacts(str(row.get("url") or ""), str(kind or ""), ""),
        )


def _html(path: Path, name: str) -> str:
    """The HTML of a page, which is stored as UTF-8 whatever it declares."""
    packed = (path / "html" / f"{name}.html.gz").read_bytes()
    return gzip.decompress(packed).decode("utf-8", "replace")
