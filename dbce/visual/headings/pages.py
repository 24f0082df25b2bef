"""The pages that headings are looked for in: as they were rendered, or as their own style sheets say they look.

The latter needs no browser: nothing has a box, but fonts have styles. So far as that tells, the headings of a page's
content are found, for what writes content in the formats of others.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from dbce.output import annotated_pages, open_run, rows_of
from dbce.storage import SealedFolder
from dbce.visual import KEPT, Element, RenderedPage, Style, Text, contents
from dbce.visual.block_verdicts import templates
from dbce.visual.headings.hierarchy import body_of
from dbce.visual.headings.lines import PageContext
from dbce.visual.headings.registry import headings
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
    looks = computed_styles(document, limits or Limits())
    attributes = read_attributes(document.elements, KEPT)
    paths = element_xpaths(page)
    root, end = _body(page)
    hidden: list[bool] = []
    for parent, hides in zip(page.parents, page.hidden, strict=True):
        hidden.append(hides or (parent >= 0 and hidden[parent]))
    things = [(place, 0, place) for place in range(root, end)]
    things += (
        (text.after, 1, node)
        for node, text in enumerate(page.nodes)
        if root <= text.element < end and text.text.strip()
    )
    styles: dict[Style, int] = {}
    elements: list[Element] = []
    texts: list[Text] = []
    for order, (_, is_text, n) in enumerate(sorted(things)):
        if is_text:
            text = page.nodes[n]
            texts.append(Text(text.element - root, order, text.text, (), n))
            continue
        parent, tag = -1 if n == root else page.parents[n] - root, page.tags[n]
        style = styles.setdefault(_style(tag, looks[n], hidden=hidden[n]), len(styles))
        elements.append(Element(parent, order, tag, paths[n], None, style, attributes[n]))
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
    size = len(page.tags)
    root = next((n for n, tag in enumerate(page.tags) if tag in ROOTS and page.parents[n] == 0), 0)
    return root, next((n for n in range(root + 1, size) if page.parents[n] < root), size)


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


def heading_levels(document: Document, content: Sequence[int]) -> dict[int, int]:
    """Return the level of each text node that is in a heading, by its number; as `outline_of`."""
    return {node: level for level, nodes in outline_of(document, content) for node in nodes}


def outline_of(document: Document, content: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the level of each heading and the numbers of its text nodes, as the page's own sheets tell.

    `content` are the numbers of the text nodes that are content; headings are looked for in the smallest
    element that holds all of them. A picture without text is left out.
    """
    no_time = datetime(1, 1, 1, tzinfo=UTC)  # headings do not ask when a page was captured
    page = from_sheets(document, "", "", no_time, AS_JUDGED)
    share = dict.fromkeys(range(len(document.page.nodes)), 0.0) | dict.fromkeys(content, 1.0)
    hierarchy = headings(page, body_of(page, "verdicts", share), known=PageContext(share))
    return [
        (heading.level, tuple(page.texts[n].node for n in heading.texts))
        for heading in hierarchy.headings
        if heading.texts
    ]


NEIGHBOURS = ["record_id", "up", "down", "prev", "next"]


@dataclass(frozen=True, slots=True)
class HeadingPages:
    """The pages of a folder; those that are `judged`, by a run that is there, have `templates`."""

    uri: str
    styles: str
    judged: bool
    templates: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> list[str]:
        if self.styles == "rendered":
            return rendered_names(self.uri)
        names = SealedFolder(self.uri).names("pages/*.parquet")
        return [name.removeprefix("pages/") for name in names]

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
            rows = rows_of(folder, f"pages/{name}", ["record_id"])
            record_ids = [row["record_id"] for row in rows if row["record_id"]]
            pages = map(_archive_page, annotated_pages(folder, name.removesuffix(".parquet")))
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
    names = folder.names("pages/*.parquet")
    rows = (row for name in names for row in rows_of(folder, name, NEIGHBOURS))
    return HeadingPages(uri, styles, judged=True, templates=templates(rows))


def _archive_page(page: AnnotatedPage) -> RenderedPage:
    document = load(strip(page.html), "text/html; charset=utf-8", AS_JUDGED)
    return from_sheets(document, page.record_id, page.url, page.timestamp, AS_JUDGED)
