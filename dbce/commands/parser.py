"""Command lines that cannot be read: what is wrong with them in one sentence, and what was meant."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Parser(ArgumentParser):
    """The parser of a command, or the one above them all, whose prefix is the program's name alone.

    `commands` are the parsers of all commands by their names.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commands: Mapping[str, Parser] = {}
        self._words: list[str] = []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As its base does, but that a command names itself what it does not know."""
        self._words = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(self._words, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        hints = "; ".join(_hints(self._words, self.known(), self.commands, self.prog))
        meant = f"; {hints}" if hints else ""
        self.exit(2, f"{self.prog}: {message}{meant}; see {self.prog} --help\n")

    def known(self) -> set[str]:
        """The options that it has."""
        return set(self._option_string_actions)


def _hints(
    words: Sequence[str], known: set[str], commands: Mapping[str, Parser], prog: str
) -> Iterator[str]:
    if " " not in prog and (word := next((w for w in words if not w.startswith("-")), "")):
        if word not in commands:
            yield from _command_for(word, commands)
        return
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    for option in options:
        if option == "--" or any(name.startswith(option) for name in known):
            continue
        if theirs := [name for name, parser in commands.items() if option in parser.known()]:
            yield f"{option} is an option of dbce {', dbce '.join(theirs)}"
        elif meant := get_close_matches(option, known, 1):
            yield f"did you mean {meant[0]}?"


def _command_for(word: str, commands: Mapping[str, Parser]) -> Iterator[str]:
    """What to type where there is a file, a folder or a misspelt name instead of a command."""
    if meant := get_close_matches(word, commands, 1):
        yield f"did you mean dbce {meant[0]}?"
    elif Path(word, "run.json").exists():
        yield f"it is a finished run: dbce view {word}"
    elif "://" in word or Path(word).exists():
        yield f"to read an archive: dbce run {word} --out DIR"


def add_command(
    kinds: _SubParsersAction[Parser],
    name: str,
    command: Callable[..., int | None],
    purpose: str,
) -> Parser:
    """A command of ours with what all have; `purpose` is its line in the list of commands."""
    parser = kinds.add_parser(
        name,
        help=purpose,
        description=f"{purpose[0].upper()}{purpose[1:]}.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--debug", action="store_true", help="show where an error was raised")
    parser.commands = kinds.choices
    parser.set_defaults(command=command, name=name)
    return parser
