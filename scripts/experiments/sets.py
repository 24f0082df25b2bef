"""The shared data sets that experiments are made on: archives, read and compared once for all systems, with their gold.

They are looked for in the folder that the environment variable DBCE_DATA names, or else in
`../shared/data` beside this project; what is absent is left out, with a line that says so.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from dbce.archive import expand, read, site
from dbce.boilerplate.classify import load_model
from dbce.evaluate.gold import GoldText, by_kind, read_gold
from dbce.model import Capture, Config, UsageError
from dbce.pipeline import compare_all, sketch_all
from dbce.storage import json_objects
from dbce.train.examples import domain_of
from dbce.train.fit import part

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from dbce.model import Annotation, Reject

DATA = Path(os.environ.get("DBCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

SETS = (
    *("cleanportaleval", "dragnet-sites", "sites", "timelines", "flink"),
    *("wcxb", "dragnet", "cleaneval", "fundus", "misinfo", "chinese"),
    *("forums", "waddle", "magic", "readers"),
)
"""Folders in DATA; each has an archive and its gold, which are called as the folder."""

SITES = SETS[:5]
"""Those with several pages a site, and so with crosses."""

Texts = dict[str, str]
"""Main text by record id."""


@dataclass(frozen=True, slots=True)
class GoldFacts:
    """Data that a gold file has on a page beside its text; "" for those it lacks."""

    url: str
    kind: str
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """An archive, compared and ready to be judged, with its gold.

    `about` is by record id. `with_up` and `with_down` are shares of the captures that can be judged.
    """

    captures: tuple[Capture | Reject, ...]
    dropped: dict[int, Reject]
    annotations: dict[str, Annotation]
    gold: tuple[GoldText, ...]
    about: dict[str, GoldFacts]
    judged: int
    with_up: float
    with_down: float


def present(names: Iterable[str]) -> Iterator[tuple[str, Path, Path]]:
    """Name, archive and gold of the sets that are there."""
    for name in names:
        path = DATA / name / f"{name}.warc.gz"
        if path.exists():
            yield name, path, path.with_name(f"{name}.gold.jsonl")
        else:
            say(f"{name} left out: not in {DATA} (set DBCE_DATA)")


def compare_pages(name: str, archive: Path, gold: Path, *, share: int = 1) -> Archive:
    """The archive of a set, its pages compared; those of every `share`th registered domain."""
    say(f"{name}: comparing pages ...")
    return open_archive(archive, gold, Config(), share=share)


def compared_sets(
    names: Sequence[str], chosen: Collection[str] | None
) -> Iterator[tuple[str, Archive]]:
    """Yield name and archive of the chosen sets that are there, all unless some were chosen."""
    for name, *files in present(choose_sets(names, chosen)):
        yield name, compare_pages(name, *files)


def open_archive(path: Path, gold_path: Path, config: Config, *, share: int = 1) -> Archive:
    """Reads an archive and compares its pages, once for all methods."""
    captures = tuple(
        capture
        for capture in captures_of(str(path), config)
        if share == 1 or part(domain_of(site(capture.url, config.site_by)), share) == 0
    )
    texts, _ = by_kind(read_gold(str(gold_path)))
    if share > 1:
        pages = {capture.record_id for capture in captures}
        texts = tuple(text for text in texts if text.page in pages)
    return compare_captures(captures, texts, read_about(str(gold_path)), config)


def compare_captures(
    captures: tuple[Capture | Reject, ...],
    gold: tuple[GoldText, ...],
    about: dict[str, GoldFacts],
    config: Config,
) -> Archive:
    """Captures, compared with each other, and their gold."""
    annotations, dropped = compare_all(captures, sketch_all(captures, config), config)
    strongest = [annotation.crosses[0] for annotation in annotations.values()]
    judged = len(captures) - len(dropped)
    return Archive(
        captures=captures,
        dropped=dropped,
        annotations=annotations,
        gold=gold,
        about=about,
        judged=judged,
        with_up=sum(cross.up is not None for cross in strongest) / max(judged, 1),
        with_down=sum(cross.down is not None for cross in strongest) / max(judged, 1),
    )


def captures_of(uri: str, config: Config) -> Iterator[Capture | Reject]:
    """Yield the captures and rejects of an archive, in its order."""
    for source in expand([uri]):
        yield from read(source, config.limits, verify=config.verify)


def read_about(gold: str) -> dict[str, GoldFacts]:
    """Return the data that a gold file has on its pages, by record id."""
    return {
        str(row.get("record_id", "")).strip("<>"): GoldFacts(
            *(str(row.get(name, "")) for name in ("url", "kind", "language"))
        )
        for _, row in json_objects(gold)
    }


def select_pages(archive: Archive, pages: Collection[str]) -> Archive:
    """The archive with some of its captures alone, by record id; all were compared with all."""
    captures = tuple(capture for capture in judged_captures(archive) if capture.record_id in pages)
    return replace(archive, captures=captures, dropped={})


def judged_captures(archive: Archive) -> Iterator[Capture]:
    """The captures that have verdicts."""
    for number, capture in enumerate(archive.captures):
        if isinstance(capture, Capture) and number not in archive.dropped:
            yield capture


def snapshots(archive: Archive) -> dict[str, int]:
    """Of how many captures of its URL, itself among them, each capture is one, by record id."""
    times = Counter(capture.surt for capture in judged_captures(archive))
    return {capture.record_id: times[capture.surt] for capture in judged_captures(archive)}


def is_trained_on(name: str) -> bool:
    """Return whether one of the models in the package was trained on a set."""
    models = (load_model("", for_forums=of_forums) for of_forums in (False, True))
    return any(name in model.card["data"] for model in models)


def read_texts(path: str | None) -> Texts:
    """The texts of a file that dbce train wrote, or dbce text, by record id; none without a file.

    Raises:
        UsageError: the file cannot be read, or holds something else.
    """
    if path is None:
        return {}
    try:
        return {row["record_id"]: row["text"] for _, row in json_objects(path, "texts")}
    except KeyError as e:
        raise UsageError(f"{path} is no file of texts as dbce train writes it: {e!r}") from e


class Gains(NamedTuple):
    """Gains of the lines of a page, and the numbers of those that the gold says nothing of."""

    of_lines: list[float]
    unknown: list[int]


def read_gains(path: str | None) -> dict[str, Gains]:
    """Gains of lines by record id, of a file that dbce train wrote; none without a file, or of pages without."""
    if path is None:
        return {}
    rows = (row for _, row in json_objects(path, "gains") if "gains" in row)
    return {row["record_id"]: Gains(row["gains"], row["unknown"]) for row in rows}


def texts_with_gold(gold: Iterable[GoldText], texts: Texts) -> Texts:
    """Those of the texts that are of pages in a gold."""
    return {page.page: texts[page.page] for page in gold if page.page in texts}


def set_parser(
    name: str, description: str | None, sets: Sequence[str], *, held_out: bool = False
) -> ArgumentParser:
    """The parser of an experiment on some of the sets, and perhaps on what `make train` held out.

    `choose_sets` has the sets that were chosen in their order.
    """
    parser = ArgumentParser(prog=f"python -m scripts.experiments.{name}", description=description)
    add_sets(parser, sets)
    if held_out:
        about = "what dbce train held out, for sets it learned from"
        parser.add_argument("--held-out", metavar="FILE", help=about)
    return parser


def add_sets(parser: ArgumentParser, names: Sequence[str]) -> None:
    about = f"this set alone, or several by --set again; of {', '.join(names)}"
    parser.add_argument("--set", metavar="NAME", action="append", choices=names, help=about)


def choose_sets(names: Sequence[str], chosen: Collection[str] | None) -> list[str]:
    """The sets that were asked for, all unless some were."""
    return [name for name in names if name in (chosen or names)]


def add_title(title: str, table: str) -> str:
    """A table below its title, with an empty line above."""
    return f"\n{title}\n\n{table}"


def say(words: str) -> None:
    """Tells on standard error what is going on."""
    print(words, file=sys.stderr, flush=True)


def call(main: Callable[[Sequence[str]], None]) -> NoReturn:
    """Runs an experiment from the command line; wrong use is one sentence and exit code 2."""
    try:
        main(sys.argv[1:])
    except UsageError as e:
        say(f"{Path(sys.argv[0]).stem}: {e}")
        sys.exit(2)
    sys.exit()
