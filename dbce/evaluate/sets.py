# ruff: noqa: T201 - its commands say on standard error what they do
"""The shared data sets that `python -m dbce.evaluate` scores.

They are looked for in the folder that the environment variable DBCE_DATA names, or else in
`../shared/data` beside this project; what is absent is left out, with a line that says so.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.boilerplate.classify import load_model
from dbce.evaluate.archives import open_archive
from dbce.model import Config, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.evaluate.archives import Archive
    from dbce.evaluate.gold import GoldText
    from dbce.evaluate.systems import Texts

DATA = Path(os.environ.get("DBCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

SETS = (
    *("cleanportaleval", "dragnet-sites", "sites", "timelines", "flink"),
    *("wcxb", "dragnet", "cleaneval"),
)
"""Folders in DATA; each has an archive and its gold, which are called as the folder."""

SITES = SETS[:5]
"""Those with several pages a site, and so with crosses."""


def present(names: Iterable[str]) -> Iterator[tuple[str, Path, Path]]:
    """Name, archive and gold of the sets that are there."""
    for name in names:
        path = DATA / name / f"{name}.warc.gz"
        if path.exists():
            yield name, path, path.with_name(f"{name}.gold.jsonl")
        else:
            say(f"{name} left out: not in {DATA} (set DBCE_DATA)")


def compare_pages(name: str, archive: Path, gold: Path) -> Archive:
    """The archive of a set, its pages compared."""
    say(f"{name}: comparing pages ...")
    return open_archive(archive, gold, Config())


def learned(name: str) -> bool:
    """Whether the model in the package was trained on a set."""
    return name in load_model("").card.get("data", {})


def read_texts(path: str | None) -> Texts:
    """The texts of a file that dbce train wrote, or dbce text, by record id; none without a file.

    Raises:
        UsageError: the file cannot be read, or holds something else.
    """
    if path is None:
        return {}
    try:
        rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
        return {row["record_id"]: row["text"] for row in rows}
    except OSError as e:
        raise UsageError(f"cannot read {path}: {e.strerror or e}") from e
    except (ValueError, KeyError, TypeError) as e:
        raise UsageError(f"{path} is no file of texts as dbce train writes it: {e!r}") from e


def of_gold(gold: Iterable[GoldText], texts: Texts) -> Texts:
    """Those of the texts that are of pages in a gold."""
    return {one.page: texts[one.page] for one in gold if one.page in texts}


def say(words: str) -> None:
    """Tells the user what is going on."""
    print(words, file=sys.stderr, flush=True)
