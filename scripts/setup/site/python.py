"""A page of what Python code may use of dbce, by its signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = {
    "dbce": ("extract", "extract_all", "Extracted", "Metadata", "text_history"),
    "dbce.history": ("TextHistory", "TextStep", "CaptureState", "Passage", "PassageKind"),
    "dbce.archive": ("expand", "select", "read"),
    "dbce.pipeline": ("annotate", "Annotated"),
    "dbce.spark": ("annotate",),
    "dbce.model.errors": ("DbceError", "UsageError", "InputError", "StoreError"),
}
"""Names by the modules from which they are imported."""

ABOUT = {
    "dbce": "For pages in memory, and for the history of a text. `import dbce` is enough.",
    "dbce.history": "What `dbce.text_history` returns.",
    "dbce.archive": "Captures of archives, for `dbce.pipeline`.",
    "dbce.pipeline": "Verdicts on every text of captures, all in memory.",
    "dbce.spark": "Pages that are [rows of a Spark table](spark.md).",
    "dbce.model.errors": "What is raised on purpose; all else is a bug.",
}

TYPING = re.compile(r"\b(?:typing|datetime|collections\.abc|dbce(?:\.\w+)+)\.(?=[A-Z_a-z])")


def page() -> str:
    """The page, with links as the guide has them."""
    return "\n".join((*_lines(), ""))


def _lines() -> Iterator[str]:
    yield "# Python"
    yield "\n[In Python](guide.md#in-python) of the guide has examples that run. Everything here is typed.\n"
    for module, names in MODULES.items():
        yield f"\n## {module}\n\n{ABOUT[module]}\n"
        for name in names:
            yield from _described(f"{module}.{name}", resolve_name(f"{module}:{name}"))


def _described(path: str, what: Any) -> Iterator[str]:
    """Yield the heading of a function or a class, its signature, and its docstring."""
    yield f"\n### {path}\n"
    if inspect.isfunction(what):
        yield f"```python\n{_signature(what, path.rpartition('.')[2])}\n```\n"
        yield _text(what)
        return
    fields = _fields(what)
    yield _text(what)
    if fields:
        yield "\n| field | type | default |\n|---|---|---|"
        for name, kind, default in fields:
            yield f"| `{name}` | `{kind.replace('|', chr(92) + '|')}` | {default} |"
    for name, one in vars(what).items():
        if isinstance(one, property) and not name.startswith("_") and one.fget:
            yield f"\n`{name}`: {_text(one.fget)}"
        elif inspect.isfunction(one) and not name.startswith("_") and one.__doc__:
            yield f"\n`{_signature(one, name).removeprefix('def ')}`: {_text(one)}"


def _signature(function: Any, name: str) -> str:
    """Return a function's first line; one parameter a line where it is long."""
    signature = inspect.signature(function)
    plain = [
        TYPING.sub("", str(one.replace(annotation=_kind(one.annotation)))).replace("'", '"')
        for one in signature.parameters.values()
        if one.name != "self"
    ]
    stars = [one.kind for one in signature.parameters.values() if one.name != "self"]
    if inspect.Parameter.KEYWORD_ONLY in stars:
        plain.insert(stars.index(inspect.Parameter.KEYWORD_ONLY), "*")
    returned = _kind(signature.return_annotation)
    line = f"def {name}({', '.join(plain)}) -> {returned}"
    if len(line) <= 100:
        return line
    return f"def {name}(\n    " + ",\n    ".join(plain) + f",\n) -> {returned}"


class _Shown(str):
    """An annotation that is shown as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _kind(annotation: Any) -> _Shown:
    return _Shown(
        annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    )


def _fields(what: Any) -> list[tuple[str, str, str]]:
    """Return name, type and default of the fields of a dataclass or a named tuple; of an enumeration its values."""
    if dataclasses.is_dataclass(what):
        return [
            (
                one.name,
                str(one.type),
                "" if one.default is dataclasses.MISSING else f"`{one.default!r}`",
            )
            for one in dataclasses.fields(what)
        ]
    if hasattr(what, "_fields"):
        defaults = what._field_defaults
        kinds = what.__annotations__
        return [
            (
                name,
                getattr(kinds[name], "__forward_arg__", str(kinds[name])),
                f"`{defaults[name]!r}`" if name in defaults else "",
            )
            for name in what._fields
        ]
    if hasattr(what, "__members__"):
        return [
            (name, type(one.value).__name__, f"`{one.value!r}`")
            for name, one in what.__members__.items()
        ]
    return []


def _text(what: Any) -> str:
    """Return a docstring as Markdown: of its sections a list each."""
    text, *sections = re.split(
        r"^(?=(?:Raises|Attributes|Args|Yields):$)", inspect.getdoc(what) or "", flags=re.MULTILINE
    )
    for section in sections:
        head, _, body = section.partition("\n")
        items = re.split(r"\n(?=    \S)", body.rstrip())
        listed = (re.sub(r"\s+", " ", item).strip() for item in items)
        text = f"{text.rstrip()}\n\n{head}\n\n" + "\n".join(
            re.sub(r"^(\w+):", r"- `\1`:", item) for item in listed
        )
    return f"{text.rstrip()}\n"
