# PYTHON_ARGCOMPLETE_OK
"""The command line, `dbce COMMAND ...`: its parser, made of the table of commands, and sentences of all that goes wrong."""

from __future__ import annotations

import gc
import os
import re
import sys
from argparse import (
    SUPPRESS,
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
    _ActionsContainer,
)
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import Any, NoReturn

import dbce
from dbce import model, wing
from dbce.commands import archives, labels, runs
from dbce.commands.faults import environment_fault, memory_limit_fault
from dbce.commands.options import AUTO, DEBUG, QUIET
from dbce.commands.table import Argument, Command, Exit, Group, Option, check_needs

_CORE: dict[str, tuple[Command, ...]] = {
    "archives": archives.COMMANDS,
    "finished runs": runs.COMMANDS,
    "rendered pages": (),
    "gold labels, scores and models": labels.COMMANDS,
}
_OF_THE_WING: Mapping[str, tuple[Command, ...]] = wing.part("COMMANDS") or {}

KINDS = {
    kind: (*commands, *_OF_THE_WING.get(kind, ()))
    for kind, commands in _CORE.items()
    if commands or kind in _OF_THE_WING
}
"""All commands, by what they are about."""

WIDTH = 100  # columns of what stands above and below the options

COMMANDS = {command.name: command for kind in KINDS.values() for command in kind}


