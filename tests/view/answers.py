"""Waiting for what a page in the browser does with an answer."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page


@contextmanager
def answered(page: Page, path: str) -> Iterator[None]:
    """What is done inside asks `path`; waits for the whole answer, and for what the page makes of it."""
    with page.expect_response(re.compile(path)) as answer:
        yield
    answer.value.finished()
    settle(page)


def settle(page: Page) -> None:
    """What is to happen in the page happens before this returns."""
    page.evaluate("() => new Promise(done => setTimeout(done, 30))")
