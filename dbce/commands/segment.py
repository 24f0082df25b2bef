"""`dbce segment`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.stores import clear_sentences
from dbce.model import UsageError
from dbce.progress import Progress, end_line, files, log_to_stderr
from dbce.storage import Folder
from dbce.visual import is_judged
from dbce.visual.joined import join_folder
from dbce.visual.render import rendered_names
from dbce.visual.segment import SegmentationJob, options_of, segment_folder

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.visual import Each


def segment_command(options: Namespace) -> int:
    """`dbce segment`: rendered pages in, tables of blocks out."""
    log_to_stderr(options.log_format)
    chosen = options_of(options.algorithm, given_options(options.set))
    cutting = SegmentationJob(options.directory, options.algorithm, chosen, options.overlays)
    folder = Folder(cutting.uri)
    with clear_sentences(options.directory):
        count = len(rendered_names(cutting.uri))
        progress = Progress(cutting.table, stages=1 + is_judged(folder))
        joined = None
        with _engine(options.master, progress) as each:
            progress.stage(1, "segment", count, f"cutting pages of {files(count)}")
            done = segment_folder(cutting, each)
            if is_judged(folder):
                progress.stage(2, "join", count, f"joining verdicts of {files(count)}")
                joined = join_folder(cutting, each)
        folder.remove(cutting.parts)
    end_line()
    print(f"{done.pages} pages, {done.blocks} blocks: {done.table}")
    if joined:
        print(
            f"{joined.pages} pages have verdicts: blocks/verdicts/; {joined.blocks} blocks of "
            f"{joined.templates} templates: blocks/map/"
        )
    if done.rejected:
        print(f"{done.rejected} pages could not be cut: see blocks/rejects/")
    return TOO_MANY_REJECTS if done.rejected > done.pages else 0


@contextmanager
def _engine(master: str | None, progress: Progress) -> Iterator[Each]:
    """What does the work on the files: this process, or Spark."""
    if master == "none":

        def in_turn(names: Sequence[str], work: Callable[[str], None]) -> None:
            for name in names:
                work(name)
                progress.done(name, 0)

        yield in_turn
        return
    from dbce.engine.spark import each_name, running

    with running(master) as spark:

        def on_spark(names: Sequence[str], work: Callable[[str], None]) -> None:
            each_name(spark, names, work, progress)

        yield on_spark


def given_options(pairs: Iterable[str]) -> dict[str, str]:
    """Options by name.

    Raises:
        UsageError: one has no value.
    """
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair}: say --set NAME=VALUE")
        given[name.replace("-", "_")] = value
    return given
