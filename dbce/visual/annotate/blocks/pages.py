"""The rendered pages that are drawn on, each as a sheet with the elements that can be picked, and their block gold.

Advertisements in frames differ between captures of a page, and are empty boxes where the archive has none, so that
nobody needs to draw them. Block gold is read by `dbce evaluate-blocks`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import md5
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import numpy as np
from numpy.typing import NDArray

from dbce.annotate.core.store import AnnotationStore, Event, GoldKind, Key, Line, journal_beside
from dbce.archive import timestamp14
from dbce.model import UsageError, stored_text
from dbce.output import Row
from dbce.storage import read_json_objects
from dbce.visual import Element, Rect, RenderedPage, measure
from dbce.visual.annotate.blocks.history import (
    DrawingHistory,
    PageFields,
    Part,
    Tree,
    delete_block,
    page_fields,
)
from dbce.visual.measure import Contents, MarkedBlock, MarkedPage, contents
from dbce.visual.render import RenderedFolder
from dbce.visual.segment import Outline, cover_flags, overlap

FRAMES = frozenset(("embed", "iframe", "object"))  # elements that show documents of other servers

_ADVERTS = json.loads(stored_text("dbce.visual.annotate.blocks", "adverts.json"))

SERVERS = tuple(f".{domain}" for domain in _ADVERTS["servers"].split())
"""Domains that send advertisements: the large ones of each decade, and those in frames of the development sets."""

_HOST = re.compile(r"(?:ads?|adserv(?:er|ing)?|adv|banners?|ox-d)\d*\.[^.]+\.")
"""Beginning of the name of a host of nothing but advertisements, as ads.example.org."""

_PATH = re.compile(r"/(?:ads?|adframe|adi|adserver)/")
"""Folder of a site's own advertisements in the address of a frame; pages of classified ads may be in one, too."""

_WORD = re.compile(r"(?<![a-z0-9])([a-z]+)\d*(?![a-z0-9])")
"""A word with its number; not letters of a digest, as in 3ad4f."""

WORDS = frozenset(_ADVERTS["words"].split())
"""Words of the identifier, name or class of a frame with advertisements, as in ad_iframe_7 or google_ads_frame1."""

SIZES = frozenset(map(tuple, _ADVERTS["sizes"]))
"""Widths and heights of banners in pixels, as the Interactive Advertising Bureau has fixed them since 1996."""

BORDER = 4
"""Pixels by which a frame may be larger than its banner: unstyled frames have a border of 2."""


def is_ad_server(url: str, base: str = "") -> bool:
    """Return whether an address is that of an advertisement server, and not of the company that runs it."""
    try:
        host = urlsplit(urljoin(base, url)).hostname or ""
    except ValueError:  # no address at all
        return False
    is_server = f".{host}".endswith(SERVERS) or _HOST.match(host) is not None
    return is_server and not host.startswith("www.")


def is_ad_frame(element: Element, page_url: str) -> bool:
    """Return whether an element is a frame with an advertisement, by its name, its address or, without one, its size."""
    if element.tag not in FRAMES:
        return False
    names = (element.attributes.get(name, "") for name in ("id", "name", "class"))
    if not WORDS.isdisjoint(_WORD.findall(" ".join(names).lower())):
        return True
    address = element.attributes.get("src", "").strip()
    if not address or address.lower().startswith(("#", "about:", "javascript:")):
        return element.tag == "iframe" and element.rect is not None and _is_banner(element.rect)
    return is_ad_server(address, page_url) or _PATH.search(address) is not None


def ad_places(page: RenderedPage) -> frozenset[int]:
    """Return the places of the frames with advertisements, and of all elements in them."""
    places: set[int] = set()
    for place, element in enumerate(page.elements):  # parents come before their children
        if element.parent in places or is_ad_frame(element, page.url):
            places.add(place)
    return frozenset(places)


def _is_banner(rect: Rect) -> bool:
    margins = ((rect.w - width, rect.h - height) for width, height in SIZES)
    return any(min(sides) >= 0 and max(sides) <= BORDER for sides in margins)


