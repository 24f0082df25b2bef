"""Finished runs against gold, one or several, such as one per method: tables for programs, a text for people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from dbce.evaluate import nodes
from dbce.evaluate import scores as words
from dbce.evaluate.gold import Gold, GoldText, LabelledRun, by_kind, read_gold, with_comments
from dbce.evaluate.nodes import CELLS, UNSCORED
from dbce.evaluate.results import table
from dbce.evaluate.scores import MEASURES, PRF
from dbce.model import Label, UsageError, count_of
from dbce.output import Manifest, Row, open_whole, run_table
from dbce.storage import Folder

WORD_COLUMNS = {
    "bag F1": "bag_f1_mean",
    "± SE": "bag_f1_se",
    "bag F1 micro": "bag_f1_micro",
    "lcs F1": "lcs_f1_mean",
    "bag P": "bag_p_mean",
    "bag R": "bag_r_mean",
}
"""Heading: column of `words.summarise`, for a table with a row for each run or method."""

IN_GROUPS = {of: WORD_COLUMNS[of] for of in ("bag P", "bag R", "bag F1", "bag F1 micro", "lcs F1")}
"""The same for groups of pages."""

ABOUT_NODES = (
    "Text runs; positive is content. Row `decided` leaves invalid runs out, as the thesis does."
)
ABOUT_WORDS = (
    "Words of the main text against the gold text, as multisets (bag) and as sequences (lcs); "
    "means over pages with their standard error (SE), micro: words of all pages summed."
)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run and its scores; `name` is distinct, `account` is its `run.json`, `gold` what it is scored on.

    For text gold: `table` has one row per page (`words.page_table`), `summary` the row `all`
    and `groups` a row per group (`words.summarise`). For node gold: `table` has one row per
    capture (`nodes.compare`), `summary` the rows `all` and `decided` (`nodes.summarise`) and
    `groups` a row per group (`nodes.by_group`). Either table has a column `group`; `groups` is
    empty where there is only one. `notes` count the gold that could not be used as it is.
    """

    name: str
    folder: Folder
    account: Manifest
    gold: Gold
    title: str
    table: pd.DataFrame
    summary: pd.DataFrame
    groups: pd.DataFrame
    notes: tuple[str, ...]

    @property
    def by_nodes(self) -> bool:
        return "tp" in self.summary

    def text(self) -> str:
        parts = _node_sections(self) if self.by_nodes else _word_sections(self)
        return "\n\n".join([self.title, *parts, *(f"Note: {note}" for note in self.notes)])


def _word_sections(run: Run) -> Iterator[str]:
    totals = run.summary.to_dict("index")["all"]
    yield f"Words of {count_of(int(totals['pages']), 'page')}, {totals['empty']:.0f} of them without text in the run."
    yield table(["words", "", "P", "R", "F1", "standard error"], score_rows(run.summary, ""))
    if len(run.groups):
        yield _table("group", run.groups, {"pages": "pages"} | IN_GROUPS)


def score_rows(summary: pd.DataFrame, blank: object) -> list[list[object]]:
    """Return a row for each measure and kind of average: both names, P, R, F1, and a mean's standard error, else `blank`."""
    totals = summary.to_dict("index")["all"]
    return [
        [
            measure,
            kind,
            *(totals[f"{measure}_{name}_{kind}"] for name in PRF),
            totals[f"{measure}_f1_se"] if kind == "mean" else blank,
        ]
        for measure in MEASURES
        for kind in ("mean", "median", "micro")
    ]


def _node_sections(run: Run) -> Iterator[str]:
    yield ABOUT_NODES
    yield node_table("text runs", run.summary)
    if len(run.groups):
        yield node_table("group", run.groups)


def node_table(heading: str, rows: pd.DataFrame) -> str:
    return _table(heading, rows, {str(name): str(name) for name in rows if name not in UNSCORED})


def _table(heading: str, rows: pd.DataFrame, columns: Mapping[str, str]) -> str:
    """Return a table of some columns by their headings; counts as whole numbers."""
    counts = (*CELLS, "pages", "empty")
    return table(
        [heading, *columns],
        [
            [name, *(int(row[c]) if c in counts else row[c] for c in columns.values())]
            for name, row in rows.to_dict("index").items()
        ],
    )


