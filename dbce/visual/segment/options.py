"""The options of algorithms: checked, read from words, and named with what they made."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol, TypeVar

from dbce.model import UsageError


class Options(Protocol):
    """A frozen dataclass of numbers, names and yes or no."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Kind = TypeVar("Kind", bound=Options)


def check_options(options: Options, **allowed: tuple[str, ...]) -> None:
    """Check that numbers are from 0 on and names among `allowed`. Raises UsageError: an option has another value."""
    for option in fields(options):
        value = getattr(options, option.name)
        if option.name in allowed and value not in allowed[option.name]:
            known = ", ".join(allowed[option.name])
            raise UsageError(f"{option.name} cannot be {value!r}: say one of {known}")
        if isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
            raise UsageError(f"{option.name} cannot be {value}: say a number from 0 on")


def read_options(kind: type[Kind], given: Mapping[str, str]) -> Kind:
    """Options of a kind from words, as a command line gives them.

    Raises UsageError: there is no such option, or the word is none of its values.
    """
    known = {option.name: option.default for option in fields(kind)}
    values: dict[str, Any] = {}
    for name, word in given.items():
        if name not in known:
            others = ", ".join(known) or "none"
            raise UsageError(f"no option {name!r} here; there are: {others}")
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
    """Return name and value of each option that is not the default, as they stand in names of tables."""
    values = ((field, getattr(options, field.name)) for field in fields(options))
    return [f"{field.name}-{value}" for field, value in values if value != field.default]
