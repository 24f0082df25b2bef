"""The three stages of a run over the engine: sketch, compare, judge."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from dbce.engine import Comparison, Stage, telling
from dbce.model import Stage as Step
from dbce.output import Done
from dbce.output.index import has_unit
from dbce.progress import files
from dbce.run.compare import Result, compare_units
from dbce.run.one_file import index_file, judge_file
from dbce.storage import Shelf, is_done

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.archive import Source
    from dbce.engine import Found, Reached, Workers
    from dbce.model import Config
    from dbce.progress import Progress
    from dbce.run.stores import Stores


def run_stages(
    sources: Sequence[Source],
    stores: Stores,
    config: Config,
    workers: Workers,
    progress: Progress,
    *,
    last: Step = Step.JUDGE,
    when_read: Callable[[], None] = lambda: None,
) -> Done:
    """Run the three stages, up to the `last`, on every source; what is done already stays as it is.

    `when_read` is called after the first stage, and may stop the run.
    """
    seconds = {}
    start = perf_counter()
    todo = {s.unit: s for s in sources if not has_unit(stores.index, s.unit)}
    sketch = partial(_sketch, stores, config)
    reading = f"reading {files(len(todo))}"
    workers.do(Stage(1, "read", reading, todo, telling(sketch)), progress)
    captures = workers.count(stores.index, [source.unit for source in sources])
    seconds["read"] = perf_counter() - start
    when_read()
    if last is Step.READ:
        return Done(captures, seconds)

    start = perf_counter()
    units = [source.unit for source in sources]
    with Shelf[Result]() as results:
        here = partial(compare_units, units, stores, config, progress.within, results)
        comparison = Comparison(stores.index, stores.known, stores.out, config, here)
        annotations = workers.compare(comparison, captures, progress)
        seconds["compare"] = perf_counter() - start
        if last is Step.COMPARE:
            return Done(captures, seconds)

        start = perf_counter()
        todo = {s.unit: s for s in sources if not is_done(stores.out, s.unit)}
        judge = partial(_judge, stores, config)
        judging = f"judging and writing {files(len(todo))}"
        workers.do_with(Stage(3, "judge", judging, todo, telling(judge)), annotations, progress)
    seconds["judge"] = perf_counter() - start
    return Done(captures, seconds)


def _sketch(stores: Stores, config: Config, source: Source, reached: Reached) -> int:
    return index_file(source, stores, config, reached)


def _judge(stores: Stores, config: Config, unit: tuple[Source, Found], reached: Reached) -> int:
    source, annotations = unit
    return judge_file(source, stores, annotations, config, reached)
