"""Main text of a URL through its captures, in words.

Each sound capture is set against the last sound one before it. What is damaged, gone or another page tells nothing of
the text: it is named, and nothing that it lacks counts as deleted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from dbce.archive import surt
from dbce.history.alignment import SAYS_THE_SAME, AlignedUnit, PassageKind, TextUnit, align
from dbce.history.reading import REDESIGNED, PageText, Texts, captures_of, jaccard
from dbce.history.wording import Stretch
from dbce.model import Reason
from dbce.output import JUDGED, Row, no_such_url, open_whole
from dbce.quality import REPLACEMENTS, Damage, DamageKind, is_beginning
from dbce.storage import Folder

AHEAD = 8  # captures after one that lacks text that are looked through for it
MISSING = 0.5  # share of a text from which on it is missing rather than deleted, if it comes back
MISSING_ALONE = 0.2  # the same where hardly anything was added in its place
INSTEAD = 0.25  # share of what is missing that may have been added in its place
BACK = 0.8  # share of what is missing that a later capture must have for it to be back
TEXT = 200  # characters of a text at least of which anything is missing: shorter ones come and go
OTHER = 0.2  # share of a text, at most, that is left where another page is in its place
GERMAN = "de"  # a language that writes all nouns with a capital: none tells a name


class CaptureState(StrEnum):
    """State of a capture in the history of its URL's text; the first four are sound."""

    FIRST = "first"
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    REPLACED = "replaced"
    DAMAGED = "damaged"
    GONE = "gone"
    NO_PAGE = "no page"


class Passage(NamedTuple):
    """A unit that changed, or so many `units` one after another that were kept."""

    kind: PassageKind
    unit: str = ""  # its kind
    section: str = ""  # the heading above it
    before: str = ""
    after: str = ""
    wording: tuple[Stretch, ...] = ()  # of a unit in other words
    corrected: str = ""  # the kind of thing in it that was corrected
    units: int = 1


