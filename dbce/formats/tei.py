"""Content as TEI-XML, with the elements and attributes that TEI Lite has.

Headings make divisions, nested by their level, since TEI has them only there; where a heading stands
in a list, a cell or a quotation it is a highlighted line.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import count

from dbce.archive import day_of
from dbce.formats.part import (
    BLOCKS,
    NO_CELL,
    Extract,
    Part,
    lone_line,
    numbers_of,
    parts_of,
    span_attributes,
    text_of,
)
from dbce.formats.places import absolute
from dbce.html import HEADINGS
from dbce.metadata import NAMES
from dbce.model import NOT_XML

NAMESPACE = "http://www.tei-c.org/ns/1.0"
HIGHLIGHTED = {
    "em": "italic",
    "strong": "bold",
    "sub": "subscript",
    "sup": "superscript",
    "del": "strikethrough",
}
LIST_TYPES = {"ul": "bulleted", "ol": "numbered", "dl": "gloss"}


def as_tei(page: Extract) -> str:
    """A page as a document of its own, without an XML declaration."""
    language = page.metadata.language
    attribute = f' xml:lang="{_quote(language)}"' if language else ""
    return (
        f'<TEI xmlns="{NAMESPACE}">\n{_header(page)}\n'
        f"<text{attribute}><body>\n{_divisions(page.titled_blocks) or '<p/>'}\n</body></text>\n</TEI>"
    )


def corpus_header() -> str:
    return (
        "<teiHeader><fileDesc><titleStmt><title>Main content of web pages</title></titleStmt>"
        "<publicationStmt><p>Extracted by dbce</p></publicationStmt>"
        "<sourceDesc><p>Archived web pages</p></sourceDesc></fileDesc></teiHeader>"
    )


def _header(page: Extract) -> str:
    metadata = page.metadata
    author = "".join(
        f"<author>{_text(name)}</author>" for name in (metadata.author or "").split("; ") if name
    )
    date = metadata.date
    published = f'<date when="{_quote(date)}">{_text(date)}</date>' if date else ""
    captured = day_of(page.timestamp) if page.timestamp else None
    site = f"<publisher>{_text(metadata.site_name)}</publisher>" if metadata.site_name else ""
    title = _text(metadata.title or page.url or "Untitled")
    target = f' target="{_target(link)}"' if (link := absolute("", page.url)) else ""
    address = f"<ref{target}>{_text(page.url)}</ref>" if page.url else ""
    source = f"<title>{title}</title>{author}{site}{published}{address}"
    ident = metadata.language or ""
    language = f'<language ident="{_quote(ident)}">{_text(ident)}</language>'
    profile = f"<profileDesc><langUsage>{language}</langUsage></profileDesc>\n" if ident else ""
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt><title>{title}</title>{author}</titleStmt>\n"
        f"<publicationStmt>{site or '<publisher/>'}{published}<idno>{_text(page.record_id)}</idno>"
        f"</publicationStmt>\n{_notes(page)}<sourceDesc><bibl>{source}"
        f"{_note('captured', captured)}{_place(page)}</bibl></sourceDesc>\n</fileDesc>\n"
        f"<encodingDesc><projectDesc><p>{_project(page)}</p></projectDesc>"
        f"</encodingDesc>\n{profile}</teiHeader>"
    )


def _place(page: Extract) -> str:
    """Notes on the archived record: its file, its offset there, the digest of its payload."""
    file, offset = (page.origin.filename, str(page.origin.offset)) if page.origin else ("", "")
    return _note("file", file) + _note("offset", offset) + _note("digest", page.digest)


def _project(page: Extract) -> str:
    if not page.text_record:
        by = f"dbce {page.version} ({page.model})" if page.version and page.model else "dbce"
        return _text(f"Main content, extracted by {by}")
    note = page.text_source.note
    return f"{note[0].upper()}{note[1:]}: {_text(page.text_record)}"


def _notes(page: Extract) -> str:
    row = page.metadata.row()
    sources = (_note("source", row[f"{name}_source"], name) for name in NAMES)
    notes = "".join((_note("description", row["description"]), *sources))
    return f"<notesStmt>{notes}</notesStmt>\n" if notes else ""


def _note(kind: str, text: str | None, name: str = "") -> str:
    of = f' n="{name}"' if name else ""
    return f'<note type="{kind}"{of}>{_text(text)}</note>' if text else ""


def _divisions(blocks: Iterable[Part]) -> str:
    pieces = []
    levels: list[int] = []
    for block in blocks:
        if block.tag not in HEADINGS:
            pieces.append(_block(block))
            continue
        level = int(block.tag[1])
        while levels and levels[-1] >= level:
            levels.pop()
            pieces.append("</div>")
        levels.append(level)
        pieces.append(f"<div>\n<head>{_line(block.children)}</head>")
    return "\n".join([*pieces, *("</div>" for _ in levels)])


def _block(part: Part) -> str:
    match part.tag:
        case "ul" | "ol" | "dl":
            return f'<list type="{LIST_TYPES[part.tag]}">{_items(part)}</list>'
        case "table":
            return f"<table>{''.join(map(_row, parts_of(part)))}</table>"
        case "caption":
            return f"<head>{'<lb/>'.join(_lines(part))}</head>"
        case "blockquote":
            return f"<q>{_content(part)}</q>"
        case "pre":
            return f'<p rend="preformatted"><code>{_line(part.children)}</code></p>'
        case tag if tag in HEADINGS:
            return f'<p><hi rend="{tag}">{_line(part.children)}</hi></p>'
    return f"<p>{_line(part.children)}</p>"


def _content(part: Part) -> str:
    line = lone_line(part.children)
    return "".join(map(_block, parts_of(part))) if line is None else _line(line)


def _items(part: Part) -> str:
    """The items; of a list of terms those without a term or without more have empty ones."""
    items = parts_of(part)
    if part.tag != "dl":
        numbers = numbers_of(items) if part.tag == "ol" else count(1)
        numbered = zip(items, numbers, count(1), strict=False)
        named = ((item, "" if n == usual else f' n="{n}"') for item, n, usual in numbered)
        return "".join(f"<item{n}>{_content(item)}</item>" for item, n in named)
    pieces = []
    before = "dd"
    for item in items:
        if item.tag == before:
            pieces.append("<label/>" if item.tag == "dd" else "<item/>")
        line = " ".join(_lines(item))
        pieces.append(
            f"<label>{line}</label>" if item.tag == "dt" else f"<item>{_content(item)}</item>"
        )
        before = item.tag
    return "".join([*pieces, *(["<item/>"] if before == "dt" else [])])


def _lines(part: Part) -> Iterator[str]:
    """The lines of a block, those of blocks in it too: a term of TEI holds no others."""
    if blocks := [child for child in parts_of(part) if child.tag in BLOCKS]:
        for block in blocks:
            yield from _lines(block)
    else:
        yield _line(part.children)


def _row(row: Part) -> str:
    if row.tag == "caption":
        return _block(row)
    filled = [cell for cell in parts_of(row) if cell.span != NO_CELL]
    label = all(cell.tag == "th" for cell in filled)
    role = "" if label else ' role="label"'
    cells = "".join(
        f"<cell{role if cell.tag == 'th' else ''}{span_attributes(cell, 'cols', 'rows')}>{_content(cell)}</cell>"
        for cell in filled
    )
    return f'<row role="label">{cells}</row>' if label else f"<row>{cells}</row>"


def _line(parts: Sequence[Part | str]) -> str:
    return "".join(map(_inline, parts))


def _inline(part: Part | str) -> str:
    if isinstance(part, str):
        return _text(part)
    inside = _line(part.children)
    match part.tag:
        case "br":
            return "<lb/>"
        case "math":
            return f'<formula notation="TeX">{inside}</formula>'
        case "input":
            return inside
        case "code":
            return f"<code>{_text(text_of(part.children))}</code>"
        case "a":
            return f'<ref target="{_target(part.link)}">{inside}</ref>'
        case "img":
            graphic = f'<graphic url="{_target(part.link)}"/>'
            return f"<figure>{graphic}<figDesc>{inside}</figDesc></figure>"
    return f'<hi rend="{HIGHLIGHTED[part.tag]}">{inside}</hi>'


def _text(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text), quote=False)


def _quote(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def _target(link: str) -> str:
    """A link as one pointer: white space would part several."""
    return _quote("%20".join(link.split()))
