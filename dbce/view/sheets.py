"""Style sheets of archived pages: every address in them becomes one of ours, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tinycss2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Address = Callable[[str], str | None]

NOWHERE = "data:,"
"""An empty picture, for what the archive does not have."""

LONGEST = 500_000
"""Characters of a style sheet that is shown; longer ones cost seconds and are left out."""

_TAKE_STRINGS = frozenset({"url", "src", "image", "image-set", "-webkit-image-set"})
"""Functions in which a string is an address."""


def rewritten(css: str, address: Address) -> str:
    """A style sheet, or a `style` attribute, with the addresses that `address` gives for those in it.

    Where it gives None, nothing is shown. What `address` gives must need no escapes.
    """
    if len(css) > LONGEST:
        return ""
    try:
        tokens = tinycss2.parse_component_value_list(css)
        return str(tinycss2.serialize(_rewritten(tokens, address, strings=False)))
    except (ValueError, RecursionError):  # a number of thousands of digits, or nested as deep
        return ""


def _rewritten(tokens: Iterable[Any], address: Address, *, strings: bool) -> list[Any]:
    done: list[Any] = []
    importing = False
    for token in tokens:
        if token.type == "url":
            done += _own(token.value, address, 'url("{}")')
        elif token.type == "string" and (strings or importing):
            done += _own(token.value, address, '"{}"')
        else:
            for name in ("content", "arguments"):
                if isinstance(held := getattr(token, name, None), list):
                    takes = token.type == "function" and token.lower_name in _TAKE_STRINGS
                    setattr(token, name, _rewritten(held, address, strings=takes))
            done.append(token)
        if token.type not in {"whitespace", "comment"}:
            importing = token.type == "at-keyword" and token.lower_value == "import"
    return done


def _own(found: str, address: Address, form: str) -> list[Any]:
    return tinycss2.parse_component_value_list(form.format(address(found) or NOWHERE))
