"""Single pages of the folder that `dbce render` left, found directly."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from dbce.archive import read_reply_at
from dbce.model import Limits, UsageError
from dbce.output import table_at
from dbce.visual.render.read import PICTURES_HOW, open_rendered, page_rows, rendered_names
from dbce.visual.render.rows import page_of
from dbce.visual.render.unit import screenshots_of
from dbce.visual.render.wireframe import wireframe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.output import Row
    from dbce.storage import Folder
    from dbce.visual import RenderedPage


class _Place(NamedTuple):
    """A page's row, the name of its tables, and where its elements and texts begin in them."""

    row: Row
    base: str
    elements: int
    texts: int


class Picture(NamedTuple):
    """An image of a whole page for people to look at: its screenshot, or a wireframe of its boxes where there is none."""

    data: bytes
    media: str

    @property
    def is_wireframe(self) -> bool:
        """Tell whether it is drawn from the tables."""
        return self.media == WIREFRAME

    @property
    def uri(self) -> str:
        """The image as the address of itself."""
        return f"data:{self.media};base64,{b64encode(self.data).decode('ascii')}"


WIREFRAME = "image/svg+xml"


class RenderedFolder:
    """The pages that were laid out, by record id; what `pages` says of them is read once.

    A page, and a screenshot, is then read from where it stands, whatever stands before it. `files` are the
    names of the files that are asked for, as of `rendered_names`; all if there are none.

    Raises:
        UsageError: no finished rendering is there.
    """

    def __init__(self, uri: str, *files: str) -> None:
        self.uri = uri
        self._folder = open_rendered(uri)
        self._places: dict[str, _Place] = {}
        for name in files or rendered_names(uri):
            elements = texts = 0
            for row in page_rows(self._folder, f"pages/{name}"):
                place = _Place(row, name, elements, texts)
                self._places.setdefault(row["record_id"], place)
                elements += row["elements"]
                texts += row["texts"]

    @property
    def rows(self) -> Mapping[str, Row]:
        """The rows of `pages`, by record id, in their order."""
        return {record_id: place.row for record_id, place in self._places.items()}

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._places

    def page(self, record_id: str) -> RenderedPage:
        """The page of a capture.

        Raises:
            UsageError: it is not in the folder.
        """
        row, base, elements, texts = self._place(record_id)
        return page_of(
            row,
            table_at(self._folder, f"elements/{base}", elements, row["elements"]),
            table_at(self._folder, f"texts/{base}", texts, row["texts"]),
        )

    def screenshot(self, record_id: str) -> bytes:
        """The picture of a whole page, as PNG.

        Raises:
            UsageError: the page is not in the folder, or no picture of it was taken.
            InputError: its record is damaged.
        """
        row, base, *_ = self._place(record_id)
        if row["screenshot_offset"] is None:
            raise UsageError(f"{self.uri} was rendered without pictures; {PICTURES_HOW}")
        return screenshot_at(self._folder, base, row["screenshot_offset"])

    def picture(self, record_id: str) -> Picture:
        """The picture of a whole page, or a wireframe where none was taken.

        Raises:
            UsageError: the page is not in the folder.
            InputError: the record of its picture is damaged.
        """
        if self.has_screenshot(record_id):
            return Picture(self.screenshot(record_id), "image/png")
        return Picture(wireframe(self.page(record_id)), WIREFRAME)

    def has_screenshot(self, record_id: str) -> bool:
        """Tell whether a picture of a page was taken.

        Raises:
            UsageError: the page is not in the folder.
        """
        return self._place(record_id).row["screenshot_offset"] is not None

    def _place(self, record_id: str) -> _Place:
        if record_id not in self._places:
            raise UsageError(f"{self.uri} holds no rendered page {record_id}")
        return self._places[record_id]


def screenshot_at(folder: Folder, name: str, offset: int) -> bytes:
    """The picture whose record is at an offset; `folder` is what `open_rendered` gave, `name` a table's.

    Raises:
        InputError: its record is damaged.
    """
    stored = folder.at(screenshots_of(name.removesuffix(".parquet")))
    return read_reply_at(folder.fs.unstrip_protocol(stored), offset, "", Limits()).payload


def read_page(folder: str, record_id: str) -> RenderedPage:
    """The page of a capture; for many of one folder, `RenderedFolder`.

    Raises:
        UsageError: no finished rendering is there, or this page is not in it.
    """
    return RenderedFolder(folder).page(record_id)


def read_picture(folder: str, record_id: str) -> Picture:
    """The picture of a whole page, or a wireframe where none was taken; for many of one folder, `RenderedFolder`.

    Raises:
        UsageError: no finished rendering is there, or this page is not in it.
        InputError: the record of its picture is damaged.
    """
    return RenderedFolder(folder).picture(record_id)


def read_screenshot(folder: str, record_id: str) -> bytes:
    """The picture of a whole page, as PNG; for many of one folder, `RenderedFolder`.

    Raises:
        UsageError: no finished rendering is there, this page is not in it, or no picture of it was taken.
        InputError: its record is damaged.
    """
    return RenderedFolder(folder).screenshot(record_id)
