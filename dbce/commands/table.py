"""Declaration of a command: its arguments and options, examples, needs and exit codes.

A declaration is all that a command consists of but what it does: the parser, completion, `--help`, the tables of
docs/guide.md and the check that its libraries are installed follow from it. Texts are Markdown.
"""

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from importlib.util import find_spec
from typing import Any

from dbce.model import EXTRAS, MissingExtra


class Exit(IntEnum):
    """Exit codes of a command, in the order in which help tells them."""

    DONE = 0
    WRONG_USE = 2
    TOO_MANY_REJECTS = 3
    STORE_FAILED = 4
    INTERRUPTED = 130  # as shells have it after Ctrl-C
    TERMINATED = 143  # as they have it after SIGTERM
    BUG = 1


ENDS = {
    Exit.DONE: "success",
    Exit.WRONG_USE: "usage error, or another process is using the folder; nothing was done",
    Exit.STORE_FAILED: "storage error: an existing input cannot be read, or a disk is full, also that of standard output; or memory has run out",
    Exit.INTERRUPTED: "interrupted (Ctrl-C)",
    Exit.TERMINATED: "terminated (SIGTERM), as by systemd, Kubernetes and batch systems",
    Exit.BUG: "internal error, or a crash of the machine; rerun with `--debug` for a traceback",
}
"""What exit codes mean with every command, if it does not say it better."""

STOPPED = (Exit.STORE_FAILED, Exit.INTERRUPTED, Exit.TERMINATED, Exit.BUG)
"""Exit codes after which some commands can be gone on with."""


@dataclass(frozen=True, slots=True)
class Need:
    """Libraries of one extra that a command, or one of its options, cannot do without."""

    libraries: tuple[str, ...]
    otherwise: str = ""  # what to do instead of installing them
    program: str = ""  # what has to be on the machine besides
    free: tuple[str, ...] = ()  # values of the option for which nothing is needed
    is_local: bool = False  # not looked for here when Spark does the work

    @property
    def extra(self) -> str:
        return EXTRAS[self.libraries[0]]


@dataclass(frozen=True, slots=True)
class Argument:
    """A word of a command that is no option; several with `many`, none or one with `optional`."""

    name: str
    metavar: str
    help: str = ""
    many: bool = False
    optional: bool = False


KINDS: Mapping[str, Callable[[str], Any]] = {"N": int, "SHARE": float, "X": float}
"""What makes a value of a word, by what options call it; all others are texts."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command; `form` is its flag with what it takes: words, or several of one (`FILE ...`)."""

    form: str
    help: str  # a clause that says what it does
    more: str = ""  # sentences that the guide has besides
    kind: Callable[[str], Any] | None = None  # if it is not what KINDS says
    choices: tuple[str | int, ...] = ()
    default: str | float | None = None  # where it is not given
    default_words: str = ""  # what help says of the default, if it is another thing
    is_repeatable: bool = False  # may be given several times
    is_negatable: bool = False  # there is a `--no-...` as well
    is_required: bool = False
    name: str = ""  # among the parsed options, if it is not the flag's
    also: str = ""  # another flag that is understood
    needs: Need | None = None

    @property
    def flag(self) -> str:
        """What is typed: `--level`."""
        return self.form.partition(" ")[0]

    @property
    def attribute(self) -> str:
        return self.name or self.flag.removeprefix("--").replace("-", "_")

    @property
    def default_in_words(self) -> str:
        """Default as help tells it; "" if that goes without saying."""
        return self.default_words or ("" if self.default is None else str(self.default))

    def usage(self) -> str:
        """The option with what it takes: `--level 1|2`."""
        if self.is_negatable:
            return f"{self.flag}, --no-{self.flag.removeprefix('--')}"
        if self.form == self.flag:
            return f"{self.flag} {'|'.join(map(str, self.choices))}".rstrip()
        return self.form.replace(" ...", "...")

    def value_arguments(self) -> dict[str, Any]:
        """Return the arguments of `add_argument` that say which values it takes."""
        words = self.form.removesuffix(" ...").partition(" ")[2]
        if self.is_negatable:
            return {"action": BooleanOptionalAction, "default": None}
        if not (words or self.choices):
            return {"action": "store_true"}
        taken: dict[str, Any] = {
            "type": self.kind or KINDS.get(words, str),
            "default": self.default,
            "metavar": words or None,
            "choices": self.choices or None,
        }
        if self.form.endswith(" ..."):
            taken |= {"nargs": "+", "default": []}
        elif " " in words:
            taken |= {"nargs": len(words.split()), "metavar": tuple(words.split())}
        if self.is_repeatable:
            taken |= {"action": "append", "default": []}
        return taken


@dataclass(frozen=True, slots=True)
class Group:
    """Options that belong together, below a title in `--help`; `see`: where the guide has them, if not with the command."""

    options: tuple[Option, ...]
    title: str = ""
    help: str = ""
    see: str = ""
    is_exclusive: bool = False
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `dbce`, done by a function `does` of a module of dbce.commands, or of one named in full."""

    name: str
    purpose: str  # its line in the list of commands
    does: str
    parts: tuple[Argument | Option | Group, ...]
    examples: tuple[str, ...]
    about: str = ""  # what `--help` says above the options, in lines
    see: str = ""  # where the guide, or another document, has more
    needs: tuple[Need, ...] = ()
    # What exit codes mean, where it is not what ENDS says.
    ends: Mapping[Exit, str] = field(default_factory=dict)
    goes_on: str = ""  # what to type to go on with what was stopped

    @property
    def place(self) -> tuple[str, str]:
        """Full name of the module that does it, and the function there."""
        module, _, function = self.does.partition(":")
        return module if "." in module else f"dbce.commands.{module}", function

    def options(self) -> Iterator[Option]:
        for part in self.parts:
            if isinstance(part, Group):
                yield from part.options
            elif isinstance(part, Option):
                yield part

    def exits(self) -> list[tuple[Exit, str]]:
        meant = ENDS | {**self.ends}
        goes_on = {code: f"; {self.goes_on}" for code in STOPPED if self.goes_on}
        return [(code, meant[code] + goes_on.get(code, "")) for code in Exit if code in meant]

    def usage(self, program: str = "") -> str:
        """The command, or a `program` that does it, with all that must be given: `dbce run INPUT... --out DIR`."""
        words = [program or f"dbce {self.name}"]
        for part in self.parts:
            if isinstance(part, Argument) and not part.optional:
                words.append(f"{part.metavar}{'...' if part.many else ''}")
            elif isinstance(part, Group) and part.is_required:
                words.append(f"({' | '.join(option.usage() for option in part.options)})")
            elif isinstance(part, Option) and part.is_required:
                words.append(part.usage())
        return " ".join(words)


def check_needs(command: Command, options: Namespace) -> None:
    """Look for all that a command needs with its options; MissingExtra if a library is not installed."""
    here = getattr(options, "master", "none") == "none"
    for need in command.needs:
        if here or not need.is_local:
            _look_for(need, f"dbce {command.name}")
    for option in command.options():
        value = getattr(options, option.attribute)
        if option.needs and value and value not in option.needs.free:
            _look_for(option.needs, f"dbce {command.name} {option.flag}")


def _look_for(need: Need, what: str) -> None:
    for library in need.libraries:
        if find_spec(library) is None:
            raise MissingExtra(what, need.extra, need.otherwise)
