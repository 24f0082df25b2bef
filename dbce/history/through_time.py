"""Main text of a URL through its captures, in words.

Each sound capture is compared with the last sound one before it. Damaged, missing and unrelated captures are labelled
as such, and text missing from them does not count as deleted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from os import PathLike, fspath
from typing import NamedTuple

from dbce.archive import surt
from dbce.history.alignment import SAYS_THE_SAME, AlignedUnit, PassageKind, TextUnit, align
from dbce.history.reading import REDESIGNED, PageText, Texts, captures_of, jaccard
from dbce.history.wording import Stretch
from dbce.model import Reason
from dbce.output import JUDGED, Row, no_such_url, open_whole
from dbce.quality import REPLACEMENTS, Damage, DamageKind, is_beginning
from dbce.storage import Folder

AHEAD = 8  # later captures that are searched for missing text
MISSING = 0.5  # minimum share of a text for it to be missing rather than deleted, if it comes back
MISSING_ALONE = 0.2  # the same where hardly anything was added in its place
INSTEAD = 0.25  # maximum new text, as a share of the missing one, for that to be missing
BACK = 0.8  # minimum share of the missing text that a later capture must have for it to be back
TEXT = 200  # minimum characters of a text that can miss some: shorter ones come and go
OTHER = 0.2  # maximum share of a text that remains where another page replaced it
GERMAN = "de"  # all nouns are capitalised, so that a capital marks no name


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
    evidence: str = ""  # of that, or of its being another page
    since: datetime | None = None  # the capture that it is compared with, the last sound one
    back: datetime | None = None  # when the missing text is there again
    template: float | None = None  # similarity of both templates, 0 to 1
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
        """Passages that differ, even in a single sign."""
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
    last_sound: _Sound | None = None
    for place, row in enumerate(captures, 1):
        step, sound = _step(last_sound, row, texts.text_of(row), _Later(texts, captures[place:]))
        last_sound = sound or last_sound
        steps.append(step)
    titles = [row["title"] for row in captures if row.get("title")]
    return TextHistory(captures[-1]["url"], titles[-1] if titles else "", tuple(steps))


class _Sound(NamedTuple):
    """A sound capture and its text, with earlier main text that still stands on the page."""

    row: Row
    text: PageText


class _Later(NamedTuple):
    texts: Texts
    captures: Sequence[Row]

    def time_of_return(self, lost: Sequence[TextUnit]) -> datetime | None:
        """Return the time of the first later capture that has the removed units again, None without one."""
        size = _size(lost)
        for row in self.captures[:AHEAD]:
            text = self.texts.text_of(row)
            if text and _size([unit for unit in lost if text.has(unit, len(lost))]) >= BACK * size:
                time: datetime = row["fetch_time"]
                return time
        return None

    @property
    def is_none(self) -> bool:
        """Return whether no later capture is a page."""
        return not any(self.texts.text_of(row) for row in self.captures[:AHEAD])


def _step(
    previous: _Sound | None, row: Row, text: PageText | None, later: _Later
) -> tuple[TextStep, _Sound | None]:
    """Return the step of a capture, and the capture itself if later ones are compared with it."""
    step = TextStep(row["record_id"], row["fetch_time"], CaptureState.FIRST)
    if text is None or text.gone or not text.units:
        return _without_text(step, row, text, previous), None
    if previous is None:
        return replace(step, text=text.units), _Sound(row, text)
    template = jaccard(previous.text.places, text.places)
    step = replace(step, since=previous.row["fetch_time"], template=template)
    is_stored = row.get("text_record") or previous.row.get("text_record")
    digest = not is_stored and row["content_digest"]
    if text is previous.text or (digest and digest == previous.row["content_digest"]):
        return replace(step, state=CaptureState.UNCHANGED), _Sound(row, previous.text)
    return _compare(step, previous, _Sound(row, text), later)


def _without_text(
    step: TextStep, row: Row, text: PageText | None, previous: _Sound | None
) -> TextStep:
    since = previous.row["fetch_time"] if previous else None
    if text is None:
        status = DamageKind.UNREADABLE if row["status"] in JUDGED else row["status"]
        reason, evidence = row["reason"] or status, row.get("damage_reason") or row.get("detail")
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
    step: TextStep, previous: _Sound, new: _Sound, later: _Later
) -> tuple[TextStep, _Sound | None]:
    old_text, text = previous.text, new.text
    has_names = not (new.row.get("language") or "").startswith(GERMAN)
    aligned = align(old_text.units, text.units, has_names=has_names)
    changed = sum(a.old is None or a.new is None for a in aligned)
    aligned = [_keep_if_elsewhere(a, old_text, text, changed) for a in aligned]
    removed = [a.old for a in aligned if a.kind is PassageKind.REMOVED and a.old]
    added = [a.new for a in aligned if a.kind is PassageKind.ADDED and a.new]
    share = _size(removed) / max(1, _size(old_text.units))
    is_missing = _size(old_text.units) >= TEXT and (
        share >= MISSING or (share >= MISSING_ALONE and _size(added) <= INSTEAD * _size(removed))
    )
    damage = _cut_short(previous, new, later) if removed else None
    if back := later.time_of_return(removed) if is_missing else None:
        damage = Damage(DamageKind.COMES_BACK, f"{share:.0%} of the text is missing")
    if damage:
        kind, evidence = damage
        damaged = CaptureState.DAMAGED
        return replace(step, state=damaged, reason=kind, evidence=evidence, back=back), None
    # Including earlier main text that still stands on the page, to notice its loss later.
    kept = (a.new or (a.old if a.old and text.has(a.old, changed) else None) for a in aligned)
    sound = new._replace(text=text._replace(units=tuple(filter(None, kept))))
    if share >= 1 - OTHER and step.is_redesign:
        evidence = f"template similarity {step.template:.2f}, {share:.0%} of the text removed"
        replaced = replace(step, state=CaptureState.REPLACED, evidence=evidence, text=text.units)
        return replaced, sound
    passages: list[Passage] = []
    for is_kept, group in groupby(aligned, key=lambda a: a.kind is PassageKind.KEPT):
        units = list(group)
        same = [Passage(PassageKind.KEPT, units=len(units))]
        passages += same if is_kept else map(_passage, units)
    is_changed = any(passage.kind not in SAYS_THE_SAME for passage in passages)
    is_open = is_missing and _size(added) <= INSTEAD * _size(removed) and later.is_none
    state = CaptureState.CHANGED if is_changed else CaptureState.UNCHANGED
    return replace(step, state=state, passages=tuple(passages), is_open=is_open), sound


def _cut_short(previous: _Sound, new: _Sound, later: _Later) -> Damage | None:
    """Return the damage of a page that breaks off; where later captures lack the same, its author deleted it."""
    if new.row["truncated"] and not previous.row["truncated"]:
        return Damage(DamageKind.CUT_SHORT, new.row["damage_reason"] or "the record breaks off")
    if later.is_none and is_beginning(previous.text.words, new.text.words):
        return Damage(DamageKind.CUT_SHORT, "its words are the beginning of the older page")
    return None


def _size(units: Sequence[TextUnit]) -> int:
    return sum(len(unit.key) for unit in units)


def _keep_if_elsewhere(
    aligned: AlignedUnit[TextUnit], old: PageText, new: PageText, count: int
) -> AlignedUnit[TextUnit]:
    """Return a unit, as kept if the other page has it too, be it as boilerplate or within other units."""
    other_page = {PassageKind.ADDED: old, PassageKind.REMOVED: new}.get(aligned.kind)
    unit = aligned.new or aligned.old
    is_there = other_page is not None and unit is not None and other_page.has(unit, count)
    return aligned._replace(kind=PassageKind.KEPT) if is_there else aligned


def _passage(aligned: AlignedUnit[TextUnit]) -> Passage:
    unit = aligned.new or aligned.old
    assert unit is not None  # noqa: S101 - a unit is in one of both
    before, after = (side.text if side else "" for side in (aligned.old, aligned.new))
    wording, correction = aligned.wording, aligned.corrected
    return Passage(aligned.kind, unit.kind, unit.section, before, after, wording, correction)


def text_between(folder: Folder, url: str, before: str, after: str) -> TextStep | None:
    """Return what changed in the text of a URL between two captures, by their record ids.

    None where one of them has no text to compare. Only the pair is compared: no later capture tells damage from deletion.
    """
    captures = {row["record_id"]: row for row in captures_of(folder, surt(url))}
    texts = Texts(folder, list(captures.values()))
    old, new = captures.get(before), captures.get(after)
    old_text = texts.text_of(old) if old and new else None
    if not (old and new and old_text) or old_text.gone or not old_text.units:
        return None
    return _step(_Sound(old, old_text), new, texts.text_of(new), _Later(texts, ()))[0]


def text_history(run: str | PathLike[str], url: str) -> TextHistory:
    """Return the main text of a URL through its captures in a run or a nightly archive.

    Raises UsageError: there is no finished run, or it has no such URL.
    """
    folder, _ = open_whole(fspath(run))
    captures = captures_of(folder, surt(url))
    if not captures:
        raise no_such_url(folder, url)
    return text_history_of(folder, captures)
