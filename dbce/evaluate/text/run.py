"""A finished run against gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.text import nodes, stored
from dbce.evaluate.text import scores as words
from dbce.evaluate.text.gold import by_kind, read_gold, with_comments
from dbce.evaluate.text.report import Report
from dbce.output import open_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.evaluate.text.gold import Gold, GoldText, LabelledRun
    from dbce.output import Manifest
    from dbce.storage import Folder


def evaluate(folder_uri: str, gold_path: str, group: str = "site") -> Report:
    """The scores of a run's verdicts; which scores depends on the kind of gold.

    `group` is the field of the gold by which scores are also given.

    Raises:
        UsageError: the gold cannot be used (see `read_gold`), or the folder holds no finished run.
    """
    folder, account = open_whole(folder_uri)
    gold = with_comments(read_gold(gold_path, group), comments_of(account))
    return score(f"{folder_uri} against {gold_path}", folder, gold)


def comments_of(account: Manifest) -> str:
    """Return whether a run leaves out comments of users or keeps them: "drop" or "keep"."""
    return str(account.get("config", {}).get("comments", "drop"))


def score(title: str, folder: Folder, gold: Gold) -> Report:
    """The scores of the run in a folder."""
    texts, runs = by_kind(gold)
    return _by_words(title, folder, texts) if texts else _by_nodes(title, folder, runs)


def _by_words(title: str, folder: Folder, gold: Sequence[GoldText]) -> Report:
    known, found = stored.page_texts(folder, gold)
    texts = [found[one.page].text if one.page in found else "" for one in gold]
    frame = words.page_table(
        [words.score_page(one.text, text) for one, text in zip(gold, texts, strict=True)]
    )
    frame.insert(0, "group", [one.group for one in gold])
    frame.index = pd.Index([one.page for one in gold], name="page")
    scored = frame[frame["gold"] > 0]
    groups = {name: words.summarise(pages) for name, pages in scored.groupby("group")}
    unknown = sum(one.page not in known for one in gold)
    silent = sum(one.page in known and one.page not in found for one in gold)
    false = int(frame.loc[frame["gold"] == 0, "predicted"].sum())
    return Report(
        title,
        scored,
        pd.DataFrame({"all": words.summarise(scored)}).T,
        pd.DataFrame(groups if len(groups) > 1 else {}).T,
        _notes(
            (unknown, "pages in the gold that the run does not know, scored 0"),
            (silent, "pages in the gold that were skipped or rejected, scored 0"),
            (len(frame) - len(scored), "pages without words in the gold, not scored"),
            (false, "words that the run found on pages without words in the gold"),
        ),
    )


def _by_nodes(title: str, folder: Folder, gold: Sequence[LabelledRun]) -> Report:
    group_of = {run.record_id: run.group for run in gold}
    frame = nodes.compare(stored.verdicts(folder, group_of), gold)
    frame.insert(0, "group", [group_of[record_id] for record_id in frame.index])
    groups = nodes.by_group(frame)
    return Report(
        title,
        frame,
        nodes.summarise(frame),
        groups if len(groups) > 1 else pd.DataFrame(),
        _notes(
            (
                len(group_of) - len(frame),
                "captures in the gold without verdicts in the run, not scored",
            ),
            (int(frame["unlabelled"].sum()), "text runs of the run without gold, not scored"),
            (
                int(frame["unseen"].sum()),
                "text runs of the gold that are in no text node of the run",
            ),
        ),
    )


def _notes(*counted: tuple[int, str]) -> tuple[str, ...]:
    return tuple(f"{what}: {count}" for count, what in counted if count)
