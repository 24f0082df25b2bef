# PYTHON_ARGCOMPLETE_OK
"""The command line: `dbce COMMAND ...`."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

import dbce
from dbce import commands
from dbce.commands import visual
from dbce.commands.descriptions import (
    CHECK_EPILOG,
    CHECK_HELP,
    LABEL_EPILOG,
    LABEL_HELP,
    NIGHTLY_EPILOG,
    NIGHTLY_HELP,
    REPORT_HELP,
    RUN_EPILOG,
    RUN_HELP,
    TEXT_EPILOG,
    TEXT_HELP,
    VIEW_HELP,
)
from dbce.commands.options import AUTO, add_selection, add_serving, add_settings
from dbce.commands.parser import Parser, add_command
from dbce.model import StoreError, TooManyRejects, UsageError, missing_extra
from dbce.progress import end_line, go_on, only_once

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Sequence

    from dbce.model import Stage

STORE_FAILED = 4
"""Exit code of a run that stopped because outputs could not be written."""


INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

GOES_ON = {
    "run": "; what is done stays done: the same command with --resume goes on",
    "render": "; what is done stays done: the same command with --resume goes on",
    "nightly": "; what is done stays done: the same command goes on, no --resume needed",
}
"""What to type after Ctrl-C, by command."""


def main(
    arguments: Sequence[str] | None = None,
    master: str | None = AUTO,
    stage: Stage | None = None,
) -> int:
    """Runs a command; the exit code.

    `master` is Spark's default; None leaves it to spark-submit. `stage` is the one of a run that is
    to be done; None for all.
    """
    name = ""
    if isinstance(sys.stdout, TextIOWrapper):  # a console may lack letters that pages have
        sys.stdout.reconfigure(errors="replace")
    with only_once(arguments is None):
        try:
            parser = _parser(master)
            _complete(parser)
            options = parser.parse_args(arguments, Namespace(stage=stage))
            name = options.name
            return _run(options)
        except KeyboardInterrupt:
            # One that came while a string was executed, as dataclasses do on import, Python remembers as
            # unhandled until it executes another, and ends by the signal whatever code it is given.
            exec("")  # noqa: S102
            _say(f"stopped by Ctrl-C{GOES_ON.get(name, '')}")
            return INTERRUPTED


def _complete(parser: Parser) -> None:
    """Answers a shell that asks what may come next, and ends."""
    if "_ARGCOMPLETE" in os.environ:
        with suppress(ImportError):  # of the extra "completion"
            import argcomplete

            argcomplete.autocomplete(parser)


def _run(options: Namespace) -> int:
    """Runs a command; whatever goes wrong becomes one sentence and an exit code."""
    try:
        return int(options.command(options) or 0)
    except BrokenPipeError:
        # The reader of our output has had enough; what Python flushes at exit must go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except TooManyRejects as e:
        _say(str(e))
        return commands.TOO_MANY_REJECTS
    except Exception as e:  # the last stop before a person
        if options.debug:
            raise
        go_on()  # compiled code may make an error of its own of a Ctrl-C, as numpy does on import
        e = missing_extra(f"dbce {options.name}", e) or e
        if isinstance(e, UsageError):
            _say(str(e).replace("dbce COMMAND", f"dbce {options.name}"))
            return 2
        if isinstance(e, StoreError):
            _say(str(e))
            return STORE_FAILED
        _say(f"{type(e).__name__}: {_what(e)} (--debug shows where)")
        return 1
    finally:
        _clean_up()


def _clean_up() -> None:
    """Removes what came on standard input; what no command needed is not imported for it."""
    spool = sys.modules.get("dbce.archive.inputs.spool")
    if spool is not None:
        spool.remove_spooled()


def _say(sentence: str) -> None:
    end_line()
    print(f"dbce: {sentence}", file=sys.stderr)


def _what(error: Exception) -> str:
    """What an error says, in one line; those of Spark carry the traces of Java and of workers."""
    return " ".join(re.split(r"\n\s+at |\n *Traceback", str(error))[0].split())


def _parser(master: str | None) -> Parser:
    parser = Parser(
        prog="dbce",
        description="Content or boilerplate, for every text of every page in a web archive.",
    )
    parser.add_argument("--version", action="version", version=f"dbce {dbce.__version__}")
    kinds = parser.add_subparsers(metavar="COMMAND", required=True)
    parser.commands = kinds.choices
    _add_run(kinds, master)
    _add_nightly(kinds, master)
    _add_check(kinds)
    visual.add_render(kinds, master)

    compact = add_command(
        kinds, "compact", commands.compact_command, "make an archive's index compact"
    )
    compact.add_argument("archive", metavar="DIR", help="the archive of dbce nightly")

    _add_text(kinds)

    show = add_command(
        kinds, "show", commands.show_command, "show one capture: cross, text runs, why"
    )
    show.add_argument("directory", metavar="DIR", help="the folder of a finished run")
    show.add_argument("url", metavar="URL")
    show.add_argument("--at", metavar="TIME", help="the snapshot nearest to YYYYMMDDhhmmss")
    show.add_argument(
        "--node", metavar="N", type=int, help="why text node N, a number of the list, is what it is"
    )

    _add_view(kinds)
    _add_label(kinds)

    strip = add_command(
        kinds, "strip", commands.strip_command, "print an annotated page without marks"
    )
    strip.add_argument("page", metavar="PAGE", help="an annotated HTML file, - or a run's folder")
    strip.add_argument("url", metavar="URL", nargs="?", help="with a run's folder: which page")
    strip.add_argument("--at", metavar="TIME", help="the snapshot nearest to YYYYMMDDhhmmss")

    sample = add_command(
        kinds, "sample", commands.sample_command, "write the sample archive and its gold"
    )
    sample.add_argument("directory", metavar="DIR")

    _add_report(kinds)

    evaluate = add_command(kinds, "evaluate", commands.evaluate_command, "score runs against gold")
    evaluate.add_argument(
        "directory", metavar="DIR", nargs="+", help="the folder of a finished run"
    )
    evaluate.add_argument("--gold", metavar="FILE", required=True, help="text or node gold, JSONL")
    evaluate.add_argument(
        "--group", metavar="FIELD", default="site", help="field of the gold (default: %(default)s)"
    )
    evaluate.add_argument("--csv", metavar="FILE", help="write the scores of every page, as CSV")
    evaluate.add_argument("--parquet", metavar="FILE", help="the same as Parquet")
    evaluate.add_argument("--html", metavar="FILE", help="write a report with pictures")

    visual.add_segment(kinds, master)
    visual.add_evaluate_blocks(kinds)
    visual.add_headings(kinds, master)
    visual.add_evaluate_headings(kinds)
    visual.add_migrate(kinds, master)
    visual.add_agree(kinds)
    visual.add_changes(kinds, master)

    train = add_command(
        kinds, "train", commands.train_command, "train a model for the joint method"
    )
    train.add_argument(
        "--data",
        metavar="ARCHIVE GOLD [WEIGHT]",
        nargs="+",
        action="append",
        required=True,
        help="labelled pages: an archive as for run, its gold, what a page of it counts",
    )
    train.add_argument("--out", metavar="FILE", required=True, help="the model file to write")
    train.add_argument("--folds", type=int, default=5, help="parts of the sites that are held out")
    train.add_argument("--held-out", metavar="FILE", help="write the held-out main texts, JSONL")
    train.add_argument("--config", metavar="FILE", help="TOML; see conf/dbce.toml")
    return parser


def _add_text(kinds: _SubParsersAction[Parser]) -> None:
    text = add_command(kinds, "text", commands.text_command, "print the main content of every page")
    text.description, text.epilog = TEXT_HELP, TEXT_EPILOG
    text.add_argument("input", metavar="INPUT", nargs="+")
    text.add_argument(
        "--format",
        choices=("jsonl", "txt", "wet", "markdown", "html", "csv", "tei"),
        default="jsonl",
        help="default: %(default)s",
    )
    text.add_argument(
        "--images",
        action="store_true",
        help="keep images of the content by their alternative text (markdown, html, tei)",
    )
    text.add_argument(
        "--headings",
        choices=("tags", "dbce"),
        help="what is one: h1 to h6, as without it, or what looks like one and stands so (markdown, html, "
        "tei); jsonl gets a list of them by either",
    )
    text.add_argument("--url", metavar="URL", help="of the one HTML page that is given")
    text.add_argument("--at", metavar="TIME", help="when it was captured: 4 to 14 digits")
    text.add_argument("--warc-base", metavar="DIR", help="where the files named by an index are")
    text.add_argument("--config", metavar="FILE", help="TOML; see conf/dbce.toml")
    add_selection(text)


def _add_view(kinds: _SubParsersAction[Parser]) -> None:
    view = add_command(kinds, "view", commands.view_command, "look at a run in the browser")
    view.description = VIEW_HELP
    view.add_argument("directory", metavar="DIR", help="the folder of a finished run")
    add_serving(view)


def _add_label(kinds: _SubParsersAction[Parser]) -> None:
    label = add_command(kinds, "label", commands.label_command, "make gold: say what is content")
    label.description, label.epilog = LABEL_HELP, LABEL_EPILOG
    label.add_argument("directory", metavar="DIR", help="the folder of a finished run")
    gold = label.add_mutually_exclusive_group(required=True)
    gold.add_argument(
        "--gold",
        metavar="FILE",
        help="node gold, JSONL; if it is there it is gone on with",
    )
    gold.add_argument(
        "--headings",
        metavar="FILE",
        help="heading gold, JSONL, of pages that dbce render left in DIR; gone on with likewise",
    )
    gold.add_argument(
        "--blocks",
        metavar="FILE",
        help="block gold, JSONL, of such pages; gone on with likewise",
    )
    label.add_argument(
        "--take",
        metavar="FILE",
        nargs="+",
        default=[],
        help="with --blocks: block gold of others, with or without its journal, that comes into it",
    )
    label.add_argument(
        "--order",
        choices=("random", "site", "least-sure"),
        default="random",
        help="which captures to ask for first: by chance, one of every site in turn, or those that "
        "the run is least sure of; always the same of one run (default: %(default)s)",
    )
    label.add_argument(
        "--captures",
        metavar="N",
        type=int,
        default=50,
        help="how many to ask for (default: %(default)s)",
    )
    add_serving(label)


def _add_report(kinds: _SubParsersAction[Parser]) -> None:
    report = add_command(
        kinds, "report", commands.report_command, "write a report, and pages to look at"
    )
    report.description = REPORT_HELP
    report.add_argument("directory", metavar="DIR", help="the folder of a finished run")
    report.add_argument("--gold", metavar="FILE", help="text or node gold, JSONL: adds scores")
    report.add_argument(
        "--group", metavar="FIELD", default="site", help="field of the gold (default: %(default)s)"
    )
    report.add_argument(
        "--out", metavar="FILE", help="write the report there, and nothing into DIR"
    )
    report.add_argument("--csv", metavar="FOLDER", help="also write its figures, as CSV files")


def _add_run(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    run = add_command(kinds, "run", commands.run_command, "annotate web archives")
    run.description, run.epilog = RUN_HELP, RUN_EPILOG
    run.add_argument("input", metavar="INPUT", nargs="+")
    run.add_argument("--url", metavar="URL", help="of the one HTML file among the inputs")
    add_selection(run)
    add_settings(run, master)
    run.add_argument("--out", metavar="DIR", required=True, help="folder for the outputs")
    again = run.add_mutually_exclusive_group()
    again.add_argument("--overwrite", action="store_true", help="replace the run that is in DIR")
    again.add_argument("--resume", action="store_true", help="go on with the run that began in DIR")


def _add_nightly(kinds: _SubParsersAction[Parser], master: str | None) -> None:
    nightly = add_command(kinds, "nightly", commands.nightly_command, "take a night's new files")
    nightly.description, nightly.epilog = NIGHTLY_HELP, NIGHTLY_EPILOG
    nightly.add_argument(
        "input", metavar="INPUT", nargs="+", help="the incoming folder, or as for run"
    )
    nightly.add_argument(
        "--archive", metavar="DIR", required=True, help="keeps the index and every night's outputs"
    )
    nightly.add_argument(
        "--revise",
        choices=("list", "apply"),
        help="older captures that tonight's change: list them, or judge them again",
    )
    nightly.add_argument(
        "--changes",
        action="store_true",
        help="also compare tonight's captures with the last known ones, as dbce changes does",
    )
    add_selection(nightly)
    add_settings(nightly, master)


def _add_check(kinds: _SubParsersAction[Parser]) -> None:
    check = add_command(
        kinds, "check", commands.check_command, "say what is damaged in web archives"
    )
    check.description, check.epilog = CHECK_HELP, CHECK_EPILOG
    check.add_argument("input", metavar="INPUT", nargs="+")
    check.add_argument("--url", metavar="URL", help="of the one HTML file among the inputs")
    check.add_argument("--json", action="store_true", help="one JSON object a file, then the sum")
    check.add_argument(
        "--strict", action="store_true", help="exit code 3 where anything is damaged"
    )
    check.add_argument("--jobs", type=int, metavar="N", help="files at a time (default: all cores)")
    check.add_argument("--warc-base", metavar="DIR", help="where the files named by an index are")
    check.add_argument("--config", metavar="FILE", help="TOML; of it the limits count")
    add_selection(check)


if __name__ == "__main__":
    sys.exit(main())
