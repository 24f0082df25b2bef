"""Report of a run as one HTML file that needs no other, and its figures as CSV."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
from jinja2 import Template

from dbce import wing
from dbce.archive import day_of
from dbce.model import UsageError
from dbce.model.style import environment, template_file
from dbce.output import Manifest, RowSelection, open_whole, recount
from dbce.report import figures
from dbce.report.drawings import drawings, stacked_bar, thumbnails
from dbce.report.figures import quality
from dbce.report.gold_scores import Scores, scores
from dbce.report.history import templates
from dbce.report.measures import LABELS, OF_PAGE, RunTables, captures, rejects, text_runs
from dbce.report.table import Table
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
    of_run = RunTables(folder)
    whole = open_whole(folder_uri)[0] if selection else folder
    against = scores(folder_uri, gold, group) if gold else None
    every, bad, runs = captures(of_run), rejects(of_run), text_runs(of_run)
    numbers = templates(of_run, every, account["config"]["threshold"])
    every["template"] = pd.array([pd.NA] * len(every), "Int64") if numbers is None else numbers
    tables = [
        figures.captures_by_status(account),
        figures.inputs(every, bad, account),
        figures.damage(bad),
        figures.places(bad),
        figures.truncated_captures(every),
        *quality(folder, whole),
        *figures.by_year_and_site(every),
        figures.confidence(every),
        figures.probabilities(runs),
        figures.crosses(every),
        figures.evidence(runs),
        figures.rules(runs),
        *(figures.histories(every) if numbers is not None else ()),
        *_changes(folder, account),
        figures.least_confident(every),
        *(against.tables if against else ()),
    ]
    named = {table.name: table for table in tables}
    html = _render(of_run, account, every[every["judged"]], named, against)
    return Report(html, tuple(named.values()))


def _changes(folder: Folder, account: Manifest) -> tuple[Table, ...]:
    """Return the tables on changes, if `dbce changes` was run; they are of a selection of their own."""
    change_tables = wing.part("change_tables")
    return change_tables(folder) if change_tables and "selected" not in account else ()


def _render(
    of_run: RunTables,
    account: Manifest,
    judged: pd.DataFrame,
    tables: Mapping[str, Table],
    against: Scores | None,
) -> str:
    long = tables.get("templates_and_years")
    template_years = pd.DataFrame()
    if long:
        wide = long.frame.pivot_table("captures", ["site", "template"], "year", aggfunc="sum")
        template_years = wide.head(ROWS)
    worst = [page.record_id for page in against.worst] if against else []
    times = judged["fetch_time"]
    words = {label: int(judged[label].sum()) for label in OF_PAGE}
    return _template().render(
        account=account,
        tables=tables,
        scores=against,
        judged=len(judged),
        sites=judged["site"].nunique(),
        span=(day_of(times.min()), day_of(times.max())) if len(times) else None,
        content_share=words["content"] / max(sum(words.values()), 1),
        confidence=judged["confidence"].mean(),
        most_probable=tables["probabilities"].frame[list(LABELS)].sum(axis=1).max(),
        site_years=_site_years(tables["sites_and_years"].frame, tables["sites"].frame),
        template_years=template_years,
        most_captures=template_years.max(axis=None) if len(template_years) else 1,
        plots=drawings(tables, judged) if len(judged) else {},
        thumbnails=thumbnails(of_run, {*tables["least_sure"].frame["record_id"], *worst}),
    )


def _template() -> Template:
    found = environment("dbce.report", template_file("dbce.report", "report.css"))
    parts = {"label_parts": LABELS, "page_parts": OF_PAGE}
    found.globals |= {"limit": ROWS, "stacked_bar": stacked_bar}
    found.globals |= {
        name: dict(zip(labels, labels, strict=True)) for name, labels in parts.items()
    }
    return found.get_template("report.html")


def _site_years(pairs: pd.DataFrame, sites: pd.DataFrame) -> pd.DataFrame:
    """Content share with a row for each of the largest sites and a column for each year."""
    wide = pairs.pivot_table("content_share", "site", "year", aggfunc="first")
    return wide.reindex(sites["site"].head(ROWS))


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
    made = report(folder, gold, group, selection)
    target = out or f"{open_whole(folder)[0].uri.rstrip('/')}/{NAME}"
    write_file(target, made.html)
    said = [f"{target}: the report, a self-contained HTML file"]
    if csv:
        for table in made.tables:
            write_file(f"{csv.rstrip('/')}/{table.name}.csv", table.csv())
        said.append(f"{csv}: its figures as {len(made.tables)} CSV files")
    return "\n".join(said)