PAGE_COLUMNS = ["record_id", "url", "fetch_time", "text"]
NODE_COLUMNS = ["record_id", "xpath", "start", "end", "text", "label", "probability"]


def page_texts(folder: Folder, gold: Iterable[GoldText]) -> tuple[set[str], dict[str, Row]]:
    """Return the pages that the run knows and the rows of those with verdicts, named as in the gold."""
    names = pa.array([entry.page for entry in gold], pa.string())
    known: set[str] = set()
    judged: dict[str, Row] = {}
    is_named = ds.field("record_id").isin(names) | ds.field("url").isin(names)
    pages = run_table(folder, "pages").rows(PAGE_COLUMNS, is_named)
    # A URL in the gold means the first snapshot with a verdict.
    for page in sorted(pages, key=lambda page: (page["fetch_time"] is None, page["fetch_time"])):
        for name in (page["record_id"], page["url"]):
            known.add(name)
            if page["text"] is not None:
                judged.setdefault(name, page)
    return known, judged


def _id_filter(record_ids: Iterable[str]) -> ds.Expression:
    return ds.field("record_id").isin(pa.array(sorted(record_ids), pa.string()))


def urls(folder: Folder, record_ids: Iterable[str]) -> dict[str, str]:
    rows = run_table(folder, "pages").rows(["record_id", "url"], _id_filter(record_ids))
    return {row["record_id"]: row["url"] for row in rows}


def verdicts(folder: Folder, record_ids: Iterable[str]) -> Iterator[LabelledRun]:
    """Yield the verdicts on all text runs of some captures, in stored order: page by page."""
    for row in run_table(folder, "nodes").rows(NODE_COLUMNS, _id_filter(record_ids)):
        yield LabelledRun(**row | {"label": Label(row["label"])})


Scores = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, tuple[str, ...]]
"""Table, summary, groups and notes of a run."""


def _by_words(folder: Folder, gold: Sequence[GoldText]) -> Scores:
    known, judged = page_texts(folder, gold)
    texts = [judged[entry.page]["text"] if entry.page in judged else "" for entry in gold]
    frame = words.page_table(
        [words.score_page(entry.text, text) for entry, text in zip(gold, texts, strict=True)]
    )
    frame.insert(0, "group", [entry.group for entry in gold])
    frame.index = pd.Index([entry.page for entry in gold], name="page")
    scored = frame[frame["gold"] > 0]
    groups = {name: words.summarise(pages) for name, pages in scored.groupby("group")}
    unknown = sum(entry.page not in known for entry in gold)
    skipped = sum(entry.page in known and entry.page not in judged for entry in gold)
    false_words = int(frame.loc[frame["gold"] == 0, "predicted"].sum())
    return (
        scored,
        pd.DataFrame({"all": words.summarise(scored)}).T,
        pd.DataFrame(groups if len(groups) > 1 else {}).T,
        _notes(
            (unknown, "pages in the gold that the run does not know, scored 0"),
            (skipped, "pages in the gold that were skipped or rejected, scored 0"),
            (len(frame) - len(scored), "pages without words in the gold, not scored"),
            (false_words, "words that the run found on pages without words in the gold"),
        ),
    )


