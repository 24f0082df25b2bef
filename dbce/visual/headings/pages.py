"""The pages that headings are looked for in: as they were rendered, or as their own style sheets say they look.

The latter needs no browser: nothing has a box, but fonts have styles. So far as that tells, the headings of a page's
content are found, for what writes content in the formats of others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dbce.archive import AnnotatedPage
from dbce.html import (
    INLINE,
    ComputedStyle,
    Document,
    computed_styles,
    element_xpaths,
    load,
    read_attributes,
    strip,
)
from dbce.model import Limits, Page, UsageError
from dbce.output import annotated_pages, open_run
from dbce.storage import Folder, SealedFolder, open_parquet
from dbce.visual import KEPT, Element, RenderedPage, Style, Text, contents
from dbce.visual.block_verdicts import templates
from dbce.visual.headings.hierarchy import body_of
from dbce.visual.headings.registry import PageContext, headings
from dbce.visual.render import open_rendered, rendered_ids, rendered_names, rendered_pages

ROOTS = ("body", "frameset")
"""Elements with which a rendered page begins."""

AS_JUDGED = Limits(
    payload_bytes=1 << 62, depth=1 << 12, elements=1 << 62, texts=1 << 62, words=1 << 62
)
"""Limits for pages that a run has classified: none is too large."""

WINDOW = (1280, 800)
"""The window that style sheets are read for (`dbce.html.css`)."""


def from_sheets(
    document: Document, record_id: str, url: str, timestamp: datetime, limits: Limits | None = None
) -> RenderedPage:
    """Return a page that was not laid out: nothing has a box, and styles are those of `dbce.html.computed_styles`.

    Whether an element runs along in a line is told by its name. What hides itself has no `visible`.
    """
    page = document.page
    limits = limits or Limits()
    looks = computed_styles(document, limits)
    attributes = read_attributes(document.elements, KEPT)
    paths = element_xpaths(page)
    root, end = _body(page)
    places = range(root, end)
    orders = _orders(page, root, end)
    styles: dict[Style, int] = {}
    hidden = _hidden(page)
    elements = [
        Element(
            parent=-1 if place == root else page.parents[place] - root,
            order=orders[0][place - root],
            tag=page.tags[place],
            xpath=paths[place],
            rect=None,
            style=styles.setdefault(
                _style(page.tags[place], looks[place], hidden=hidden[place]), len(styles)
            ),
            attributes=attributes[place],
        )
        for place in places
    ]
    texts = [
        Text(page.nodes[node].element - root, order, page.nodes[node].text, (), node)
        for node, order in orders[1]
    ]
    return RenderedPage(
        record_id=record_id,
        url=url,
        timestamp=timestamp,
        viewport=WINDOW,
        size=(0, 0),
        elements=tuple(elements),
        styles=tuple(styles),
        texts=tuple(texts),
    )


def _body(page: Page) -> tuple[int, int]:
    """Range of visible elements, as (start, end)."""
    root = next((n for n, tag in enumerate(page.tags) if tag in ROOTS and page.parents[n] == 0), 0)
    end = next((n for n in range(root + 1, len(page.tags)) if page.parents[n] < root), None)
    return root, len(page.tags) if end is None else end


def _orders(page: Page, root: int, end: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the places of elements among elements and texts together, and (number, place) of the texts."""
    things = [(place, 0, place) for place in range(root, end)]
    things += (
        (text.after, 1, node)
        for node, text in enumerate(page.nodes)
        if root <= text.element < end and text.text.strip()
    )
    numbered = list(enumerate(sorted(things)))
    elements = [order for order, (_, is_text, _) in numbered if not is_text]
    return elements, [(node, order) for order, (_, is_text, node) in numbered if is_text]


def _hidden(page: Page) -> list[bool]:
    """Flag of each element: True if it or one above it is hidden."""
    flags: list[bool] = []
    for parent, hides in zip(page.parents, page.hidden, strict=True):
        flags.append(hides or (parent >= 0 and flags[parent]))
    return flags


