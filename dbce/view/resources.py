"""Style sheets, pictures and fonts that the archive holds, found by address and nearest time."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import quote, urljoin

import tinycss2

from dbce.archive import read_resource_at, surt
from dbce.model import InputError, NotInRun, Reason
from dbce.output import INDEX
from dbce.view.run import Run

Address = Callable[[str], str | None]

NOWHERE = "data:,"  # an empty picture, for what the archive does not have

LONGEST = 500_000
"""Characters of a style sheet that is shown; longer ones cost seconds and are left out."""

_TAKE_STRINGS = frozenset({"url", "src", "image", "image-set", "-webkit-image-set"})
"""Functions in which a string is an address."""


def rewritten(css: str, address: Address) -> str:
    """A style sheet with the addresses that `address` gives, which need no escapes; where it gives None, nothing is shown."""
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
            done += _local_tokens(token.value, address, 'url("{}")')
        elif token.type == "string" and (strings or importing):
            done += _local_tokens(token.value, address, '"{}"')
        else:
            for name in ("content", "arguments"):
                if isinstance(held := getattr(token, name, None), list):
                    takes = token.type == "function" and token.lower_name in _TAKE_STRINGS
                    setattr(token, name, _rewritten(held, address, strings=takes))
            done.append(token)
        if token.type not in {"whitespace", "comment"}:
            importing = token.type == "at-keyword" and token.lower_value == "import"
    return done


def _local_tokens(archived_address: str, address: Address, form: str) -> list[Any]:
    return tinycss2.parse_component_value_list(form.format(address(archived_address) or NOWHERE))


ROUTE = "/resource"

SHOWN = re.compile(
    r"text/css|image/[a-z0-9.+-]+|font/[a-z0-9.+-]+|application/(?:x-)?font-[a-z0-9.+-]+"
    r"|application/vnd\.ms-fontobject"
)
"""Media types that are shown; nothing else of an archive is ever served."""

_NAME = "resources"
_SELECT = f"""
    SELECT record_id, url, surt, timestamp, name, "offset", detail AS media FROM "{INDEX}"
    WHERE reason = '{Reason.NOT_HTML}' AND regexp_full_match(detail, '{SHOWN.pattern}')
"""  # noqa: S608 - our own names

# Whatever may be an address in a page; what is none is in no archive.
_REFERRED = re.compile(
    r"""(?:href|src|background)="([^"]+)"|url\(\s*["']?([^"')]+)""", re.IGNORECASE
)
_BASE = re.compile(r"""<base\b[^>]*?\bhref="([^"]+)\"""", re.IGNORECASE)


class ArchivedResources:
    """Archived resources of the addresses that a page refers to, nearest in time; others it does not have."""

    def __init__(self, run: Run, base: str, time: datetime | None, referred: Iterable[str]) -> None:
        self._base = base
        self._known = nearest(run, {_key(base, address) for address in referred}, time)

    def picture(self, url: str) -> str | None:
        return self._address_of(url, "image/")

    def sheet(self, url: str) -> str | None:
        return self._address_of(url, "text/css")

    def css(self, css: str) -> str:
        return rewritten(css, partial(self._address_of, kind=""))

    def _address_of(self, url: str, kind: str) -> str | None:
        if kind != "text/css" and url.startswith("data:image/"):
            return None if '"' in url or "\\" in url else url
        record_id, media = self._known.get(_key(self._base, url), ("", ""))
        return f"{ROUTE}?id={quote(record_id)}" if record_id and media.startswith(kind) else None


def archived_resources(run: Run, url: str, time: datetime | None, html: str) -> ArchivedResources:
    referred = (_plain(attribute or in_css) for attribute, in_css in _REFERRED.findall(html))
    return ArchivedResources(run, _base(url, html), time, referred)


def _base(url: str, html: str) -> str:
    """Return the address that relative addresses in a page at `url` start from."""
    tag = _BASE.search(html)
    with suppress(ValueError):  # "http://[" is no address, and browsers pass it over
        return urljoin(url, _plain(tag[1])) if tag else url
    return url


def _plain(value: str) -> str:
    """An address as it stands in HTML, without its escapes and quotes."""
    return unescape(value).strip("\"' ")


def nearest(run: Run, keys: Iterable[str], time: datetime | None) -> Mapping[str, tuple[str, str]]:
    """Return (record id, media type) of the resource nearest in time, by sort key of its URL."""
    if not run.tables.has_index or not run.places:
        return {}
    run.tables.keep(_NAME, _SELECT)
    rows = run.tables.rows(
        f"SELECT surt, arg_min(record_id, abs(epoch(timestamp) - epoch($time))) AS record_id, "  # noqa: S608 - bound
        f"arg_min(media, abs(epoch(timestamp) - epoch($time))) AS media "
        f"FROM {_NAME} WHERE list_contains($keys, surt) GROUP BY surt",
        {"keys": sorted(keys), "time": time},
    )
    return {row["surt"]: (row["record_id"], row["media"]) for row in rows}


def resource_of(run: Run, record_id: str) -> tuple[bytes, str]:
    """A resource and its media type, its own references made ours; NotInRun if there is none that can be read."""
    row = None
    if run.tables.has_index:
        run.tables.keep(_NAME, _SELECT)
        row = run.tables.row(f"SELECT * FROM {_NAME} WHERE record_id = ?", [record_id])  # noqa: S608 - bound
    place = run.places.get(row["name"]) if row else None
    if row is None or place is None:
        raise NotInRun(f"the archive has no style sheet or picture {record_id}")
    try:
        resource = read_resource_at(place, row["offset"], record_id, run.config.limits)
    except InputError as e:
        raise NotInRun(str(e)) from e
    media = resource.content_type.partition(";")[0].strip().lower()
    if not SHOWN.fullmatch(media):
        raise NotInRun(f"{record_id} is {media or 'of no type'}, which is not shown")
    if media != "text/css":
        return resource.payload, media
    charset = re.search(r"charset=[\"']?([\w-]+)", resource.content_type)
    css = _decode(resource.payload, charset[1] if charset else "utf-8")
    referred: list[str] = []
    rewritten(css, referred.append)
    known = ArchivedResources(run, row["url"], row["timestamp"], referred)
    return known.css(css).encode(), "text/css; charset=utf-8"


def _decode(payload: bytes, charset: str) -> str:
    try:
        return payload.decode(charset, "replace")
    except LookupError:
        return payload.decode("utf-8", "replace")


def _key(base: str, url: str) -> str:
    try:
        return surt(urljoin(base, url.strip()))
    except ValueError:  # "http://[" is none
        return ""