class Parser(ArgumentParser):
    """The parser of a command, or the one above them all; `commands` are the parsers of all commands by their names."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commands: Mapping[str, Parser] = {}
        self._words: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As its base does, but that a command names itself what it does not know."""
        self._words = list(sys.argv[1:] if args is None else args)
        if "" in self._words:  # it would be the current folder
            self.error("an argument is empty; is a variable of the shell not set?")
        parsed, unknown = super().parse_known_args(self._words, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        hints = "; ".join(self._hints())
        meant = f"; {hints}" if hints else ""
        self.exit(2, f"{self.prog}: {message}{meant}; see {self.prog} --help\n")

    def option_names(self) -> set[str]:
        return set(self._option_string_actions)

    def _hints(self) -> Iterator[str]:
        words, known = self._words, self.option_names()
        if self._subparsers and (word := next((w for w in words if not w.startswith("-")), "")):
            if word not in self.commands:
                yield from _command_for(word, self.commands)
            return
        for option in (word.partition("=")[0] for word in words if word.startswith("-")):
            if option in {"-o", "--out", "--output"} and "--out" not in known:
                yield "what it prints goes to a file by > FILE"
            elif option.strip("-") == "" or any(name.startswith(option) for name in known):
                continue
            commands = self.commands.items()
            if theirs := [name for name, of in commands if option in of.option_names()]:
                yield f"{option} is an option of dbce {', dbce '.join(theirs)}"
            elif meant := get_close_matches(option, known, 1):
                yield f"did you mean {meant[0]}?"


def _command_for(word: str, commands: Mapping[str, Parser]) -> Iterator[str]:
    """Yield the command to type after a file, a folder or a misspelt name in place of a command."""
    if meant := get_close_matches(word, commands, 1):
        yield f"did you mean dbce {meant[0]}?"
    elif Path(word, "run.json").exists():
        yield f"it is a finished run: dbce view {word}"
    elif "://" in word or Path(word).exists():
        yield f"to read an archive: dbce run {word} --out DIR"


def make_parser(master: str | None = AUTO, job: str = "") -> Parser:
    """The parser of the whole command line; `master` is Spark's default, None leaves it to spark-submit; help names the `job` instead of a command."""
    parser = Parser(
        prog="dbce",
        description="Classify every passage on every page of a web archive as content or boilerplate.",
        epilog=_list_of_commands(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dbce {dbce.__version__}")
    for option in (DEBUG, QUIET):
        parser.add_argument(option.flag, action="store_true", help=option.help)
    kinds = parser.add_subparsers(
        metavar="COMMAND", required=True, help="one of the commands below"
    )
    for command in COMMANDS.values():
        program = job or f"dbce {command.name}"
        sub = kinds.add_parser(
            command.name,
            prog=program,
            usage=f"{command.usage(program)} [options]",
            description=command.about or model.sentence(command.purpose),
            epilog=_epilog(command),
            formatter_class=RawDescriptionHelpFormatter,
        )
        sub.set_defaults(command=command)
        sub.commands = kinds.choices
        # Where it is not given here it may have been given before the command.
        for option in (DEBUG, QUIET):
            sub.add_argument(option.flag, action="store_true", default=SUPPRESS, help=option.help)
        for part in command.parts:
            _add(sub, part, master)
    parser.commands = kinds.choices
    return parser


def _list_of_commands() -> str:
    width = max(map(len, COMMANDS)) + 2
    lines = []
    for kind, commands in KINDS.items():
        lines.append(f"{kind}:")
        lines += [f"  {c.name:{width}}{model.without_markup(c.purpose)}" for c in commands]
        lines.append("")
    return "\n".join([*lines, "dbce COMMAND --help has the options of each, with examples."])


def _epilog(command: Command) -> str:
    lines = ["examples:", *(f"  {example}" for example in command.examples)]
    if command.needs:
        lines += ["", f"needs: {model.without_markup('; '.join(requirements(command)))}"]
    lines += ["", "exit codes:"]
    for code, meaning in command.exits():
        lines += wrap(
            f"  {code:<5}{model.without_markup(meaning)}", WIDTH, subsequent_indent=" " * 7
        )
    return "\n".join(lines)


def requirements(command: Command) -> Iterator[str]:
    """Yield the requirements of a command, once each, in Markdown."""
    for extra in dict.fromkeys(need.extra for need in command.needs if need.libraries):
        yield f"`pip install 'dbce[{extra}]'`"
    yield from dict.fromkeys(need.program for need in command.needs if need.program)


def _add(container: _ActionsContainer, part: Argument | Option | Group, master: str | None) -> None:
    if isinstance(part, Group):
        if part.title:
            container = container.add_argument_group(
                part.title, model.without_markup(part.help) or None
            )
        if part.is_exclusive:
            container = container.add_mutually_exclusive_group(required=part.is_required)
        for option in part.options:
            _add(container, option, master)
    elif isinstance(part, Option):
        _add_option(container, part, master)
    else:
        several = "+" if part.many else "?" if part.optional else None
        container.add_argument(
            part.name, metavar=part.metavar, nargs=several, help=model.without_markup(part.help)
        )


def _add_option(container: _ActionsContainer, option: Option, master: str | None) -> None:
    described = model.without_markup(option.help).replace("%", "%%")
    if option.default_in_words:
        described += f" (default: {option.default_in_words})"
    taken = option.value_arguments()
    if option.flag == "--master" and master != AUTO:
        taken["default"] = master
    taken["dest"] = option.attribute
    container.add_argument(option.flag, required=option.is_required, help=described, **taken)
    if option.also:
        container.add_argument(option.also, help=SUPPRESS, **taken)


def main(
    arguments: Sequence[str] | None = None,
    master: str | None = AUTO,
    stage: model.Stage | None = None,
    job: str = "",
) -> int:
    """Run a command, as a `job` of that name if it is one; the exit code.

    `master` is Spark's default (None: spark-submit's), `stage` the only one of a run to do.
    """
    options: Namespace | None = None
    model.secure_streams()
    if isinstance(sys.stdout, TextIOWrapper):  # a console may lack letters that pages have
        sys.stdout.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            model.speak_names(stream)
    with model.interrupt_once(arguments is None):
        try:
            with model.whole_output():
                parser = make_parser(master, job)
                _complete(parser)
                options = parser.parse_args(arguments, Namespace(stage=stage))
                if fault := memory_limit_fault():
                    return _say(fault, Exit.STORE_FAILED)
                return _run(options.command, options)
        except model.ReaderLeft:
            return Exit.DONE
        except model.OutputLost as e:
            return _say(str(e), Exit.STORE_FAILED)
        except model.Termination:
            return _report_stop(options, "SIGTERM", Exit.TERMINATED)
        except KeyboardInterrupt:
            return _report_stop(options, "Ctrl-C", Exit.INTERRUPTED)


def _report_stop(options: Namespace | None, by: str, code: Exit) -> int:
    # An interrupt that came while a string was executed, as dataclasses do on import, Python remembers as
    # unhandled until it executes another, and ends by the signal whatever code it is given.
    exec("")  # noqa: S102
    return _say(f"stopped by {by}", code, options)


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
        shows_progress = "log_format" in options
        form = options.log_format if shows_progress else "text"
        model.log_to_stderr(form, quiet=options.quiet or not shows_progress)
        module, function = command.place
        return int(getattr(_import(module), function)(options) or Exit.DONE)
    except (model.OutputLost, model.ReaderLeft):
        raise
    except model.TooManyRejects as e:
        return _say(str(e), Exit.TOO_MANY_REJECTS)
    except Exception as e:  # the last stop before a person
        if options.debug:
            raise
        model.raise_pending()  # compiled code may make an error of its own of a Ctrl-C, as numpy does on import
        if fault := environment_fault(e):
            return _say(fault, Exit.STORE_FAILED, options)
        e = model.missing_extra(f"dbce {command.name}", e) or e
        if isinstance(e, model.UsageError):
            return _say(str(e).replace("dbce COMMAND", f"dbce {command.name}"), Exit.WRONG_USE)
        if isinstance(e, model.StoreError):
            return _say(str(e), Exit.STORE_FAILED, options)
        # Those of Spark carry the traces of Java and of workers.
        message = " ".join(re.split(r"\n\s+at |\n *Traceback", str(e))[0].split())
        return _say(f"{type(e).__name__}: {message} (--debug shows where)", Exit.BUG)
    finally:
        # What came on standard input; what no command needed is not imported for it.
        if files := sys.modules.get("dbce.archive.inputs.files"):
            files.remove_spooled()


def _import(module: str) -> ModuleType:
    """The module of a command, which may take a while; what it imports stays: nobody looks for garbage there."""
    if module not in sys.modules:
        # Arrow's own allocator keeps what is given up: a run of 1,500 large pages took 45 MB more.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
        # Of the small products that there are, threads of NumPy would have nothing but to wait, which takes .04 s.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        gc.disable()
        try:
            import_module(module)
        finally:
            gc.freeze()
            gc.enable()
    return sys.modules[module]


def _say(sentence: str, code: Exit, stopped: Namespace | None = None) -> Exit:
    """Say what ended a command, and of one that was `stopped` how to go on; what came on standard input is gone."""
    if stopped and stopped.command.goes_on and "-" not in vars(stopped).get("input", ()):
        sentence += f"; finished work is kept: {model.without_markup(stopped.command.goes_on)}"
    model.end_line()
    print(f"dbce: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