PICTURES = frozenset("applet audio canvas embed iframe img input object picture svg video".split())
"""Elements that are visible without text."""

NEAR = 1.0  # pixels by which an element may stick out of its box: borders are rounded


@dataclass(frozen=True, slots=True, eq=False)
class BlockSheet:
    """A rendered page; `valid` are the places of the elements that can be picked, in document order.

    Those are all but body that have a box and a visible text or picture outside of advertisement frames.
    `adverts` are the XPaths of the elements with nothing but advertisements visible.
    """

    page: RenderedPage
    outline: Outline
    contents: Contents
    valid: tuple[int, ...]
    adverts: frozenset[str]

    def element(self, place: object) -> Part | None:
        """Return a valid element as a part of the page; None if the place is not that of one."""
        if not isinstance(place, int) or place not in self.valid:
            return None
        box = self.outline.boxes[place]
        return box and Part(box, (self.page.elements[place].xpath,))

    def without_adverts(self, blocks: Iterable[MarkedBlock]) -> list[MarkedBlock]:
        """Return blocks without those of nothing but advertisements, whose children go to their parents."""
        kept = []
        parent_of: dict[str, str] = {}
        for block in blocks:  # parents come before their children
            parent = parent_of.get(block.parent, block.parent)
            if block.xpaths and self.adverts.issuperset(block.xpaths):
                parent_of[block.id] = parent
            else:
                kept.append(replace(block, parent=parent))
        return kept

    def part_in(self, rect: Rect, xpaths: Sequence[str] = ()) -> Part:
        """Return a box of the page with the outermost elements that it contains, only those below `xpaths` if any are given."""
        elements, paths = self.page.elements, set(xpaths)
        roots = [n for n, element in enumerate(elements) if element.xpath in paths]
        contained = []
        reach = Rect(rect.x - NEAR, rect.y - NEAR, rect.w + 2 * NEAR, rect.h + 2 * NEAR)
        stack = (roots if xpaths else list(self.outline.visible_children(0)))[::-1]
        while stack:
            place = stack.pop()
            box = self.outline.boxes[place]
            if box and cover_flags(reach, box):
                contained.append(elements[place].xpath)
            elif box and overlap(rect, box):
                stack += reversed(self.outline.visible_children(place))
        return Part(rect, tuple(contained))

    def coverage(self, page: MarkedPage) -> float:
        """Return the share of the page's words in terminal blocks; 1 if it has none."""
        blocks = [measure.normalise(b.rect, self.page.size) for b in page.terminal if b.rect]
        covered, words = self.contents.coverage(blocks)
        return covered / words if words else 1.0

    def with_counts(self, page: MarkedPage) -> MarkedPage:
        """Return the page with its size and words, and each block with the counts of elements and words centred in it."""
        rects = (block.rect for block in page.blocks if block.rect)
        counts = measure.counted_blocks(rects, self.page.size, self.contents)
        boxed = (block for block in page.blocks if block.rect)
        blocks = [
            replace(block, elements=count.elements, words=count.words)
            for block, count in zip(boxed, counts, strict=True)
        ]
        counted = replace(page, blocks=tuple(blocks), words=int(self.contents.words.sum()))
        return replace(counted, viewport=self.page.viewport, size=self.page.size)


def sheet_of(page: RenderedPage) -> BlockSheet:
    outline = Outline(page)
    visible = _holding(page, outline, frozenset())
    clean = _holding(page, outline, ad_places(page))
    valid = (n for n in range(1, len(page.elements)) if clean[n] and outline.boxes[n])
    adverts = frozenset(page.elements[n].xpath for n in np.flatnonzero(visible & ~clean))
    return BlockSheet(page, outline, contents(page), tuple(valid), adverts)


