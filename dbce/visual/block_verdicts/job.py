"""Segmentation as a job of the engine: rendered pages in, tables of blocks and of what verdicts say of them out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from dbce.archive import Source
from dbce.engine import Stage, TableJob, Workers, work_without_progress
from dbce.model import Progress, files
from dbce.storage import Folder, table_path, tidy
from dbce.visual import is_judged
from dbce.visual.block_verdicts.folder import JOINED, JoinCounts, join, share_file
from dbce.visual.render import rendered_names
from dbce.visual.segment import TABLES, SegmentationCounts, SegmentSettings, cut_file, gather, part


class SegmentationAccount(NamedTuple):
    """The account of a segmentation; `joined` is None where no run has judged the pages."""

    segmented: SegmentationCounts
    joined: JoinCounts | None


@dataclass(frozen=True, slots=True)
class SegmentationJob(TableJob):
    """The rendered pages of a folder cut into blocks, and the blocks joined with the verdicts on their texts."""

    settings: SegmentSettings

    @property
    def kind(self) -> str:
        return f"segmentation by {self.settings.table.removesuffix('.parquet')}"

    @property
    def out(self) -> str:
        return self.settings.run

    @property
    def folder(self) -> Folder:
        return Folder(self.out).subfolder(TABLES)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Tables, the first of which is written last, and behind them where an older dbce has it."""
        table = self.settings.table
        return (*(f"{kind}/{table}" for kind in (TABLES, "rejects", *JOINED)), table)

    def is_finished(self) -> bool:
        return self.folder.exists(table_path(self.folder, TABLES, self.settings.table))

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> list[str]:
        """Cut every file that is not cut yet, and ask the verdicts; the names of the files."""
        names = rendered_names(self.out)
        judged = is_judged(Folder(self.out))
        progress = Progress(self.settings.table, stages=1 + judged)
        todo = {name: name for name in names if not place.exists(part("blocks", name))}
        cut = work_without_progress(partial(cut_file, self.settings, place))
        workers.do(Stage(1, "segment", f"cutting pages of {files(len(todo))}", todo, cut), progress)
        if judged:
            todo = {name: name for name in names if not place.exists(part("shares", name))}
            share = work_without_progress(partial(share_file, self.out, place))
            joining = f"joining verdicts of {files(len(todo))}"
            workers.do(Stage(2, "join", joining, todo, share), progress)
        return names

    def finish(
        self, place: Folder, _sources: tuple[Source, ...], names: list[str]
    ) -> SegmentationAccount:
        """Make one table of those of all files."""
        joined = None
        if is_judged(Folder(self.out)):
            joined = join(self.out, place, self.settings.table, names)
        segmented = gather(self.settings, place, names)
        tidy(place)
        return SegmentationAccount(segmented, joined)