def _style(tag: str, looks: ComputedStyle, *, hidden: bool) -> Style:
    return Style(
        display="inline" if tag in INLINE else "block",
        visibility="hidden" if hidden else "visible",
        position="static",
        floating="none",
        opacity=1.0,
        font_size=looks.font_size,
        font_style=looks.font_style,
        font_weight=looks.font_weight,
        text_decoration=looks.text_decoration,
        text_align="start",
        color=looks.color,
        background_color="rgba(0, 0, 0, 0)",
        background_image=False,
        border=(0.0, 0.0, 0.0, 0.0),
        writing_mode="horizontal-tb",
        direction="ltr",
    )


NO_TIME = datetime(1, 1, 1, tzinfo=UTC)
"""Headings do not ask when a page was captured."""


def heading_levels(document: Document, content: Sequence[int]) -> dict[int, int]:
    """Return the level of each text node that is in a heading, by its number; as `outline_of`."""
    return {node: level for level, nodes in outline_of(document, content) for node in nodes}


def outline_of(document: Document, content: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the level of each heading and the numbers of its text nodes, as the page's own sheets tell.

    `content` are the numbers of the text nodes that are content; headings are looked for in the smallest
    element that holds all of them. A picture without text is left out.
    """
    page = from_sheets(document, "", "", NO_TIME, AS_JUDGED)
    share = dict.fromkeys(range(len(document.page.nodes)), 0.0) | dict.fromkeys(content, 1.0)
    hierarchy = headings(page, body_of(page, "verdicts", share), known=PageContext(share))
    named = (
        (heading.level, tuple(page.texts[n].node for n in heading.texts))
        for heading in hierarchy.headings
    )
    return [heading for heading in named if heading[1]]


NEIGHBOURS = ["record_id", "up", "down", "prev", "next"]


@dataclass(frozen=True, slots=True)
class HeadingPages:
    """The pages of a folder.

    `judged`: it is that of a run, too; `templates` names the template of each page of the run.
    """

    uri: str
    styles: str
    judged: bool
    templates: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Return the names of the tables of each file."""
        if self.styles == "rendered":
            return rendered_names(self.uri)
        return [
            name.removeprefix("pages/") for name in SealedFolder(self.uri).names("pages/*.parquet")
        ]

    def read(self) -> Iterator[tuple[RenderedPage, Mapping[int, float]]]:
        """Each page, with the share of each of its text nodes that is content."""
        for name in self.names():
            yield from self.read_file(name)

    def read_file(self, name: str) -> Iterator[tuple[RenderedPage, Mapping[int, float]]]:
        """Yield each page of one file, with the share of each of its text nodes that is content."""
        folder = SealedFolder(self.uri)
        if self.styles == "rendered":
            record_ids, pages = rendered_ids(self.uri, name), rendered_pages(self.uri, name)
        else:
            record_ids, pages = _annotated_pages(folder, name)
        content = contents(folder, name, record_ids) if self.judged else {}
        for page in pages:
            yield page, content.get(page.record_id, {})


def pages_of(uri: str, styles: str) -> HeadingPages:
    """Return the pages of a folder with styles from "rendered" or "sheets".

    Raises:
        UsageError: no finished rendering, or for sheets no finished run, is there.
    """
    if styles == "rendered":
        open_rendered(uri)
    elif styles == "sheets":
        open_run(uri)
    else:
        raise UsageError(f"styles cannot be {styles!r}: say rendered or sheets")
    folder = SealedFolder(uri)
    if not folder.exists("run.json"):
        return HeadingPages(uri, styles, judged=False)
    rows = []
    for name in folder.names("pages/*.parquet"):
        with open_parquet(folder, name) as table:
            rows += table.read(columns=NEIGHBOURS).to_pylist()
    return HeadingPages(uri, styles, judged=True, templates=templates(rows))


def _annotated_pages(folder: Folder, name: str) -> tuple[list[str], Iterator[RenderedPage]]:
    """Return the record ids of a file of a run, and its judged pages."""
    with open_parquet(folder, f"pages/{name}") as table:
        record_ids = table.read(columns=["record_id"])["record_id"].drop_null().to_pylist()
    return record_ids, _archive_pages(annotated_pages(folder, name.removesuffix(".parquet")))


def _archive_pages(pages: Iterable[AnnotatedPage]) -> Iterator[RenderedPage]:
    for annotated in pages:
        document = load(strip(annotated.html), "text/html; charset=utf-8", AS_JUDGED)
        yield from_sheets(
            document, annotated.record_id, annotated.url, annotated.timestamp, AS_JUDGED
        )
