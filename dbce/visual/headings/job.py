"""Headings as a job of the engine: pages in, a table of their headings out (docs/formats.md)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import ClassVar, NamedTuple

import pyarrow as pa

from dbce.archive import AnnotatedPage, Source
from dbce.engine import Settings, Stage, TableJob, Workers, work_without_progress
from dbce.formats import NO_LIMITS
from dbce.html import load, strip
from dbce.model import ROLES, Progress, UsageError, fault_detail, files, stable_id
from dbce.output import Row, annotated_pages, columns, open_run, rows_of, strings
from dbce.storage import Folder, SealedFolder, create_table, tidy
from dbce.visual import RenderedPage, contents, is_judged, segment
from dbce.visual.block_verdicts import templates
from dbce.visual.headings.hierarchy import HeadedBlock, Heading, Hierarchy, body_of
from dbce.visual.headings.lines import GROUPS, LineGroups, LineOptions, PageContext, count_lines
from dbce.visual.headings.registry import headings
from dbce.visual.headings.sheets import from_sheets
from dbce.visual.render import open_rendered, rendered_ids, rendered_names, rendered_pages

HEADINGS = pa.schema(
    [
        *strings("record_id", "url", "algorithm"),
        *columns(pa.int32(), "block", "parent", "level"),
        ("heading", pa.string()),
        ("nodes", pa.list_(pa.int32())),
        ("images", pa.list_(pa.string())),
        *columns(pa.int32(), "first", "end", "first_node", "last_node"),
        ("xpath", pa.string()),
    ]
)
"""Row of a block, in document order, parents before children; the first of a page is the content body."""


def heading_rows(page: RenderedPage, hierarchy: Hierarchy) -> list[Row]:
    starts = {element.order: element.xpath for element in page.elements}
    starts |= {text.order: page.elements[text.parent].xpath for text in page.texts}
    return [
        {
            "record_id": page.record_id,
            "url": page.url,
            "algorithm": hierarchy.algorithm,
            "block": number,
            "parent": block.parent,
            "level": block.heading.level,
            "heading": _wording(page, block.heading),
            "nodes": [page.texts[text].node for text in block.heading.texts],
            "images": [page.elements[image].xpath for image in block.heading.images],
            "first": block.first,
            "end": block.end,
            **_node_range(page, block),
            "xpath": starts[block.first],
        }
        for number, block in enumerate(hierarchy.blocks)
    ]


def _node_range(page: RenderedPage, block: HeadedBlock) -> Row:
    """Return the first and the last number of a text node in a block, null without any."""
    nodes = (text.node for text in page.texts if block.first <= text.order < block.end)
    numbers = [node for node in nodes if node >= 0]
    return {"first_node": min(numbers, default=None), "last_node": max(numbers, default=None)}


def _wording(page: RenderedPage, heading: Heading) -> str:
    images = (page.elements[image] for image in heading.images)
    parts = [(page.texts[text].order, page.texts[text].text) for text in heading.texts]
    parts += ((image.order, image.attributes.get("alt", "")) for image in images)
    return " ".join(" ".join(words for _, words in sorted(parts)).split())


@dataclass(frozen=True, slots=True)
class HeadingPages:
    """The pages of a folder; if `judged` by a run, with `templates`."""

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
        """Yield each page, with the share of each of its text nodes that is content."""
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

    Raises UsageError: there is no finished rendering or, for sheets, no finished run.
    """
    if styles == "rendered":
        open_rendered(uri)
    elif styles == "sheets":
        open_run(uri)
    else:
        raise UsageError(f"styles cannot be {styles!r}: say rendered or sheets")
    folder = SealedFolder(uri)
    if not is_judged(folder):
        return HeadingPages(uri, styles, judged=False)
    names = folder.names("pages/*.parquet")
    columns = ["record_id", *ROLES[1:]]
    rows = (row for name in names for row in rows_of(folder, name, columns))
    return HeadingPages(uri, styles, judged=True, templates=templates(rows))


def _archive_page(page: AnnotatedPage) -> RenderedPage:
    document = load(strip(page.html), "text/html; charset=utf-8", NO_LIMITS)
    return from_sheets(document, page.record_id, page.url, page.timestamp)


TABLES = "headings"  # the folder of the tables, beside that of the rendered pages


@dataclass(frozen=True, slots=True)
class HeadingSettings(Settings):
    """The method, the content body in which headings are searched, and the source of styles.

    `body` is "verdicts", "body" or an XPath, `bodies` those of single pages by their record ids: if given,
    no other page is searched. `styles` is "rendered" or "sheets".
    """

    method: str
    options: segment.Options
    body: str = "verdicts"
    bodies: Mapping[str, str] | None = None
    styles: str = "rendered"

    @property
    def label(self) -> str:
        """Name of the table: the method, the source of styles, and each option other than its default."""
        styles = [self.styles] if self.styles != "rendered" else []
        return ".".join([self.method, *styles, *segment.changed_options(self.options)])

    def digest(self) -> str:
        """Return the identifier of a search for headings: its method, options, styles and content bodies."""
        bodies = chain.from_iterable(sorted((self.bodies or {}).items()))
        return stable_id("headings", self.label, self.body, *bodies)


