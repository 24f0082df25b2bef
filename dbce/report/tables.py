"""Tables of a run as the report and the viewer's maps read them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dbce.output import INDEX, NODES, PAGES, REJECTS, WholeTable
from dbce.output.index import CAPTURE

if TYPE_CHECKING:
    from dbce.storage import Folder


class RunTables:
    """The tables of a run, none of them read yet: each is opened once, when it is first asked for.

    On a store to open a table is to list its files, which every figure would do again.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> WholeTable:
        """HTML captures."""
        return WholeTable(self.folder, "pages/*.parquet", PAGES)

    @cached_property
    def nodes(self) -> WholeTable:
        """Text runs."""
        return WholeTable(self.folder, "nodes/*.parquet", NODES)

    @cached_property
    def rejects(self) -> WholeTable:
        """Rejected captures and damaged places."""
        return WholeTable(self.folder, "rejects/*.parquet", REJECTS)

    @cached_property
    def index(self) -> WholeTable:
        """Captures of an archive, with their signatures; without rows if the run keeps no index."""
        return WholeTable(self.folder, f"{INDEX}/*.parquet", CAPTURE)
