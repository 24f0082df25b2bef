"""The pages that headings are looked for in: as they were rendered, or as their style sheets say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dbce.html import load, strip
from dbce.model import UsageError
from dbce.output import annotated_pages, open_run
from dbce.storage import Folder, SealedFolder, open_parquet
from dbce.visual import contents
from dbce.visual.headings.sheets import AS_JUDGED, from_sheets
from dbce.visual.joined import templates
from dbce.visual.render import open_rendered, rendered_ids, rendered_names, rendered_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dbce.archive import Annotated
    from dbce.visual import RenderedPage


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
        """The names of the tables of each file."""
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
            record_ids, pages = _annotated(folder, name)
        content = contents(folder, name, record_ids) if self.judged else {}
        for page in pages:
            yield page, content.get(page.record_id, {})


def pages_of(uri: str, styles: str) -> HeadingPages:
    """The pages of a folder with styles from "rendered" or "sheets".

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


def _annotated(folder: Folder, name: str) -> tuple[list[str], Iterator[RenderedPage]]:
    """The record ids of a file of a run, and its judged pages."""
    with open_parquet(folder, f"pages/{name}") as table:
        record_ids = table.read(columns=["record_id"])["record_id"].drop_null().to_pylist()
    return record_ids, _of_archive(annotated_pages(folder, name.removesuffix(".parquet")))


def _of_archive(pages: Iterable[Annotated]) -> Iterator[RenderedPage]:
    for annotated in pages:
        document = load(strip(annotated.html), "text/html; charset=utf-8", AS_JUDGED)
        yield from_sheets(
            document, annotated.record_id, annotated.url, annotated.timestamp, AS_JUDGED
        )
