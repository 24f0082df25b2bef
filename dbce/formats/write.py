"""The formats of `dbce text`: the text of a page by itself, and of many in a row."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, count
from typing import Any, Literal, get_args
from urllib.parse import quote

from dbce.archive import timestamp14
from dbce.formats.blocks import block_rows
from dbce.formats.chunks import Chunking, chunks
from dbce.formats.markdown import as_markdown
from dbce.formats.part import (
    CELLS,
    CHECKED,
    ITEMS,
    NO_CELL,
    Extract,
    Part,
    headings_of,
    lone_line,
    numbers_of,
    parts_of,
    span_attributes,
    text_of,
    without_links,
)
from dbce.formats.tei import NAMESPACE, as_tei, corpus_header
from dbce.metadata import COLUMNS
from dbce.model import UsageError, printable

VERSION = CHUNK_VERSION = 1
"""Versions of the forms of blocks and of chunks: one higher when a value goes or means another thing, not when one comes."""

Links = Literal["keep", "text", "end"]
"""Forms of links: in their line, as their texts alone, or as references to addresses at the end."""

PLACE = ("warc_filename", "warc_record_offset")
"""Names of the place of a record; the format of blocks has others for them."""

FIELDS = (
    *("record_id", "url", "timestamp", *COLUMNS, *PLACE),
    *("content_digest", "dbce_version", "dbce_model", "text_source", "text_record", "text"),
)
"""The values of a page in JSON lines and CSV."""

PROVENANCE = ("record_id", *PLACE, "content_digest", "dbce_version", "dbce_model", "text_record")
"""Values about the record of a text and about the software that made it."""

FRONT_MATTER = {
    **{name: name for name in ("title", "author", "date", "url")},
    "captured": "timestamp",
    "site": "site_name",
    "language": "language",
    "record_id": "record_id",
    "digest": "content_digest",
}
"""Values before a page of Markdown, and as which of FIELDS they are known."""

_LINE_BREAK = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
"""Line breaks of YAML 1.1 and what it forbids, beyond those that JSON escapes."""

ATTRIBUTE = {"a": "href", "img": "src"}
_UNQUOTED = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""Beginnings of what spreadsheets compute, the last four in full width (OWASP, CSV Injection)."""

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write pages.

    `entry` gives the text of a page among others, between `head` and `foot`, with its place among them from 1 on;
    `content` that of a page by itself, None where it is the same. `markup` tells whether it takes the blocks of
    a page, `sources` whether it takes their sources too; `metadata` whether an entry shows the page's metadata,
    `alone_metadata` whether the page by itself does.
    """

    entry: Callable[[Extract, int], str]
    content: Callable[[Extract], str] | None = None
    markup: bool = False
    sources: bool = False
    metadata: bool = True
    alone_metadata: bool = True
    head: str = ""
    foot: str = ""

    def alone(self, page: Extract) -> str:
        return self.content(page) if self.content else "".join(write_pages([page], self))


def write_pages(pages: Iterable[Extract], form: Format) -> Iterator[str]:
    return chain([form.head], map(form.entry, pages, count(1)), [form.foot])


def format_of(
    name: str,
    links: Links = "keep",
    *,
    guarded: bool = False,
    front_matter: bool = False,
    chunking: Chunking | None = None,
) -> Format:
    """The format of a name, one of FORMATS, with links in a form.

    With `guarded`, no value of CSV begins as a formula of spreadsheets does; other formats are as without. With `front_matter`
    each page of Markdown begins with its metadata. `chunking` is that of chunks.

    Raises:
        UsageError: there is no such format, or it has no links of that form, or no front matter, or chunks have no such size.
    """
    if name not in FORMATS:
        raise UsageError(f"no format {name!r}; choose one of {', '.join(FORMATS)}")
    if front_matter and name != "markdown":
        raise UsageError(f"{name} has no front matter; markdown has")
    form = GUARDED_CSV if guarded and name == "csv" else FORMATS[name]
    if chunking:
        form = chunk_format(chunking)
    if name == "markdown" and links in get_args(Links):
        form = _markdown_format(references=links == "end", front_matter=front_matter)
    elif links != "keep" and (links != "text" or not form.markup):
        raise UsageError(f"{name} cannot have links as {links!r}; leave that out")
    if links != "text":
        return form
    return replace(
        form,
        content=lambda page: form.alone(_without_links(page)),
        entry=lambda page, place: form.entry(_without_links(page), place),
    )


def _without_links(page: Extract) -> Extract:
    blocks = (block for block in without_links(page.blocks) if isinstance(block, Part))
    return replace(page, blocks=tuple(blocks))


def _stamp(page: Extract) -> str | None:
    return None if page.timestamp is None else timestamp14(page.timestamp)


def _name(page: Extract) -> str:
    """Name of a page among others: its URL and time, as far as known."""
    return printable(" ".join(filter(None, (page.url, _stamp(page)))) or page.record_id)


def _fields(page: Extract) -> dict[str, Any]:
    origin = page.origin
    values = (
        *(page.record_id, page.url, _stamp(page), *page.metadata.row().values()),
        *((origin.filename, origin.offset) if origin else (None, None)),
        *(page.digest or None, page.version or None, page.model or None),
        *(page.text_source.value, page.text_record or None, page.text),
    )
    return dict(zip(FIELDS, values, strict=True))


def _json_line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"


def _json_with_headings(page: Extract, _: int) -> str:
    outline = [{"level": level, "text": text} for level, text in headings_of(page.blocks)]
    return _json_line(_fields(page) | {"headings": outline})


def _blocks(page: Extract, _: int) -> str:
    record = {name: getattr(page.origin, name, None) for name in ("filename", "offset", "length")}
    fields = {name: value for name, value in _fields(page).items() if name not in PLACE}
    blocks = [*block_rows(page.blocks)]
    return _json_line({"version": VERSION, **fields, **record, "blocks": blocks})


def chunk_format(chunking: Chunking) -> Format:
    """The format of chunks of a size; UsageError if there is no such tokenizer or size."""
    counter = chunking.counter()

    def entry(page: Extract, _: int) -> str:
        parts = chunks(page.blocks, page.text, chunking.size, counter)
        about = {"version": CHUNK_VERSION, **_fields(page)}
        del about["text"]
        return "".join(_json_line(about | chunk) for chunk in parts)

    return Format(entry, markup=True, sources=True)


def _csv_row(values: Iterable[str | None]) -> str:
    stream = io.StringIO()
    # As all other outputs end their lines; that of the module would be \r\n.
    csv.writer(stream, lineterminator="\n").writerow(values)
    return stream.getvalue()


def _guarded_csv(page: Extract, _: int) -> str:
    values = _fields(page).values()
    return _csv_row(
        f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
        for value in values
    )


def _markdown_format(*, references: bool = False, front_matter: bool = False) -> Format:
    """Markdown, with the addresses of links as `references`, and `front_matter` or a comment before each page."""
    before = _front_matter if front_matter else _comment

    def content(page: Extract) -> str:
        return as_markdown(page.titled_blocks, "" if references else None)

    def entry(page: Extract, place: int) -> str:
        # In one document each name of a reference means one address.
        names = f"{place}." if references else None
        return f"{before(page)}{as_markdown(page.titled_blocks, names)}\n\n"

    return Format(entry, content, markup=True, metadata=front_matter, alone_metadata=False)


def _front_matter(page: Extract) -> str:
    """Metadata as YAML between two lines of hyphens; a string of JSON is one of YAML."""
    fields = _fields(page)
    values = {name: fields[source] for name, source in FRONT_MATTER.items()}
    lines = "".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in values.items()
        if value is not None
    )
    escaped = _LINE_BREAK.sub(lambda sign: f"\\u{ord(sign[0]):04x}", lines)
    return f"---\n{escaped}---\n\n"


def _comment(page: Extract) -> str:
    comment = f"{_name(page)}\n{_provenance(page)}".replace("--", "%2D%2D")
    return f"<!-- {comment} -->\n\n"


def _provenance(page: Extract) -> str:
    """Return what PROVENANCE names, as far as it is known: NAME=VALUE with a space between, and white space and controls of values as in URLs.

    Behind it stands whose text it is where that is not judged.
    """
    fields = _fields(page)
    known = ((name, str(fields[name])) for name in PROVENANCE if fields[name] is not None)
    values = [
        f"{name}={_UNQUOTED.sub(lambda sign: quote(sign[0]), value)}" for name, value in known
    ]
    return " ".join([*values, *([f"({page.text_source.note})"] if page.text_record else [])])


def as_html(blocks: Iterable[Part]) -> str:
    """The blocks as plain HTML, one a line: no classes, no styles, no scripts."""
    return "\n".join(map(_element, blocks))


def _element(part: Part | str) -> str:
    if isinstance(part, str):
        return escape(part, quote=False)
    if part.tag == "br":
        return "<br>"
    if part.tag == "math":
        # As KaTeX and MathJax look for TeX in a page.
        begin, end = (r"\[", r"\]") if part.link else (r"\(", r"\)")
        return f"{begin}{escape(text_of(part.children), quote=False)}{end}"
    if part.tag == "input":
        checked = " checked" if text_of(part.children) == CHECKED else ""
        return f'<input type="checkbox" disabled{checked}>'
    if part.tag == "img":
        return f'<img src="{escape(part.link)}" alt="{escape("".join(map(str, part.children)))}">'
    # Of an item or cell with one paragraph only its line.
    line = lone_line(part.children) if part.tag in (*ITEMS, *CELLS, "caption") else None
    inside = "".join(map(_element, part.children if line is None else line))
    if part.tag == "pre":
        language = f' class="language-{escape(part.link)}"' if part.link else ""
        return f"<pre><code{language}>{inside}</code></pre>"
    if part.tag == "ol":
        return _numbered_list(part)
    if part.span == NO_CELL:
        return ""
    link = f' {ATTRIBUTE[part.tag]}="{escape(part.link)}"' if part.tag in ATTRIBUTE else ""
    return f"<{part.tag}{link}{span_attributes(part, 'colspan', 'rowspan')}>{inside}</{part.tag}>"


def _numbered_list(part: Part) -> str:
    """A numbered list; what browsers would not count so has its number with it."""
    items = parts_of(part)
    numbers = list(numbers_of(items))
    start = f' start="{numbers[0]}"' if numbers[0] != 1 else ""
    expected = [numbers[0], *(number + 1 for number in numbers)]
    inside = "".join(
        _element(item)
        if number == counted
        else _element(item).replace("<li>", f'<li value="{number}">', 1)
        for item, number, counted in zip(items, numbers, expected, strict=False)
    )
    return f"<ol{start}>{inside}</ol>"


def _html_entry(page: Extract, _: int) -> str:
    values = {
        "lang": page.metadata.language,
        "data-url": page.url,
        "data-timestamp": _stamp(page),
        "title": page.text_source.note if page.text_record else None,
        "data-text-record": page.text_record,
        "data-record-id": page.record_id,
        "data-warc-filename": page.origin and page.origin.filename,
        "data-warc-record-offset": page.origin and str(page.origin.offset),
        "data-content-digest": page.digest,
        "data-software": page.version and f"dbce/{page.version}",
        "data-model": page.model,
    }
    attributes = "".join(f' {name}="{escape(text)}"' for name, text in values.items() if text)
    return f"<article{attributes}>\n{as_html(page.titled_blocks)}\n</article>\n"


FORMATS = {
    "jsonl": Format(lambda page, _: _json_line(_fields(page))),
    "txt": Format(
        lambda page, _: f"# {_name(page)}\n# {_provenance(page)}\n\n{page.text}\n\n",
        lambda page: page.text,
        metadata=False,
        alone_metadata=False,
    ),
    "markdown": _markdown_format(),
    "html": Format(
        _html_entry,
        lambda page: as_html(page.titled_blocks),
        markup=True,
        alone_metadata=False,
        head='<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"><title>Main content</title></head>\n'
        "<body>\n",
        foot="</body>\n</html>\n",
    ),
    "csv": Format(lambda page, _: _csv_row(_fields(page).values()), head=_csv_row(FIELDS)),
    "tei": Format(
        lambda page, _: f"{as_tei(page)}\n",
        lambda page: f"{DECLARATION}{as_tei(page)}\n",
        markup=True,
        head=f'{DECLARATION}<teiCorpus xmlns="{NAMESPACE}">\n{corpus_header()}\n',
        foot="</teiCorpus>\n",
    ),
    "blocks": Format(_blocks, markup=True, sources=True),
    "chunks": chunk_format(Chunking()),
}
"""Text formats, by name."""

GUARDED_CSV = replace(FORMATS["csv"], entry=_guarded_csv)
"""CSV that a spreadsheet opens without computing what a page says."""

JSON_WITH_HEADINGS = Format(_json_with_headings, markup=True)
"""JSON lines with the headings of each page, their levels and texts, as a last value."""
