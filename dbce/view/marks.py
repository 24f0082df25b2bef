"""Changes between two snapshots as marks on the archived page, word by word where a text was reworded.

The later page also gets what was removed, where it stood: a reader sees it where both are shown as one page.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import NamedTuple

from dbce.history import AlignedUnit, PassageKind, Stretch, tokens
from dbce.html import RunPart, allows_spans
from dbce.model import Page, TextRun
from dbce.view.inert import REMOVED_TEXT
from dbce.view.timeline import LabelledText, TextChange

Unit = AlignedUnit[LabelledText]


class _Words(NamedTuple):
    """Characters of a run that were added or removed, or none, and the attributes that say so."""

    place: int
    start: int
    end: int
    attributes: str


def marked_parts(
    page: Page, whole: Sequence[RunPart], units: Sequence[Unit], *, is_later: bool
) -> list[RunPart]:
    """Return the text runs of a page, parted and marked by the changes of its texts, which are numbered in the order of `units`."""
    runs = [part.run for part in whole]
    parts = [[part] for part in whole]
    removed: list[str] = []
    number = -1
    for unit in units:
        attributes = ""
        if unit.kind is not PassageKind.KEPT:
            number += 1
            attributes = f' data-dbce-change="{TextChange(*unit).kind}" data-dbce-number="{number}"'
        own = unit.new if is_later else unit.old
        if own is None:
            if is_later and unit.old:
                removed.append(f"{attributes} {_removed_text(unit.old.text)}")
            continue
        places = range(own.place, own.place + own.runs)
        if attributes:
            words = _changed_words(page, runs, places, unit.wording, is_later=is_later)
            for place in places:
                of_run = [one for one in words if one.place == place]
                parts[place] = list(_tile(RunPart(runs[place], place, attributes), of_run))
        if removed and allows_spans(page, page.nodes[runs[own.place].node].element):
            parts[own.place][:0] = _empty_parts(runs[own.place], runs[own.place].start, removed)
            removed = []
    if removed and runs:
        parts[-1] += _empty_parts(runs[-1], runs[-1].end, removed)
    return [part for of_run in parts for part in of_run]


def _removed_text(text: str) -> str:
    return f'{REMOVED_TEXT}="{escape(text)}" role="deletion"'


def _empty_parts(run: TextRun, at: int, attributes: Sequence[str]) -> Iterator[RunPart]:
    empty = run._replace(start=at, end=at)
    yield from (RunPart(empty, -1, f'{one} data-dbce-whole=""') for one in attributes)


def _changed_words(
    page: Page,
    runs: Sequence[TextRun],
    places: Sequence[int],
    wording: Sequence[Stretch],
    *,
    is_later: bool,
) -> list[_Words]:
    """Return what differs in a text that was reworded; nothing if its words are not those of the wording."""
    spans = [
        _Words(place, run.start + start, run.start + end, "")
        for place in places
        for run in [runs[place]]
        for start, end in tokens(page.nodes[run.node].text[run.start : run.end]).spans
    ]
    ends = [0]
    for part in wording:
        words = part.after if is_later or part.stayed else part.before
        ends.append(ends[-1] + len(tokens(words).spans))
    if ends[-1] != len(spans):
        return []
    found: list[_Words] = []
    for (start, end), part in zip(pairwise(ends), wording, strict=True):
        if part.stayed:
            continue
        if is_later and part.before:
            at = spans[start].start if start < len(spans) else spans[-1].end
            place = spans[min(start, len(spans) - 1)].place
            found.append(_Words(place, at, at, f" {_removed_text(part.before)}"))
        kind = "added" if is_later else "removed"
        for place, group in groupby(spans[start:end], key=lambda span: span.place):
            of_run = list(group)
            word = f' data-dbce-word="{kind}"'
            found.append(_Words(place, of_run[0].start, of_run[-1].end, word))
    return found


def _tile(part: RunPart, words: Sequence[_Words]) -> Iterator[RunPart]:
    """Yield the parts of a run, with those that differ by themselves."""
    run, at = part.run, part.run.start
    for one in words:
        if one.start > at:
            yield part._replace(run=run._replace(start=at, end=one.start))
        own = run._replace(start=one.start, end=one.end)
        place = part.place if one.end > one.start else -1
        yield RunPart(own, place, part.attributes + one.attributes)
        at = one.end
    if at < run.end or not words:
        yield part._replace(run=run._replace(start=at))
