"""`dbce run`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dbce import archive
from dbce.boilerplate.classify import load_model
from dbce.commands.settings import engine_of, exit_code, selection_of, settings_of, warn_of_players
from dbce.commands.stage import NEXT, prepare
from dbce.commands.stores import clear_sentences
from dbce.model import ALSO, UsageError
from dbce.output import (
    BEGUN,
    INDEX,
    OUTPUTS,
    WORK,
    begin,
    finish,
    has_begun,
    is_free,
    locked,
    open_run,
    resumed,
    summary,
)
from dbce.output import NAME as METRICS
from dbce.output.index import outcomes
from dbce.progress import LOG, Progress, end_line, log_to_stderr
from dbce.run import DAMAGED, Stores, is_archive_of_nights
from dbce.storage import Folder

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from dbce.model import Config
    from dbce.output import Done, Manifest

REPLACED = ("run.json", BEGUN, METRICS, "report", "report.html", INDEX, WORK, *OUTPUTS)
"""What a run removes of an earlier one in the same folder, in this order: first what says that there
is a run, so that none is believed to be there that is half removed."""


def run_command(options: Namespace) -> int:
    """`dbce run`: archives in, annotated archives and tables out."""
    log_to_stderr(options.log_format)
    settings = settings_of(options)
    warn_of_players(settings)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)  # a model that cannot be used shows before anything starts
    if options.partitions is not None and options.partitions < 1:
        raise UsageError(f"partitions is {options.partitions}; it must be at least 1")
    _check_standard_input(options)
    sources = archive.expand(
        *(options.input, options.warc_base, selection_of(options)), url=options.url
    )
    folder = Folder(options.out)
    with clear_sentences(options.out):
        _check_output(folder, options, sources)
        if options.stage is not None:
            prepare(folder, options)
        if options.resume and folder.exists("run.json") and not has_begun(folder):
            manifest = _finished(options, settings, sources)
        else:
            with locked(folder):
                done, names = _run(folder, options, settings, sources)
                if options.stage in NEXT:
                    end_line()
                    print(NEXT[options.stage].format(done.captures, options.out))
                    return 0
                # Spark has stopped: no attempt that it has given up writes any more.
                manifest = finish(folder, names, settings, done)
    end_line()
    print(summary(manifest, options.out))
    return exit_code(manifest, settings, options.out)


def _check_standard_input(options: Namespace) -> None:
    """Whether standard input can be read twice: it is kept on this machine, as long as this process lasts."""
    if archive.STANDARD_INPUT not in options.input:
        return
    if options.resume:
        raise UsageError(
            "a run on standard input cannot be gone on with, for it is gone; save it to a file, and "
            "give that with --overwrite"
        )
    if not (options.master or "").startswith(("none", "local")):
        raise UsageError(
            "standard input is not there for other machines; add --master none, or save it to a file "
            "that they see"
        )


def _check_output(folder: Folder, options: Namespace, sources: Sequence[archive.Source]) -> None:
    try:
        possible = folder.is_possible()
    except OSError as e:
        raise UsageError(f"{options.out} cannot be reached: {e}") from e
    if not possible:
        raise UsageError(f"{options.out} is no folder and cannot become one; name another")
    if is_archive_of_nights(folder):
        raise UsageError(
            f"{options.out} is a nightly archive, whose index a run would replace; name another folder, "
            f"or take a night: dbce nightly INPUT --archive {options.out}"
        )
    removed = tuple(f"{folder.at(name)}/" for name in REPLACED)
    for source in sources:
        if Folder(source.uri).path.startswith(removed):
            raise UsageError(f"the input {source.uri} would be removed; name another --out")


def _finished(options: Namespace, settings: Config, sources: Sequence[archive.Source]) -> Manifest:
    """The account of a run that there is nothing left to do for."""
    _, manifest = open_run(options.out)
    also = tuple(name for name in ALSO if manifest["config"].get(name))
    if (manifest["config_digest"], also) != (settings.digest(), settings.also()):
        raise UsageError(
            f"{options.out} holds a finished run with another configuration; name another folder, or "
            "replace it with --overwrite"
        )
    if manifest["selection"] != sources[0].selection.options():
        raise UsageError(
            f"{options.out} holds a finished run with another selection; name another folder, or "
            "replace it with --overwrite"
        )
    LOG.info("%s holds a finished run; nothing is left to do", options.out)
    return manifest


def _run(
    folder: Folder, options: Namespace, settings: Config, sources: tuple[archive.Source, ...]
) -> tuple[Done, list[str]]:
    """Begins a run, or goes on with one; the folder is locked. What is done, and the files' names."""
    _check_content(folder, options)
    with engine_of(options, sources) as engine:
        if options.resume and has_begun(folder):
            sources = resumed(folder, sources, settings)
        else:
            for name in REPLACED:
                folder.remove(name)
            sources = archive.split(sources, settings.split_bytes)
            begin(folder, sources, settings)
        stores = Stores(folder.within(INDEX), folder)
        taken = partial(_check_taken, folder, sources[0].selection)
        done = engine(sources, stores, settings, Progress(settings.digest()), when_read=taken)
    return done, [source.name for source in sources]


def _check_taken(folder: Folder, selection: archive.Selection) -> None:
    """Whether a selection has left anything; if not, the run is as if it had never begun."""
    if selection.takes_all:
        return
    found = outcomes(folder.within(INDEX))
    damaged = found.pop(DAMAGED, 0)
    if found:
        return
    for name in REPLACED:
        folder.remove(name)
    but = f" but {damaged} damaged places, whose URLs are not known" if damaged else ""
    raise UsageError(f"the selection leaves nothing of the inputs{but}")


def _check_content(folder: Folder, options: Namespace) -> None:
    """Whether what is in the folder may be gone on with, or replaced."""
    if options.overwrite or is_free(folder):
        return
    if not has_begun(folder):
        kind = "holds no run to go on with and is not empty" if options.resume else "is not empty"
        raise UsageError(f"{options.out} {kind}; name another folder or add --overwrite")
    if not options.resume:
        raise UsageError(
            f"{options.out} holds a run that did not end; --resume goes on with it, "
            "--overwrite starts anew"
        )
