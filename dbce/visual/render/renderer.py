"""Rendering of captures in one browser, replaced after each failure; texts with the numbers of a run.

A run numbers the texts of the tree of lxml; the browser's tree differs on invalid pages: it moves texts out of tables,
splits or joins them. So that verdicts join, texts are aligned by their wording, in order; the rest is paired by equal
wording.
"""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from threading import Thread
from typing import NamedTuple, TypeVar

from rapidfuzz.distance import LCSseq

from dbce.history import equal_pairs
from dbce.html import Document, load
from dbce.model import Capture, InputError, Reason, Reject, Rendering, Stage, drop, reject_fault
from dbce.visual import RenderedPage
from dbce.visual.render.answers import Answers
from dbce.visual.render.browser import DevtoolsError, RunningBrowser, start_browser
from dbce.visual.render.layout import LaidOut, Tab, lay_out, open_tab

CELLS = 400_000_000
"""Maximum product of numbers of texts to align; more are matched by wording alone. 50 MB in the aligner."""


def numbers(theirs: Sequence[str], ours: Sequence[str]) -> list[int]:
    """Match the texts of the browser (`theirs`) with ours: places in `ours`, each at most once, -1 for no match.

    White space makes no difference.
    """
    left, right = ([" ".join(text.split()) for text in texts] for texts in (theirs, ours))
    matches = [-1] * len(left)
    for n, m in _align(left, right):
        matches[n] = m
    used = set(matches)
    unmatched = ((m, text) for m, text in enumerate(right) if m not in used)
    unpaired = [(n, text) for n, text in enumerate(left) if matches[n] < 0]
    for m, n in equal_pairs(unmatched, unpaired):
        matches[n] = m
    return matches


def _align(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places of a longest common subsequence, none for too many texts."""
    if len(left) * len(right) > CELLS:
        return
    for block in LCSseq.opcodes(left, right):
        if block.tag == "equal":
            length = block.src_end - block.src_start
            yield from ((block.src_start + n, block.dest_start + n) for n in range(length))


Answer = TypeVar("Answer")

PAGES = 500
"""Pages after which a browser is replaced, to free its memory."""

TRIED_AGAIN = frozenset({Reason.TOO_SLOW, Reason.CRASHED, Reason.TOO_MUCH_MEMORY})
"""Reasons that may be due to the browser or the machine, not the page."""


class RenderedCapture(NamedTuple):
    capture: Capture
    page: RenderedPage
    laid_out: LaidOut


class Renderer:
    """Renders captures, in a browser that is started for the first one."""

    def __init__(self, path: str, answers: Answers, config: Rendering) -> None:
        self._path = path
        self.answers = answers
        self._config = config
        # In a thread of its own: callers may have a running loop, as notebooks do.
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="dbce render", daemon=True)
        self._thread.start()
        self._started: RunningBrowser | None = None
        self._current: Tab | None = None
        self._stack = AsyncExitStack()
        self._stopping = asyncio.Lock()
        self._pages = 0

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, steps: Coroutine[None, None, Answer]) -> Answer:
        """Run steps in the loop and return their result; an exception that interrupts the wait ends them."""
        answer = asyncio.run_coroutine_threadsafe(steps, self._loop)
        try:
            return answer.result()
        except BaseException:
            answer.cancel()
            raise

    def render(self, capture: Capture) -> RenderedCapture | Reject:
        """Return the rendered page, or its rejection, for which it alone is to blame.

        Raises:
            StoreError: a file of the archive cannot be read.
            UsageError: there is no browser that starts.
        """
        try:
            document = load(capture.payload, capture.content_type, self._config.limits)
            laid_out = self._run(self._laid_out(capture))
            return self._numbered_page(capture, laid_out, document)
        except InputError as e:
            return drop(capture, e.reason, e.detail, Stage.RENDER)
        except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
            return reject_fault(capture, e, Stage.RENDER)

    def _numbered_page(
        self, capture: Capture, laid_out: LaidOut, document: Document
    ) -> RenderedCapture:
        texts = laid_out.collected.texts
        node_texts = [node.text for node in document.page.nodes]
        node_numbers = numbers([text.text for text in texts], node_texts)
        page = RenderedPage(
            record_id=capture.record_id,
            url=capture.url,
            timestamp=capture.timestamp,
            viewport=(self._config.width, self._config.height),
            size=laid_out.size,
            elements=laid_out.collected.elements,
            styles=laid_out.collected.styles,
            texts=tuple(t._replace(node=n) for t, n in zip(texts, node_numbers, strict=True)),
        )
        return RenderedCapture(capture, page, laid_out)

    async def _laid_out(self, capture: Capture) -> LaidOut:
        """Return the rendered page; one that fails with its browser is tried once more, in a fresh one.

        So no page is blamed for what earlier ones left in the browser, or for the state of the machine.
        """
        try:
            return await self._try_layout(capture)
        except InputError as e:
            if e.reason not in TRIED_AGAIN:
                raise
        return await self._try_layout(capture)

    async def _try_layout(self, capture: Capture) -> LaidOut:
        """Return the rendered page; if it fails, the browser is ended.

        Raises InputError: it is beyond a limit, or the browser has ended.
        """
        try:
            tab = await self._tab()  # not part of the page's time
            async with asyncio.timeout(self._config.seconds):
                laid_out = await lay_out(tab, capture, self.answers, self._config)
                await self._release(tab)
        except BaseException as e:
            exceeded = self._started is not None and self._started.exceeded.is_set()
            await self._stop()
            if exceeded and isinstance(e, (DevtoolsError, InputError, TimeoutError)):
                detail = f"its browser held more than {self._config.memory} MB of memory"
                raise InputError(Reason.TOO_MUCH_MEMORY, detail) from e
            if isinstance(e, TimeoutError):
                detail = f"not laid out within {self._config.seconds:g} seconds"
                raise InputError(Reason.TOO_SLOW, detail) from e
            if isinstance(e, DevtoolsError):
                raise InputError(Reason.CRASHED, " ".join(str(e).split())[:200]) from e
            raise
        return laid_out

    async def _tab(self) -> Tab:
        """Return an empty tab: always the same one or, with scripts, which leave things behind, a new one."""
        if self._current is not None and self._current.ended.is_set():
            await self._stop()
        if self._started is None:
            launched = start_browser(self._path, self._config.memory * 1_000_000)
            self._started = await self._stack.enter_async_context(launched)
            self._pages = 0
        if self._current is None:
            self._current = await open_tab(self._started.devtools, self._config)
        return self._current

    async def _release(self, tab: Tab) -> None:
        """Give a tab back; a browser is ended after PAGES pages, to free its memory."""
        self._pages += 1
        if self._pages >= PAGES:
            await self._stop()
        elif self._config.scripts:
            self._current = None
            await tab.close()

    async def _stop(self) -> None:
        async with self._stopping:  # an interrupt ends the browser from two sides
            self._started = self._current = None
            await self._stack.aclose()
            self._stack = AsyncExitStack()
