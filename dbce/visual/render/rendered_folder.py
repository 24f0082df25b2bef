"""Reading the folder of `dbce render`: pages in sequence, and single ones directly.

Pages without a screenshot are drawn from their boxes, styles and texts, for people to look at. All functions of a
folder raise UsageError if it has no finished rendering.
"""

import json
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from html import escape
from itertools import accumulate
from typing import NamedTuple

import pyarrow as pa

from dbce.archive import read_reply_at
from dbce.model import NOT_XML, Limits, NotInRun, UsageError
from dbce.output import Row, table_at
from dbce.storage import Folder, SealedFolder, open_parquet
from dbce.visual import Element, Rect, RenderedPage, Style, Text
from dbce.visual.render.outputs import ELEMENTS, MANIFEST, TEXTS, page_of, screenshots_of

RENDERED = "rendered"  # the folder, in that of a run or by itself, which `dbce render` writes to

PICTURES_HOW = "dbce render with --pictures, and --overwrite, takes them"

ROWS = 20_000  # rows of a table read at a time


def open_rendered(folder: str) -> Folder:
    rendered = SealedFolder(Folder(folder).subfolder(RENDERED).uri)
    if not rendered.exists(MANIFEST):
        raise UsageError(f"{folder} holds no rendered pages; dbce render INPUT --out {folder}")
    return rendered


def open_pictures(folder: str) -> Folder:
    """Return the rendered pages of a folder with screenshots; UsageError if it was rendered without them."""
    rendered = open_rendered(folder)
    if not json.loads(rendered.read(MANIFEST))["config"]["pictures"]:
        raise UsageError(f"{folder} was rendered without pictures; {PICTURES_HOW}")
    return rendered


def read_rendered(folder: str) -> Iterator[RenderedPage]:
    """Yield all rendered pages, file by file, in the order of their records."""
    for name in rendered_names(folder):
        yield from rendered_pages(folder, name)


def rendered_names(folder: str) -> list[str]:
    """Return the names of the tables of each file, or of its pieces, perhaps other than those of a run."""
    names = open_rendered(folder).names("pages/*.parquet")
    return [name.removeprefix("pages/") for name in names]


def rendered_pages(folder: str, name: str) -> Iterator[RenderedPage]:
    """Yield the pages of one file, in the order of their records."""
    for _, page in pages_of_file(open_rendered(folder), name):
        yield page


def rendered_ids(folder: str, name: str) -> list[str]:
    """Return the record ids of the rendered pages of one file, in the order of their records."""
    rows = page_rows(open_rendered(folder), name, ["record_id", "status"])
    return [row["record_id"] for row in rows]


def page_rows(folder: Folder, name: str, columns: list[str] | None = None) -> Iterator[Row]:
    """Yield the rows of the rendered pages of a file."""
    with open_parquet(folder, f"pages/{name}") as table:
        for batch in table.iter_batches(columns=columns):
            yield from (row for row in batch.to_pylist() if row["status"] == "rendered")


def pages_of_file(folder: Folder, name: str) -> Iterator[tuple[Row, RenderedPage]]:
    elements = _Rows(folder, f"elements/{name}", ELEMENTS)
    texts = _Rows(folder, f"texts/{name}", TEXTS)
    for row in page_rows(folder, name):
        yield row, page_of(row, elements.take(row["elements"]), texts.take(row["texts"]))


class _Rows:
    """The rows of a table, read on demand."""

    def __init__(self, folder: Folder, name: str, schema: pa.Schema) -> None:
        self._batches = self._read(folder, name)
        self._buffer = schema.empty_table()

    @staticmethod
    def _read(folder: Folder, name: str) -> Iterator[pa.Table]:
        with open_parquet(folder, name) as table:
            for batch in table.iter_batches(ROWS):
                yield pa.Table.from_batches([batch])

    def take(self, count: int) -> pa.Table:
        parts = [self._buffer]
        while sum(map(len, parts)) < count:
            batch = next(self._batches, None)
            if batch is None:
                raise UsageError("a table of the rendered pages is shorter than it should be")
            parts.append(batch)
        rows = pa.concat_tables(parts)
        self._buffer = rows.slice(count)
        return rows.slice(0, count)


SHOWN = frozenset("canvas embed iframe img input object picture select svg textarea video".split())
"""Elements drawn as a frame: their contents are in no table."""

BASELINE = 0.78
"""Share of a line's height above the baseline, about that of all common fonts."""


def wireframe(page: RenderedPage) -> bytes:
    """Return an SVG image of a page: backgrounds, frames for pictures, and its texts line by line.

    It is self-contained, without scripts. Later elements are over earlier ones, whatever their z-index.
    """
    width, height = page.size
    shapes = "".join(shape for _, shape in sorted([*_elements(page), *_texts(page)]))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>'
        f"{shapes}</svg>\n"
    )
    return svg.encode()


def _elements(page: RenderedPage) -> Iterator[tuple[int, str]]:
    for element in page.elements:
        style = page.styles[element.style]
        if element.rect and _is_seen(style) and (look := _look(element, style)):
            x, y, w, h = element.rect
            place = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"'
            yield element.order, f"<rect {place} {look}/>"


