"""Chromium, found and started so that it can reach nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.storage import temporary_folder
from dbce.visual.render.devtools import CLOSED, Devtools, DevtoolsError
from dbce.visual.render.processes import Processes, held_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from threading import Event

START = 120.0
"""Seconds that a browser may take to start: one or two do, but for a machine that does much else."""

STARTS = 3
"""How often a browser is started that ends before it has answered anything: one of some thousands does."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NONE = (
    "there is no Chromium: as root type apt-get install chromium, or else pip install playwright and "
    "python -m playwright install --with-deps chromium-headless-shell, and name it with --chromium"
)

OFFLINE = (
    # Every address leads to a proxy that is not there, those of this machine too; no name is resolved.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
)
"""Switches of the browser: whatever is not answered from the archive ends here."""

QUIET = (
    # A browser for a program: no windows, no questions, no updates, and nothing that waits for a reader.
    *("--headless", "--no-startup-window", "--no-first-run", "--no-default-browser-check"),
    *("--disable-field-trial-config", "--disable-background-networking", "--disable-breakpad"),
    *("--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"),
    *("--disable-back-forward-cache", "--disable-component-update", "--disable-default-apps"),
    *("--disable-component-extensions-with-background-pages", "--disable-extensions"),
    *(
        "--enable-features=CDPScreenshotNewSurface,NetworkServiceInProcess2",
        "--allow-pre-commit-input",
        "--disable-sync",
    ),
    *("--disable-hang-monitor", "--disable-ipc-flooding-protection", "--disable-popup-blocking"),
    *("--disable-prompt-on-repost", "--disable-renderer-backgrounding", "--disable-infobars"),
    *("--metrics-recording-only", "--password-store=basic", "--use-mock-keychain"),
    *("--no-service-autorun", "--disable-search-engine-choice-screen", "--mute-audio"),
    *("--enable-unsafe-swiftshader", "--disable-stack-profiler", "--block-new-web-contents"),
)

UNUSED = (
    *("AcceptCHFrame", "AutoDeElevate", "DestroyProfileOnBrowserClose", "DialMediaRouteProvider"),
    *("GlobalMediaControls", "HttpsUpgrades", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "Translate", "OptimizationHints", "RenderDocument"),
    # Addresses are asked for as they are written, by http too; frames are laid out with their page.
    *("HttpsFirstBalancedModeAutoEnable", "IsolateOrigins", "site-per-process"),
    *("NetworkPrediction", "Prerender2", "SpareRendererForSitePerProcess"),
)

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
    # A picture is scaled from what is decoded of it already, if anything is: so all is drawn in one order,
    # and when it is decoded.
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


def chromium(named: str | None = None) -> str:
    """The path of Chromium: the one that is named, by the option or by CHROMIUM, or this machine's.

    Raises:
        UsageError: there is none, or it cannot be started on this system.
    """
    if not hasattr(os, "posix_spawn"):
        raise UsageError("a browser is started on Linux and macOS only")
    named = named or os.environ.get("CHROMIUM")
    if named:
        if (path := shutil.which(named)) is None:
            raise UsageError(f"{named} is not a program that can be started; {NONE}")
        return path
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    if found is None:
        raise UsageError(NONE)
    return found


@dataclass(frozen=True, slots=True)
class Started:
    """A browser that runs; `exceeded` is set when it was ended because it held too much memory."""

    devtools: Devtools
    exceeded: Event


@asynccontextmanager
async def started(path: str, memory: int) -> AsyncIterator[Started]:
    """A browser that may hold so many bytes of memory.

    All its processes and files are gone when the block has ended, whatever state it is in.

    Raises:
        UsageError: it does not start.
    """
    async with AsyncExitStack() as stack:
        devtools, processes = await _answering(path, stack)
        yield Started(devtools, stack.enter_context(held_to(memory, processes)))


async def _answering(path: str, stack: AsyncExitStack) -> tuple[Devtools, Processes]:
    """Start a browser until one answers, and leave it to the stack to end it.

    Raises:
        UsageError: it is no program, or none has answered.
    """
    for left in reversed(range(STARTS)):
        async with AsyncExitStack() as tried:
            folder = tried.enter_context(temporary_folder())
            try:
                process, ends = _spawned(path, folder)
                tried.push_async_callback(asyncio.to_thread, os.waitpid, process, 0)
                processes = Processes(process)
                tried.callback(processes.end)
                devtools = await Devtools.connected(*ends)
                tried.push_async_callback(_closed, devtools)
                async with asyncio.timeout(START):
                    await devtools.browser.send("Browser.getVersion")
            except (OSError, DevtoolsError, TimeoutError) as e:
                if left and isinstance(e, DevtoolsError):
                    continue
                said = _said(folder) or str(e) or "it says nothing"
                raise UsageError(f"{path} does not start: {said}; {NONE}") from e
            stack.push_async_exit(tried.pop_all())
            return devtools, processes
    raise AssertionError("the last of them returns or raises")


SAID = "said.txt"
"""File in the folder of a browser with what it writes for people."""


def _spawned(path: str, folder: str) -> tuple[int, tuple[int, int]]:
    """Start a browser as the leader of a group of processes; its number, and the ends of the pipes to it.

    Raises:
        OSError: it is no program.
    """
    # Chromium refuses its own sandbox to root, whom containers run as.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    own = [f"--user-data-dir={folder}/profile", "--remote-debugging-pipe"]
    inside, outside = _pipes()
    said = os.open(f"{folder}/{SAID}", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        process = os.posix_spawn(
            path,
            [path, *QUIET, *sandbox, *OFFLINE, *ALIKE, *SMALL, *own],
            os.environ | {"TMPDIR": folder},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                *((os.POSIX_SPAWN_DUP2, said, number) for number in (1, 2)),
                # Commands come by 3, answers go by 4.
                *((os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(inside, 3)),
            ],
            setpgroup=0,
        )
    except OSError:
        for end in outside:
            os.close(end)
        raise
    finally:
        for end in (*inside, said):
            os.close(end)
    return process, outside


def _pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ends of two pipes: those of the browser, to read and to write, and ours."""
    import fcntl  # which Windows has not

    ends = [*os.pipe(), *os.pipe()]
    # None may have one of the numbers that they are to have in the browser.
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    commands, command, answers, answer = moved
    return (commands, answer), (answers, command)


def _said(folder: str) -> str:
    """Return what a browser wrote, on one short line, "" if it wrote nothing."""
    written = Path(folder, SAID)
    said = written.read_text("utf-8", "replace") if written.exists() else ""
    return shorten(said, 400, placeholder=" ...")


CLOSING = 5.0
"""Seconds in which a browser may end by itself, before it is ended."""


async def _closed(devtools: Devtools) -> None:
    """Ask a browser to end, and wait until it has or hangs."""
    over = asyncio.Event()
    devtools.browser.on(CLOSED, lambda _: over.set())
    with suppress(DevtoolsError, TimeoutError):
        async with asyncio.timeout(CLOSING):
            await devtools.browser.send("Browser.close")
            await over.wait()
    devtools.close()


def fonts() -> list[str]:
    """The families of the fonts that are installed, as fontconfig lists them; none where it is not."""
    program = shutil.which("fc-list")
    if program is None:
        return []
    listed = subprocess.run(  # noqa: S603 - a fixed call
        [program, ":", "family"], capture_output=True, check=False
    ).stdout
    lines = listed.decode("utf-8", "replace").splitlines()
    return sorted({line.partition(",")[0].strip() for line in lines} - {""})
