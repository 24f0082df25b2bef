"""Settings declared once: what a field of a configuration is for, what it may be, how it is stored.

What a configuration checks, its options on the command line, the file `conf/dbce.toml` and the tables of the
guide follow from it.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dbce.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAIN = "main"
EXPERT = "expert"
PAPER = "paper"
GROUPS = (MAIN, EXPERT, PAPER)
"""Kinds of settings: for every day; such as hardly anybody changes; such as repeat results of papers."""

_KEY = "setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it is declared; `name` and `default` are those of the field.

    Attributes:
        help: a clause that says what it is, in Markdown.
        more: sentences on when to change it and why it is as it is, in Markdown.
        unit: what its values are called on the command line.
        stored_as: its name in digests and in what a run leaves, where that is another one. It stays when
            the setting gets a better name, and is understood wherever the new one is.
        is_result: whether results depend on it, so that it counts for the digest.
    """

    help: str
    more: str = ""
    unit: str = "N"
    group: str = MAIN
    between: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    stored_as: str = ""
    is_result: bool = True
    name: str = ""
    default: Any = None

    def check(self, value: Any) -> None:
        """Refuse a value that the setting cannot have.

        Raises:
            UsageError: it is none of the choices, or out of range.
        """
        if self.choices and value not in self.choices:
            raise UsageError(f"{self.name} is {value!r}; choose one of {', '.join(self.choices)}")
        if self.between and not self.between[0] <= value <= self.between[1]:
            low, high = self.between
            raise UsageError(f"{self.name} must be between {low} and {high} (got {value})")


def default(value: Any, setting: Setting) -> Any:
    """A field of a dataclass that is a setting, with its default."""
    return field(default=value, metadata={_KEY: setting})


def settings_in(kind: type) -> Mapping[str, Setting]:
    """Settings that a dataclass declares, by name and in its order."""
    return {
        one.name: dataclasses.replace(
            one.metadata[_KEY],
            name=one.name,
            default=one.default,
            stored_as=one.metadata[_KEY].stored_as or one.name,
        )
        for one in dataclasses.fields(kind)
        if _KEY in one.metadata
    }


def check_settings(values: Any) -> None:
    """Refuse values that their settings cannot have.

    Raises:
        UsageError: one is none of the choices, or out of range.
    """
    for name, setting in settings_in(type(values)).items():
        setting.check(getattr(values, name))


def plain(values: Any) -> dict[str, Any]:
    """Values by the names under which they are stored, in the order of their declaration."""
    settings = settings_in(type(values))
    return {
        settings[name].stored_as if name in settings else name: value
        for name, value in dataclasses.asdict(values).items()
    }


def current(kind: type, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored values by the names that settings have now; what this version does not know is left out."""
    settings = settings_in(kind).values()
    return {one.name: stored[one.stored_as] for one in settings if one.stored_as in stored}


def number(value: float) -> str:
    """A number as people read it, and as Python and TOML do: `30_000`."""
    return f"{value:_}" if isinstance(value, int) and value >= 10_000 else str(value)


def between(setting: Setting) -> str:
    """The range of a setting, in words; "" where its ends are no more than what makes sense."""
    if not setting.between or setting.between[1] > 1 << 60:
        return ""
    low, high = setting.between
    return f", {low:,} to {high:,}"


def sentence(clause: str) -> str:
    """A clause as a sentence of its own; it may begin with a link."""
    start = 1 if clause.startswith("[") else 0
    return f"{clause[:start]}{clause[start].upper()}{clause[start + 1 :]}."


def without_markup(markdown: str, code: str = "") -> str:
    """Markdown as plain text: links are what they say, `code` stands around what is code."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", markdown).replace("`", code)
