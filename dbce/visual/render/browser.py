"""Chromium, located and started offline; its DevTools protocol, and the memory of its processes.

A driver in between would read and write each message again, with all resources and pictures, which took a third of
the CPU of a page. So the protocol is implemented here, over a pipe to the browser.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from textwrap import shorten
from threading import Event, Thread
from time import thread_time
from typing import Any, NamedTuple

from dbce.model import UsageError
from dbce.storage import temporary_folder

Listener = Callable[[dict[str, Any]], object]

CLOSED = "closed"
"""Event of all sessions when the browser has ended; no event of the protocol has that name."""


class DevtoolsError(Exception):
    """A browser has ended, or refused a command."""


class Devtools(asyncio.Protocol):
    """A connection to a browser: JSON messages, each followed by a zero byte.

    Commands raise DevtoolsError if the browser, or the target of a session, has ended.
    """

    def __init__(self) -> None:
        self._numbers = count(1)
        self._awaited: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._partial: list[bytes] = []
        self._has_ended = False
        self.browser = DevtoolsSession(self, "")
        self._sessions = {"": self.browser}
        self._out: asyncio.WriteTransport | None = None
        self._in: asyncio.BaseTransport | None = None

    @classmethod
    async def connect(cls, read: int, write: int) -> Devtools:
        """Return a connection over two ends of pipes, which it closes."""
        loop = asyncio.get_running_loop()
        pipe = cls()
        pipe._in, _ = await loop.connect_read_pipe(lambda: pipe, os.fdopen(read, "rb", 0))
        pipe._out, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(write, "wb", 0))
        return pipe

    def close(self) -> None:
        """Close both pipes, which ends the browser."""
        for transport in (self._in, self._out):
            if transport is not None:
                transport.close()
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        """Process a chunk of output of the browser, perhaps with parts of messages."""
        *ends, rest = data.split(b"\0")
        for end in ends:
            self._receive(b"".join((*self._partial, end)))
            self._partial.clear()
        if rest:
            self._partial.append(rest)

    def connection_lost(self, _error: Exception | None) -> None:
        """Fail all pending and future commands, since the browser has ended."""
        self._has_ended = True
        awaited, self._awaited = self._awaited, {}
        for answer in awaited.values():
            if not answer.done():
                answer.set_exception(DevtoolsError("the browser has ended"))
        for session in tuple(self._sessions.values()):
            session.tell(CLOSED, {})

    def _receive(self, message: bytes) -> None:
        reply = json.loads(message)
        if "id" in reply:
            answer = self._awaited.pop(reply["id"], None)
            if answer is None or answer.done():
                return
            if "error" in reply:
                answer.set_exception(DevtoolsError(reply["error"].get("message", "refused")))
            else:
                answer.set_result(reply.get("result", {}))
            return
        session = self._sessions.get(reply.get("sessionId", ""))
        if session is not None:
            session.tell(reply["method"], reply.get("params", {}))

    async def send(self, session: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a command of a session. Raises DevtoolsError: the browser has ended, or refuses it."""
        if self._out is None or self._out.is_closing() or self._has_ended:
            raise DevtoolsError("the browser has ended")
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._awaited[number] = answer
        self._out.write(json.dumps(message).encode() + b"\0")
        try:
            return await answer
        finally:
            self._awaited.pop(number, None)

    async def attach(self, target: str) -> DevtoolsSession:
        params = {"targetId": target, "flatten": True}
        name = (await self.browser.send("Target.attachToTarget", params))["sessionId"]
        session = self._sessions[name] = DevtoolsSession(self, name)
        return session

    async def detach(self, session: DevtoolsSession) -> None:
        self._sessions.pop(session.name, None)
        await self.browser.send("Target.detachFromTarget", {"sessionId": session.name})


class DevtoolsSession:
    """Commands to a browser or a target in it, and its events."""

    def __init__(self, devtools: Devtools, name: str) -> None:
        self._devtools = devtools
        self.name = name
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return await self._devtools.send(self.name, method, params or {})

    def add_listener(self, event: str, listener: Listener) -> None:
        """Call a listener with the parameters of each future event of a name."""
        self._listeners[event].append(listener)

    @contextmanager
    def listening(self, event: str, listener: Listener) -> Iterator[None]:
        """Call a listener so within the block."""
        self.add_listener(event, listener)
        try:
            yield
        finally:
            self._listeners[event].remove(listener)

    def tell(self, event: str, params: dict[str, Any]) -> None:
        for listener in tuple(self._listeners[event]):
            listener(params)


INTERVAL = 0.1  # seconds between two checks of memory, in which a script fills 100 to 200 MB

