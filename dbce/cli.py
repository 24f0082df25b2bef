# PYTHON_ARGCOMPLETE_OK
"""The command line: `dbce COMMAND ...`."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

from dbce import model
from dbce.commands.faults import check_memory_limit, environment_fault
from dbce.commands.options import AUTO
from dbce.commands.parser import Parser, make_parser
from dbce.commands.table import Command, Exit, check_needs

if TYPE_CHECKING:
    from dbce.model import Stage


def main(
    arguments: Sequence[str] | None = None, master: str | None = AUTO, stage: Stage | None = None
) -> int:
    """Run a command; the exit code. `master` is Spark's default (None: spark-submit's), `stage` the only one of a run to do."""
    command: Command | None = None
    model.secure_streams()
    if isinstance(sys.stdout, TextIOWrapper):  # a console may lack letters that pages have
        sys.stdout.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            model.speak_names(stream)
    with model.interrupt_once(arguments is None):
        try:
            with model.whole_output():
                parser = make_parser(master)
                _complete(parser)
                options = parser.parse_args(arguments, Namespace(stage=stage))
                command = options.command
                return _run(command, options)
        except model.ReaderLeft:
            return Exit.DONE
        except model.OutputLost as e:
            return _say(str(e), Exit.STORE_FAILED)
        except model.Termination:
            return _report_stop(command, "SIGTERM", Exit.TERMINATED)
        except KeyboardInterrupt:
            return _report_stop(command, "Ctrl-C", Exit.INTERRUPTED)


def _report_stop(command: Command | None, by: str, code: Exit) -> int:
    """Says what ended a command, and how one goes on with it; the exit code."""
    # An interrupt that came while a string was executed, as dataclasses do on import, Python remembers as
    # unhandled until it executes another, and ends by the signal whatever code it is given.
    exec("")  # noqa: S102
    goes_on = model.without_markup(command.goes_on) if command else ""
    return _say(f"stopped by {by}" + (goes_on and f"; finished work is kept: {goes_on}"), code)


def _complete(parser: Parser) -> None:
    """Answers a shell that asks what may come next, and ends."""
    if "_ARGCOMPLETE" in os.environ:
        with suppress(ImportError):  # of the extra "completion"
            import argcomplete

            argcomplete.autocomplete(parser)


def _run(command: Command, options: Namespace) -> int:
    """Runs a command; whatever goes wrong becomes one sentence and an exit code."""
    try:
        check_needs(command, options)
        check_memory_limit()
        if "log_format" in options:
            model.log_to_stderr(options.log_format, quiet=options.quiet)
        module, function = command.place  # imported now, which may take a while
        return int(getattr(import_module(module), function)(options) or Exit.DONE)
    except (model.OutputLost, model.ReaderLeft):
        raise
    except model.TooManyRejects as e:
        return _say(str(e), Exit.TOO_MANY_REJECTS)
    except Exception as e:  # the last stop before a person
        if options.debug:
            raise
        model.raise_pending()  # compiled code may make an error of its own of a Ctrl-C, as numpy does on import
        if told := environment_fault(e):
            goes_on = model.without_markup(command.goes_on)
            told += goes_on and f"; finished work is kept: {goes_on}"
            return _say(told, Exit.STORE_FAILED)
        e = model.missing_extra(f"dbce {command.name}", e) or e
        if isinstance(e, model.UsageError):
            return _say(str(e).replace("dbce COMMAND", f"dbce {command.name}"), Exit.WRONG_USE)
        if isinstance(e, model.StoreError):
            return _say(str(e), Exit.STORE_FAILED)
        # Those of Spark carry the traces of Java and of workers.
        message = " ".join(re.split(r"\n\s+at |\n *Traceback", str(e))[0].split())
        return _say(f"{type(e).__name__}: {message} (--debug shows where)", Exit.BUG)
    finally:
        # What came on standard input; what no command needed is not imported for it.
        if files := sys.modules.get("dbce.archive.inputs.files"):
            files.remove_spooled()


def _say(sentence: str, code: Exit) -> Exit:
    model.end_line()
    print(f"dbce: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