@dataclass(frozen=True, slots=True)
class TextStep:
    """A capture in the history of a text."""

    record_id: str
    time: datetime
    state: CaptureState
    reason: str = ""  # why it is not sound
    evidence: str = ""  # what shows that, or that it is another page
    since: datetime | None = None  # the capture that it is compared with, the last sound one
    back: datetime | None = None  # when what it lacks is there again
    template: float | None = None  # how alike both templates are, 0 to 1
    is_open: bool = False  # most of the text is gone, and no later capture shows whether for good
    passages: tuple[Passage, ...] = ()
    text: tuple[TextUnit, ...] = ()  # of the first capture, and of one that another page replaced

    @property
    def is_sound(self) -> bool:
        """Return whether the capture shows the page as it was."""
        unsound = (CaptureState.DAMAGED, CaptureState.GONE, CaptureState.NO_PAGE)
        return self.state not in unsound

    @property
    def is_redesign(self) -> bool:
        return self.template is not None and self.template < REDESIGNED

    @property
    def changes(self) -> tuple[Passage, ...]:
        """Passages that are not as they were, be it in a sign alone."""
        return tuple(passage for passage in self.passages if passage.kind != PassageKind.KEPT)

    @property
    def counts(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for passage in self.passages:
            counts[passage.kind] += passage.units
        return {kind: counts[kind] for kind in PassageKind}


@dataclass(frozen=True, slots=True)
class TextHistory:
    """Main text of a URL through its captures, the earliest first."""

    url: str
    title: str
    steps: tuple[TextStep, ...]

    @property
    def states(self) -> dict[str, int]:
        counts = Counter(step.state for step in self.steps)
        return {state: counts[state] for state in CaptureState}


def text_history_of(folder: Folder, captures: Sequence[Row]) -> TextHistory:
    """Return the history of a URL's text by its captures, as `captures_of` has them."""
    texts = Texts(folder, captures)
    steps = []
    before: _Sound | None = None
    for place, row in enumerate(captures, 1):
        step, sound = _step(before, row, texts.text_of(row), _Later(texts, captures[place:]))
        before = sound or before
        steps.append(step)
    titles = [row["title"] for row in captures if row.get("title")]
    return TextHistory(captures[-1]["url"], titles[-1] if titles else "", tuple(steps))


class _Sound(NamedTuple):
    """A sound capture, and its text with what it had before and has now outside of its main text."""

    row: Row
    text: PageText


class _Later(NamedTuple):
    texts: Texts
    captures: Sequence[Row]

    def time_of_return(self, lost: Sequence[TextUnit]) -> datetime | None:
        """Return the time of the first of them that has again what was lost."""
        size = _size(lost)
        for row in self.captures[:AHEAD]:
            text = self.texts.text_of(row)
            if text and _size([unit for unit in lost if text.has(unit, len(lost))]) >= BACK * size:
                time: datetime = row["fetch_time"]
                return time
        return None

    @property
    def is_none(self) -> bool:
        """Return whether none of them is a page."""
        return not any(self.texts.text_of(row) for row in self.captures[:AHEAD])


def _step(
    before: _Sound | None, row: Row, text: PageText | None, later: _Later
) -> tuple[TextStep, _Sound | None]:
    """Return the step of a capture, and the capture if later ones are to be compared with it."""
    step = TextStep(row["record_id"], row["fetch_time"], CaptureState.FIRST)
    if text is None or text.gone or not text.units:
        return _without_text(step, row, text, before), None
    if before is None:
        return replace(step, text=text.units), _Sound(row, text)
    template = jaccard(before.text.places, text.places)
    step = replace(step, since=before.row["fetch_time"], template=template)
    is_stored = row.get("text_record") or before.row.get("text_record")
    digest = not is_stored and row["content_digest"]
    if text is before.text or (digest and digest == before.row["content_digest"]):
        return replace(step, state=CaptureState.UNCHANGED), _Sound(row, before.text)
    return _compare(step, before, _Sound(row, text), later)


def _without_text(
    step: TextStep, row: Row, text: PageText | None, before: _Sound | None
) -> TextStep:
    since = before.row["fetch_time"] if before else None
    if text is None:
        unread = DamageKind.UNREADABLE if row["status"] in JUDGED else row["status"]
        reason, evidence = row["reason"] or unread, row.get("damage_reason") or row.get("detail")
    elif text.gone:
        reason, evidence = text.gone, text.evidence
    else:
        reason = DamageKind.NO_MAIN_TEXT
        evidence = f"{len(text.words):,} words, none of them content"
    return replace(
        step, state=state_of(reason), reason=reason, evidence=evidence or "", since=since
    )


# Reasons of captures that are no page of their own.
NO_PAGE = frozenset(
    {Reason.NOT_HTML, Reason.REVISIT, Reason.UNCHANGED, Reason.UNCHANGED_NO_PAGE}
    | {Reason.DUPLICATE_RECORD}
)


def state_of(reason: str) -> CaptureState:
    """Return the state of a capture without a text to compare, by its damage or why it has no verdicts."""
    if reason in NO_PAGE:
        return CaptureState.NO_PAGE
    is_gone = reason == Reason.HTTP_STATUS or reason in REPLACEMENTS
    return CaptureState.GONE if is_gone else CaptureState.DAMAGED


def _compare(
    step: TextStep, before: _Sound, new: _Sound, later: _Later
) -> tuple[TextStep, _Sound | None]:
    old_text, text = before.text, new.text
    names = not (new.row.get("language") or "").startswith(GERMAN)
    aligned = align(old_text.units, text.units, has_names=names)
    changed = sum(a.old is None or a.new is None for a in aligned)
    aligned = [_keep_if_elsewhere(a, old_text, text, changed) for a in aligned]
    lost = [a.old for a in aligned if a.kind is PassageKind.REMOVED and a.old]
    added = [a.new for a in aligned if a.kind is PassageKind.ADDED and a.new]
    share = _size(lost) / max(1, _size(old_text.units))
    is_missing = _size(old_text.units) >= TEXT and (
        share >= MISSING or (share >= MISSING_ALONE and _size(added) <= INSTEAD * _size(lost))
    )
    damage = _cut(before, new, later) if lost else None
    if back := later.time_of_return(lost) if is_missing else None:
        damage = Damage(DamageKind.COMES_BACK, f"{share:.0%} of the text is missing")
    if damage:
        kind, evidence = damage
        damaged = CaptureState.DAMAGED
        return replace(step, state=damaged, reason=kind, evidence=evidence, back=back), None
    # With what was main text before and still stands on the page: its loss would be one later.
    kept = (a.new or (a.old if a.old and text.has(a.old, changed) else None) for a in aligned)
    sound = new._replace(text=text._replace(units=tuple(filter(None, kept))))
    if share >= 1 - OTHER and step.is_redesign:
        evidence = f"template similarity {step.template:.2f}, {share:.0%} of the text removed"
        other = replace(step, state=CaptureState.REPLACED, evidence=evidence, text=text.units)
        return other, sound
    passages: list[Passage] = []
    for is_kept, group in groupby(aligned, key=lambda a: a.kind is PassageKind.KEPT):
        units = list(group)
        same = [Passage(PassageKind.KEPT, units=len(units))]
        passages += same if is_kept else map(_passage, units)
    is_changed = any(passage.kind not in SAYS_THE_SAME for passage in passages)
    is_open = is_missing and _size(added) <= INSTEAD * _size(lost) and later.is_none
    state = CaptureState.CHANGED if is_changed else CaptureState.UNCHANGED
    return replace(step, state=state, passages=tuple(passages), is_open=is_open), sound


def _cut(before: _Sound, new: _Sound, later: _Later) -> Damage | None:
    """Return the damage of a page that breaks off; where later captures lack the same, its author deleted it."""
    if new.row["truncated"] and not before.row["truncated"]:
        return Damage(DamageKind.CUT_SHORT, new.row["damage_reason"] or "the record breaks off")
    if later.is_none and is_beginning(before.text.words, new.text.words):
        return Damage(DamageKind.CUT_SHORT, "its words are the beginning of the older page")
    return None


def _size(units: Sequence[TextUnit]) -> int:
    return sum(len(unit.key) for unit in units)


def _keep_if_elsewhere(
    aligned: AlignedUnit[TextUnit], old: PageText, new: PageText, count: int
) -> AlignedUnit[TextUnit]:
    """Return a unit; one that stands on the other page besides, be it as boilerplate or in other units, is kept."""
    other = {PassageKind.ADDED: old, PassageKind.REMOVED: new}.get(aligned.kind)
    unit = aligned.new or aligned.old
    is_there = other is not None and unit is not None and other.has(unit, count)
    return aligned._replace(kind=PassageKind.KEPT) if is_there else aligned


def _passage(aligned: AlignedUnit[TextUnit]) -> Passage:
    unit = aligned.new or aligned.old
    assert unit is not None  # noqa: S101 - a unit is in one of both
    before, after = (side.text if side else "" for side in (aligned.old, aligned.new))
    wording, what = aligned.wording, aligned.corrected
    return Passage(aligned.kind, unit.kind, unit.section, before, after, wording, what)


def text_between(folder: Folder, url: str, before: str, after: str) -> TextStep | None:
    """Return what changed in the text of a URL between two captures, by their record ids.

    None where one of them has no text to compare. The pair alone is looked at: no later capture says what is damaged.
    """
    captures = {row["record_id"]: row for row in captures_of(folder, surt(url))}
    texts = Texts(folder, list(captures.values()))
    old, new = captures.get(before), captures.get(after)
    old_text = texts.text_of(old) if old and new else None
    if not (old and new and old_text) or old_text.gone or not old_text.units:
        return None
    return _step(_Sound(old, old_text), new, texts.text_of(new), _Later(texts, ()))[0]


def text_history(run: str, url: str) -> TextHistory:
    """Return the main text of a URL through its captures in a run or a nightly archive.

    Raises UsageError: there is no finished run, or it has no such URL.
    """
    folder, _ = open_whole(run)
    captures = captures_of(folder, surt(url))
    if not captures:
        raise no_such_url(folder, url)
    return text_history_of(folder, captures)
