"""Overview of a run: its sites, and its rejects by reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.view.tables import JUDGED_ONLY

if TYPE_CHECKING:
    from dbce.view.run import Run
    from dbce.view.tables import Row

REJECTS = 1_000
"""Rejected captures that are listed."""

_CHANGES = """
    SELECT strftime(fetch_time, '%Y-%m') AS month, count(*) AS snapshots,
           count(*) FILTER (class = 'equal') AS equal,
           count(*) FILTER (class = 'boilerplate only') AS boilerplate,
           count(*) FILTER (class = 'content') AS content,
           count(*) FILTER (important) AS important,
           count(*) FILTER (class = 'redesign') AS redesigns,
           count(*) FILTER (class = 'gone') AS gone,
           count(*) FILTER (class IS NULL) AS not_compared,
           arg_min(record_id, (CASE class WHEN 'redesign' THEN 0 WHEN 'gone' THEN 1 WHEN 'content' THEN 2
                               WHEN 'boilerplate only' THEN 3 ELSE 4 END, url, record_id)) AS example
    FROM changes WHERE site = ? GROUP BY month ORDER BY month DESC
"""


def sites(run: Run) -> list[Row]:
    """A row for each site with captures, judged ones, URLs, span, words, confidence."""
    return run.tables.rows(f"""
        SELECT site, count(*) AS captures,
               count(*) FILTER ({JUDGED_ONLY}) AS judged,
               count(*) FILTER (status = 'skipped') AS skipped,
               count(*) FILTER (status = 'rejected') AS rejected,
               approx_count_distinct(url_surtkey) AS urls,
               min(fetch_time) AS first, max(fetch_time) AS last,
               coalesce(sum(words), 0)::BIGINT AS words,
               coalesce(sum(words_content), 0)::BIGINT AS words_content,
               avg(confidence) AS confidence
        FROM pages GROUP BY site ORDER BY captures DESC, site
    """)  # noqa: S608 - our own names


def site_names(run: Run) -> dict[str, int]:
    """The captures of each site with verdicts, sites with more of them first."""
    rows = run.tables.rows(
        f"SELECT site, count(*) AS n FROM pages WHERE {JUDGED_ONLY} GROUP BY site "  # noqa: S608 - our own names
        "ORDER BY n DESC, site"
    )
    return {row["site"]: row["n"] for row in rows}


def changes_by_month(run: Run, site: str) -> list[Row]:
    """A row for each month of a site's snapshots: how many changed in which way since the one before.

    The latest comes first. A snapshot has one class, as `dbce changes` said; `example` is the record id of
    one whose change outweighs the others'. No rows where there is no table of changes.
    """
    if not run.tables.has_changes:
        return []
    return run.tables.rows(_CHANGES, [site])


def rejects_by_reason(run: Run) -> list[Row]:
    """Return the number of captures and damaged places rejected for each reason, most first."""
    return run.tables.rows(
        "SELECT reason, count(*) AS n FROM rejects GROUP BY reason ORDER BY n DESC, reason"
    )


def rejects(run: Run, reason: str, most: int | None = REJECTS) -> list[Row]:
    """The first rejected captures, of a reason or ("") of any, by file and offset; None is all."""
    return run.tables.rows(
        "SELECT * EXCLUDE (filename, file_row_number) FROM rejects WHERE $reason IN ('', reason) "
        'ORDER BY file, "offset" LIMIT $most',
        {"reason": reason, "most": most},
    )
