"""Gold: content as labelled by people, page by page or text run by text run.

Both kinds are JSON lines (docs/formats.md); the fields of a file's first object show its kind.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from dbce.model import Label, UsageError
from dbce.storage import read_json_objects

COMMENT = "comment"
"""Label of users' comments in node gold: boilerplate, or content to a run that keeps comments."""

LABELS = {
    Label.CONTENT.value: Label.CONTENT,
    Label.BOILERPLATE.value: Label.BOILERPLATE,
    COMMENT: Label.BOILERPLATE,
}
"""Labels in node gold, and their meaning where comments are dropped; invalid is no truth."""

COMMENTS = "gold_text_comments"


class Segments(NamedTuple):
    """Segments that a page's main text has, and segments of the page that it has not."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldText:
    """The true main text of a page.

    `page` is a record id or, where the gold has none, a URL; `group` the value of the field by
    which scores are grouped, "" where it is missing. `comments` are those of users, None where the
    gold has none labelled. For gold of parts alone `text` is "", and `segments` has them.
    """

    page: str
    text: str
    group: str
    comments: str | None = None
    segments: Segments | None = None


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """A text run and its label, in gold or as a verdict.

    `start` and `end` are characters of the text node that `xpath` finds; `text` is the run with
    its white space normalised. Only gold has a `group` (as in `GoldText`) and `comment`, true
    for one of a user, only a verdict a `probability` that it is content.
    """

    record_id: str
    xpath: str
    start: int
    end: int
    text: str
    label: Label
    group: str = ""
    probability: float | None = None
    comment: bool = False


Gold = tuple[GoldText, ...] | tuple[LabelledRun, ...]


def by_kind(gold: Gold) -> tuple[tuple[GoldText, ...], tuple[LabelledRun, ...]]:
    """Return the gold as text gold and node gold, one of which is empty."""
    texts = tuple(entry for entry in gold if isinstance(entry, GoldText))
    return texts, tuple(entry for entry in gold if isinstance(entry, LabelledRun))


def with_comments(gold: Gold, comments: str) -> Gold:
    """Return the gold for a run that drops or keeps `comments` ("drop", "keep"); kept ones are content in node gold."""
    texts, runs = by_kind(gold)
    if comments != "keep" or texts:
        return gold
    return tuple(replace(run, label=Label.CONTENT) if run.comment else run for run in runs)


def read_gold(uri: str, group: str = "site") -> Gold:
    """Return all gold of a file, in its order; of two texts for one page the later one.

    Raises UsageError: the file cannot be read, holds nothing, or has a line that is no gold.
    """
    by_run: bool | None = None

    def parse(fields: dict[str, Any]) -> GoldText | LabelledRun:
        nonlocal by_run
        by_run = "xpath" in fields if by_run is None else by_run
        return _run(fields, group) if by_run else _text(fields, group)

    entries = list(read_json_objects(uri, parse))
    if not entries:
        raise UsageError(f"{uri} holds no gold; write one JSON object a line")
    texts = {entry.page: entry for entry in entries if isinstance(entry, GoldText)}
    return tuple(texts.values()) or tuple(e for e in entries if isinstance(e, LabelledRun))


def _text(fields: dict[str, Any], group: str) -> GoldText:
    page = _name(fields, "record_id" if fields.get("record_id") else "url")
    name = "gold_text" if "gold_text" in fields else "text"
    # A page without content may have null.
    text = "" if fields.get(name, "") is None else _string(fields, name)
    comments = None if fields.get(COMMENTS) is None else _string(fields, COMMENTS)
    segments = Segments(*(() if text else _strings(fields, n) for n in ("with", "without")))
    return GoldText(
        page.strip("<>"),
        text,
        str(fields.get(group, "")),
        comments,
        segments if any(segments) else None,
    )


def _strings(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    values = fields.get(name) or []
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        return tuple(values)
    raise ValueError(f"{name} is {values!r}; it must be a list of strings")


def _run(fields: dict[str, Any], group: str) -> LabelledRun:
    start, end = (_offset(fields, name) for name in ("start", "end"))
    if not start < end:
        raise ValueError(f"start is {start} and end {end}; a run has at least one character")
    label = fields.get("label")
    if not isinstance(label, str) or label not in LABELS:
        raise ValueError(f"label is {label!r}; it must be one of {', '.join(LABELS)}")
    return LabelledRun(
        record_id=_name(fields, "record_id").strip("<>"),
        xpath=_name(fields, "xpath"),
        start=start,
        end=end,
        text=_string(fields, "text"),
        label=LABELS[label],
        comment=label == COMMENT,
        group=str(fields.get(group, "")),
    )


def _name(fields: dict[str, Any], name: str) -> str:
    if text := _string(fields, name):
        return text
    raise ValueError(f"{name} is empty")


def _string(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise ValueError(f"no {name}" if value is None else f"{name} is {value!r}, not a string")


def _offset(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    if type(value) is int and value >= 0:
        return value
    raise ValueError(f"{name} is {value!r}; it must be a whole number from 0 on")
