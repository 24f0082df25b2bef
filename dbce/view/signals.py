"""Figures of captures that no table has: worked out when they are first asked for, then kept.

Disagreement: the share of a capture's text, in characters, that the bit patterns call otherwise than
its verdict; without *up* they call it nothing. Change: how much of the words of its main text and that
of the snapshot before the two do not share (Jaccard distance of the sets of words).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.boilerplate.classify import PATTERNS
from dbce.model import Label
from dbce.view.tables import JUDGED_ONLY

if TYPE_CHECKING:
    from dbce.view.tables import Tables

DISAGREEMENT = "disagreement"
CHANGE = "change"

_PATTERNS = ", ".join(
    f"('{cross}', '{bits}', '{label}')"
    for cross, (content, boilerplate) in PATTERNS.items()
    for bits, label in [(content, Label.CONTENT), *((b, Label.BOILERPLATE) for b in boilerplate)]
)

_SELECT = {
    DISAGREEMENT: f"""
        WITH said(cross_bits, bits, label) AS (VALUES {_PATTERNS})
        SELECT record_id,
               sum(n."end" - n.start) FILTER (said.label <> n.label) / sum(n."end" - n.start)
                   AS value
        FROM nodes n JOIN pages USING (record_id) LEFT JOIN said USING (cross_bits, bits)
        WHERE up IS NOT NULL GROUP BY record_id""",  # noqa: S608 - our own words
    CHANGE: f"""
        WITH ordered AS (
            SELECT record_id,
                   list_distinct(string_split_regex(lower(text), '\\s+')) AS own,
                   lag(own) OVER (PARTITION BY url_surtkey ORDER BY fetch_time, record_id) AS before
            FROM pages WHERE {JUDGED_ONLY}),
        shared AS (
            SELECT record_id, len(list_intersect(own, before)) AS common, len(own) AS a,
                   len(before) AS b FROM ordered WHERE before IS NOT NULL)
        SELECT record_id, 1 - common / (a + b - common) AS value FROM shared""",  # noqa: S608 - our own words
}


def worked_out(tables: Tables, signal: str) -> str:
    """The name of a table with `record_id` and `value` of a figure."""
    tables.keep(signal, _SELECT[signal])
    return signal
