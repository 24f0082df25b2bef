"""Chromium, found and started so that it can reach nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dbce.model import MissingExtra, UsageError
from dbce.storage import temporary_folder, used_as_temporary
from dbce.visual.render.processes import Processes, held_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from threading import Event

    from playwright.async_api import Browser, BrowserType

START = 120.0
"""Seconds that a browser may take to start: one or two do, but for a machine that does much else."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NONE = (
    "there is no Chromium: as root type apt-get install chromium, or else "
    "python -m playwright install --with-deps chromium-headless-shell and name it with --chromium"
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

UNUSED = (
    # The last such option counts, so what Playwright switches off is named again.
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
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    f"--disable-features={','.join(UNUSED)}",
)


def chromium(named: str | None = None) -> str:
    """The path of Chromium: the one that is named, by the option or by CHROMIUM, or this machine's.

    Raises:
        MissingExtra: Playwright is not installed.
        UsageError: there is none.
    """
    if find_spec("playwright") is None:
        raise MissingExtra("dbce render", "render")
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

    browser: Browser
    exceeded: Event


@asynccontextmanager
async def started(path: str, memory: int) -> AsyncIterator[Started]:
    """A browser that may hold so many bytes of memory.

    All its processes and files are gone when the block has ended, whatever state it is in.

    Raises:
        UsageError: it does not start.
    """
    from playwright.async_api import async_playwright

    async with AsyncExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        with used_as_temporary(folder):
            playwright = await stack.enter_async_context(async_playwright())
        browser = await _launched(playwright.chromium, path)
        stack.push_async_callback(_closed, browser)
        session = await browser.new_browser_cdp_session()
        told = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        first = next(int(process["id"]) for process in told if process["type"] == "browser")
        processes = Processes.of(first)
        stack.callback(processes.end)
        yield Started(browser, stack.enter_context(held_to(memory, processes)))


async def _launched(kind: BrowserType, path: str) -> Browser:
    from playwright.async_api import Error

    # Chromium refuses its own sandbox to root, whom containers run as.
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    try:
        return await kind.launch(
            executable_path=path,
            args=[*OFFLINE, *ALIKE, *SMALL],
            chromium_sandbox=not as_root,
            handle_sigint=False,
            timeout=START * 1000,
        )
    except Error as e:
        said = next((line for line in str(e).splitlines() if line.strip()), "it says nothing")
        raise UsageError(f"{path} does not start: {said.strip()}; {NONE}") from e


async def _closed(browser: Browser) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await browser.close()


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