def _by_nodes(folder: Folder, gold: Sequence[LabelledRun]) -> Scores:
    group_of = {run.record_id: run.group for run in gold}
    frame = nodes.compare(verdicts(folder, group_of), gold)
    frame.insert(0, "group", [group_of[record_id] for record_id in frame.index])
    groups = nodes.by_group(frame)
    return (
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
    return tuple(f"{message}: {count}" for count, message in counted if count)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Runs against one gold; all runs have scores of the same kind."""

    gold_path: str
    runs: tuple[Run, ...]

    @property
    def by_nodes(self) -> bool:
        return self.runs[0].by_nodes

    @property
    def measure(self) -> str:
        """Column with the score of a page: accuracy of text runs, or F1 of words."""
        return "acc" if self.by_nodes else "bag_f1"

    def table(self) -> pd.DataFrame:
        """Return one row for each page or capture and run.

        Columns: run, method, config_digest, page or record_id, group, then those of
        `nodes.compare` or `words.page_table`.
        """
        parts = []
        for run in self.runs:
            part = run.table.reset_index()
            part.insert(0, "config_digest", run.account.get("config_digest", ""))
            part.insert(0, "method", _setting(run.account, "method"))
            part.insert(0, "run", run.name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def summary(self) -> pd.DataFrame:
        """Return one row for each run; with invalid runs also one that leaves them out, as `T001, decided`."""
        rows = {}
        for run in self.runs:
            scores = run.summary
            rows[run.name] = scores.loc["all"]
            if self.by_nodes and scores.loc["all", ["invalid_con", "invalid_bp"]].sum():
                rows[f"{run.name}, decided"] = scores.loc["decided"]
        return pd.DataFrame(rows).T

    def groups(self) -> pd.DataFrame:
        """Return number of pages by group, then the measure of every run (accuracy or mean F1) in columns; may be empty."""
        column = "acc" if self.by_nodes else "bag_f1_mean"
        scores = {run.name: run.groups[column] for run in self.runs if len(run.groups)}
        if not scores:
            return pd.DataFrame()
        pages = [run.table.groupby("group").size() for run in self.runs]
        page_counts = pd.concat(pages, axis=1).max(axis=1).astype(int)
        return pd.DataFrame({"pages": page_counts, **scores})

    def text(self) -> str:
        if len(self.runs) == 1:
            return self.runs[0].text()
        names = ", ".join(f"{run.name} ({run.folder.uri})" for run in self.runs)
        parts = [f"{names} against {self.gold_path}"]
        if self.by_nodes:
            parts += [ABOUT_NODES, node_table("run", self.summary())]
        else:
            columns = {"pages": "pages", "empty": "empty"} | WORD_COLUMNS
            parts += [_table("run", self.summary(), columns)]
        groups = self.groups()
        if len(groups):
            label = "Accuracy" if self.by_nodes else "Mean bag F1"
            header = ["group", *map(str, groups)]
            rows = [[name, int(pages), *rest] for name, pages, *rest in groups.itertuples()]
            parts += [f"{label} by group:", table(header, rows)]
        notes = [f"Note: {r.name}: {note}" for r in self.runs for note in r.notes]
        return "\n\n".join([*parts, *notes])


def evaluate_all(folders: Sequence[str], gold_path: str, group: str = "site") -> Comparison:
    """Return the scores of several runs against one gold.

    A run is named by its method; where two have the same, with its folder.
    Raises UsageError: the gold cannot be used (see `read_gold`), a folder holds no finished run, or is named twice.
    """
    duplicates = [folder for folder, times in Counter(folders).items() if times > 1]
    if duplicates:
        raise UsageError(f"{duplicates[0]} is named twice; name every run once")
    opened = [open_whole(uri) for uri in folders]
    gold = read_gold(gold_path, group)
    names = _names([_setting(account, "method") for _, account in opened], folders)
    runs = []
    for name, (folder, account) in zip(names, opened, strict=True):
        run_gold = with_comments(gold, _setting(account, "comments") or "drop")
        texts, labelled = by_kind(run_gold)
        scores = _by_words(folder, texts) if texts else _by_nodes(folder, labelled)
        title = f"{folder.uri} against {gold_path}"
        runs.append(Run(name, folder, account, run_gold, title, *scores))
    return Comparison(gold_path, tuple(runs))


def _names(methods: Sequence[str], folders: Sequence[str]) -> list[str]:
    """Return distinct names of runs: the method, else with the last part of the folder's name, else with all of it."""
    last = [folder.rstrip("/").rpartition("/")[2] for folder in folders]
    for names in (methods, list(map("{} {}".format, methods, last))):
        if len(set(names)) == len(names) and all(names):
            return list(names)
    return list(map("{} {}".format, methods, folders))


def _setting(account: Manifest, name: str) -> str:
    return str(account.get("config", {}).get(name, ""))
