"""The content of a page as a list of blocks, each with its source, for programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbce.formats.part import LISTS, Part, numbers_of, parts_of
from dbce.html import HEADINGS

TYPES = {
    "caption": "caption",
    "li": "item",
    "dt": "term",
    "dd": "definition",
    "th": "header",
    "td": "cell",
    "blockquote": "quotation",
}


@dataclass(frozen=True, slots=True)
class _Position:
    """Surroundings of a block: its innermost container, and its place in that."""

    kind: str = "paragraph"
    structure: int | None = None
    lists: int = 0
    quotations: int = 0
    number: int | None = None
    row: int | None = None
    column: int | None = None

    @property
    def level(self) -> int | None:
        """Lists around an item, quotations around a quotation."""
        depth = {"item": self.lists, "term": self.lists, "definition": self.lists}
        return {**depth, "quotation": self.quotations}.get(self.kind)


def block_rows(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    """The blocks in document order, as objects of JSON: docs/page-blocks.schema.json."""
    structure = 0
    for part in parts:
        if part.tag in (*LISTS, "table", "blockquote"):
            structure += 1
            yield from _part_rows(part, _Position(structure=structure))
        else:
            yield _row(part, _Position())


def _part_rows(part: Part, around: _Position) -> Iterator[dict[str, Any]]:
    if part.tag in LISTS:
        inside = replace(around, lists=around.lists + 1)
        items = parts_of(part)
        numbers = numbers_of(items) if part.tag == "ol" else [None] * len(items)
        for item, number in zip(items, numbers, strict=True):
            yield from _part_rows(item, replace(inside, number=number))
    elif part.tag == "table":
        captions = [each for each in parts_of(part) if each.tag == "caption"]
        for caption in captions:
            yield from _part_rows(caption, around)
        for row_number, row in enumerate(parts_of(part)[len(captions) :], start=1):
            for column, cell in enumerate(parts_of(row), start=1):
                yield from _part_rows(cell, replace(around, row=row_number, column=column))
    elif part.tag in TYPES:
        if part.tag == "blockquote":
            around = replace(around, quotations=around.quotations + 1, number=None)
        yield from _nested_rows(parts_of(part), replace(around, kind=TYPES[part.tag]))
    else:
        yield _row(part, around)


def _nested_rows(parts: Iterable[Part], around: _Position) -> Iterator[dict[str, Any]]:
    for part in parts:
        yield from _part_rows(part, around)
        # The number is that of the item, and not of all that is in it.
        around = replace(around, number=None)


def _row(part: Part, around: _Position) -> dict[str, Any]:
    kind, level = around.kind, around.level
    if part.tag in HEADINGS:
        kind, level = "heading", HEADINGS[part.tag]
    elif part.tag == "pre":
        kind, level = "code", None
    of_source = ("probability", "xpath", "start", "end")
    of_place = ("structure", "number", "row", "column")
    return {
        "type": kind,
        "level": level,
        "text": _text(part.children),
        **{name: getattr(part.source, name, None) for name in of_source},
        **{name: getattr(around, name) for name in of_place},
        "language": part.link or None if part.tag == "pre" else None,
    }


def _text(children: Iterable[Part | str]) -> str:
    texts = []
    for child in children:
        if isinstance(child, str):
            texts.append(child)
        elif child.tag == "math":
            sign = "$$" if child.link else "$"
            texts.append(f"{sign}{_text(child.children)}{sign}")
        else:
            texts.append("\n" if child.tag == "br" else _text(child.children))
    return "".join(texts)
