"""Rendering on Spark: a task for every file, with a browser of its own in the executor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.model import StoreError, UsageError
from dbce.visual.render.browser import chromium
from dbce.visual.render.local import browsers, find_places, render_file

if TYPE_CHECKING:
    from dbce.archive import Source
    from dbce.visual.render.local import Work


def render_on_spark(spark: Any, work: Work, named: str | None) -> None:
    """As `render_locally`; Chromium is the one that is `named` in each executor, or is found there."""
    from dbce.engine.spark import each  # who only reads rendered pages needs no Spark

    folder, config, progress = work.folder, work.config, work.progress

    def places(source: Source) -> None:
        find_places(folder, source)

    def render(source: Source) -> None:
        try:
            path = chromium(named)
        except UsageError as e:  # which the driver is to tell in one sentence
            raise StoreError(f"an executor cannot render: {e}") from e
        with browsers(folder, path, config, 1) as results:
            render_file(folder, source, config, results)

    work.reading()
    each(spark, work.held, places, progress)
    each(spark, work.rendering(), render, progress)
