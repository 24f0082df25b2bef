"""Report of a run, with its figures as CSV, and comparison of evaluated runs, each as one self-contained HTML file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Template

from dbce import wing
from dbce.archive import day_of
from dbce.evaluate import Comparison, evaluate_all
from dbce.evaluate.diagnostics import Reliability, reliabilities, worst
from dbce.evaluate.nodes import COUNTS, UNSCORED
from dbce.evaluate.runs import ABOUT_NODES, ABOUT_WORDS, IN_GROUPS, WORD_COLUMNS, Run, score_rows
from dbce.evaluate.scores import PRF
from dbce.model import UsageError
from dbce.model.style import environment, template_file
from dbce.output import Manifest, RowSelection, WholeTable, open_whole, recount, run_table
from dbce.report import drawings, figures
from dbce.report.figures import Table, table
from dbce.report.measures import LABELS, OF_PAGE, captures, templates, text_runs
from dbce.storage import Folder, write_file

ROWS = 40  # rows of a table in the report; the CSV has all


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    html: str
    tables: tuple[Table, ...]


def report(
    folder_uri: str,
    gold: str | None = None,
    group: str = "site",
    selection: RowSelection | None = None,
) -> Report:
    """Return the report of a finished run, as `write_report`; equal runs and gold give equal bytes."""
    folder, account = open_whole(folder_uri, selection)
    account = recount(folder, account)
    nodes = run_table(folder, "nodes")
    rejected = run_table(folder, "rejects").to_table().to_pandas()
    rejects = rejected.sort_values(["file", "offset"], kind="stable", ignore_index=True)
    whole = open_whole(folder_uri)[0] if selection else folder
    score_tables, score_values = scores(folder_uri, gold, group) if gold else ([], {})
    frame, runs = captures(folder), text_runs(nodes)
    numbers = templates(folder, frame, account["config"]["template_similarity"])
    frame["template"] = pd.array([pd.NA] * len(frame), "Int64") if numbers is None else numbers
    tables = [
        figures.captures_by_status(account),
        figures.inputs(frame, rejects, account),
        figures.damage(rejects),
        figures.places(rejects),
        figures.truncated_captures(frame),
        *figures.quality(folder, whole),
        *figures.by_year_and_site(frame),
        figures.confidence(frame),
        figures.probabilities(runs),
        figures.crosses(frame),
        figures.evidence(runs),
        figures.rules(runs),
        *(figures.histories(frame) if numbers is not None else ()),
        *_changes(folder, account),
        figures.least_confident(frame),
        *score_tables,
    ]
    named = {table.name: table for table in tables}
    html = _render(nodes, account, frame[frame["judged"]], named, score_values)
    return Report(html, tuple(named.values()))


def _changes(folder: Folder, account: Manifest) -> tuple[Table, ...]:
    """Return the tables on changes, if `dbce changes` was run; they are of a selection of their own."""
    change_tables = wing.part("change_tables")
    return change_tables(folder) if change_tables and "selected" not in account else ()


def _render(
    nodes: WholeTable,
    account: Manifest,
    judged: pd.DataFrame,
    tables: Mapping[str, Table],
    score_values: Mapping[str, Any],
) -> str:
    long = tables.get("templates_and_years")
    template_years = pd.DataFrame()
    if long:
        wide = long.frame.pivot_table("captures", ["site", "template"], "year", aggfunc="sum")
        template_years = wide.head(ROWS)
    pairs = tables["sites_and_years"].frame
    shares = pairs.pivot_table("content_share", "site", "year", aggfunc="first")
    worst = [page.record_id for page in score_values.get("worst", ())]
    times = judged["fetch_time"]
    words = {label: int(judged[label].sum()) for label in OF_PAGE}
    return _template("report.html").render(
        account=account,
        tables=tables,
        scores=score_values,
        judged=len(judged),
        sites=judged["site"].nunique(),
        span=(day_of(times.min()), day_of(times.max())) if len(times) else None,
        content_share=words["content"] / max(sum(words.values()), 1),
        confidence=judged["confidence"].mean(),
        most_probable=tables["probabilities"].frame[list(LABELS)].sum(axis=1).max(),
        site_years=shares.reindex(tables["sites"].frame["site"].head(ROWS)),
        template_years=template_years,
        most_captures=template_years.max(axis=None) if len(template_years) else 1,
        plots=drawings.drawings(tables, judged) if len(judged) else {},
        thumbnails=drawings.thumbnails(nodes, {*tables["least_sure"].frame["record_id"], *worst}),
    )


def _template(name: str) -> Template:
    jinja = environment("dbce.report", template_file("dbce.report", "report.css"))
    jinja.globals |= {"limit": ROWS, "bar": drawings.bar, "stacked_bar": drawings.stacked_bar}
    jinja.globals |= {"label_parts": LABELS, "page_parts": OF_PAGE}
    jinja.filters["score"] = _score
    return jinja.get_template(name)


NAME = "report.html"  # the report in the folder of its run


def write_report(
    folder: str,
    *,
    gold: str | None = None,
    group: str = "site",
    out: str | None = None,
    csv: str | None = None,
    selection: RowSelection | None = None,
) -> str:
    """Write the report of a run into its folder, or to `out`; return the text to print.

    Text or node gold (`dbce.evaluate.read_gold`) adds scores, also by its field `group`, of the whole run; the figures go
    into the folder `csv`, a file for each table.

    UsageError: the folder holds no finished run, the gold cannot be used, or a file cannot be written.
    """
    if gold and selection and not selection.takes_all:
        raise UsageError("--gold scores the whole run; leave the selection out")
    result = report(folder, gold, group, selection)
    target = out or f"{open_whole(folder)[0].uri.rstrip('/')}/{NAME}"
    write_file(target, result.html)
    lines = [f"{target}: the report, a self-contained HTML file"]
    if csv:
        for table in result.tables:
            write_file(f"{csv.rstrip('/')}/{table.name}.csv", table.csv())
        lines.append(f"{csv}: its figures as {len(result.tables)} CSV files")
    return "\n".join(lines)


def scores(folder: str, gold: str, group: str) -> tuple[list[Table], dict[str, Any]]:
    """Return tables of the scores of a run, and template variables on them; UsageError if the gold cannot be used."""
    comparison = evaluate_all([folder], gold, group)
    [run] = comparison.runs
    reliable = reliabilities(run)["runs"]
    names = {"low": "from", "weight": "runs", "content": "true_share"}
    bins = reliable.bins.rename(columns=names).astype({"runs": "int64"})
    tables = [
        _summary(run),
        *_groups(run.groups, group),
        _pages(comparison),
        table("calibration", "Text runs by probability, and what they are", bins),
    ]
    return tables, {
        "gold": gold.rpartition("/")[2],
        "measure": "accuracy" if comparison.by_nodes else "bag F1",
        "score": float(run.summary["acc" if comparison.by_nodes else "bag_f1_mean"]["all"]),
        "about": ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
        "notes": run.notes,
        "error": reliable.error,
        "plot": drawings.reliability("Reliability of the probabilities", reliable.points),
        "worst": worst(comparison, run),
    }


def _summary(run: Run) -> Table:
    """Return the scores of all pages: of text runs in a row, of words a row for each kind of average."""
    caption = "Scores of the run"
    if run.by_nodes:
        frame = _with_whole_numbers(run.summary.rename_axis("runs").reset_index())
        return table("scores", caption, frame)
    columns = ["words", "of_pages", *PRF, "standard_error"]
    return table("scores", caption, pd.DataFrame(score_rows(run.summary, np.nan), columns=columns))


def _groups(groups: pd.DataFrame, group: str) -> Iterator[Table]:
    if len(groups):
        frame = groups if "tp" in groups else groups[["pages", "empty", *IN_GROUPS.values()]]
        frame = _with_whole_numbers(frame.rename_axis(group).reset_index())
        yield table("scores_by_group", f"Scores by {group}", frame)


def _with_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({name: "int64" for name in (*COUNTS, "pages", "empty") if name in frame})


def _pages(comparison: Comparison) -> Table:
    frame = comparison.table().drop(columns=["run", "method", "config_digest"])
    frame = frame.sort_values(comparison.measure, kind="stable")
    return table("scores_by_page", "Scores by page, the worst first", frame)


# Comparison of evaluated runs.

WEIGHTS = {"runs": "every text run counted once", "words": "text runs counted by their words"}


def render(comparison: Comparison, group: str) -> str:
    """Return the page: scores and settings of the runs, their reliability, scores by group, worst pages with differences."""
    reliable = {run.name: reliabilities(run) for run in comparison.runs}
    measure = "accuracy" if comparison.by_nodes else "mean bag F1"
    groups = comparison.groups()
    groups.index.name = group
    return _template("comparison.html").render(
        names=[run.name for run in comparison.runs],
        gold=comparison.gold_path,
        about=ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
        summary=_compared_summary(comparison),
        main_score="acc" if comparison.by_nodes else _HEADINGS["bag_f1_mean"],
        counts=("pages", "empty", *COUNTS),
        notes=[f"{run.name}: {note}" for run in comparison.runs for note in run.notes],
        settings=_settings(comparison),
        seconds=_seconds(comparison),
        curves={
            name: [
                drawings.reliability(f"Reliability, {meaning}", by_weight[weight].points)
                for weight, meaning in WEIGHTS.items()
            ]
            for name, by_weight in reliable.items()
        },
        errors=_errors(reliable),
        groups=groups,
        group=group,
        measure=measure,
        worst={run.name: worst(comparison, run) for run in comparison.runs},
    )


_HEADINGS = {column: heading for heading, column in WORD_COLUMNS.items()}


def _compared_summary(comparison: Comparison) -> pd.DataFrame:
    summary = comparison.summary()
    if comparison.by_nodes:
        return summary.drop(columns=list(UNSCORED))
    return summary[["pages", "empty", *_HEADINGS]].rename(columns=_HEADINGS)


def _settings(comparison: Comparison) -> pd.DataFrame:
    rows: dict[str, dict[str, Any]] = {}
    for run in comparison.runs:
        account = run.account
        fixed = {
            "folder": run.folder.uri,
            "dbce": account.get("versions", {}).get("dbce", ""),
            "configuration": account.get("config_digest", ""),
        }
        config = account.get("config", {})
        rows[run.name] = fixed | {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in config.items()
        }
    table = pd.DataFrame(rows).T.fillna("")
    always = {"folder", "dbce", "configuration", "method"}
    keep = [str(name) for name in table if name in always or len(set(table[name])) > 1]
    return table[keep]


def _seconds(comparison: Comparison) -> pd.DataFrame:
    stages = {run.name: run.account.get("seconds", {}) for run in comparison.runs}
    return pd.DataFrame(stages).T.dropna(axis="columns", how="all").fillna(0.0)


def _errors(reliable: dict[str, dict[str, Reliability]]) -> pd.DataFrame:
    rows = {
        name: {"text runs": by_weight["runs"].bins["weight"].sum()}
        | {f"ECE by {weight}": by_weight[weight].error for weight in WEIGHTS}
        for name, by_weight in reliable.items()
    }
    return pd.DataFrame(rows).T


def _score(value: object, count: bool = False) -> str:
    if isinstance(value, str):
        return value
    number = float(str(value))
    if np.isnan(number):
        return "n/a"
    return f"{number:,.0f}" if count else f"{number:.3f}"
