"""The connection to a browser, over pipes that no browser is behind."""

import asyncio
import os

import pytest

from dbce.visual.render.browser import Devtools, DevtoolsError
from tests.visual.render.build import result_of


def test_who_asks_a_browser_that_has_ended_is_told_so_at_once() -> None:
    """It may end before anybody has asked, while something it started still holds the pipe to it."""
    answers, answer = os.pipe()
    commands, command = os.pipe()
    os.close(answer)

    async def asked() -> None:
        devtools = await Devtools.connect(answers, command)
        try:
            await asyncio.sleep(0.1)  # for the end of its answers to be read
            async with asyncio.timeout(10):
                await devtools.browser.send("Browser.getVersion")
        finally:
            devtools.close()

    with pytest.raises(DevtoolsError, match="the browser has ended"):
        result_of(asked())
    os.close(commands)