def _look(element: Element, style: Style) -> str:
    if element.tag in SHOWN:
        return 'fill="#eee" stroke="#999"'
    color = style.background_color
    if color in ("", "transparent") or color.replace(" ", "").endswith(",0)"):
        return ""
    return f'fill="{escape(color)}"'


def _texts(page: RenderedPage) -> Iterator[tuple[int, str]]:
    for text in page.texts:
        style = page.styles[page.elements[text.parent].style]
        if text.rects and _is_seen(style):
            look = (
                f'font-size="{style.font_size:g}" font-weight="{style.font_weight}" '
                f'font-style="{escape(style.font_style)}" fill="{escape(style.color)}"'
            )
            lines = "".join(_line(rect, words) for rect, words in _lines(text) if words)
            yield text.order, f"<g {look}>{lines}</g>"


def _lines(text: Text) -> Iterator[tuple[Rect, str]]:
    """Yield the lines of a text with their words, split by the widths of lines: line breaks are not stored."""
    words = NOT_XML.sub("", text.text).split()
    ends = list(accumulate(rect.w for rect in text.rects))
    letters = sum(map(len, words)) or 1
    line_words: list[list[str]] = [[] for _ in ends]
    letters_before = 0
    for word in words:
        middle = (letters_before + len(word) / 2) / letters * ends[-1]
        line_words[min(bisect_right(ends, middle), len(ends) - 1)].append(word)
        letters_before += len(word)
    for rect, line in zip(text.rects, line_words, strict=True):
        yield rect, " ".join(line)


def _line(rect: Rect, words: str) -> str:
    x, y, w, h = rect
    place = f'x="{x:g}" y="{y + BASELINE * h:g}" textLength="{max(w, 1):g}"'
    return f'<text {place} lengthAdjust="spacingAndGlyphs">{escape(words)}</text>'


def _is_seen(style: Style) -> bool:
    return style.visibility == "visible" and style.opacity > 0


class _Place(NamedTuple):
    """A page's row, the name of its tables, and the first rows of its elements and texts in them."""

    row: Row
    base: str
    elements: int
    texts: int


class Picture(NamedTuple):
    """An image of a whole page for people to look at: its screenshot, or a wireframe of its boxes where there is none."""

    data: bytes
    media: str

    @property
    def uri(self) -> str:
        """Image as a data URL."""
        return f"data:{self.media};base64,{b64encode(self.data).decode('ascii')}"


class RenderedFolder:
    """The rendered pages by record id; the table `pages` is read once.

    Pages and screenshots are then read directly from their places. `files` are the names of files to read, as
    of `rendered_names`; all if there are none. Methods raise NotInRun for the id of a page that is not
    there.
    """

    def __init__(self, uri: str, *files: str) -> None:
        self.uri = uri
        self._folder = open_rendered(uri)
        self._places: dict[str, _Place] = {}
        for name in files or rendered_names(uri):
            elements = texts = 0
            for row in page_rows(self._folder, name):
                place = _Place(row, name, elements, texts)
                self._places.setdefault(row["record_id"], place)
                elements += row["elements"]
                texts += row["texts"]

    @property
    def rows(self) -> Mapping[str, Row]:
        return {record_id: place.row for record_id, place in self._places.items()}

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._places

    def page(self, record_id: str) -> RenderedPage:
        row, base, elements, texts = self._place(record_id)
        return page_of(
            row,
            table_at(self._folder, f"elements/{base}", elements, row["elements"]),
            table_at(self._folder, f"texts/{base}", texts, row["texts"]),
        )

    def screenshot(self, record_id: str) -> bytes:
        """Return the picture of a whole page, as PNG.

        Raises:
            UsageError: no picture of it was taken.
            InputError: its record is damaged.
        """
        row, base, *_ = self._place(record_id)
        if row["screenshot_offset"] is None:
            raise UsageError(f"{self.uri} was rendered without pictures; {PICTURES_HOW}")
        return screenshot_at(self._folder, base, row["screenshot_offset"])

    def picture(self, record_id: str) -> Picture:
        """Return the picture of a whole page, or a wireframe where none was taken.

        Raises InputError: the record of its picture is damaged.
        """
        if self.has_screenshot(record_id):
            return Picture(self.screenshot(record_id), "image/png")
        return Picture(wireframe(self.page(record_id)), "image/svg+xml")

    def has_screenshot(self, record_id: str) -> bool:
        return self._place(record_id).row["screenshot_offset"] is not None

    def _place(self, record_id: str) -> _Place:
        if record_id not in self._places:
            raise NotInRun(f"{self.uri} holds no rendered page {record_id}")
        return self._places[record_id]


def screenshot_at(folder: Folder, name: str, offset: int) -> bytes:
    """Return the picture whose record is at an offset; `folder` is from `open_rendered`, `name` that of a table."""
    stored = folder.full_path(screenshots_of(name.removesuffix(".parquet")))
    return read_reply_at(folder.fs.unstrip_protocol(stored), offset, "", Limits()).payload
