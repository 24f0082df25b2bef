"""The rendered pages that are drawn on: in which order, and each as a sheet."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import md5
from threading import Lock
from typing import TYPE_CHECKING

from dbce.annotate.blocks.sheet import sheet_of
from dbce.model import UsageError
from dbce.output import STAMP
from dbce.view.not_in_run import NotInRun
from dbce.visual.measure import located
from dbce.visual.render import RenderedFolder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.annotate.blocks.sessions import About
    from dbce.annotate.blocks.sheet import Sheet
    from dbce.output import Row
    from dbce.visual.measure import MarkedPage

KEPT = 8
"""Sheets that are kept in memory."""


class Pages:
    """What `dbce render` left in a folder, by record id.

    Raises:
        UsageError: no finished rendering is there, or it has no page.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._folder = RenderedFolder(uri)
        self.rows: Mapping[str, Row] = self._folder.rows
        if not self.rows:
            raise UsageError(f"{uri} holds no page that could be rendered; see rendered/rejects")
        self._by_url = {row["url"]: one for one, row in reversed(list(self.rows.items()))}
        self._sheets: OrderedDict[str, Sheet] = OrderedDict()
        self._turn = Lock()

    def by_chance(self, count: int) -> list[str]:
        """The first record ids by chance, which is the same chance every time."""
        drawn = sorted(self.rows, key=lambda one: (md5(one.encode()).digest(), one))  # noqa: S324
        return drawn[:count]

    def sheet(self, record_id: str) -> Sheet:
        """A page to draw on.

        Raises:
            NotInRun: there is no such page.
        """
        if record_id not in self.rows:
            raise NotInRun(f"{self.uri} holds no rendered page {record_id}")
        with self._turn:
            if record_id in self._sheets:
                self._sheets.move_to_end(record_id)
                return self._sheets[record_id]
        found = sheet_of(self._folder.page(record_id))
        with self._turn:
            self._sheets[record_id] = found
            while len(self._sheets) > KEPT:
                self._sheets.popitem(last=False)
        return found

    def screenshot(self, record_id: str) -> bytes:
        """The picture of a page, as PNG.

        Raises:
            NotInRun: there is no such page.
            InputError: its record is damaged.
        """
        if record_id not in self.rows:
            raise NotInRun(f"{self.uri} holds no rendered page {record_id}")
        return self._folder.screenshot(record_id)

    def about(self, record_id: str) -> About:
        """What gold says of a page, but for its words."""
        row = self.rows[record_id]
        return {
            "record_id": record_id,
            "url": row["url"],
            "timestamp": f"{row['fetch_time']:{STAMP}}" if row["fetch_time"] else "",
            "viewport": [row["viewport_width"], row["viewport_height"]],
            "width": row["width"],
            "height": row["height"],
        }

    def record_of(self, drawn: MarkedPage) -> str | None:
        """The record id of a page of gold, which may be named by its URL alone; None if it is not here."""
        if drawn.record_id:
            return drawn.record_id if drawn.record_id in self.rows else None
        return self._by_url.get(drawn.url)

    def misfit(self, drawn: MarkedPage) -> str:
        """Why blocks cannot be laid over the page here, in a sentence; "" if they can."""
        record_id = self.record_of(drawn)
        if record_id is None:
            return f"{drawn.url or drawn.record_id} is not rendered in {self.uri}"
        drawn_in, shown_in = drawn.viewport[0], self.rows[record_id]["viewport_width"]
        if drawn_in and drawn_in != shown_in and any(block.rect for block in drawn.blocks):
            return (
                f"{drawn.url or record_id} was drawn on in a window {drawn_in:g} px wide, and is "
                f"rendered in one of {shown_in}: dbce render INPUT --out DIR --width {drawn_in:g}"
            )
        if all(block.rect for block in drawn.blocks):
            return ""
        _, missing = located(drawn, self.sheet(record_id).page)
        if missing:
            sought = {path for block in drawn.blocks if not block.rect for path in block.xpaths}
            return (
                f"{len(missing)} of {len(sought)} XPaths of the blocks of {drawn.url or record_id} are "
                f"not found on it ({missing[0]})"
            )
        return ""

    def counted(self, drawn: MarkedPage) -> MarkedPage:
        """The page with what is in its blocks; as it is where they cannot be laid over the page here."""
        record_id = self.record_of(drawn)
        if record_id is None or self.misfit(drawn) or not all(b.rect for b in drawn.blocks):
            return drawn
        return self.sheet(record_id).counted(drawn)