def _holding(page: RenderedPage, outline: Outline, without: frozenset[int]) -> NDArray[np.bool_]:
    """Return for each element whether a text or picture is visible in it, outside of the elements `without`."""
    holds = np.zeros(len(page.elements), np.bool_)
    for place in range(len(page.elements) - 1, 0, -1):
        element = page.elements[place]
        is_picture = element.tag in PICTURES and outline.visible[place]
        if place not in without:
            holds[place] |= bool(outline.texts[place]) or is_picture
            holds[element.parent] |= holds[place]
    return holds


KEPT = 8  # sheets kept in memory


class Pages:
    """Pages that `dbce render` left in a folder, by record id; `title` of a row is the URL where a page has none.

    `adverts` are the record ids of documents of advertisement frames, by their addresses.
    Raises UsageError: no finished rendering is there, or it has no page.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.folder = RenderedFolder(uri)
        self.rows: Mapping[str, Row] = {
            key: {**row, "title": row["title"] or row["url"]}
            for key, row in self.folder.rows.items()
        }
        if not self.rows:
            raise UsageError(f"{uri} holds no page that could be rendered; see rendered/rejects")
        self.adverts = frozenset(key for key, row in self.rows.items() if is_ad_server(row["url"]))
        self._by_url = {row["url"]: key for key, row in reversed(list(self.rows.items()))}
        self.sheet = lru_cache(KEPT)(lambda record_id: sheet_of(self.folder.page(record_id)))

    def random_rows(self, count: int) -> list[Row]:
        """Return the rows of pages in a reproducible random order, at most `count`; none of `adverts`."""
        candidates = self.rows.keys() - self.adverts
        sample = sorted(candidates, key=lambda name: (md5(name.encode()).digest(), name))  # noqa: S324
        return self.rows_of(sample[:count])

    def rows_of(self, record_ids: Iterable[str]) -> list[Row]:
        return [self.rows[record_id] for record_id in record_ids if record_id in self.rows]

    def page_fields(self, record_id: str) -> PageFields:
        """Return the fields of gold that describe a page, but for its words."""
        row = self.rows[record_id]
        return {
            "record_id": record_id,
            "url": row["url"],
            "timestamp": timestamp14(row["fetch_time"]) if row["fetch_time"] else "",
            "viewport": [row["viewport_width"], row["viewport_height"]],
            "width": row["width"],
            "height": row["height"],
        }

    def record_of(self, page: MarkedPage) -> str | None:
        """Return the record id of a page of gold, which may have its URL alone; None if it is not here."""
        if page.record_id:
            return page.record_id if page.record_id in self.rows else None
        return self._by_url.get(page.url)

    def misfit(self, page: MarkedPage) -> str:
        """Return in a sentence why blocks cannot be laid over the page here; "" if they can."""
        record_id = self.record_of(page)
        if record_id is None:
            return f"{page.url or page.record_id} is not rendered in {self.uri}"
        width, here = page.drawn_width, self.rows[record_id]["viewport_width"]
        if width not in (0, here):
            return (
                f"{page.url or record_id} was drawn on in a window {width:g} px wide, and is "
                f"rendered in one of {here}: dbce render INPUT --out DIR --width {width:g}"
            )
        xpaths = {path for block in page.blocks if not block.rect for path in block.xpaths}
        missing = xpaths and measure.locate_blocks(page, self.sheet(record_id).page)[1]
        if not missing:
            return ""
        return (
            f"{len(missing)} of {len(xpaths)} XPaths of the blocks of {page.url or record_id} are "
            f"not found on it ({missing[0]})"
        )


SOMEBODY = "gold"  # the annotator of gold that does not name one


def block_gold(pages: Pages) -> GoldKind[DrawingHistory]:
    return GoldKind(
        DrawingHistory, parse_line, partial(import_events, pages=pages), partial(_complete, pages)
    )


def parse_line(line: Line) -> tuple[Key, Tree]:
    """Return the name of the page of a line, and its blocks without counts."""
    page = measure.page_of(line)
    blocks = tuple(replace(block, elements=None, words=None) for block in page.blocks)
    return (page.record_id or page.url,), blocks


def import_events(path: Path, pages: Pages) -> list[Event]:
    """Return the pages of a file of block gold, an event each.

    Blocks without a rectangle get that of their elements. A page that is not rendered here, or that its
    blocks do not fit, stays as it is.
    Raises UsageError: it is no block gold, has a page twice, or none of its pages is here.
    """
    gold = list(read_json_objects(str(path), lambda line: (line, measure.page_of(line))))
    names = Counter(page.record_id or page.url for _, page in gold)
    duplicates = [name for name, count in names.items() if count > 1]
    if duplicates:
        raise UsageError(f"{path} has two lines of {duplicates[0]}; block gold has one a page")
    if not any(pages.record_of(page) for _, page in gold):
        raise UsageError(
            f"{path} is gold of other pages: none of its {len(gold)} is rendered in {pages.uri}"
        )
    return [_event(fields, page, pages) for fields, page in gold]


def read_drawn_pages(gold: Path, pages: Pages) -> Iterator[tuple[str, str, MarkedPage]]:
    """Yield (person, name of the page, page) for all pages drawn in a file, by its journal if it has one."""
    history = journal_beside(gold, DrawingHistory()) or DrawingHistory(import_events(gold, pages))
    for by, names in history.people().items():
        for name in names:
            yield by, name, history.marked_page(by, name)


def import_file(store: AnnotationStore[DrawingHistory], other: Path, pages: Pages) -> None:
    """Import the pages of another file that their annotators have not drawn on here."""
    with store.turn() as history:
        events = [
            _taken_event(by, page)
            for by, name, page in read_drawn_pages(other, pages)
            if history.drawing(by, name).operations == 0
        ]
        store.note(*events)


def with_counts(line: Line, pages: Pages) -> Line:
    """Return a line of gold with the counts of words and elements in its blocks, if they fit the page here."""
    page = measure.page_of(line)
    record_id = pages.record_of(page)
    if record_id and not pages.misfit(page) and all(block.rect for block in page.blocks):
        page = pages.sheet(record_id).with_counts(page)
    return line | measure.fields_of(page)


def _complete(pages: Pages, line: Line, stored: Line | None) -> Line:
    """Return a line with counts, as stored if the blocks are the same, which saves reading the page."""
    is_same = stored and parse_line(stored) == parse_line(line)
    if stored and is_same and all(b.words is not None for b in measure.page_of(stored).blocks):
        return stored
    return with_counts(line, pages)


def _taken_event(by: str, page: MarkedPage, extra: PageFields | None = None) -> Event:
    """Return the event that imports somebody's blocks as they are, with `extra` fields that gold does not know."""
    return {
        "by": by,
        "at": max((block.at for block in page.blocks), default=""),
        "capture": (extra or {}) | page_fields(page),
        "op": {
            "kind": "taken over",
            "blocks": [measure.block_fields(block) for block in page.blocks],
        },
    }


def _event(fields: Line, page: MarkedPage, pages: Pages) -> Event:
    authors = Counter(block.by for block in page.blocks if block.by)
    by = authors.most_common(1)[0][0] if authors else SOMEBODY
    extra = {name: value for name, value in fields.items() if name != "blocks"}
    return _taken_event(by, page if pages.misfit(page) else _with_rectangles(page, pages), extra)


def _with_rectangles(page: MarkedPage, pages: Pages) -> MarkedPage:
    """Return the page named by its record, with rectangles, without blocks that are not laid out."""
    record_id = pages.record_of(page) or ""
    rendered = pages.sheet(record_id).page
    located, _ = measure.locate_blocks(page, rendered)
    places = {block.id: block.rect for block in located.blocks}
    tree = page.blocks
    for block in page.blocks:
        if block.id not in places:
            tree = delete_block(tree, block.id)
    blocks = tuple(replace(block, rect=places[block.id]) for block in tree)
    return replace(
        page, record_id=record_id, blocks=blocks, viewport=rendered.viewport, size=rendered.size
    )
