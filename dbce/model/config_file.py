"""The configuration as a TOML file: read, and written with all defaults and their reasons.

Settings of every day stand at the top, the others in a table of their group, the limits of a page in `[limits]`.
Older files, where all but the limits stand at the top, are read as well.
"""

from __future__ import annotations

import tomllib
from textwrap import fill
from typing import TYPE_CHECKING, Any

from dbce.model.config import Config, Limits
from dbce.model.errors import UsageError
from dbce.model.setting import (
    EXPERT,
    GROUPS,
    MAIN,
    PAPER,
    between,
    number,
    sentence,
    settings_in,
    without_markup,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from dbce.model.setting import Setting

LIMITS = "limits"

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
"""What the file says of each table."""

WIDTH = 100
"""Columns of the file's comments."""


def load_config(path: Path) -> Config:
    """The configuration in a TOML file; what it leaves out has its default.

    Raises:
        UsageError: the file is missing, is not TOML, or has an unknown key or a wrong type.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise UsageError(f"cannot read the configuration {path}: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"{path} is not TOML: {e}") from e
    limits = _named(Limits, _table(table, LIMITS, path), path)
    return Config(**_named(Config, _flat(table, path), path), limits=Limits(**limits))


def _table(table: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    """Takes a table out of the one that it stands in."""
    inner = table.pop(name, {})
    if not isinstance(inner, dict):
        raise UsageError(f"{path}: {name} must be a table: [{name}], then one key a line")
    return inner


def _flat(table: dict[str, Any], path: Path) -> dict[str, Any]:
    """All keys of a file but its limits, whether they stand at the top or in the table of their group."""
    flat = dict(table)
    for group in GROUPS[1:]:
        for key, value in _table(flat, group, path).items():
            if key in flat:
                raise UsageError(f"{path}: {key} is there twice; leave one out")
            setting = _by_any_name(Config).get(key)
            if setting and setting.group != group:
                right = "at the top" if setting.group == MAIN else f"in [{setting.group}]"
                raise UsageError(f"{path}: {key} stands in [{group}]; its place is {right}")
            flat[key] = value
    return flat


def _named(kind: type, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Values of a table by the names of their settings, each of its type."""
    by_name = _by_any_name(kind)
    values: dict[str, Any] = {}
    for key, value in table.items():
        setting = by_name.get(key)
        if setting is None:
            known = ", ".join(sorted(settings_in(kind)))
            raise UsageError(f"{path}: unknown key {key!r}; known are {known}")
        if setting.name in values:
            raise UsageError(
                f"{path}: {setting.stored_as} is the old name of {setting.name}; leave one out"
            )
        expected = type(setting.default)
        number = expected is float and type(value) is int
        if type(value) is not expected and not number:
            raise UsageError(f"{path}: {key} must be of type {expected.__name__}, not {value!r}")
        values[setting.name] = value
    return values


def _by_any_name(kind: type) -> dict[str, Setting]:
    """Settings by the names that they have and had."""
    settings = settings_in(kind)
    return {one.stored_as: one for one in settings.values()} | dict(settings)


def default_file() -> str:
    """The text of `conf/dbce.toml`: all settings with their defaults, each with what it is and why."""
    settings = settings_in(Config).values()
    apart = [one.name for one in settings if not one.is_result]
    parts = [HEAD.format(apart=f"{', '.join(apart[:-1])} and {apart[-1]}")]
    for group in GROUPS:
        if group != MAIN:
            parts.append(f"# {ABOVE[group]}\n[{group}]\n")
        parts += [_entry(one) for one in settings if one.group == group]
    parts.append(f"# {ABOVE[LIMITS]}\n[{LIMITS}]\n")
    parts += [_entry(one) for one in settings_in(Limits).values()]
    return "\n".join(parts)


def _entry(setting: Setting) -> str:
    comment = fill(
        " ".join(_sentences(setting)).rstrip(),
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


def _sentences(setting: Setting) -> Iterator[str]:
    yield sentence(without_markup(setting.help, code='"') + between(setting))
    if any(f"`{choice}`" not in setting.help + setting.more for choice in setting.choices):
        yield f"One of {', '.join(map(_toml, setting.choices))}."
    yield without_markup(setting.more, code='"')
