"""Search for text runs: those that have some words or were decided by a rule, and those of a capture in another.

The bits say that a run is shared and the tables do not say where; but what is shared is there word
by word, so it can be looked for: in the order of the page first, then anywhere.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dbce.model import ROLES, Label
from dbce.output import Row

LABELLED = {
    "any": tuple(Label),
    "both": tuple(Label),
    "text": (Label.CONTENT,),
    "boilerplate": (Label.BOILERPLATE, Label.INVALID),
}
"""The labels of the text runs in which words are looked for, by the place; none in other places."""

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


@dataclass(frozen=True, slots=True)
class Hits:
    """SQL of a table `hits` (record_id, hits, hit) and what it takes from outside."""

    table: str
    values: Mapping[str, object]


def hits_of(words: str, place: str, rule: str) -> Hits | None:
    """Return the captures with a text run that has the words and was decided by the rule ("" is any).

    Several words may also stand in runs one after the other: a link parts a sentence. In places that
    are no texts, words are not looked for in text runs; None if nothing is.
    """
    words = words.lower() if place in LABELLED else ""
    if not words and not rule:
        return None
    where = "list_contains($labels, label)" + (" AND decided_by = $rule" if rule else "")
    labels = [str(label) for label in LABELLED.get(place, tuple(Label))]
    values = {"labels": labels, "rule": rule, "spoken": words, "whole": whole_words(words)}
    parts = re.findall(r"\w+", words)
    if len(parts) < 2:
        return Hits(f"WITH hits AS ({_WITHIN.format(where=where)})", values)
    within, near, across = (sql.format(where=where) for sql in (_WITHIN, _NEAR, _ACROSS))
    return Hits(
        f"WITH within AS ({within}), near AS ({near}), across AS ({across}), "
        "hits AS (FROM within UNION ALL FROM across)",
        values | {"longest": max(parts, key=len), "joined": "".join(words.split())},
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


def places_of(wanted: Sequence[Row], others: Sequence[Row]) -> list[tuple[int, ...]]:
    """Return, for each run, the places of the runs of another page that have its words, in order; empty where none do."""
    # A space around every word, so that a word is not found in the middle of another.
    texts = [f" {run['text']}" for run in others]
    ends = list(accumulate(map(len, texts)))
    page = "".join(texts) + " "
    places: list[tuple[int, ...]] = []
    at = 0
    for run in wanted:
        words = f" {run['text']} "
        start = page.find(words, at)
        if start < 0:
            start = page.find(words)
        else:
            at = start + len(words) - 1
        stop = bisect_left(ends, start + len(words) - 1) + 1
        places.append(() if start < 0 else tuple(range(bisect_right(ends, start), stop)))
    return places


def counterparts(runs: Sequence[Row], other: Sequence[Row], role: str) -> Mapping[int, list[int]]:
    bit = ROLES.index(role)
    shared = [place for place, run in enumerate(runs) if run["bits"][bit] == "1"]
    there = places_of([runs[place] for place in shared], other)
    return {place: list(places) for place, places in zip(shared, there, strict=True) if places}