REST = 20
"""Pause between checks as a multiple of their CPU time, so that they never cost more than a twentieth of a core.
Wall-clock time depends on other processes, and a browser could fill memory meanwhile."""


# The processes of a browser are one process group, led by the first.


def _end(group: int) -> None:
    """Kill all processes of a group, even if they hang."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _memory(group: int) -> int:
    """Return the bytes of memory of the processes of a group; 0 if the system does not provide them.

    This sums the private memory of each, plus the largest shared part of any: all share the program, and
    pictures are in shared memory. It is within a twentieth of the sum of their proportional shares (PSS),
    which is slow to read, and for processes in Chromium's sandbox readable on Linux only by root. The sum
    of resident memory (RSS) counts the program eight times, half a gigabyte with nothing loaded.
    """
    private = shared = 0
    names = os.listdir("/proc") if os.path.isdir("/proc") else ()  # noqa: PTH112, PTH208 - often
    for name in filter(str.isdigit, names):
        with suppress(OSError):  # it has just ended
            if os.getpgid(int(name)) == group:
                fields = Path(f"/proc/{name}/statm").read_text(encoding="ascii").split()
                resident, common = int(fields[1]), int(fields[2])
                private += resident - common
                shared = max(shared, common)
    return (private + shared) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _memory_limit(limit: int, group: int) -> Iterator[Event]:
    """Limit a group of processes to so many bytes of memory: above that all are killed, and the event is set.

    A limit on address space does not work: Chromium reserves terabytes that it never uses.
    """
    exceeded, finished = Event(), Event()

    def watch() -> None:
        pause = INTERVAL
        while not finished.wait(pause):
            begin = thread_time()
            if _memory(group) > limit:
                exceeded.set()
                _end(group)
                return
            pause = max(INTERVAL, REST * (thread_time() - begin))

    # A thread, since the loop may be busy with the page itself.
    thread = Thread(target=watch, daemon=True, name="memory of a browser")
    thread.start()
    try:
        yield exceeded
    finally:
        finished.set()
        thread.join()


START = 120.0
"""Seconds that a browser may take to start: one or two suffice, except on a busy machine."""

STARTS = 3
"""Attempts to start a browser, as one in some thousands ends before its first answer."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NONE = (
    "there is no Chromium: as root type apt-get install chromium, or else pip install playwright and "
    "python -m playwright install --with-deps chromium-headless-shell, and name it with --chromium"
)

OFFLINE = (
    # Every address, even of this machine, goes to a missing proxy; no name is resolved.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
)
"""Switches of the browser that block all requests not answered from the archive."""

QUIET = (
    # A browser for a program: no windows, no questions, no updates, and nothing that waits for a reader.
    "--headless --no-startup-window --no-first-run --no-default-browser-check --disable-field-trial-config "
    "--disable-background-networking --disable-breakpad --disable-background-timer-throttling "
    "--disable-backgrounding-occluded-windows --disable-back-forward-cache --disable-component-update "
    "--disable-default-apps --disable-component-extensions-with-background-pages --disable-extensions "
    "--enable-features=CDPScreenshotNewSurface,NetworkServiceInProcess2 --allow-pre-commit-input --disable-sync "
    "--disable-hang-monitor --disable-ipc-flooding-protection --disable-popup-blocking "
    "--disable-prompt-on-repost --disable-renderer-backgrounding --disable-infobars --metrics-recording-only "
    "--password-store=basic --use-mock-keychain --no-service-autorun --disable-search-engine-choice-screen "
    "--mute-audio --enable-unsafe-swiftshader --disable-stack-profiler --block-new-web-contents"
).split()

UNUSED = (
    "AcceptCHFrame AutoDeElevate DestroyProfileOnBrowserClose DialMediaRouteProvider GlobalMediaControls "
    "HttpsUpgrades LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning Translate "
    "OptimizationHints RenderDocument "
    # Addresses are requested as written, by http too; frames are laid out with their page.
    "HttpsFirstBalancedModeAutoEnable IsolateOrigins site-per-process NetworkPrediction Prerender2 "
    "SpareRendererForSitePerProcess"
).split()

ALIKE = (
    # The same pixels whenever a page is laid out on one machine, and as much as can be on others.
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--hide-scrollbars",
    "--lang=en-US",
    # Pictures that move show their first frame, and none waits until it is scrolled to.
    "--blink-settings=imageAnimationPolicy=2,lazyLoadEnabled=false",
    "--js-flags=--random-seed=1",
    # A picture may be scaled from a partly decoded one: so all is drawn in one order, and only once it
    # is decoded.
    *("--disable-checker-imaging", "--num-raster-threads=1"),
)

