"""Settings as they are declared, once: what each is, its unit, its range and the reason of its default.

What a configuration checks, its options on the command line, the file `conf/dbce.toml` and the tables of the guide follow
from that.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

from dbce.model.errors import UsageError

# Kinds of settings: for every day; such as hardly anybody changes; such as repeat results of papers.
GROUPS = MAIN, EXPERT, PAPER = "main", "expert", "paper"

_KEY = "setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it is declared; `name` and `default` are those of the field."""

    help: str  # a clause that says what it is, in Markdown
    more: str = ""  # sentences on when to change it and why it is as it is, in Markdown
    unit: str = "N"  # what its values are called on the command line
    group: str = MAIN
    between: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    # Its name in digests and in what a run leaves, where that is another one. It stays when the setting gets a better
    # name, and is understood wherever the new one is.
    stored_as: str = ""
    is_result: bool = True  # results depend on it, so that it counts for the digest
    name: str = ""
    default: Any = None

    def check(self, value: Any) -> None:
        """Refuse a value of another type, that is none of the choices, or out of range (UsageError)."""
        expected = type(self.default)
        is_number = expected is float and type(value) is int
        if not (type(value) is expected or is_number):
            raise UsageError(f"{self.name} must be of type {expected.__name__}, not {value!r}")
        if self.choices and value not in self.choices:
            raise UsageError(f"{self.name} is {value!r}; choose one of {', '.join(self.choices)}")
        if self.between and not self.between[0] <= value <= self.between[1]:
            low, high = self.between
            raise UsageError(f"{self.name} must be between {low} and {high} (got {value})")


def declare(default: Any, /, *what: Any, **more: Any) -> Any:
    """A field of a dataclass that is a setting: its default, then the arguments of `Setting`."""
    return field(default=default, metadata={_KEY: Setting(*what, **more)})


@cache
def settings_in(kind: type) -> Mapping[str, Setting]:
    """Settings that a dataclass declares, by name and in its order."""
    return {
        field.name: dataclasses.replace(
            field.metadata[_KEY],
            name=field.name,
            default=field.default,
            stored_as=field.metadata[_KEY].stored_as or field.name,
        )
        for field in dataclasses.fields(kind)
        if _KEY in field.metadata
    }


def check_settings(values: Any) -> None:
    for name, setting in settings_in(values.__class__).items():
        setting.check(getattr(values, name))


def plain(values: Any) -> dict[str, Any]:
    """Values by the names under which they are stored, in the order of their declaration."""
    settings = settings_in(values.__class__)
    stored = dataclasses.asdict(values)
    return {settings[n].stored_as if n in settings else n: value for n, value in stored.items()}


def current(kind: type, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored values by the names that settings have now; what this version does not know is left out."""
    settings = settings_in(kind).values()
    return {s.name: stored[s.stored_as] for s in settings if s.stored_as in stored}


def number(value: float) -> str:
    """A number as people read it, and as Python and TOML do: `30_000`."""
    return f"{value:_}" if isinstance(value, int) and value >= 10_000 else str(value)


def range_in_words(setting: Setting) -> str:
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


class Options(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


def results_of(settings: Options) -> dict[str, Any]:
    """Values of those settings that results depend on."""
    apart = {s.stored_as for s in settings_in(type(settings)).values() if not s.is_result}
    return {name: value for name, value in plain(settings).items() if name not in apart}


def digest_of(values: Mapping[str, Any]) -> str:
    canonical = json.dumps(values, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


Settings = TypeVar("Settings", bound=Options)


def override(base: Settings, options: Mapping[str, Any]) -> Settings:
    """Settings with the options given: those known to it and not None."""
    names = {f.name for f in dataclasses.fields(base)}
    given = {k: v for k, v in options.items() if k in names and v is not None}
    return dataclasses.replace(base, **given)


def typed_values(kind: type, table: Mapping[str, Any], path: object) -> dict[str, Any]:
    """Values of a table in a file, by the names of their settings; UsageError if one is unknown, twice there or wrong."""
    by_name = by_any_name(kind)
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
        try:
            setting.check(value)
        except UsageError as e:
            raise UsageError(f"{path}: {e}") from e
        values[setting.name] = value
    return values


def by_any_name(kind: type) -> dict[str, Setting]:
    """Settings by their names, and by those under which they are stored."""
    settings = settings_in(kind)
    return {setting.stored_as: setting for setting in settings.values()} | dict(settings)
