"""Figures of a report: its tables, also written as CSV files of the same names."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from dbce.archive import clock_of, iso
from dbce.model import ROLES, Status
from dbce.output import Manifest, capture_qualities, month_qualities
from dbce.report.measures import BINS, LABELS, OF_PAGE
from dbce.storage import Folder

FORMULA = r"^(?=[=+\-@\t\r])"  # beginning of a text that a spreadsheet would take for a formula


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Figures under a name, which is also that of the CSV file, and a caption."""

    name: str
    caption: str
    frame: pd.DataFrame

    @property
    def headings(self) -> list[str]:
        return [str(name).replace("_", " ") for name in self.frame]

    @property
    def numeric(self) -> list[bool]:
        return [pd.api.types.is_numeric_dtype(column) for _, column in self.frame.items()]

    def rows(self, limit: int) -> list[list[str]]:
        """Return the first rows as a page shows them: plain, so that spreadsheets can read copied cells."""
        first = self.frame.head(limit)
        columns = [_cells(column, self.frame[name]) for name, column in first.items()]
        return [list(row) for row in zip(*columns, strict=True)]

    def csv(self) -> bytes:
        """Return the table as CSV: a line of headings, plain numbers, times in ISO 8601, shares to six digits."""
        times = self.frame.select_dtypes(["datetime", "datetimetz"])
        to_iso = partial(iso, precision="seconds")
        texts = {str(name): times[name].map(to_iso, na_action="ignore") for name in times}
        text: str = self.frame.assign(**texts).to_csv(index=False, float_format="%.6g")
        return text.encode()


def table(name: str, caption: str, frame: pd.DataFrame) -> Table:
    """Return a table whose texts no spreadsheet takes for formulas: those that begin like one are prefixed by an apostrophe."""
    texts = {str(n): c.replace(FORMULA, "'", regex=True) for n, c in frame.items() if _is_text(c)}
    return Table(name, caption, frame.assign(**texts))


def _is_text(column: pd.Series) -> bool:
    # Texts are objects up to pandas 2, and of a type of their own since.
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _cells(values: pd.Series, column: pd.Series) -> list[str]:
    """Return the cells of a column: whole numbers, or three decimals throughout; "" for a missing value."""
    if pd.api.types.is_datetime64_any_dtype(column):
        texts = values.map(clock_of, na_action="ignore")
    elif pd.api.types.is_float_dtype(column):
        is_whole = (column.dropna() % 1 == 0).all()
        texts = values.map(("{:.0f}" if is_whole and (column > 1).any() else "{:.3f}").format)
    else:
        texts = values.astype(str)
    return [str(text) for text in texts.where(values.notna(), "")]


WORST = 20  # least confident pages shown
CONFIDENCE = np.linspace(0.5, 1, 11).round(2)  # edges of the histogram of confidence


def captures_by_status(account: Manifest) -> Table:
    counts = account["captures"]
    rows: list[tuple[str, str, int]] = []
    for status in Status:
        reasons = [
            (reason.split("/")[1], number)
            for reason, number in sorted(counts["reasons"].items())
            if reason.split("/")[0] == status
        ]
        rows += [(status, reason, number) for reason, number in reasons or [("", counts[status])]]
    frame = pd.DataFrame(rows, columns=["status", "reason", "captures"])
    frame["share"] = frame["captures"] / max(counts["total"], 1)
    return table("captures", "Captures by status and reason", frame)


def inputs(captures: pd.DataFrame, rejects: pd.DataFrame, account: Manifest) -> Table:
    """Return HTML captures of each input file by status, their first and last time, and rejected captures."""
    files = pd.Index(account["inputs"], name="file")
    statuses = [str(s) for s in (Status.ANNOTATED, Status.SINGLE, Status.SKIPPED)]
    counts = pd.crosstab(captures["warc_filename"], captures["status"])
    counts = counts.reindex(index=files, columns=statuses, fill_value=0)
    counts["rejected"] = rejects.groupby("file").size().reindex(files, fill_value=0)
    times = captures.groupby("warc_filename")["fetch_time"].agg(["min", "max"]).reindex(files)
    counts["first"], counts["last"] = times["min"], times["max"]
    caption = "Input files: HTML captures by status, and whatever was rejected"
    return table("inputs", caption, counts.reset_index())


