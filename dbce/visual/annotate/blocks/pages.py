"""The rendered pages that are drawn on: in which order, and each as a sheet."""

from __future__ import annotations

from functools import lru_cache
from hashlib import md5
from typing import TYPE_CHECKING

from dbce.archive import timestamp14
from dbce.model import NotInRun, UsageError
from dbce.visual.annotate.blocks.adverts import is_ad_server
from dbce.visual.annotate.blocks.sheet import sheet_of
from dbce.visual.measure import located
from dbce.visual.render import RenderedFolder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dbce.output import Row
    from dbce.visual.annotate.blocks.history import About
    from dbce.visual.annotate.blocks.sheet import BlockSheet
    from dbce.visual.measure import MarkedPage

KEPT = 8
"""Sheets that are kept in memory."""


class Pages:
    """Pages that `dbce render` left in a folder, by record id; `title` of a row is the URL where a page has none.

    `adverts` are the record ids of what frames of other pages show, by the address.

    Raises:
        UsageError: no finished rendering is there, or it has no page.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._folder = RenderedFolder(uri)
        # A rendering of before there were titles has no column of them.
        self.rows: Mapping[str, Row] = {
            one: {**row, "title": row.get("title") or row["url"]}
            for one, row in self._folder.rows.items()
        }
        if not self.rows:
            raise UsageError(f"{uri} holds no page that could be rendered; see rendered/rejects")
        self.adverts = frozenset(one for one, row in self.rows.items() if is_ad_server(row["url"]))
        self._by_url = {row["url"]: one for one, row in reversed(list(self.rows.items()))}
        self.sheet = lru_cache(KEPT)(self._read)

    def by_chance(self, count: int) -> list[Row]:
        """Return the rows of the first pages by chance, which is the same chance every time; none of `adverts`."""
        asked = self.rows.keys() - self.adverts
        drawn = sorted(asked, key=lambda one: (md5(one.encode()).digest(), one))  # noqa: S324
        return self.rows_of(drawn[:count])

    def rows_of(self, record_ids: Iterable[str]) -> list[Row]:
        """Return the rows of those of some pages that are here."""
        return [self.rows[each] for each in record_ids if each in self.rows]

    def _read(self, record_id: str) -> BlockSheet:
        """Return a page to draw on.

        Raises:
            NotInRun: there is no such page.
        """
        if record_id not in self.rows:
            raise NotInRun(f"{self.uri} holds no rendered page {record_id}")
        return sheet_of(self._folder.page(record_id))

    def screenshot(self, record_id: str) -> bytes:
        """Return the picture of a page, as PNG.

        Raises:
            NotInRun: there is no such page.
            InputError: its record is damaged.
        """
        if record_id not in self.rows:
            raise NotInRun(f"{self.uri} holds no rendered page {record_id}")
        return self._folder.screenshot(record_id)

    def about(self, record_id: str) -> About:
        """Return the fields of gold that are those of a page, but for its words."""
        row = self.rows[record_id]
        return {
            "record_id": record_id,
            "url": row["url"],
            "timestamp": timestamp14(row["fetch_time"]) if row["fetch_time"] else "",
            "viewport": [row["viewport_width"], row["viewport_height"]],
            "width": row["width"],
            "height": row["height"],
        }

    def record_of(self, drawn: MarkedPage) -> str | None:
        """Return the record id of a page of gold, which may be named by its URL alone; None if it is not here."""
        if drawn.record_id:
            return drawn.record_id if drawn.record_id in self.rows else None
        return self._by_url.get(drawn.url)

    def misfit(self, drawn: MarkedPage) -> str:
        """Return in a sentence why blocks cannot be laid over the page here; "" if they can."""
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
        """Return the page with what is in its blocks; as it is where they cannot be laid over the page here."""
        record_id = self.record_of(drawn)
        if record_id is None or self.misfit(drawn) or not all(b.rect for b in drawn.blocks):
            return drawn
        return self.sheet(record_id).counted(drawn)
