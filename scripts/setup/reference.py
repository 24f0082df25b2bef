"""Write what follows from declarations: the tables of docs/guide.md, and conf/dbce.toml.

python scripts/setup/reference.py [--check]

In the guide a table stands between `<!-- begin NAME -->` and `<!-- end -->`; NAME is "commands", "exit codes",
"limits", "options COMMAND" or "group TITLE". All else there is written by people.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from dbce.cli import COMMANDS, requirements
from dbce.commands.archives import STAGES
from dbce.commands.options import SELECTION, SETTINGS
from dbce.commands.table import ENDS, STOPPED, Exit, Group, Option
from dbce.model import (
    EXPERT,
    PAPER,
    Config,
    Limits,
    Setting,
    range_in_words,
    sentence,
    settings_in,
    without_markup,
)
from dbce.model.config import LIMITS
from dbce.model.setting import GROUPS as TABLES
from dbce.model.setting import MAIN, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.commands.table import Argument, Command

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide.md"
SETTINGS_FILE = ROOT / "conf" / "dbce.toml"

PLACE = re.compile(r"(<!-- begin ([\w -]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)

GROUPS = {group.title: group for group in (SELECTION, STAGES, *SETTINGS)}
"""Groups that have a table of their own."""


HEAD = """\
# The default configuration, in full: dbce run ... --config conf/dbce.toml
# Copy the file and change what you need; what a file leaves out has the value given here.
# Each of these changes the result, and the digest of all of them is written to run.json;
# {apart} are no part of it.
"""

ABOVE = {
    EXPERT: "Expert settings: hardly anybody changes them.",
    PAPER: "Methods of the papers, to repeat their results and to compare with them.",
    LIMITS: "Beyond one of these a page is rejected with its reason, never shortened.",
}
"""Comment above each table of the file."""

WIDTH = 100  # columns of the file's comments


def with_tables(text: str) -> str:
    """The guide with each of its tables as the declarations have it now."""
    return PLACE.sub(lambda place: f"{place[1]}{table(place[2])}{place[3]}", text)


def table(name: str) -> str:
    """One of the tables, by the name that it has in the guide."""
    kind, _, of = name.partition(" ")
    if kind == "commands":
        rows = table_rows("command | what it does | needs", map(_command, COMMANDS.values()))
    elif name == "exit codes":
        rows = table_rows("code | meaning", map(_exit, Exit))
    elif kind == "limits":
        limits = settings_in(Limits).values()
        rows = table_rows(
            "limit | default | ",
            ((f"`{one.name}`", f"{one.default:,}", words(one.help, one.more)) for one in limits),
        )
    elif kind == "options":
        rows = table_rows("option | default | ", option_rows(COMMANDS[of]))
    else:
        rows = table_rows("option | default | ", map(option_row, GROUPS[of].options))
    return "".join(f"{row}\n" for row in rows)


def table_rows(heading: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    names = heading.split(" | ")
    yield f"| {heading} |".replace("  ", " ")
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |".replace(
            "  ", " "
        )


def _command(command: Command) -> tuple[str, ...]:
    more = f", [more]({command.see})" if command.see else ""
    needs = "; ".join(requirements(command))
    return f"`{command.usage()}`", f"{command.purpose}{more}", needs


def _exit(code: Exit) -> tuple[str, ...]:
    meanings = [ENDS[code]] if code in ENDS else []
    of: dict[str, list[str]] = {}
    first, *others = STOPPED
    if code in others:
        meanings[0] += f"; continue as after {first.value}"
    for command in COMMANDS.values():
        goes_on = command.goes_on if code == first else ""
        if meaning := dict(command.ends).get(code, goes_on):
            of.setdefault(meaning, []).append(f"`dbce {command.name}`")
    meanings += [f"{', '.join(commands)}: {meaning}" for meaning, commands in of.items()]
    return str(int(code)), "<br>".join(meanings)


def option_rows(command: Command) -> Iterator[tuple[str, ...]]:
    """The table of a command: groups with a table of their own, and what `dbce run` has too, are only named."""
    run = COMMANDS["run"]
    of_run = () if command is run else (*run.parts, *run.options())
    shared: list[str] = []
    for part in command.parts:
        if isinstance(part, Group) and part.see:
            if part in of_run:
                shared.append(part.title)
            else:
                yield f"*{part.title}*", "", f"[{sentence(part.help)}]({part.see})"
            continue
        for option in options_of(part):
            if option in of_run:
                shared.append(f"`{option.flag}`")
            else:
                yield option_row(option)
    if shared:
        yield ", ".join(shared), "", "As for [`dbce run`](#options)."


def options_of(part: Argument | Option | Group) -> tuple[Option, ...]:
    if isinstance(part, Group):
        return part.options
    return (part,) if isinstance(part, Option) else ()


def option_row(option: Option) -> tuple[str, ...]:
    text = words(option.help, option.more)
    if option.also:
        text += f" `{option.also}` is the same."
    if option.needs:
        free = f", except for {', '.join(f'`{one}`' for one in option.needs.free)}"
        text += (
            f" Needs `pip install 'dbce[{option.needs.extra}]'`{free if option.needs.free else ''}."
        )
    if option.is_required:
        text = f"{text.removesuffix('.')}; must be given."
    flags = ", ".join(f"`{one}`" for one in option.usage().split(", "))
    return flags, option.default_in_words, text


def words(clause: str, more: str) -> str:
    return f"{sentence(clause)} {more}".rstrip()


def default_file() -> str:
    """Text of `conf/dbce.toml`: all settings with their defaults, each with what it is and why."""
    settings = settings_in(Config).values()
    apart = [one.name for one in settings if not one.is_result]
    parts = [HEAD.format(apart=f"{', '.join(apart[:-1])} and {apart[-1]}")]
    tables = {group: [one for one in settings if one.group == group] for group in TABLES}
    for table, entries in (tables | {LIMITS: [*settings_in(Limits).values()]}).items():
        parts += [f"# {ABOVE[table]}\n[{table}]\n"] if table != MAIN else []
        parts += map(_entry, entries)
    return "\n".join(parts)


def _entry(setting: Setting) -> str:
    is_clear = all(f"`{choice}`" in setting.help + setting.more for choice in setting.choices)
    sentences = (
        sentence(without_markup(setting.help, code='"') + range_in_words(setting)),
        "" if is_clear else f"One of {', '.join(map(_toml, setting.choices))}.",
        without_markup(setting.more, code='"'),
    )
    comment = fill(
        " ".join(filter(None, sentences)),
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{comment}\n{setting.name} = {_toml(setting.default)}\n"


def _toml(default: Any) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return f'"{default}"' if isinstance(default, str) else number(default)


def main() -> int:
    """Writes both files; with --check only says which of them are not what they would be then."""
    wanted = {GUIDE: with_tables(GUIDE.read_text(encoding="utf-8")), SETTINGS_FILE: default_file()}
    other = [file for file, text in wanted.items() if file.read_text(encoding="utf-8") != text]
    for file in other:
        if "--check" not in sys.argv:
            file.write_text(wanted[file], encoding="utf-8")
        print(file.relative_to(ROOT))
    return int(bool(other) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