def damage(rejects: pd.DataFrame) -> Table:
    groups = rejects.groupby(["reason", "stage"])
    frame = pd.DataFrame({"rejects": groups.size(), "files": groups["file"].nunique()})
    frame = frame.sort_values("rejects", ascending=False, kind="stable").reset_index()
    return table("rejects_by_reason", "Rejected by reason", frame)


def places(rejects: pd.DataFrame) -> Table:
    columns = ["reason", "file", "offset", "length", "url", "detail", "record_id"]
    return table("rejects", "Rejected captures and damaged places", rejects[columns])


def truncated_captures(captures: pd.DataFrame) -> Table:
    """Return judged captures that break off, by file and offset."""
    truncated = captures[captures["judged"] & captures["truncated"].notna()]
    names = {"warc_filename": "file", "warc_record_offset": "offset"}
    frame = truncated.rename(columns=names)[["truncated", *names.values(), "url", "record_id"]]
    frame = frame.sort_values(["file", "offset"], kind="stable")
    return table("truncated", "Captures that break off, classified as far as they go", frame)


def shares(captures: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return a row for each value of the keys: judged captures, words by label, mean confidence, share with each neighbour."""
    judged = captures[captures["judged"]]
    present = judged.assign(**{role: judged[role].notna() for role in ROLES[1:]})
    groups = present.groupby(list(keys))
    frame = pd.DataFrame({"urls": groups["url_surtkey"].nunique(), "captures": groups.size()})
    frame["single"] = groups["status"].agg(lambda status: (status == Status.SINGLE).sum())
    for label in OF_PAGE:
        frame[label] = groups[label].sum()
    frame["content_share"] = _content_share(frame)
    frame["confidence"] = groups["confidence"].mean()
    for role in ROLES[1:]:
        frame[role] = groups[role].mean()
    return frame.reset_index()


def _content_share(frame: pd.DataFrame) -> pd.Series:
    return frame["content"] / frame[list(OF_PAGE)].sum(axis=1).replace(0, np.nan)


def by_year_and_site(captures: pd.DataFrame) -> tuple[Table, Table, Table]:
    """Return content share and neighbours by year, by site (those with most captures first), and by both."""
    sites = shares(captures, ["site"])
    sites = sites.sort_values(["captures", "site"], ascending=[False, True], kind="stable")
    caption = "Words by label, confidence and neighbours, by year of capture"
    pairs = shares(captures, ["site", "year"])
    return (
        table("years", caption, shares(captures, ["year"])),
        table("sites", "The same by site", sites),
        table("sites_and_years", "Content share by site and year of capture", pairs),
    )


def confidence(captures: pd.DataFrame) -> Table:
    judged = captures[captures["judged"]]
    frame = pd.DataFrame({"from": CONFIDENCE[:-1], "to": CONFIDENCE[1:]})
    for status in (Status.ANNOTATED, Status.SINGLE):
        values = judged.loc[judged["status"] == status, "confidence"].clip(0.5, 1)
        frame[str(status)] = np.histogram(values, CONFIDENCE)[0]
    return table("confidence", "Captures by confidence", frame)


def probabilities(runs: pd.DataFrame) -> Table:
    frame = pd.DataFrame({"from": np.arange(BINS) / BINS, "to": np.arange(1, BINS + 1) / BINS})
    wide = runs.pivot_table("words", "part", "label", aggfunc="sum", fill_value=0)
    wide = wide.reindex(index=range(BINS), columns=list(LABELS), fill_value=0)
    caption = "Words by probability of content, and label"
    return table("probabilities", caption, frame.join(wide))


def crosses(captures: pd.DataFrame) -> Table:
    """Return the number of captures by members of their crosses, the fullest first."""
    judged = captures[captures["judged"]]
    counts = judged["cross_bits"].fillna("10000").value_counts()
    frame = counts.rename("captures").rename_axis("cross_bits").reset_index()
    for place, role in enumerate(ROLES[1:], 1):
        frame[role] = np.where(frame["cross_bits"].str[place] == "1", "yes", "")
    frame["share"] = frame["captures"] / max(len(judged), 1)
    frame["members"] = frame["cross_bits"].str.count("1")
    frame = frame.sort_values(["members", "cross_bits"], ascending=False, kind="stable")
    order = ["cross_bits", *ROLES[1:], "captures", "share"]
    return table("crosses", "Captures by the members of their cross", frame[order])


def evidence(runs: pd.DataFrame) -> Table:
    """Return words by bits (where else a text occurs) and label."""
    wide = runs.pivot_table("words", "bits", "label", aggfunc="sum", fill_value=0)
    wide = wide.reindex(columns=list(LABELS), fill_value=0)
    wide["content_share"] = wide["content"] / wide[list(LABELS)].sum(axis=1).replace(0, np.nan)
    caption = "Words by bits (cur, up, down, prev, next) and label"
    return table("bits", caption, wide.sort_index().reset_index())


def rules(runs: pd.DataFrame) -> Table:
    frame = runs.groupby(["decided_by", "label"])[["runs", "words"]].sum().reset_index()
    return table("rules", "Text runs by deciding rule and label", frame)


def least_confident(captures: pd.DataFrame) -> Table:
    """Return the judged pages with the lowest confidence, each by its least confident snapshot."""
    judged = captures[captures["judged"]]
    order = judged.sort_values(["confidence", "record_id"], kind="stable")
    low = order.drop_duplicates(["site", "url_surtkey"]).head(WORST)
    frame = low[["confidence", "url", "fetch_time", "title", "record_id"]].copy()
    frame.insert(0, "rank", range(1, len(frame) + 1))
    frame.insert(2, "content_share", _content_share(low))
    return table("least_sure", "The least confident pages, a snapshot of each", frame)


def histories(captures: pd.DataFrame) -> tuple[Table, Table]:
    """Return a table of templates (a column of `captures`) and one of their captures by year."""
    judged = captures[captures["judged"]].sort_values(["fetch_time", "record_id"], kind="stable")
    groups = judged.groupby(["site", "template"])
    frame = pd.DataFrame(
        {
            "captures": groups.size(),
            "urls": groups["url_surtkey"].nunique(),
            "first": groups["fetch_time"].min(),
            "last": groups["fetch_time"].max(),
            "sample": groups["url"].first(),
        }
    ).reset_index()
    years = judged.groupby(["site", "template", "year"]).size().rename("captures").reset_index()
    return (
        table("templates", "Templates, in the order in which a site took them up", frame),
        table("templates_and_years", "Captures by template and year", years),
    )


_BY_MONTH = ["site", "month", "captures", "damaged", "content_share", "kinds"]
_EACH = ["fetch_time", "damage", "reason", "site", "url", "record_id"]


def quality(folder: Folder, whole: Folder) -> tuple[Table, Table]:
    """Return a table of months with damage and one of damaged captures; `whole` is the run without a selection."""
    captures = capture_qualities(folder, whole)
    months = [
        (*month[:5], ", ".join(f"{kind} {number}" for kind, number in month.kinds.items()))
        for month in month_qualities(captures)
        if month.damaged
    ]
    damaged = [
        (row.time, str(row.damage.kind), row.damage.evidence, row.site, row.url, row.record_id)
        for row in captures
        if row.damage
    ]
    frame = pd.DataFrame(damaged, columns=_EACH)
    frame["fetch_time"] = frame["fetch_time"].astype("datetime64[us, UTC]")
    return (
        table(
            "damaged_months",
            "Sites and months with damaged captures",
            pd.DataFrame(months, columns=_BY_MONTH),
        ),
        table("damaged", "Damaged captures", frame),
    )
