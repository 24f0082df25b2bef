"""Options of the algorithms: checked when they are made, read from the command line."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Options(Protocol):
    """A frozen dataclass of numbers, names and yes or no."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Kind = TypeVar("Kind", bound=Options)


def check(options: Options, **allowed: tuple[str, ...]) -> None:
    """Nothing, if numbers are numbers from 0 on and names are among `allowed`.

    Raises:
        UsageError: an option has another value.
    """
    for field in fields(options):
        value = getattr(options, field.name)
        if field.name in allowed and value not in allowed[field.name]:
            known = ", ".join(allowed[field.name])
            raise UsageError(f"{field.name} cannot be {value!r}: say one of {known}")
        if isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
            raise UsageError(f"{field.name} cannot be {value}: say a number from 0 on")


def read(kind: type[Kind], given: Mapping[str, str]) -> Kind:
    """Options of a kind from words, as a command line gives them.

    Raises:
        UsageError: there is no such option, or the word is none of its values.
    """
    known = {field.name: field.default for field in fields(kind)}
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


def described(name: str, options: Options) -> str:
    """The name of an algorithm with all its parameters, as it is stored with its blocks."""
    values = (f"{field.name}={getattr(options, field.name)}" for field in fields(options))
    return f"{name}({', '.join(values)})"
