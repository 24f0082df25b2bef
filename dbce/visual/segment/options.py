"""The options of algorithms: validated, parsed from words, and named with their results."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, get_args, get_type_hints

from dbce.model import UsageError


@dataclass(frozen=True, slots=True)
class Options:
    """Options of an algorithm: numbers from 0 on, names (`Literal`), and yes or no.

    Raises UsageError for an invalid value.
    """

    def __post_init__(self) -> None:
        kinds = get_type_hints(type(self))
        for option in fields(self):
            value, names = getattr(self, option.name), get_args(kinds[option.name])
            if names and value not in names:
                raise UsageError(
                    f"{option.name} cannot be {value!r}: say one of {', '.join(names)}"
                )
            if isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
                raise UsageError(f"{option.name} cannot be {value}: say a number from 0 on")


Kind = TypeVar("Kind", bound=Options)


def read_options(kind: type[Kind], words: Mapping[str, str]) -> Kind:
    """Return the options of a kind from words of a command line.

    Raises UsageError: there is no such option, or the value is invalid.
    """
    known = {option.name: option.default for option in fields(kind)}
    values: dict[str, Any] = {}
    for name, word in words.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise UsageError(f"no option {name!r} here; there are: {names}")
        values[name] = _value(name, word, known[name])
    return kind(**values)


def _value(name: str, word: str, default: Any) -> Any:
    if isinstance(default, bool):
        if word.lower() not in {"yes", "no", "true", "false"}:
            raise UsageError(f"{name} cannot be {word!r}: say yes or no")
        return word.lower() in {"yes", "true"}
    if isinstance(default, (int, float)):
        try:
            return type(default)(word)
        except ValueError as e:
            raise UsageError(f"{name} cannot be {word!r}: say a number") from e
    return word


def name_with_options(name: str, options: Options) -> str:
    """Return the name of an algorithm with all its parameters, as it is stored with its blocks."""
    values = (f"{option.name}={getattr(options, option.name)}" for option in fields(options))
    return f"{name}({', '.join(values)})"


def changed_options(options: Options) -> list[str]:
    """Return name and value of each option other than its default, as in names of tables."""
    values = ((field, getattr(options, field.name)) for field in fields(options))
    return [f"{field.name}-{value}" for field, value in values if value != field.default]
