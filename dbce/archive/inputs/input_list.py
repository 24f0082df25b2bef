"""Inputs as a user names them: typed, or line by line in a list."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive.inputs.uri import join, normal, parent, read_names
from dbce.model import StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class NamedInput:
    """An input. `line` says where in a list it stands; "" if it was typed."""

    text: str
    line: str = ""

    @property
    def uri(self) -> str:
        return normal(self.text)

    @property
    def is_glob(self) -> bool:
        return bool(_MAGIC & set(self.text))

    @property
    def top(self) -> str:
        """The folder in which it, or what it matches, is looked for; of a URI that is no glob itself."""
        if self.is_glob:
            fixed = self.uri[: min(self.uri.index(sign) for sign in _MAGIC & set(self.uri))]
            return fixed.rpartition("/")[0] or "/"
        is_file = "://" not in self.uri and not os.path.isdir(self.uri)  # noqa: PTH112 - a plain string
        return parent(self.uri) if is_file else self.uri

    @contextmanager
    def unechoed(self) -> Iterator[None]:
        """Keeps what a list holds out of the errors of the block: it may be no list, but a secret."""
        try:
            yield
        except (UsageError, StoreError) as e:
            if not self.line:
                raise
            raise type(e)(f"{self.line} names nothing that can be read") from None


def named_inputs(inputs: Iterable[str], lists: tuple[str, ...] = ()) -> Iterator[NamedInput]:
    """All inputs, in order; in place of a list (`@list.txt`) what it names.

    Raises:
        UsageError: a list cannot be read, names nothing, or names itself.
    """
    for text in inputs:
        yield from _named(NamedInput(text), lists)


def _named(named: NamedInput, lists: tuple[str, ...]) -> Iterator[NamedInput]:
    if not named.text.startswith("@"):
        yield named
        return
    uri = normal(named.text[1:])
    if uri in lists:
        raise UsageError(f"the list {uri} names itself")
    with named.unechoed():
        lines = read_names(uri).splitlines()
    called = named.line and f"a list that {named.line} names"
    folder = parent(uri)
    names_any = False
    for number, line in enumerate(map(str.strip, lines), 1):
        if line and not line.startswith("#"):
            names_any = True
            text = f"@{join(folder, line[1:])}" if line.startswith("@") else join(folder, line)
            yield from _named(NamedInput(text, f"line {number} of {called or uri}"), (*lists, uri))
    if not names_any:
        raise UsageError(f"the list {called or uri} names no input")
