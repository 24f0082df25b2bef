"""The gold file that people work on, and its journal beside it.

Whatever is said goes to FILE.journal first, then FILE is written anew from it. FILE is read by
`dbce evaluate` and `dbce train`; all that several people said, and in which order, is in the journal.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dbce.annotate.content.sayings import FIELDS, Sayings, event_of
from dbce.annotate.content.spans import Mark, Span, remainders
from dbce.annotate.core.file import GoldFile
from dbce.evaluate import read_gold
from dbce.evaluate.text.gold import by_kind
from dbce.model import UsageError
from dbce.storage import json_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dbce.annotate.content.sayings import About
    from dbce.annotate.content.spans import Piece
    from dbce.annotate.core.journal import Event

SOMEBODY = "gold"
"""Whose gold it is that does not name its annotators."""

_Place = tuple[str, str, int, int, str]


class Book(GoldFile):
    """A gold file that is open to be added to, by as many threads as like.

    Gold that is there without a journal is taken over first.

    Raises:
        UsageError: the file is no node gold, was changed by something else, cannot be written, or is
            open elsewhere.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "dbce label")

    def _open(self) -> None:
        self._said = self._replayed()
        self._lines = {one: _written(self._said.gold(one)) for one in self._said.captures}
        if self._said.captures:
            self._put(self._lines.values())

    def people(self) -> dict[str, list[str]]:
        """The record ids of what each person has spoken of, by name."""
        with self._turn:
            return self._said.people()

    def spans(self, by: str, record_id: str) -> Sequence[Span]:
        """What somebody says of a capture."""
        with self._turn:
            return self._said.spans(by, record_id)

    def pieces(self, record_id: str) -> list[Piece]:
        """The text of a capture with what each person, and a reviewer, says of it."""
        with self._turn:
            return self._said.pieces(record_id)

    def say(
        self,
        by: str,
        about: About,
        new: Sequence[Span],
        *,
        hidden: Sequence[Span],
        texts: Mapping[str, str],
    ) -> None:
        """Notes what somebody says of runs of a capture; it is saved when this returns.

        `hidden` are the runs that the page does not show; the rule for these comes first. `texts` has
        the text of every text node by its XPath.

        Raises:
            StoreError: it cannot be saved, and is not there.
        """
        record_id = about["record_id"]
        with self._turn:
            if hidden and not self._said.has_hidden(by, record_id):
                self._note(event_of(by, about, hidden, hidden=True))
            rest = remainders(self._said.spans(by, record_id), new, texts)
            self._note(event_of(by, about, [*rest, *new]))
            self._save(record_id)

    def settle(self, by: str, record_id: str, span: Span) -> None:
        """Notes a reviewer's decision on a text; it is saved when this returns.

        Raises:
            StoreError: as `say`.
        """
        with self._turn:
            self._note(event_of(by, self._said.captures[record_id], [span], settles=True))
            self._save(record_id)

    def undo(self, by: str, record_id: str) -> list[tuple[str, int, int]]:
        """Takes back what somebody said last of a capture; (xpath, start, end) of its runs.

        Nothing is taken back, and there are none, if nothing is left.
        """
        with self._turn:
            number = self._said.last(by, record_id)
            if number is None:
                return []
            runs = self._said.runs_of(number)
            self._note({"undo": number})
            self._save(record_id)
            return runs

    def _note(self, event: Event) -> None:
        self._journal.append(event)
        self._said.add(event)

    def _save(self, record_id: str) -> None:
        self._lines[record_id] = _written(self._said.gold(record_id))
        self._put(self._lines.values())

    def _replayed(self) -> Sayings:
        """What the journal says, after taking over gold that has none."""
        events = self._journal.events
        there = self.path.exists() and self.path.stat().st_size > 0
        if there and not events:
            self._journal.append(*_taken_over(self.path))
        try:
            said = Sayings(events)
        except (ValueError, LookupError, TypeError, AttributeError) as e:
            raise UsageError(f"{self._journal.path} is not what dbce label wrote: {e!r}") from e
        # The last event may have come to the journal only, before the machine died.
        if there and not any(_is_gold_of(one, self.path) for one in _last_two(said, events)):
            raise self._changed_elsewhere()
        return said


def _last_two(said: Sayings, events: Sequence[Event]) -> Iterable[Sayings]:
    yield said
    for missing in (1, 2):  # the rule for hidden texts speaks before the first label
        yield Sayings(events[:-missing])


def _taken_over(path: Path) -> list[Event]:
    """Node gold as events, one for each capture and annotator."""
    _, runs = by_kind(read_gold(str(path)))
    if not runs:
        raise UsageError(
            f"{path} holds gold of whole pages; name another file for that of text runs"
        )
    said: dict[tuple[str, str], tuple[About, list[Span]]] = {}
    for number, fields in json_objects(str(path)):
        record_id = fields["record_id"].strip("<>")
        about = {k: v for k, v in fields.items() if k not in FIELDS and k != "annotators"}
        who = fields.get("annotators")
        for name in who if isinstance(who, list) and who else [SOMEBODY]:
            about |= {"record_id": record_id}
            _, spans = said.setdefault((str(name), record_id), (about, []))
            spans.append(_span(fields, number))
    return [event_of(name, about, spans) for (name, _), (about, spans) in said.items()]


def _span(fields: dict[str, Any], number: int) -> Span:
    """A line of gold; those that do not say in which order their text nodes come, come as written."""
    node = fields.get("node")
    return Span(
        node=node if isinstance(node, int) else number,
        xpath=fields["xpath"],
        start=fields["start"],
        end=fields["end"],
        text=fields["text"],
        mark=Mark(fields["label"]),
    )


def _is_gold_of(said: Sayings, path: Path) -> bool:
    """Whether a file holds the gold of what was said."""
    ours = {_place(line) for record_id in said.captures for line in said.gold(record_id)}
    return ours == {_place(fields) for _, fields in json_objects(str(path))}


def _place(line: dict[str, Any]) -> _Place:
    record_id = str(line.get("record_id")).strip("<>")
    xpath, start, end, label = (line.get(name) for name in ("xpath", "start", "end", "label"))
    return (record_id, str(xpath), start or 0, end or 0, str(label))


def _written(lines: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