SMALL = (
    # Less to be handed on between processes; what draws and what fetches are small where there is no network.
    *("--disable-gpu", "--in-process-gpu"),
    "--disable-dev-shm-usage",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    # Caches as on a small telephone: a page has the same boxes and pixels, and the browser a tenth less memory.
    "--enable-low-end-device-mode",
    f"--disable-features={','.join(UNUSED)}",
)


def chromium(name: str | None = None) -> str:
    """Return the path of Chromium: that of the option, else of CHROMIUM, else this machine's.

    Raises UsageError: there is none, or it cannot be started on this system.
    """
    if not hasattr(os, "posix_spawn"):
        raise UsageError("a browser is started on Linux and macOS only")
    name = name or os.environ.get("CHROMIUM")
    path = next(filter(None, map(shutil.which, [name] if name else NAMES)), None)
    if path is None:
        wrong = f"{name} is not a program that can be started; " if name else ""
        raise UsageError(f"{wrong}{NONE}")
    return path


class RunningBrowser(NamedTuple):
    """A running browser; `exceeded` is set when it was killed for too much memory."""

    devtools: Devtools
    exceeded: Event


@asynccontextmanager
async def start_browser(path: str, memory: int) -> AsyncIterator[RunningBrowser]:
    """Yield a browser limited to so many bytes of memory.

    All its processes and files are removed at the end, whatever its state.
    Raises UsageError: it does not start.
    """
    async with AsyncExitStack() as stack:
        devtools, group = await _answering(path, stack)
        yield RunningBrowser(devtools, stack.enter_context(_memory_limit(memory, group)))


async def _answering(path: str, stack: AsyncExitStack) -> tuple[Devtools, int]:
    """Start a browser, with retries, to be ended by the stack; return it with its group of processes."""
    for retries in reversed(range(STARTS)):
        async with AsyncExitStack() as attempt:
            folder = attempt.enter_context(temporary_folder())
            try:
                process, ends = _spawn(path, folder)
                attempt.push_async_callback(asyncio.to_thread, os.waitpid, process, 0)
                attempt.callback(_end, process)
                devtools = await Devtools.connect(*ends)
                attempt.push_async_callback(_close, devtools)
                async with asyncio.timeout(START):
                    await devtools.browser.send("Browser.getVersion")
            except (OSError, DevtoolsError, TimeoutError) as e:
                if retries and isinstance(e, DevtoolsError):
                    continue
                output = _browser_output(folder) or str(e) or "it says nothing"
                raise UsageError(f"{path} does not start: {output}; {NONE}") from e
            stack.push_async_exit(attempt.pop_all())
            return devtools, process
    raise AssertionError("the last of them returns or raises")


SAID = "said.txt"  # file in the folder of a browser with its output


def _spawn(path: str, folder: str) -> tuple[int, tuple[int, int]]:
    """Start a browser as the leader of a group of processes; return its id, and our ends of the pipes to it."""
    # Chromium's sandbox does not work as root, as in containers.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    options = [f"--user-data-dir={folder}/profile", "--remote-debugging-pipe"]
    browser_ends, our_ends = _pipes()
    output = os.open(f"{folder}/{SAID}", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        process = os.posix_spawn(
            path,
            [path, *QUIET, *sandbox, *OFFLINE, *ALIKE, *SMALL, *options],
            os.environ | {"TMPDIR": folder},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                *((os.POSIX_SPAWN_DUP2, output, number) for number in (1, 2)),
                # Commands come by 3, answers go by 4.
                *((os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(browser_ends, 3)),
            ],
            setpgroup=0,
        )
    except OSError:
        for end in our_ends:
            os.close(end)
        raise
    finally:
        for end in (*browser_ends, output):
            os.close(end)
    return process, our_ends


def _browser_output(folder: str) -> str:
    path = Path(folder, SAID)
    output = path.read_text("utf-8", "replace") if path.exists() else ""
    return shorten(output, 400, placeholder=" ...")


def _pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ends of two pipes: those of the browser, to read and to write, and ours."""
    import fcntl  # not on Windows

    ends = [*os.pipe(), *os.pipe()]
    # Avoid the numbers that they get in the browser.
    duplicates = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    commands, command, answers, answer = duplicates
    return (commands, answer), (answers, command)


CLOSING = 5.0  # seconds for a browser to end by itself, before it is killed


async def _close(devtools: Devtools) -> None:
    """Ask a browser to end, and wait up to CLOSING seconds."""
    closed = asyncio.Event()
    devtools.browser.add_listener(CLOSED, lambda _: closed.set())
    with suppress(DevtoolsError, TimeoutError):
        async with asyncio.timeout(CLOSING):
            await devtools.browser.send("Browser.close")
            await closed.wait()
    devtools.close()
