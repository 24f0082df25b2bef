"""A tab of the browser: a window of its own size, in a context that shares nothing with others."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbce.visual.render.devtools import CLOSED, Devtools, DevtoolsError

if TYPE_CHECKING:
    from dbce.model import Rendering
    from dbce.visual.render.devtools import DevtoolsSession

EMPTY = "about:blank"

MEDIA = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "reduce",
    "forced-colors": "none",
    "prefers-contrast": "no-preference",
}
"""Features of the reader that style sheets ask for, whatever this machine is set to."""

NO_WORKERS = "if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {}"
"""Service workers would answer for the archive."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab, and the session that its settings last as long as; `ended` is set when it has crashed."""

    devtools: Devtools
    context: str
    target: str
    session: DevtoolsSession
    ended: asyncio.Event

    async def emptied(self) -> None:
        """Lead the tab to an empty page, and wait until that is there.

        Raises:
            DevtoolsError: the browser has ended.
        """
        there = asyncio.get_running_loop().create_future()
        loaded: set[str] = set()

        def told(event: dict[str, Any]) -> None:
            if event["name"] == "load":
                loaded.add(event["loaderId"])
                if awaited in loaded and not there.done():
                    there.set_result(None)

        def closed(_: dict[str, Any]) -> None:
            if not there.done():
                there.set_exception(DevtoolsError("the browser has ended"))

        awaited = ""
        with (
            self.session.listening("Page.lifecycleEvent", told),
            self.session.listening("Inspector.targetCrashed", closed),
            self.session.listening(CLOSED, closed),
        ):
            awaited = (await self.session.send("Page.navigate", {"url": EMPTY})).get("loaderId", "")
            if awaited and awaited not in loaded:
                await there

    async def close(self) -> None:
        """Close the tab and all that belongs to its context.

        Raises:
            DevtoolsError: the browser has ended.
        """
        await self.devtools.browser.send(
            "Target.disposeBrowserContext", {"browserContextId": self.context}
        )


async def opened(devtools: Devtools, config: Rendering) -> Tab:
    """Open an empty tab.

    Raises:
        DevtoolsError: the browser has ended.
    """
    browser = devtools.browser
    context = (await browser.send("Target.createBrowserContext"))["browserContextId"]
    of_context = {"browserContextId": context}
    await browser.send("Browser.setDownloadBehavior", {"behavior": "deny", **of_context})
    size = {"width": config.width, "height": config.height}
    target = (await browser.send("Target.createTarget", {"url": EMPTY, **size, **of_context}))[
        "targetId"
    ]
    session = await devtools.attached(target)
    ended = asyncio.Event()
    session.on("Inspector.targetCrashed", lambda _: ended.set())

    def dismiss(event: dict[str, Any]) -> None:
        # A page that asks whether to leave it is left, and other questions have no answer.
        accept = {"accept": event["type"] == "beforeunload"}
        answered = asyncio.ensure_future(session.send("Page.handleJavaScriptDialog", accept))
        answered.add_done_callback(lambda done: done.cancelled() or done.exception())

    session.on("Page.javascriptDialogOpening", dismiss)
    for method, params in _settings(config, size):
        await session.send(method, params)
    return Tab(devtools, context, target, session, ended)


def _settings(config: Rendering, size: dict[str, int]) -> tuple[tuple[str, dict[str, Any]], ...]:
    screen = {"screenWidth": config.width, "screenHeight": config.height}
    landscape = {"angle": 0, "type": "landscapePrimary"}
    features = [{"name": name, "value": value} for name, value in MEDIA.items()]
    return (
        ("Page.enable", {}),
        ("Inspector.enable", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": True}),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        (
            "Emulation.setDeviceMetricsOverride",
            {
                "mobile": False,
                "deviceScaleFactor": 1,
                "screenOrientation": landscape,
                **size,
                **screen,
            },
        ),
        ("Emulation.setEmulatedMedia", {"media": "", "features": features}),
        ("Emulation.setLocaleOverride", {"locale": "en-US"}),
        ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
        ("Emulation.setUserAgentOverride", {"userAgent": "", "acceptLanguage": "en-US"}),
        ("Emulation.setScriptExecutionDisabled", {"value": not config.scripts}),
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": NO_WORKERS}),
    )
