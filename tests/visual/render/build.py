"""Builders: small archives of pages and what they ask for, and the pages laid out."""

import asyncio
import zlib
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from dbce.archive import read
from dbce.model import Reject, Rendering
from dbce.visual.render.answers import Answers, Places, places_of
from dbce.visual.render.renderer import RenderedCapture, Renderer
from tests.archive.build import answer, members, record, stored
from tests.browser import chromium

SITE = "http://harbour.example"
RED, BLUE = (255, 0, 0), (0, 0, 255)

Result = TypeVar("Result")

RENDERERS: dict[Rendering, Renderer] = {}
"""Those that were used, which tests share: a browser takes longer to start than to lay out a page."""


def html(body: str, head: str = "") -> bytes:
    """A page in standards mode without margins."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><style>body{{margin:0}}</style>{head}"
        f"</head><body>{body}</body></html>"
    ).encode()


def got(
    path: str,
    body: bytes,
    media: str = "text/html",
    *,
    at: str = "2016-01-01T00:00:00Z",
    status: str = "200 OK",
    **fields: str,
) -> bytes:
    """A response record; `path` is below the site, or a whole URL."""
    url = path if "://" in path else f"{SITE}{path}"
    block = answer(body, status, media, **fields)
    return record(zlib.crc32(f"{url} {at}".encode()), block, url=url, date=at)


def rendered(*records: bytes, config: Rendering | None = None) -> list[RenderedCapture | Reject]:
    """The HTML captures among the records, laid out and drawn one after the other, each answered from all."""
    config = replace(config or Rendering(), pictures=True)
    source = stored(b"".join(members(records)))
    answers = Answers(Places([places_of(source)]), config.limits)
    renderer = RENDERERS.setdefault(config, Renderer(chromium() or "", answers, config))
    renderer.answers = answers
    captures = (one for one in read(source, config.limits) if not isinstance(one, Reject))
    return [renderer.render(one) for one in captures]


def laid_out(body: bytes, *records: bytes, config: Rendering | None = None) -> RenderedCapture:
    """One page, with what it asks for."""
    first, *_ = rendered(got("/", body), *records, config=config)
    assert not isinstance(first, Reject), first
    return first


def box(one: RenderedCapture, name: str) -> tuple[float, ...] | None:
    """The box of the element with an id, as plain numbers."""
    found = next(e for e in one.page.elements if e.attributes.get("id") == name)
    return found.rect and tuple(found.rect)


def result_of(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns, run in a thread: the loop of Playwright may run in the one of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
