"""Numbers and times as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.output import STAMP

if TYPE_CHECKING:
    from datetime import datetime


def clock(time: datetime | None) -> str:
    """A time to the minute (UTC), e.g. 2016-05-24 02:48."""
    return f"{time:%Y-%m-%d %H:%M}" if time else "no date"


def day(time: datetime | None) -> str:
    """A day, e.g. 2016-05-24."""
    return f"{time:%Y-%m-%d}" if time else "no date"


def number(value: int) -> str:
    """A number with its thousands apart."""
    return f"{value:,}"


def signed(value: float) -> str:
    """A number with its sign, e.g. +0.41."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def stamp(time: datetime) -> str:
    """A time as the 14 digits that commands take."""
    return f"{time:{STAMP}}"