class HeadingsAccount(NamedTuple):
    """Numbers of pages searched and rejected, and of their headings."""

    pages: int
    rejected: int
    headings: int


@dataclass(frozen=True, slots=True)
class HeadingsJob(TableJob):
    """The headings of all pages of the folder `out`; pages on which it fails are rejected."""

    part: ClassVar = TABLES

    out: str
    settings: HeadingSettings

    @property
    def kind(self) -> str:
        return f"search for headings by {self.settings.label}"

    @property
    def outputs(self) -> tuple[str, ...]:
        name = f"{self.settings.label}.parquet"
        return (f"{TABLES}/{name}", f"rejects/{name}")  # the first is written last

    def pages(self) -> HeadingPages:
        """Return the pages to search.

        Raises UsageError: they are not there, or lack verdicts to locate the content body.
        """
        pages = pages_of(self.out, self.settings.styles)
        by_verdicts = self.settings.body == "verdicts" and self.settings.bodies is None
        if by_verdicts and not pages.judged:
            wrong = f"{self.out} holds no verdicts to tell the content body by"
            raise UsageError(f"{wrong}: add --body body")
        return pages

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> list[str]:
        """Count the lines of templates, then find the headings, file by file; return the names of the files."""
        pages = self.pages()
        names = pages.names()
        by_template = _asks_templates(self.settings)
        progress = Progress(self.settings.label, stages=1 + by_template)
        if by_template:
            todo = {name: name for name in names if not place.exists(segment.part("groups", name))}
            count = work_without_progress(partial(_count_file, self.settings, pages, place))
            counting = f"counting lines of {files(len(todo))}"
            workers.do(Stage(1, "count", counting, todo, count), progress)
        todo = {name: name for name in names if not place.exists(segment.part("headings", name))}
        find = work_without_progress(partial(find_file, self.settings, pages, place, tuple(names)))
        finding = f"finding headings of {files(len(todo))}"
        workers.do(Stage(1 + by_template, "find", finding, todo, find), progress)
        return names

    def finish(
        self, place: Folder, _sources: tuple[Source, ...], names: list[str]
    ) -> HeadingsAccount:
        table = f"{self.settings.label}.parquet"
        pages, rejected, blocks = segment.gather(place, names, table, TABLES, HEADINGS, count=len)
        tidy(place)
        # The first block of each page is the body.
        return HeadingsAccount(pages, rejected, blocks - pages)


def _asks_templates(settings: HeadingSettings) -> bool:
    return isinstance(settings.options, LineOptions) and settings.options.template


def _count_file(settings: HeadingSettings, pages: HeadingPages, place: Folder, name: str) -> None:
    """Write the groups of lines of each template on the pages of a file."""
    groups_of: dict[str, LineGroups] = {}
    for page, content in pages.read_file(name):
        template = pages.templates.get(page.record_id)
        if template is None:
            continue
        try:
            body = body_of(page, _body(page, settings), content)
        except UsageError:  # reported when headings are searched
            continue
        count_lines(page, body, content, groups_of.setdefault(template, LineGroups()))
    path = segment.part("groups", name)
    with create_table(place, path, GROUPS, pa.Table.from_pylist) as table:
        for template, groups in groups_of.items():
            for row in groups.rows():
                table.add({"template": template} | row)


def find_file(
    settings: HeadingSettings, pages: HeadingPages, place: Folder, names: Sequence[str], name: str
) -> None:
    """Write the headings of the pages of a file; `names` are those of all files."""
    groups: dict[str, LineGroups] = {}
    # Headings are alike on all pages of a template, so the groups of all files are used.
    for file in names if _asks_templates(settings) else ():
        for row in rows_of(place, segment.part("groups", file), GROUPS.names):
            groups.setdefault(row["template"], LineGroups()).take(row)
    with segment.page_tables(place, name, "headings", HEADINGS) as (table, rejects):
        for page, content in pages.read_file(name):
            if settings.bodies is not None and page.record_id not in settings.bodies:
                continue
            context = PageContext(content, groups.get(pages.templates.get(page.record_id, "")))
            try:
                body = body_of(page, _body(page, settings), content)
                hierarchy = headings(page, body, settings.method, settings.options, context)
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                # A missing element is a fault of the page, not of the code.
                detail = str(e) if isinstance(e, UsageError) else fault_detail(e, page.record_id)
                rejects.add(segment.reject_row(page, settings.method, detail))
                continue
            for row in heading_rows(page, hierarchy):
                table.add(row)


def _body(page: RenderedPage, settings: HeadingSettings) -> str:
    return (settings.bodies or {}).get(page.record_id, settings.body)
