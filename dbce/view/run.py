"""A finished run that is looked at: its folder, its account, its tables."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dbce import output
from dbce.archive import STANDARD_INPUT, file_of, is_below, normal, parent, parse_date, surt
from dbce.model import NO_TIME, ROLES, Config, NotInRun, unescape_bytes
from dbce.storage import Folder
from dbce.view.search import SUMMARY
from dbce.view.tables import JUDGED_ONLY, Tables

_BEFORE = f"""
    SELECT coalesce(sum(runs_content + runs_boilerplate + runs_invalid), 0)::BIGINT AS n
    FROM stored WHERE file = ? AND file_row_number < ? AND {JUDGED_ONLY}
"""  # noqa: S608 - our own words


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, or all nights of a nightly archive as one."""

    folder: Folder
    manifest: output.Manifest
    tables: Tables
    places: Mapping[str, str]  # of input files that may be opened, by name
    elsewhere: tuple[str, ...]  # folders of others

    @property
    def config(self) -> Config:
        return output.config_of(self.manifest)

    def page(self, record_id: str) -> output.Row:
        """Return the row of `pages` of a capture; NotInRun if there is none."""
        row = self.tables.row("SELECT * FROM pages WHERE record_id = ?", [record_id])
        if row is None:
            raise NotInRun(f"this run has no capture {record_id}")
        return row

    def nearest(self, url: str, at: str) -> output.Row:
        """Return the row of the capture of a URL that is nearest to a time, else the latest; NotInRun if there is none."""
        row = self.tables.row(
            "SELECT * FROM pages WHERE url_surtkey = ? "
            "ORDER BY abs(epoch(fetch_time) - ?) NULLS LAST, fetch_time, record_id",
            [surt(url), (parse_date(at) or NO_TIME).timestamp()],
        )
        if row is None:
            raise NotInRun(f"this run has no capture of {url}")
        return row

    def runs(self, page: output.Row) -> list[output.Row]:
        """Return the text runs of a capture, in document order; none of one without verdicts."""
        if page["status"] not in output.JUDGED:
            return []
        # Both tables of a file are in one order, so what stands before the capture says where its
        # rows begin.
        before = self.tables.row(_BEFORE, [page["file"], page["file_row_number"]])
        count = sum(page[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        name = self.folder.name_of(page["file"]).removeprefix("pages/")
        rows = output.node_rows_at(self.folder, name, (before or {})["n"], count)
        if len(rows) == count and all(row["record_id"] == page["record_id"] for row in rows):
            return rows
        return output.node_rows(
            self.folder, page["record_id"]
        )  # a folder that was put together by hand

    def members(self, page: output.Row) -> dict[str, output.Row]:
        """Return the captures of a page's cross by role, without its own, what a list tells of each."""
        wanted = {role: page[role] for role in ROLES[1:] if page[role]}
        by_id = self._summaries(wanted.values())
        return {role: by_id[own] for role, own in wanted.items() if own in by_id}

    def _summaries(self, record_ids: Iterable[str]) -> dict[str, output.Row]:
        rows = self.tables.rows(
            f"SELECT {SUMMARY} FROM pages WHERE list_contains(?, record_id)",  # noqa: S608 - bound
            [list(record_ids)],
        )
        return {row["record_id"]: row for row in rows}

    def variant(self, page: output.Row) -> output.Row | None:
        """Return the capture of another URL that is the same document as a page, if the folder has it."""
        other = page.get("variant_of")  # a run of an older dbce does not have the column
        return self._summaries([other]).get(other) if other else None

    def snapshots(self, page: output.Row) -> list[output.Row]:
        return self.tables.rows(
            f"SELECT {SUMMARY}, content_digest, damage, damage_reason FROM pages WHERE url_surtkey = ? "  # noqa: S608 - bound
            "AND fetch_time IS NOT NULL ORDER BY fetch_time, record_id",
            [page["url_surtkey"]],
        )

    def details(self, page: output.Row) -> dict[str, str]:
        """Return why captures of the page's URL have no verdicts, by record id, as the index has it."""
        if not self.tables.has_index:
            return {}
        rows = self.tables.rows(
            f'SELECT record_id, detail FROM "{output.INDEX}" WHERE surt = ?',  # noqa: S608 - our own name
            [page["url_surtkey"]],
        )
        return {row["record_id"]: row["detail"] for row in rows}

    def changes(self, page: output.Row) -> dict[str, output.Row]:
        """Return the `dbce changes` rows of the page's URL, by record id; {} without a table."""
        if not self.tables.has_changes:
            return {}
        rows = self.tables.rows(
            "SELECT * FROM changes WHERE url_surtkey = ?", [page["url_surtkey"]]
        )
        return {row["record_id"]: row for row in rows}

    def annotated_html(self, page: output.Row) -> bytes:
        """Return the annotated HTML of a capture; NotInRun if it was not judged."""
        if page["status"] not in output.JUDGED:
            raise NotInRun(f"this capture has no verdicts: {page['status']} ({page['reason']})")
        return output.annotated_page(self.folder, page)


def open_view(uri: str, places: Mapping[str, str]) -> Run:
    """A run to look at; `places` come before those that its account names; UsageError without a finished run on this machine.

    Somebody else may have written the account: of what it names only what lies below the run's folder
    is opened, and what is among `places` too, under whichever name.
    """
    folder, manifest = output.open_whole(uri)
    manifest = output.recount(folder, manifest)
    noted = {
        name: unescape_bytes(place)
        for name, place in manifest.get("places", {}).items()
        if isinstance(place, str) and place != STANDARD_INPUT  # which nobody has any more
    }
    own, named = _real(folder.path), set(places.values())
    opened = {
        name: place
        for name, place in noted.items()
        if place in named or ("://" not in place and is_below(_real(file_of(place)), own))
    }
    elsewhere = {parent(place) for name, place in noted.items() if name not in {**opened, **places}}
    return Run(folder, manifest, Tables(folder), {**opened, **places}, tuple(sorted(elsewhere)))


def _real(path: str) -> str:
    return normal(os.path.realpath(path))
