"""Commands that need the libraries of an extra: `dbce view`, `label`, `report`, `evaluate`, `train`; and `dbce sample`."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from dbce import archive, model
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import check_positive, config_at, row_selection
from dbce.storage import write_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.history import TextStep
    from dbce.view.run import Run
    from dbce.view.server import Server

_FOLDERS = 3  # that are named where the archives of a run lie in many


def view_command(options: Namespace) -> None:
    if options.export:
        _export(options)
        return
    _begin_serving(options)
    from dbce.view.server import start

    _serve(start(options.directory, _input_places(options), options.host, options.port))


@contextmanager
def _open_run(options: Namespace) -> Iterator[Run]:
    """The run to look at, while the block lasts."""
    from dbce.view.run import open_view

    run = open_view(options.directory, _input_places(options))
    with closing(run.tables):
        _say_elsewhere(run)
        yield run


def _export(options: Namespace) -> None:
    check_positive("--captures", options.captures)
    from dbce.view.export import export

    with _open_run(options) as run, clear_sentences(options.export):
        model.log_to_stderr("text", quiet=not sys.stderr.isatty())
        index = export(run, options.export, options.captures)
        model.end_line()
    print(f"{index}: pages with content and boilerplate coloured, to open in a browser")


def write_comparison(options: Namespace, steps: Sequence[TextStep]) -> None:
    """Write the first and the last of some captures, compared on the archived page, to the file of `--page`."""
    if len(steps) < 2:
        raise model.UsageError(f"{options.url} has no two captures with a text; leave --page out")
    from dbce.view.export import comparison

    with _open_run(options) as run:
        write_file(options.page, comparison(run, steps[0].record_id, steps[-1].record_id))
    print(
        f"{options.page}: what changed from {archive.day_of(steps[0].time)} to {archive.day_of(steps[-1].time)}"
    )


def label_command(options: Namespace) -> None:
    check_positive("--captures", options.captures)
    if options.take and not options.blocks:
        raise model.UsageError("--take goes with --blocks alone")
    _begin_serving(options)
    from dbce.annotate.server import DeskSettings, serving

    kinds = {"label": options.gold, "headings": options.headings, "blocks": options.blocks}
    kind, gold = next((kind, gold) for kind, gold in kinds.items() if gold is not None)
    settings = DeskSettings(
        options.directory,
        gold,
        places={} if kind == "blocks" else _input_places(options),
        order=options.order,
        captures=options.captures,
        others=options.take,
    )
    with serving(kind, settings, host=options.host, port=options.port) as server:
        _serve(server)


def _begin_serving(options: Namespace) -> None:
    """Check the port, and tell who waits at a terminal, before what takes seconds: loading libraries, and opening the tables of a run."""
    if not 0 <= options.port <= 65535:
        raise model.UsageError(
            f"--port {options.port} is not a port; give a number from 0 to 65535"
        )
    if sys.stderr.isatty():
        model.print_above_status(f"dbce: starting the web page on {options.directory}")


def _input_places(options: Namespace) -> dict[str, str]:
    sources = archive.expand(options.archive) if options.archive else ()
    return {source.name: source.uri for source in sources}


def _say_elsewhere(run: Run) -> None:
    if run.elsewhere:
        folders = " ".join(shlex.quote(f"{folder}/") for folder in run.elsewhere[:_FOLDERS])
        model.print_above_status(
            "dbce: pages are shown without style sheets and pictures: their archives do not lie below the "
            f"run's folder; if you trust the run: --archive {folders}"
        )


def _serve(server: Server) -> None:
    if server.shown:
        _say_elsewhere(server.shown)
    try:
        print(f"Open {server.address} in a browser; Ctrl-C ends it.", flush=True)
        server.run()
        model.raise_pending()  # the server passes over what ends it
    except KeyboardInterrupt as e:
        if isinstance(e, model.Termination):  # Ctrl-C is the way to end it, and no failure
            raise


def sample_command(options: Namespace) -> None:
    from dbce import sample  # a slow start, which web pages need not wait for

    with clear_sentences(options.directory):
        print(sample.write(options.directory))


def report_command(options: Namespace) -> None:
    from dbce.report.one_file import write_report  # which needs the extra "report"

    wanted = {name: getattr(options, name) for name in ("gold", "group", "out", "csv")}
    selection = row_selection(options.directory, options, options.urls)
    print(write_report(options.directory, **wanted, selection=selection))


def evaluate_command(options: Namespace) -> None:
    from dbce.evaluate import evaluate_all  # which needs pandas, as the sample does not

    comparison = evaluate_all(options.directory, options.gold, options.group)
    if options.csv:
        write_file(options.csv, comparison.table().to_csv(index=False))
    if options.parquet:
        write_file(options.parquet, comparison.table().to_parquet(index=False))
    if options.html:
        from dbce.report.one_file import render  # which needs the extra "report", too

        write_file(options.html, render(comparison, options.group))
    print(comparison.text())


def train_command(options: Namespace) -> None:
    from dbce.train.run import LabelledArchive, train

    model.log_to_stderr("text", quiet=options.quiet)
    settings = config_at(options.config)
    card = train(
        [LabelledArchive.from_arguments(words) for words in options.data],
        options.out,
        settings,
        folds=options.folds,
        texts=options.held_out,
        progress=model.LOG.info,
    )
    model.end_line()
    print(json.dumps(card, indent=1))
