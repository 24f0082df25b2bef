"""Methods and peers on the same pages of an archive, scored against text gold."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dbce import html
from dbce.archive import expand, read
from dbce.compare import compare
from dbce.errors import InputError
from dbce.evaluate import words
from dbce.evaluate.gold import GoldText, by_kind, read_gold
from dbce.evaluate.peers import extract
from dbce.model import Capture
from dbce.pipeline import Annotated, as_annotated, judge_all, sketch_all

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dbce.config import Config
    from dbce.evaluate.peers import Peer
    from dbce.model import Annotation, Dropped

Texts = dict[str, str]
"""Main text by record id."""


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """An archive, compared and ready to be judged, with its gold.

    `languages` are those of the gold's field `language`, by record id. `with_up` and `with_down`
    are shares of the captures that can be judged.
    """

    captures: tuple[Capture | Dropped, ...]
    dropped: dict[int, Dropped]
    annotations: dict[str, Annotation]
    gold: tuple[GoldText, ...]
    languages: dict[str, str]
    judged: int
    with_up: float
    with_down: float


def open_archive(path: Path, gold_path: Path, config: Config) -> Archive:
    """Reads an archive and compares its pages, once for all methods."""
    sources = expand([str(path)])
    captures = tuple(
        capture
        for source in sources
        for capture in read(source, config.limits, verify=config.verify)
    )
    sketches, dropped = sketch_all(captures, config)
    annotations = {a.record_id: a for a in compare(sketches, config)}
    first = [one.crosses[0] for one in annotations.values()]
    judged = max(len(sketches), 1)
    texts, _ = by_kind(read_gold(str(gold_path)))
    return Archive(
        captures=captures,
        dropped=dropped,
        annotations=annotations,
        gold=texts,
        languages=_languages(gold_path),
        judged=len(sketches),
        with_up=sum(cross.up is not None for cross in first) / judged,
        with_down=sum(cross.down is not None for cross in first) / judged,
    )


def _languages(gold_path: Path) -> dict[str, str]:
    with gold_path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return {str(row.get("record_id", "")).strip("<>"): row.get("language", "") for row in rows}


def texts_of_method(archive: Archive, method: str, config: Config) -> Texts:
    """The main texts by one of dbce's methods."""
    of_method = replace(config, method=method)
    results = judge_all(
        archive.captures, archive.dropped, archive.annotations, of_method, as_annotated
    )
    return {one.capture.record_id: one.text for one in results if isinstance(one, Annotated)}


def texts_of_peer(archive: Archive, peer: Peer) -> Texts:
    """The main texts by a peer, of the pages that have gold; what fails is empty."""
    wanted = {one.page for one in archive.gold}
    texts = {}
    for capture in archive.captures:
        if isinstance(capture, Capture) and capture.record_id in wanted:
            try:
                page = html.decode(capture.payload, capture.content_type).text
            except InputError:
                continue
            language = archive.languages.get(capture.record_id, "")
            texts[capture.record_id] = extract(peer, page, language)
    return texts


def page_scores(archive: Archive, texts: Texts) -> pd.DataFrame:
    """`words.page_table` of the pages with words in the gold, which names them by record id."""
    scored = [one for one in archive.gold if words.words(one.text)]
    table = words.page_table(
        [words.score_page(one.text, texts.get(one.page, "")) for one in scored]
    )
    return table.set_index(pd.Index([one.page for one in scored], name="page"))


def difference(ours: pd.DataFrame, theirs: pd.DataFrame) -> tuple[float, float]:
    """(mean over pages of our bag F1 less theirs, its standard error); the same pages in both."""
    apart = ours["bag_f1"].to_numpy() - theirs["bag_f1"].to_numpy()
    if not len(apart):
        return np.nan, np.nan
    error = apart.std(ddof=1) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
    return float(apart.mean()), float(error)


def compared(scores: Mapping[str, pd.DataFrame], ours: str) -> pd.DataFrame:
    """One row for each system: `words.summarise`, and `better` and `better_se`.

    These are `difference` between the system called `ours` and the row's; NaN in the row of ours.
    """
    rows = {}
    for name, table in scores.items():
        apart = (np.nan, np.nan) if name == ours else difference(scores[ours], table)
        rows[name] = {**words.summarise(table), "better": apart[0], "better_se": apart[1]}
    return pd.DataFrame(rows).T
