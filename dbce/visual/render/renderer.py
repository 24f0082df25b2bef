"""One capture after the other through one browser, a fresh one after each that fails."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from dbce.errors import InputError, StoreError, drop
from dbce.html import load
from dbce.model import Reason, Stage
from dbce.visual import RenderedPage
from dbce.visual.render.browser import started
from dbce.visual.render.layout import lay_out
from dbce.visual.render.numbers import numbers

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from dbce.config import Rendering
    from dbce.model import Capture, Dropped
    from dbce.visual.render.answers import Answers
    from dbce.visual.render.layout import LaidOut


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A capture that was laid out, and how that went."""

    capture: Capture
    page: RenderedPage
    laid_out: LaidOut


class Renderer:
    """Lays out captures, in a browser that it starts when the first one comes."""

    def __init__(self, path: str, answers: Answers, config: Rendering) -> None:
        self._path = path
        self._answers = answers
        self._config = config
        self._runner = asyncio.Runner()
        self._browser: Browser | None = None
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the browser."""
        self._runner.run(self._stop())
        self._runner.close()

    def render(self, capture: Capture) -> Rendered | Dropped:
        """The page laid out; or why it is not, which it then is alone to blame for.

        Raises:
            StoreError: a file of the archive cannot be read.
            UsageError: there is no browser that starts.
        """
        try:
            document = load(capture.payload, capture.content_type, self._config.limits)
            laid_out = self._runner.run(self._laid_out(capture))
        except InputError as e:
            return drop(capture, e.reason, e.detail, Stage.RENDER)
        except StoreError:
            raise
        texts = laid_out.collected.texts
        ours = [node.text for node in document.page.nodes]
        found = numbers([text.text for text in texts], ours)
        page = RenderedPage(
            record_id=capture.record_id,
            url=capture.url,
            timestamp=capture.timestamp,
            viewport=(self._config.width, self._config.height),
            size=laid_out.size,
            elements=laid_out.collected.elements,
            styles=laid_out.collected.styles,
            texts=tuple(t._replace(node=n) for t, n in zip(texts, found, strict=True)),
        )
        return Rendered(capture, page, laid_out)

    async def _laid_out(self, capture: Capture) -> LaidOut:
        from playwright.async_api import Error

        browser = await self._started()
        try:
            async with asyncio.timeout(self._config.seconds):
                return await lay_out(browser, capture, self._answers, self._config)
        except TimeoutError:
            await self._stop()
            what = f"not laid out within {self._config.seconds:g} seconds"
            raise InputError(Reason.TOO_SLOW, what) from None
        except Error as e:
            await self._stop()
            raise InputError(Reason.CRASHED, " ".join(str(e).split())[:200]) from e
        except InputError:
            await self._stop()
            raise

    async def _started(self) -> Browser:
        if self._browser is None:
            from playwright.async_api import async_playwright

            playwright = await self._stack.enter_async_context(async_playwright())
            self._browser = await self._stack.enter_async_context(
                started(playwright.chromium, self._path)
            )
        return self._browser

    async def _stop(self) -> None:
        self._browser = None
        await self._stack.aclose()
        self._stack = AsyncExitStack()
