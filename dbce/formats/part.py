"""The content of a page as a small tree, from which all formats with markup are written; and the numbers of its lists."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dbce.html import HEADINGS, Details, elements_of_tags, enclosing_elements
from dbce.metadata import Metadata, names_page, title_keys, with_language_of
from dbce.model import Origin, Page, Status, TextSource

LISTS = ("ul", "ol", "dl")
ITEMS = ("li", "dt", "dd")
CELLS = ("th", "td")
BLOCKS = frozenset(
    {*HEADINGS, *LISTS, *ITEMS, *CELLS, "p", "pre", "blockquote", "table", "caption", "tr"}
)
NO_CELL = (0, 0)
CHECKED, UNCHECKED = "[x]", "[ ]"
NOTE_MARK = "note"  # `link` of a `sup` that leads to a note


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a block: the XPath of its element, its probability, first and end in the main text.

    The probability is None where none of its text was judged, as of an image; the places are None in the text of another page.
    """

    xpath: str
    probability: float | None
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the content, by its name in HTML: one of BLOCKS, or a, em, strong, code, sub, sup, del, br, img, math or input.

    Lists hold items, tables rows of cells behind a caption if they have one, and items, cells, captions and
    quotations blocks; all other blocks hold text and inline elements. `link` is where an `a` leads, the place of an `img` (its
    alternative text is its only child), the programming language of a `pre`, and "display" of a `math` that
    stands by itself (its TeX is its only child); NOTE_MARK of a `sup`. An `input` is a check box, with `[x]` or `[ ]` as its only child. `number` is that of an
    item of a numbered list as the page has it, None where it has none; `span` are the columns and rows of a
    cell, NO_CELL of a place that a cell beside or above it spans; `source` is that of a block with text where it was asked for.
    """

    tag: str
    children: tuple[Part | str, ...] = ()
    link: str = ""
    number: int | None = None
    span: tuple[int, int] = (1, 1)
    source: Source | None = field(default=None, compare=False, repr=False)


def parts_of(part: Part) -> list[Part]:
    return [child for child in part.children if isinstance(child, Part)]


def text_of(parts: Sequence[Part | str]) -> str:
    """The text of inline parts without their markup; a line break is a space."""
    if len(parts) == 1 and isinstance(text := parts[0], str):  # as most
        return text
    return "".join(
        part if isinstance(part, str) else " " if part.tag == "br" else text_of(part.children)
        for part in parts
    )


def mean_probability(weighted: Iterable[tuple[int, float]]) -> float | None:
    """The mean of some probabilities, each behind its weight; None of none."""
    pairs = list(weighted)
    total = sum(weight for weight, _ in pairs)
    return round(sum(weight * each for weight, each in pairs) / total, 2) if total else None


def number_in_common(path: Iterable[object], other: Iterable[object]) -> int:
    """The number of items that are the same from the beginning on."""
    # A loop, since it is asked for each text: half the time of `takewhile`.
    number = 0
    for first, second in zip(path, other, strict=False):
        if first != second:
            break
        number += 1
    return number


def lone_line(parts: Sequence[Part | str]) -> tuple[Part | str, ...] | None:
    """Line of an item or cell with a single paragraph; None of any other."""
    if len(parts) == 1 and isinstance(part := parts[0], Part) and part.tag == "p":
        return part.children
    return None if parts else ()


def without_links(parts: Iterable[Part | str]) -> Iterator[Part | str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif part.tag == "a":
            yield from without_links(part.children)
        else:
            yield replace(part, children=tuple(without_links(part.children)))


def paragraphs_of(text: str) -> tuple[Part, ...]:
    return tuple(Part("p", (line,)) for line in text.split("\n"))


def with_stored_text(page: Extract, text: str, record: str, *, markup: bool) -> Extract:
    """The page with a text that is not classified, stored by its crawler or in its JSON-LD; with `markup` each line is a paragraph."""
    blocks = paragraphs_of(text) if markup else ()
    title = page.metadata.title or ""
    return replace(
        page,
        metadata=with_language_of(page.metadata, text),
        text=text,
        blocks=blocks,
        title=title if blocks and title not in text.split("\n") else "",
        model="",
        text_record=record,
    )


def span_attributes(cell: Part, columns: str, rows: str) -> str:
    """The span of a cell as attributes of these names, without what is 1."""
    named = zip((columns, rows), cell.span, strict=True)
    return "".join(f' {name}="{number}"' for name, number in named if number > 1)


def headings_of(parts: Sequence[Part | str]) -> Iterator[tuple[int, str]]:
    for part in parts:
        if not isinstance(part, str):
            if part.tag in HEADINGS:
                yield HEADINGS[part.tag], text_of(part.children)
            else:
                yield from headings_of(part.children)


@dataclass(frozen=True, slots=True)
class Extract:
    """The content of a judged capture, and the metadata of its page.

    `origin` is the place of its record, None of a page that is in no file. `text` is the main content as
    plain text; `blocks` the same with its markup, empty for formats
    that have none; `title` the page's title where no heading of its blocks shows it. `timestamp` is None where nobody knows when the page was captured.
    `digest` is that of the payload, `version` and `model` are those of dbce that judged the page. `text_record` is the
    record of a text that the crawler stored (`dbce.model.StoredText`), "" where the text is the page's own.
    """

    record_id: str
    url: str
    surt: str
    timestamp: datetime | None
    status: Status
    metadata: Metadata
    text: str
    origin: Origin | None = None
    blocks: tuple[Part, ...] = ()
    title: str = ""
    digest: str = ""
    version: str = ""
    model: str = ""
    text_record: str = ""

    @property
    def text_source(self) -> TextSource:
        return TextSource.of_record(self.text_record)

    @property
    def titled_blocks(self) -> tuple[Part, ...]:
        """The blocks as people read them: the title opens them where no heading shows it.

        A first paragraph that is the title becomes the heading.
        """
        if not self.title:
            return self.blocks
        first, rest = self.blocks[:1], self.blocks[1:]
        if first and first[0].tag == "p":
            line = text_of(first[0].children)
            if names_page(line, title_keys([self.title])):
                return (replace(first[0], tag="h1", children=(line,)), *rest)
        return (Part("h1", (self.title,)), *self.blocks)


# Numbers of the items of lists, as a page has them (HTML Standard, 4.4.5 and 4.4.8).

INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?)(?=[0-9])0*([0-9]*)")

LARGEST = 2**31 - 1
"""Largest number that browsers know; what is larger is a slip, and counts as if it were not there."""

# Styles of numbered lists whose items have signs or numbers of their own; editors write such in `data-list`.
UNNUMBERED = re.compile(r"list-style(?:-type)?\s*:[^;]*\b(?:none|disc|circle|square)\b")
LIST_ELEMENTS = frozenset({"ol", "ul", "menu", "dir"})


def integer(text: str | None) -> int | None:
    """Integer at the beginning of an attribute, as browsers read it; None where there is none."""
    integer_text = INTEGER.match(text or "")
    # More digits than the largest has are not read: Python refuses thousands of them.
    if integer_text is None or len(integer_text[2]) > len(str(LARGEST)):
        return None
    number = int(f"{integer_text[1]}{integer_text[2] or 0}")
    return number if abs(number) <= LARGEST else None


def item_numbers(page: Page, details: Details) -> dict[int, int]:
    """The number of each item of a numbered list, by element, items that are no content counted too."""
    items = _items(page)
    numbers: dict[int, int] = {}
    for ol, of_list in items.items():
        attributes = details.get(ol, {})
        step = -1 if "reversed" in attributes else 1
        is_plain = UNNUMBERED.search(attributes.get("style", "")) is not None
        start = integer(attributes.get("start"))
        number = start if start is not None else len(of_list) if step < 0 else 1
        for item in of_list:
            of_item = details.get(item, {})
            if of_item.get("data-list", "ordered") != "ordered" or is_plain:
                continue
            value = integer(of_item.get("value"))
            number = number if value is None else value
            numbers[item] = number
            number += step
    return numbers


def numbers_of(items: Iterable[Part]) -> Iterator[int]:
    """The numbers of the items of a list; one without goes on from the one before."""
    last = 0
    for item in items:
        last = last + 1 if item.number is None else item.number
        yield last


def table_rows(page: Page, table_of: Sequence[int]) -> defaultdict[int, dict[int, list[int]]]:
    """For each table its rows and their cells, by elements; a row is also what holds cells in the place of one."""
    rows: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
    for element, (tag, table) in enumerate(zip(page.tags, table_of, strict=True)):
        if tag == "tr":
            rows[table].setdefault(element, [])
        elif tag in CELLS:
            rows[table].setdefault(page.parents[element], []).append(element)
    return rows


def _items(page: Page) -> dict[int, list[int]]:
    """The items of each numbered list, in order: an item is one of the nearest list around it."""
    items: dict[int, list[int]] = defaultdict(list)
    if "ol" not in page.tags:
        return items
    list_of = enclosing_elements(page, elements_of_tags(page, *LIST_ELEMENTS))
    for element in sorted(elements_of_tags(page, "li")):
        if (above := list_of[element]) >= 0 and page.tags[above] == "ol":
            items[above].append(element)
    return items
