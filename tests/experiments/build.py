"""Sets of pages with gold, as experiments read them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dbce.model import Capture, Config
from scripts.experiments.sets import Archive, open_archive
from tests.site import stored, story


def write_set(
    folder: Path, pages: Iterable[Capture], gold: Iterable[dict[str, Any]], more: bytes = b""
) -> tuple[Path, Path]:
    """An archive of the pages, and of `more` records, and their gold, named after their folder."""
    folder.mkdir(exist_ok=True)
    paths = folder / f"{folder.name}.warc.gz", folder / f"{folder.name}.gold.jsonl"
    paths[0].write_bytes(stored(*pages) + more)
    paths[1].write_text("\n".join(map(json.dumps, gold)))
    return paths


def gold_of(page: Capture, **about: Any) -> dict[str, Any]:
    """A line of gold: the story of the page's topic, if no other text is given."""
    text = story(page.url.rpartition("/")[2])
    return {"record_id": page.record_id, "gold_text": text} | about


def open_set(
    folder: Path, pages: Iterable[Capture], gold: Iterable[dict[str, Any]], more: bytes = b""
) -> Archive:
    return open_archive(*write_set(folder, pages, gold, more), Config())
