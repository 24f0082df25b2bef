"""The prose of the sample: texts written for it, kept as plain text files beside this module.

A text opens with `key: value` lines; after a blank line every line is a block, told by how it
starts: `## ` a sub-heading, `> ` a quotation, `! ` a caption, `- ` a list item, `1. ` a step,
`% ` a reader's comment, anything else a paragraph. `@2 ` before a block says that it appeared with
the third crawl. `{teh|the}` was corrected with the third crawl. `*word*`, `**word**` and
`[word](/path)` are inline markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files

CORRECTED_AT = 2  # the crawl from which on corrections are seen
_KINDS = {"## ": "heading", "> ": "quote", "! ": "caption", "- ": "item", "% ": "comment"}
_SINCE = re.compile(r"@(\d) ")
_STEP = re.compile(r"\d+\. ")
_CORRECTION = re.compile(r"\{([^|{}]*)\|([^|{}]*)\}")


@dataclass(frozen=True, slots=True)
class StoryBlock:
    """A paragraph or its like; `since` is the first crawl that sees it."""

    kind: str
    text: str
    since: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """One text with what its template prints around it; facts that it lacks are ""."""

    path: str
    section: str
    title: str
    date: date
    blocks: tuple[StoryBlock, ...]
    author: str = ""
    kicker: str = ""
    tags: str = ""
    issue: str = ""
    portions: str = ""
    time: str = ""
    level: str = ""

    def at(self, crawl: int) -> Story:
        """The piece as that crawl finds it: later blocks absent, corrections made or not yet."""
        chosen = r"\2" if crawl >= CORRECTED_AT else r"\1"
        blocks = (
            replace(block, text=_CORRECTION.sub(chosen, block.text))
            for block in self.blocks
            if block.since <= crawl
        )
        return replace(self, blocks=tuple(blocks))

    def of(self, *kinds: str) -> tuple[str, ...]:
        """The texts of the blocks of these kinds, in order."""
        return tuple(block.text for block in self.blocks if block.kind in kinds)


def shelf(name: str) -> tuple[Story, ...]:
    """All pieces of one folder of `prose/`, in the order of their file names."""
    folder = files("scripts.sample") / "prose" / name
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return tuple(read(entry.read_text(encoding="utf-8")) for entry in entries)


def furniture(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a file of `prose/furniture/`, each split at its ` | `."""
    text = (files("scripts.sample") / "prose" / "furniture" / f"{name}.txt").read_text("utf-8")
    return tuple(tuple(line.split(" | ")) for line in text.splitlines())


def read(text: str) -> Story:
    """The piece that a prose file's text describes."""
    head, _, body = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    published = date.fromisoformat(facts.pop("date"))
    blocks = tuple(_block(line) for line in body.splitlines() if line)
    return Story(date=published, blocks=blocks, **facts)


def _block(line: str) -> StoryBlock:
    since = 0
    if later := _SINCE.match(line):
        since, line = int(later[1]), line[later.end() :]
    for mark, kind in _KINDS.items():
        if line.startswith(mark):
            return StoryBlock(kind, line.removeprefix(mark), since)
    if step := _STEP.match(line):
        return StoryBlock("step", line[step.end() :], since)
    return StoryBlock("paragraph", line, since)
