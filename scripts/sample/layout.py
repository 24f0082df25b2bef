"""Parts of the templates of all sites: filling in, and furniture that changes with time."""

from __future__ import annotations

import html
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.sample.prose import Story

T = TypeVar("T")


def fill(template: str, **values: object) -> str:
    """The file `templates/NAME.html` with its placeholders filled in."""
    return _template(template).substitute(values)


@cache
def _template(name: str) -> Template:
    path = files("scripts.sample") / "templates" / f"{name}.html"
    return Template(path.read_text(encoding="utf-8"))


def turn(items: Sequence[T], start: int, count: int) -> list[T]:
    """`count` items from `start` on, round and round: how a site rotates its teasers."""
    return [items[(start + step) % len(items)] for step in range(count)]


def lines(form: str, items: Sequence[object]) -> str:
    """Every item put into the form's `{}`, one a line."""
    return "\n".join(form.format(item) for item in items)


def links(pieces: Sequence[Story], form: str) -> str:
    """Links to other pieces, each put into the form's `{}`, one a line."""
    return lines(
        form, [f'<a href="{p.path}">{html.escape(p.title, quote=False)}</a>' for p in pieces]
    )


def others(pieces: Sequence[Story], current: Story) -> list[Story]:
    """The pieces that follow the current one, round and round, without itself."""
    at = next(i for i, p in enumerate(pieces) if p.path == current.path)
    return turn(pieces, at + 1, len(pieces) - 1)
