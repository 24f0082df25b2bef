"""Templates of a site as a map: how large, from when to when, and what followed a redesign."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import pandas as pd

from dbce.output import Row
from dbce.report.measures import templates
from dbce.view.run import JUDGED_ONLY, Run

DRAWN = 24  # templates of a site that are drawn, the largest
SAMPLES = 4  # pages that stand for a template

_COLUMNS = "record_id, url, url_surtkey, site, title, fetch_time"


@dataclass(frozen=True, slots=True)
class Template:
    """Captures of a site that hang together by their buckets."""

    number: int
    captures: int
    urls: int
    first: datetime
    last: datetime
    start: float
    end: float
    months: tuple[tuple[float, int], ...]  # (place from 0 to 1, captures)
    samples: tuple[Row, ...]
    before: tuple[tuple[int, int], ...]  # (template that URLs had before, URLs), most first


@dataclass(frozen=True, slots=True)
class Map:
    """Templates of a site in the order of their first captures; `years` are (place, year)."""

    site: str
    captures: int
    templates: tuple[Template, ...]
    left_out: int
    left_out_captures: int
    years: tuple[tuple[float, int], ...]

    def rows(self) -> Iterator[Row]:
        for template in self.templates:
            yield {
                "site": self.site,
                "template": template.number,
                "captures": template.captures,
                "urls": template.urls,
                "first": template.first,
                "last": template.last,
                "after": ",".join(str(earlier) for earlier, _ in template.before),
                "sample": template.samples[0]["url"],
            }


def draw(run: Run, site: str) -> Map | None:
    """Return the map of a site; None where the run keeps no index, or nothing was judged."""
    rows = run.tables.rows(
        f"SELECT {_COLUMNS} FROM pages WHERE {JUDGED_ONLY} AND site = ? "  # noqa: S608 - bound
        "AND fetch_time IS NOT NULL ORDER BY fetch_time, record_id",
        [site],
    )
    if not rows:
        return None
    captures = pd.DataFrame(rows).assign(judged=True)
    numbers = templates(run.folder, captures, run.config.template_similarity)
    if numbers is None:
        return None
    return map_of(site, rows, [int(number) for number in numbers.reindex(captures.index)])


def map_of(site: str, rows: Sequence[Row], numbers: Sequence[int]) -> Map:
    """Return the map of a site from its captures in the order of time, and the template of each."""
    first, last = rows[0]["fetch_time"], rows[-1]["fetch_time"]
    by_template: dict[int, list[Row]] = {}
    for row, number in zip(rows, numbers, strict=True):
        by_template.setdefault(number, []).append(row)
    drawn = sorted(by_template, key=lambda number: (-len(by_template[number]), number))[:DRAWN]
    came_from = _predecessors(rows, numbers)
    of_site = tuple(
        _template(number, by_template[number], came_from.get(number, Counter()), first, last)
        for number in sorted(drawn)
    )
    left_out = by_template.keys() - set(drawn)
    return Map(
        site=site,
        captures=len(rows),
        templates=of_site,
        left_out=len(left_out),
        left_out_captures=sum(len(by_template[number]) for number in left_out),
        years=tuple(
            (_place(datetime(year, 1, 1, tzinfo=first.tzinfo), first, last), year)
            for year in range(first.year + 1, last.year + 1)
        ),
    )


def _predecessors(rows: Sequence[Row], numbers: Sequence[int]) -> dict[int, Counter[int]]:
    """Return, for each template, the number of URLs by the template that they had before."""
    of_url: dict[str, list[int]] = {}
    for row, number in zip(rows, numbers, strict=True):
        of_url.setdefault(row["url_surtkey"], []).append(number)
    predecessors: dict[int, Counter[int]] = {}
    for history in of_url.values():
        for before, after in {pair for pair in pairwise(history) if pair[0] != pair[1]}:
            predecessors.setdefault(after, Counter())[before] += 1
    return predecessors


def _template(
    number: int, rows: list[Row], before: Counter[int], first: datetime, last: datetime
) -> Template:
    times = (row["fetch_time"] for row in rows)
    months = Counter(datetime(time.year, time.month, 15, tzinfo=time.tzinfo) for time in times)
    distinct = {row["url_surtkey"]: row for row in rows}
    # Spread over the time that the template was used.
    step = max(1, len(distinct) // SAMPLES)
    return Template(
        number=number,
        captures=len(rows),
        urls=len(distinct),
        first=rows[0]["fetch_time"],
        last=rows[-1]["fetch_time"],
        start=_place(rows[0]["fetch_time"], first, last),
        end=_place(rows[-1]["fetch_time"], first, last),
        months=tuple(
            (min(1.0, max(0.0, _place(month, first, last))), count)
            for month, count in sorted(months.items())
        ),
        samples=tuple(list(distinct.values())[::step][:SAMPLES]),
        before=tuple(before.most_common()),
    )


def _place(time: datetime, first: datetime, last: datetime) -> float:
    """Return the position of a time between two others, 0 to 1; 0.5 if these are equal."""
    whole = (last - first).total_seconds()
    return (time - first).total_seconds() / whole if whole else 0.5
