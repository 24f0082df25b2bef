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
    also: str = ""  # another flag that is understood
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
            field.metadata[_KEY], name=field.name, default=field.default
        )
        for field in dataclasses.fields(kind)
        if _KEY in field.metadata
    }


def check_settings(values: Any) -> None:
    for name, setting in settings_in(values.__class__).items():
        setting.check(getattr(values, name))


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
    apart = {s.name for s in settings_in(type(settings)).values() if not s.is_result}
    return {n: value for n, value in dataclasses.asdict(settings).items() if n not in apart}


def digest_of(values: Mapping[str, Any]) -> str:
    canonical = json.dumps(values, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


Settings = TypeVar("Settings", bound=Options)


def override(base: Settings, options: Mapping[str, Any]) -> Settings:
    """Settings with the values of options, or of what a run stored: of those that they know and that are not None."""
    names = {f.name for f in dataclasses.fields(base)}
    known = {k: v for k, v in options.items() if k in names and v is not None}
    return dataclasses.replace(base, **known)
