"""Digests and dates of captures."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import datetime

_DATE = re.compile(
    r"(\d{4})-?(\d\d)?-?(\d\d)?[T ]?(\d\d)?:?(\d\d)?:?(\d\d)?(?:[.,](\d{1,9}))?(?:Z|[+-]00:?00)?",
    re.ASCII,
)
_LOWEST = ("0001", "01", "01", "00", "00", "00", "0")  # what a truncated date leaves out


def sha1(data: bytes) -> str:
    """The digest of a payload as WARC headers write it."""
    return sha1_text(hashlib.sha1(data, usedforsecurity=False).digest())


def sha1_text(digest: bytes) -> str:
    return "sha1:" + base64.b32encode(digest).decode("ascii")


def parse_date(text: str) -> datetime | None:
    """A WARC date (ISO in UTC, may be truncated) or 4 to 14 digits; None where it is no date."""
    match = _DATE.fullmatch(text.strip())
    if not match:
        return None
    parts = zip(match.groups(), _LOWEST, strict=True)
    year, month, day, hour, minute, second, fraction = (part or low for part, low in parts)
    try:
        return datetime.fromisoformat(
            f"{year}-{month}-{day}T{hour}:{minute}:{second}.{fraction:0<6.6}+00:00"
        )
    except ValueError:
        return None


# Dates of captures are written by these alone: strftime drops the leading zeros of years before 1000 (tests/test_architecture.py).


def timestamp14(timestamp: datetime) -> str:
    """The 14 digits of a UTC timestamp."""
    return re.sub(r"\D", "", timestamp.isoformat()[:19])


def iso(timestamp: datetime, precision: str = "auto") -> str:
    """A UTC timestamp as WARC headers write it; `precision` is a `timespec` of `datetime.isoformat`."""
    return timestamp.isoformat(timespec=precision).replace("+00:00", "Z")


def clock_of(timestamp: datetime) -> str:
    """A UTC timestamp to the second for people, e.g. 2016-05-24 02:48:31."""
    return timestamp.isoformat(" ")[:19]


def day_of(timestamp: datetime) -> str:
    """The day of a UTC timestamp, e.g. 2016-05-24."""
    return clock_of(timestamp)[:10]


def month_of(timestamp: datetime) -> str:
    """The month of a UTC timestamp, e.g. 2016-05."""
    return clock_of(timestamp)[:7]
