"""Methods and peers on the same pages of an archive, scored against text gold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dbce import html
from dbce.boilerplate import Annotated, as_annotated, page_evidence
from dbce.boilerplate.classify import page_features
from dbce.boilerplate.decide import labels_by_structures, line_values
from dbce.boilerplate.word_labels import JOINT, WordLabels, text_runs
from dbce.evaluate import scores as words
from dbce.evaluate.scores import gold_share
from dbce.formats import judged_text
from dbce.model import BOILERPLATE, CONTENT, Capture, Config, InputError, UsageError
from dbce.pipeline import ComparedCaptures, judge_all
from scripts.experiments.peers import extract
from scripts.experiments.sets import judged_captures, select_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.evaluate.gold import GoldText
    from dbce.model import Reject, TextRun
    from scripts.experiments.peers import Peer
    from scripts.experiments.sets import Archive, Gains, GoldFacts, Texts


def judged_by_method(archive: Archive, method: str, config: Config) -> Iterator[Annotated]:
    """The pages that one of dbce's methods has verdicts on."""
    of_method = replace(config, method=method)
    compared = ComparedCaptures(archive.annotations, archive.dropped)
    results = judge_all(archive.captures, compared, of_method, as_annotated)
    return (one for one in results if isinstance(one, Annotated))


def texts_of_method(archive: Archive, method: str, config: Config) -> Texts:
    """The main texts by one of dbce's methods."""
    return {one.capture.record_id: one.text for one in judged_by_method(archive, method, config)}


def texts_of_gains(
    archive: Archive, gains: Mapping[str, Gains], *, by_structures: bool = True
) -> Texts:
    """The main texts of pages whose lines were judged elsewhere, by what each of them gains.

    Raises:
        UsageError: a page has other lines than those that were judged.
    """
    pages = judged_by_gains(archive, gains, by_structures=by_structures)
    return {
        page_id: judged_text(document.page, runs, document.markup(to_format=False))
        for page_id, document, runs in pages
    }


def judged_by_gains(
    archive: Archive, gains: Mapping[str, Gains], *, by_structures: bool = True
) -> Iterator[tuple[str, html.Document, Sequence[TextRun]]]:
    """The same pages with their runs: record id, document, and what `texts_of_gains` makes its text of."""
    for one in judged_captures(select_pages(archive, gains)):
        document = html.load(one.payload, one.content_type, Config().limits)
        page = document.page
        ends = np.cumsum([len(node.text.split()) for node in page.nodes], dtype=np.uint32)
        its_gains = np.array(gains[one.record_id].of_lines)
        of_node = np.array(html.lines(page, html.holders(page)))
        if len(its_gains) != of_node[-1] + 1:
            raise UsageError(f"{one.record_id} has other lines than those held out; run make train")
        of_word = np.repeat(its_gains[of_node], np.diff(ends, prepend=0))
        labels = np.where(of_word >= 0, np.uint8(CONTENT), np.uint8(BOILERPLATE))
        word_labels = WordLabels(labels, of_word, np.full(len(labels), JOINT, dtype=np.uint8))
        if by_structures:
            # As the model weighs lines: scripts without spaces have more words than white space tells.
            lengths = page_features(page, None).lines.words.tolist()
            lines = replace(line_values(page, ends, word_labels), words=lengths)
            opening = page_evidence(one.url, document, None, Config()).opening
            word_labels, _ = labels_by_structures(ends, word_labels, lines, opening)
        is_known = ~np.isin(of_node, gains[one.record_id].unknown)
        known = np.repeat(is_known, np.diff(ends, prepend=0))
        word_labels = replace(
            word_labels, labels=np.where(known, word_labels.labels, np.uint8(BOILERPLATE))
        )
        bits = np.zeros(len(labels), dtype=np.uint8)
        yield one.record_id, document, text_runs(page.nodes, ends, bits, word_labels, 0)


def texts_of_peer(
    captures: Iterable[Capture | Reject], about: Mapping[str, GoldFacts], peer: Peer
) -> Texts:
    """The main texts by a peer, of the pages that `about` names; what fails is empty."""
    texts = {}
    for capture in captures:
        if isinstance(capture, Capture) and capture.record_id in about:
            try:
                page = html.decode(capture.payload, capture.content_type).text
            except InputError:
                continue
            language = about[capture.record_id].language
            texts[capture.record_id] = extract(peer, page, language)
    return texts


def texts_of_oracle(archive: Archive, config: Config) -> Texts:
    """The ceiling for a judge of whole lines: those with more than half of their words in the gold."""
    return {
        page: "\n".join(text for text, share in zip(lines, shares, strict=True) if share > 0.5)
        for page, lines, shares in shares_of_gold(archive, config)
    }


def shares_of_gold(
    archive: Archive, config: Config
) -> Iterator[tuple[str, Sequence[str], NDArray[np.float64]]]:
    """For each page with gold its record id, its lines, and the share of the words of each that is in the gold."""
    gold = {one.page: one.text for one in archive.gold}
    for one in judged_captures(select_pages(archive, gold)):
        page = html.load(one.payload, one.content_type, config.limits).page
        lines = page_features(page, None).lines.texts
        yield one.record_id, lines, gold_share(lines, gold[one.record_id])


def page_scores(gold: Sequence[GoldText], texts: Texts) -> pd.DataFrame:
    """`words.page_table` of the pages with words in the gold, and the `group` of each.

    The index names them as the gold does; a page without a text is scored 0.
    """
    scored = [one for one in gold if words.words(one.text)]
    table = words.page_table(
        [words.score_page(one.text, texts.get(one.page, "")) for one in scored]
    )
    table.insert(0, "group", [one.group for one in scored])
    return table.set_index(pd.Index([one.page for one in scored], name="page"))


def site_mean(scores: pd.DataFrame) -> float:
    """The mean over sites of their mean bag F1, so that a site counts once; NaN without pages."""
    return float(scores.groupby("group")["bag_f1"].mean().mean())


def difference(ours: pd.DataFrame, theirs: pd.DataFrame) -> tuple[float, float]:
    """Return the mean over pages of our bag F1 less theirs, and its standard error.

    Both have the same pages.
    """
    apart = ours["bag_f1"].to_numpy() - theirs["bag_f1"].to_numpy()
    if not len(apart):
        return np.nan, np.nan
    error = apart.std(ddof=1) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
    return float(apart.mean()), float(error)


def comparison_table(scores: Mapping[str, pd.DataFrame], ours: str) -> pd.DataFrame:
    """One row for each system: `words.summarise`, `site_mean`, and `better` and `better_se`.

    The last two are `difference` between the system called `ours` and the row's; NaN in the row of
    ours.
    """
    rows = {}
    for name, table in scores.items():
        apart = (np.nan, np.nan) if name == ours else difference(scores[ours], table)
        columns = {"site_mean": site_mean(table), "better": apart[0], "better_se": apart[1]}
        rows[name] = {**words.summarise(table), **columns}
    return pd.DataFrame(rows).T
