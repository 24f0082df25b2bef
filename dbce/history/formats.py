"""A history of a text as plain text, Markdown, JSON, and a page for people: one self-contained HTML file."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from dbce.archive import clock_of, day_of, iso
from dbce.history.alignment import CODE, PassageKind
from dbce.history.through_time import CaptureState, Passage, TextHistory, TextStep
from dbce.history.wording import Stretch, shorten
from dbce.model import count_of, without_control
from dbce.quality import meaning

SIGNS = {PassageKind.ADDED: "+", PassageKind.REMOVED: "-", PassageKind.MOVED: ">"}
"""Signs of passages; others show their removed and added words."""

IN_NUMBERS = {
    PassageKind.CORRECTED: "corrected",
    PassageKind.REWORDED: "reworded",
    PassageKind.MOVED: "moved",
    PassageKind.ADDED: "added",
    PassageKind.REMOVED: "removed",
    PassageKind.PUNCTUATION: "in punctuation or capitals alone",
    PassageKind.STAMP: "of dates or counters alone",
}
"""Wording of the counts of passages by kind, in order of output."""

_UNRELATED = {
    CaptureState.REPLACED: "another page",
    CaptureState.DAMAGED: "damaged",
    CaptureState.GONE: "gone",
    CaptureState.NO_PAGE: "no page",
}


def summary_of(history: TextHistory) -> str:
    """Return a history in a sentence."""
    steps, states = history.steps, history.states
    changed, unchanged = states[CaptureState.CHANGED], states[CaptureState.UNCHANGED]
    parts = [
        f"{changed:,} changed the text" if changed else "",
        f"{unchanged:,} did not" if changed and unchanged else "",
        "the text never changed" if unchanged and not changed else "",
        *(
            f"{states[state]:,} {'is' if states[state] == 1 else 'are'} {name}"
            for state, name in _UNRELATED.items()
            if states[state]
        ),
    ]
    counts = ", ".join(filter(None, parts))
    captures = count_of(len(steps), "capture")
    span = f"of {day_of(steps[0].time)}"
    if len(steps) > 1:
        span = f"from {day_of(steps[0].time)} to {day_of(steps[-1].time)}"
    return f"{captures} {span}{f': {counts}' if counts else ''}"


def stretches_of(history: TextHistory) -> Iterator[tuple[TextStep, ...]]:
    """Yield captures in order: consecutive unchanged ones as a group, any other by itself."""
    numbered = enumerate(history.steps)
    for _, group in groupby(numbered, key=lambda pair: pair[0] if _stands_alone(pair[1]) else -1):
        yield tuple(step for _, step in group)


def _stands_alone(step: TextStep) -> bool:
    """Return whether a capture changed in anything but a stamp, or is not sound."""
    is_changed = any(passage.kind is not PassageKind.STAMP for passage in step.changes)
    return step.state is not CaptureState.UNCHANGED or is_changed


def steps_in_words(steps: Sequence[TextStep]) -> str:
    """Return one line on a capture, or on consecutive unchanged ones."""
    step = steps[0]
    if step.state is CaptureState.FIRST:
        return f"first captured: {units_in_words([unit.kind for unit in step.text])}"
    if step.state is CaptureState.UNCHANGED:
        return _unchanged_in_words(steps)
    since = f" since {day_of(step.since)}" if step.since else ""
    if step.state is CaptureState.REPLACED:
        return (
            f"another page{since}: another template and another text{_evidence(step.evidence)}, "
            f"{units_in_words(unit.kind for unit in step.text)}; nothing counts as deleted"
        )
    if step.state is CaptureState.CHANGED:
        redesigned = "; redesigned" if step.is_redesign else ""
        open_end = "; no later capture shows whether it stays so" if step.is_open else ""
        return f"changed{since}: {counts_in_words(step)}{redesigned}{open_end}"
    back = f" on {day_of(step.back)}" if step.back else ""
    reason = damage_in_words(step.reason, step.evidence, back)
    return f"{step.state}: {reason}; nothing counts as deleted"


def _unchanged_in_words(steps: Sequence[TextStep]) -> str:
    redesigned = [day_of(step.time) for step in steps if step.is_redesign]
    design = f", redesigned ({', '.join(redesigned)})" if redesigned else ""
    if len(steps) == 1:
        minor_changes = counts_in_words(steps[0])
        return f"unchanged{f' but for {minor_changes}' if minor_changes else ''}{design}"
    return f"unchanged in {count_of(len(steps), 'capture')} until {day_of(steps[-1].time)}{design}"


def damage_in_words(kind: str, evidence: str | None, back: str = "") -> str:
    """Return a kind of damage, or why a capture has no verdicts, with the evidence."""
    return f"{meaning(kind)}{back}{_evidence(evidence or '')}"


def _evidence(words: str) -> str:
    return f" (evidence: {without_control(words)})" if words else ""


def units_in_words(kinds: Iterable[str]) -> str:
    """Return numbers of units by their kinds: "3 sentences, 1 row"."""
    counts = Counter(kinds)
    words = {kind: count_of(number, kind) for kind, number in counts.items()}
    if CODE in words:
        words[CODE] = f"{count_of(counts[CODE], 'line')} of code"
    return ", ".join(words.values()) or "no text"


def counts_in_words(step: TextStep) -> str:
    counts = step.counts
    return ", ".join(f"{counts[k]:,} {words}" for k, words in IN_NUMBERS.items() if counts[k])


def _text_lines(history: TextHistory) -> Iterator[str]:
    yield without_control(history.url)
    if history.title:
        yield without_control(history.title)
    yield summary_of(history)
    for steps in stretches_of(history):
        yield ""
        yield f"{clock_of(steps[0].time)[:16]}  {steps_in_words(steps)}"
        yield from passage_lines(steps[0])


def passage_lines(step: TextStep) -> Iterator[str]:
    """Yield the passages of a capture as lines of plain text; none if nothing changed."""
    if not step.changes:
        return
    section = ""
    for passage in step.passages:
        if passage.kind is PassageKind.KEPT:
            yield f"    ... {passage.units:,} unchanged"
            continue
        if passage.section and passage.section != section:
            yield f"  under {without_control(passage.section)}:"
            section = passage.section
        minor = passage.kind in (PassageKind.PUNCTUATION, PassageKind.STAMP)
        note = passage.corrected or (passage.kind if minor else "")
        label = f"({note}) " if note else ""
        sign = SIGNS.get(passage.kind, "~")
        text = _join_wording(passage.wording, "[-{}-]".format, "{{+{}+}}".format)
        text = text or (passage.after or passage.before).strip()
        yield f"  {sign} {label}{without_control(text)}"


def _join_wording(
    wording: Sequence[Stretch],
    mark_removed: Callable[[str], str],
    mark_added: Callable[[str], str],
    plain: Callable[[str], str] = str,
) -> str:
    pieces: list[str] = []
    for part in shorten(wording):
        before, after = part.before, part.after
        marked = (before and mark_removed(before), after and mark_added(after))
        text = plain(after) if part.stayed else " ".join(filter(None, marked))
        pieces.append(f" {text}" if part.spaced and pieces else text)
    return "".join(pieces)


_MARKDOWN = re.compile(r"([\\`*_\[\]<>~#|&])")


def _escape(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", without_control(text))


def _markdown_lines(history: TextHistory) -> Iterator[str]:
    yield f"# {_escape(history.title or history.url)}"
    yield ""
    yield f"<{history.url.replace('>', '%3E').replace('<', '%3C').replace(' ', '%20')}>"
    yield ""
    yield summary_of(history) + "."
    for steps in stretches_of(history):
        yield ""
        yield f"## {clock_of(steps[0].time)[:16]}"
        yield ""
        yield _escape(steps_in_words(steps)) + "."
        lines = list(_markdown_passages(steps[0]))
        if lines:
            yield ""
            yield from lines


def _markdown_passages(step: TextStep) -> Iterator[str]:
    if not step.changes:
        return
    for passage in step.passages:
        if passage.kind is PassageKind.KEPT:
            yield f"- *{passage.units:,} unchanged*"
            continue
        correction = f" ({passage.corrected})" if passage.corrected else ""
        where = f" under “{_escape(passage.section)}”" if passage.section else ""
        yield f"- {passage.kind.word.capitalize()}{correction}{where}: {_in_markdown(passage)}"


def _in_markdown(passage: Passage) -> str:
    if passage.wording:
        return _join_wording(passage.wording, _struck, _strong, _escape)
    if passage.kind is PassageKind.MOVED:
        return _escape(passage.after)
    return _strong(passage.after) if passage.after else _struck(passage.before)


def _struck(text: str) -> str:
    return f"~~{_escape(text.strip())}~~"


def _strong(text: str) -> str:
    return f"**{_escape(text.strip())}**"


def _step_object(step: TextStep) -> dict[str, Any]:
    counts = step.counts if step.passages else {}
    return {
        "record_id": step.record_id,
        "timestamp": iso(step.time, "seconds"),
        "state": step.state,
        "reason": step.reason or None,
        "evidence": step.evidence or None,
        "compared_with": iso(step.since, "seconds") if step.since else None,
        "back": iso(step.back, "seconds") if step.back else None,
        "template_similarity": None if step.template is None else round(step.template, 4),
        "is_open": step.is_open,
        "counts": counts,
        "changes": [_passage_object(passage) for passage in step.passages],
        "text": [{"unit": unit.kind, "text": unit.text} for unit in step.text],
    }


def _passage_object(passage: Passage) -> dict[str, Any]:
    if passage.kind is PassageKind.KEPT:
        return {"kind": passage.kind, "units": passage.units}
    return {
        "kind": passage.kind,
        "unit": passage.unit,
        "section": passage.section or None,
        "corrected": passage.corrected or None,
        "before": passage.before or None,
        "after": passage.after or None,
        "words": [
            {"stayed": part.after} if part.stayed else {"went": part.before, "came": part.after}
            for part in passage.wording
        ],
    }


def as_text(history: TextHistory) -> str:
    return "\n".join(_text_lines(history)) + "\n"


def as_markdown(history: TextHistory) -> str:
    """Return a history as Markdown: removed words struck out, added ones strong."""
    return "\n".join(_markdown_lines(history)) + "\n"


def as_json(history: TextHistory) -> str:
    """Return a history as an object of JSON; docs/formats.md describes it."""
    captures = [_step_object(step) for step in history.steps]
    document = {"url": history.url, "title": history.title or None, "captures": captures}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


MANY = 12  # minimum consecutive passages for a run to be folded


class PassageRun(NamedTuple):
    """Consecutive passages of one kind; long runs are folded until somebody opens them."""

    kind: PassageKind
    passages: tuple[Passage, ...]

    @property
    def is_long(self) -> bool:
        return len(self.passages) >= MANY

    @property
    def in_words(self) -> str:
        return f"{units_in_words(passage.unit for passage in self.passages)} {self.kind.word}"


def passage_runs(step: TextStep) -> Iterator[PassageRun]:
    """Yield the passages of a capture by kind, in order; none where nothing changed."""
    if step.changes:
        for kind, group in groupby(step.passages, key=lambda passage: passage.kind):
            yield PassageRun(kind, tuple(group))


filters = {
    "damage_in_words": damage_in_words,
    "meaning": meaning,
    "passage_runs": passage_runs,
    "shorten": shorten,
    "stretches": lambda history: list(stretches_of(history)),
    "summary": summary_of,
    "steps_in_words": steps_in_words,
}
"""Filters of the template `passages.html`, by name."""


def as_html(history: TextHistory) -> str:
    """Return a history as one HTML document; MissingExtra if the library for pages is not installed."""
    from dbce.model.style import environment, template_file  # the library is an extra

    jinja = environment("dbce.history", template_file("dbce.history", "history.css"))
    jinja.filters |= filters
    return jinja.get_template("history.html").render(history=history)
