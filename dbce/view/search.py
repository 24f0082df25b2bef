"""Finding captures: what was typed, checked, and the rows of a page of results.

They can be sorted by figures that no table has, which are worked out when they are first asked for, then kept.
Disagreement: the share of a capture's words that the bit patterns call otherwise than
its verdict; without *up* they call it nothing. Change: how much of the words of its main text and that
of the snapshot before the two do not share (Jaccard distance of the sets of words).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from dbce.archive import parse_date
from dbce.model import Label, Status
from dbce.output import JUDGED, Row
from dbce.report.measures import WORD
from dbce.thesis import PATTERNS
from dbce.view.run import JUDGED_ONLY, SUMMARY, Tables

_PATTERNS = ", ".join(
    f"('{cross}', '{bits}', '{label}')"
    for cross, patterns in PATTERNS.items()
    for bits, label in patterns.items()
)

_WORDS = f"len(regexp_extract_all(n.text, '{WORD}'))"

_SELECT = {
    "disagreement": f"""
        WITH patterns(cross_bits, bits, label) AS (VALUES {_PATTERNS})
        SELECT record_id, sum({_WORDS}) FILTER (patterns.label <> n.label) / sum({_WORDS}) AS value
        FROM nodes n JOIN pages USING (record_id) LEFT JOIN patterns USING (cross_bits, bits)
        WHERE up IS NOT NULL GROUP BY record_id""",  # noqa: S608 - our own words
    "change": f"""
        WITH ordered AS (
            SELECT record_id,
                   list_distinct(string_split_regex(lower(text), '\\s+')) AS vocabulary,
                   lag(vocabulary) OVER (PARTITION BY url_surtkey ORDER BY fetch_time, record_id) AS before
            FROM pages WHERE {JUDGED_ONLY}),
        shared AS (
            SELECT record_id, len(list_intersect(vocabulary, before)) AS common, len(vocabulary) AS a,
                   len(before) AS b FROM ordered WHERE before IS NOT NULL)
        SELECT record_id, 1 - common / (a + b - common) AS value FROM shared""",  # noqa: S608 - our own words
}

ROWS = 50  # captures on a page of results
LONGEST = 500  # characters that may be searched for


class Place(NamedTuple):
    """A place where words are looked for: columns of `pages`, the main text also across text runs, and text runs by their labels."""

    name: str
    columns: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()


PLACES = {
    "any": Place("anywhere", ("url", "title", "text"), tuple(Label)),
    "both": Place("in content or boilerplate", ("text",), tuple(Label)),
    "text": Place("in content", ("text",), (Label.CONTENT,)),
    "boilerplate": Place("in boilerplate", labels=(Label.BOILERPLATE, Label.INVALID)),
    "title": Place("in the title", ("title",)),
    "url": Place("in the URL", ("url",)),
    "host": Place("in the host name", ("url_host_name",)),
}

SORTS = {
    "match": "best match",
    "url": "URL and time",
    "confidence": "least confidence",
    "disagreement": "most disagreement between evidence",
    "change": "largest change since the snapshot before",
    "time": "latest",
    "content": "least content",
}
_IDENTITY = "site, url_surtkey, fetch_time, record_id"
_FIRST = {
    "confidence": "confidence ASC",
    "disagreement": "disagreement DESC",
    "change": "change DESC",
    "time": "fetch_time DESC",
    "content": "content ASC",
}
"""SQL to sort by before the identity of captures, by the name in SORTS."""

RULES = {
    "joint": "the trained model",
    "comment": "the trained model: a comment",
    "pattern": "bit pattern",
    "majority": "majority of comparisons",
    "strongest-cross": "strongest cross",
    "invalid-is-boilerplate": "nothing speaks for it",
    "reclassified": "learned from the page",
    "forest": "learned from what comparisons agree on",
    "structure": "the structure that it stands in",
    "unseen": "hidden, and nothing opens it",
    "of-site": "a layer, form or message of the site",
    "dial": "the dial",
    "density": "lengths and links alone",
}
"""What can decide a verdict (`decided_by`), in words."""

STATUSES = {
    "judged": "classified",
    **{status.value: status.value for status in Status},
    "all": "all",
}


@dataclass(frozen=True, slots=True)
class Search:
    """Search conditions; `errors` has, by field, input that makes no sense."""

    words: str = ""
    place: str = "any"
    site: str = ""
    status: str = "judged"
    rule: str = ""
    sort: str = "match"
    since: str = ""
    until: str = ""
    least: str = ""
    most: str = ""
    page: int = 1
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def filters(self) -> bool:
        return bool(self.query_fields(words="", place="any", page=1))

    def query_fields(self, **changes: object) -> dict[str, object]:
        """Return the fields that are not as they are to begin with, for an address; with changes."""
        names = (condition.name for condition in fields(self) if condition.name != "errors")
        now = {name: getattr(self, name) for name in names} | changes
        return {name: value for name, value in now.items() if value != getattr(_NOTHING, name)}


_NOTHING = Search()


@dataclass(frozen=True, slots=True)
class Results:
    """A page of what was found, and how much there is in all."""

    rows: list[Row]
    total: int
    first: int

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def read_search(typed: Mapping[str, str], sites: Mapping[str, object]) -> Search:
    """Return the search that was typed; fields that make no sense count as empty."""
    choices: dict[str, Mapping[str, object]]
    choices = {"place": PLACES, "status": STATUSES, "sort": SORTS, "rule": {"": ""} | RULES}
    choices |= {"site": {"": ""} | dict(sites)}
    values = {name: typed.get(name, getattr(_NOTHING, name)) for name in choices}
    values |= {name: typed.get(name, "").strip() for name in ("words", "since", "until")}
    values |= {n: typed.get(n, "").strip().removesuffix("%").strip() for n in ("least", "most")}
    errors = {
        n: f"there is no {values[n][:80]!r} here" for n in choices if values[n] not in choices[n]
    }
    if len(values["words"]) > LONGEST:
        errors["words"] = f"{len(values['words'])} characters; search for {LONGEST} at most"
    for name in ("since", "until"):
        if values[name] and not _digits(values[name]):
            errors[name] = "give a year or a date: 2016, 201605 or 2016-05-24"
    for name in ("least", "most"):
        if values[name] and whole_number(values[name]) not in range(101):
            errors[name] = "give a whole number from 0 to 100"
    page = typed.get("page", "1")
    number = whole_number(page)
    if not number:
        errors["page"] = f"{page[:20]!r} is no number of a page"
    sound = {name: value for name, value in values.items() if name not in errors}
    return Search(**sound, page=number or 1, errors=errors)


def whole_number(typed: str) -> int | None:
    """Return a number of at most nine digits; None if none was typed."""
    return int(typed[:9]) if typed.isascii() and typed.isdigit() else None


def search(tables: Tables, query: Search, *, whole: bool = False) -> Results:
    """Return the captures that are asked for, those of one page of results, or the whole list.

    Rows have `hit`, the first of `hits` text runs with the words or of the rule; or `passage`, where only the whole main text has.
    """
    hits, values = hits_of(query.words, PLACES[query.place], query.rule)
    columns, joined = SUMMARY, "pages"
    if (signal := query.sort) in _SELECT:
        tables.keep(signal, _SELECT[signal])
        columns += f", {signal}.value AS {signal}"
        joined += f" LEFT JOIN {signal} USING (record_id)"
    if hits:
        columns += f", hits, hit, {PASSAGE if query.words else 'NULL AS passage'}"
        joined += " LEFT JOIN hits USING (record_id)"
    where, of_where = _conditions(query)
    values |= of_where
    matching = f"FROM {joined} WHERE {where}"
    (counted,) = _ask(tables, f"{hits} SELECT count(*) AS n {matching}", values)
    total = counted["n"]
    last_page = max(1, -(-total // ROWS))
    first = 0 if whole else (min(query.page, last_page) - 1) * ROWS
    # The narrow columns are sorted first and the others read for the rows of the page alone.
    rows = _ask(
        tables,
        f"{hits} SELECT {columns} {matching} ORDER BY {_rank(query, with_hits=bool(hits))} {_IDENTITY} "
        f"{'' if whole else f'LIMIT {ROWS} OFFSET {first}'}",
        values,
    )
    return Results(rows, total, first + 1)


def _rank(query: Search, *, with_hits: bool) -> str:
    """SQL that sorts captures by a figure, or by how they have the words: whole in the title, elsewhere, within others."""
    if query.sort in _FIRST:
        return f"{_FIRST[query.sort]} NULLS LAST,"
    if query.sort != "match" or not query.words:
        return ""
    columns = PLACES[query.place].columns
    whole = {column: f"regexp_matches(lower({column}), $whole)" for column in columns}
    title = whole.pop("title", "false")
    elsewhere = [*whole.values(), *(["is_whole"] if with_hits else [])]
    number = "hits DESC NULLS LAST, " if with_hits else ""
    return f"CASE WHEN {title} THEN 0 WHEN {' OR '.join(elsewhere) or 'false'} THEN 1 ELSE 2 END, {number}"


def _ask(tables: Tables, sql: str, values: Mapping[str, object]) -> list[Row]:
    """Return the rows of a query, given those of the values that the query names."""
    return tables.rows(sql, {name: values[name] for name in re.findall(r"\$(\w+)", sql)})


def _conditions(query: Search) -> tuple[str, dict[str, object]]:
    conditions: list[str] = []
    values: dict[str, object] = {}
    if query.words:
        values["words"] = words = query.words.lower()
        values["whole"] = whole_words(words)
        place = PLACES[query.place]
        # Of a rule only the text runs that it decided count.
        columns = () if query.rule and place.labels else place.columns
        either = [f"contains(lower({column}), $words)" for column in columns]
        if place.labels:
            either.append("hits IS NOT NULL")
        conditions.append(f"({' OR '.join(either)})")
    if query.rule:
        conditions.append("hits IS NOT NULL")
    if query.site:
        values["site"] = query.site
        conditions.append("site = $site")
    if query.status != "all":
        values["statuses"] = list(JUDGED) if query.status == "judged" else [query.status]
        conditions.append("list_contains($statuses, status)")
    for name, sign in (("least", ">="), ("most", "<=")):
        if typed := getattr(query, name):
            values[name] = int(typed) / 100
            conditions.append(f"confidence {sign} ${name}")
    for name, sign in (("since", ">="), ("until", "<=")):
        if typed := getattr(query, name):
            # Compared as far as was typed: until 2016 means to the end of it.
            values[name] = digits = _digits(typed)
            stamp = f"left(strftime(fetch_time, '%Y%m%d%H%M%S'), {len(digits)})"
            conditions.append(f"{stamp} {sign} ${name}")
    return " AND ".join(conditions) or "true", values


def _digits(typed: str) -> str:
    """Return the digits of a year, date or time; "" if it is none."""
    return re.sub(r"[-:T ]", "", typed) if parse_date(typed) is not None else ""


AROUND = 90  # characters of a text that are shown before and after what was looked for

PASSAGE = f"""
    CASE WHEN hits IS NULL THEN
        substr(text, greatest(1, strpos(lower(text), $words) - {AROUND}), length($words) + {2 * AROUND})
    END AS passage"""
"""The main text around the words, where no text run has them all."""

_HIT = "struct_pack(label := label, node := node, start := start, text := text)"
_IS_WHOLE = "regexp_matches(lower(text), $whole)"
_PLACE = "node::BIGINT * 4294967296 + start"

# White space does not count in what is put together: nobody knows it between two runs. Only captures
# with the longest word, which is the rarest as far as one can guess, have their texts put together.
_WITHIN = f"""
    SELECT record_id, count(*) AS hits, bool_or({_IS_WHOLE}) AS is_whole,
           arg_min({_HIT}, (NOT {_IS_WHOLE}, {_PLACE})) AS hit
    FROM nodes WHERE {{where}} AND contains(lower(text), $spoken) GROUP BY record_id"""  # noqa: S608 - our own words
_ACROSS = f"""
    SELECT record_id, 1 AS hits, false AS is_whole,
           arg_min({_HIT}, {_PLACE}) FILTER (contains(lower(text), $longest)) AS hit
    FROM nodes SEMI JOIN near USING (record_id) WHERE {{where}} GROUP BY record_id
    HAVING contains(replace(lower(string_agg(text, '' ORDER BY {_PLACE})), ' ', ''), $joined)"""  # noqa: S608 - our own words
_NEAR = """
    SELECT DISTINCT record_id FROM nodes ANTI JOIN within USING (record_id)
    WHERE {where} AND contains(lower(text), $longest)"""


def hits_of(words: str, place: Place, rule: str) -> tuple[str, dict[str, object]]:
    """Return the captures with a text run that has the words and was decided by the rule ("" is any).

    They are SQL of a table `hits` (record_id, hits, hit), and what it takes from outside.

    Several words may also stand in runs one after the other: a link parts a sentence. In places that
    are no texts, words are not looked for in text runs; "" if nothing is.
    """
    words = words.lower() if place.labels else ""
    if not words and not rule:
        return "", {}
    where = "list_contains($labels, label)" + (" AND decided_by = $rule" if rule else "")
    labels = [str(label) for label in place.labels or Label]
    values: dict[str, object] = {"labels": labels, "rule": rule, "spoken": words}
    values["whole"] = whole_words(words)
    parts = re.findall(r"\w+", words)
    if len(parts) < 2:
        return f"WITH hits AS ({_WITHIN.format(where=where)})", values
    within, near, across = (sql.format(where=where) for sql in (_WITHIN, _NEAR, _ACROSS))
    values |= {"longest": max(parts, key=len), "joined": "".join(words.split())}
    hits = "FROM within UNION ALL FROM across"
    return (
        f"WITH within AS ({within}), near AS ({near}), across AS ({across}), hits AS ({hits})",
        values,
    )


def whole_words(words: str) -> str:
    """Return a pattern of RE2 for words in lower case that are no part of longer ones."""
    before = r"(?:^|[^\pL\pN_])" if words[:1].isalnum() else ""
    behind = r"(?:$|[^\pL\pN_])" if words[-1:].isalnum() else ""
    return f"{before}{re.escape(words)}{behind}"


def split_at(text: str, words: str) -> tuple[str, str, str]:
    """A text in three: before, what was looked for, as a whole word if it is there, and behind; shortened where it is long."""
    lower = text.lower()
    whole = re.search(rf"(?<!\w){re.escape(words.lower())}(?!\w)", lower) if words else None
    at = whole.start() if whole else lower.find(words.lower()) if words else -1
    if at < 0:
        return (text if len(text) <= 2 * AROUND else f"{text[: 2 * AROUND]}…"), "", ""
    end = at + len(words)
    before, behind = text[max(0, at - AROUND) : at], text[end : end + AROUND]
    return (
        f"{'…' if at > AROUND else ''}{before}",
        text[at:end],
        f"{behind}{'…' if len(text) > end + AROUND else ''}",
    )
