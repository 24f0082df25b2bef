"""Libraries that only some commands need: looked for before a command begins."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from dbce.model import MissingExtra

if TYPE_CHECKING:
    from argparse import Namespace

    from dbce.commands.table import Command, Need


def check_needs(command: Command, options: Namespace) -> None:
    """Look for all that a command needs with its options.

    Raises:
        MissingExtra: a library is not installed; says what to type.
    """
    here = getattr(options, "master", "none") == "none"
    for need in command.needs:
        if here or not need.is_local:
            _look_for(need, f"dbce {command.name}")
    for option in command.options():
        value = getattr(options, option.attribute)
        if option.needs and value and value not in option.needs.free:
            _look_for(option.needs, f"dbce {command.name} {option.flag}")


def _look_for(need: Need, what: str) -> None:
    for library in need.libraries:
        if find_spec(library) is None:
            raise MissingExtra(what, need.extra, need.otherwise)
