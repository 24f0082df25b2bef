"""Mutated pages through the server and Chromium's parser: `python -m tests.fuzz.chromium FOLDER SECONDS`.

The page of a capture shows one after the other in its frame, and has to be able to mark, to choose and
to hear clicks in each. A page with which it cannot, or in which something acts, stays in FOLDER.
"""

from __future__ import annotations

import sys
import time
from contextlib import closing
from itertools import count, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.server import serve
from tests.browser import NONE, chromium
from tests.fuzz.targets import check_inert
from tests.view.conftest import serve_to
from tests.view.mutants import mutants, mutated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.view.mutants import Mutants

SHOW = """async id => {
    const dom = await import("/static/dom.js");
    const frame = document.getElementById("frame");
    await new Promise(done => {
        frame.addEventListener("load", done, { once: true });
        frame.src = `/frame?id=${id}`;
    });
    const page = frame.contentDocument;
    const places = dom.all(page, "[data-dbce-at]");
    const chosen = () => dom.all(page, "[data-dbce-chosen]").map(one => dom.placeOf(one));
    const click = Object.getOwnPropertyDescriptor(EventTarget.prototype, "dispatchEvent").value;
    const names = Element.prototype.getAttributeNames;
    const value = Element.prototype.getAttribute;
    const tag = Object.getOwnPropertyDescriptor(Element.prototype, "localName").get;
    const clicked = places.slice(0, 3).map(one => {
        click.call(one, new MouseEvent("click", { bubbles: true, cancelable: true }));
        return [dom.placeOf(one), chosen()];
    });
    return {
        shown: value.call(dom.rootOf(page), "data-dbce-show"),
        clicked,
        elements: dom.all(page, "*").map(one => [
            tag.call(one),
            Object.fromEntries(names.call(one).map(name => [name, value.call(one, name)])),
        ]),
        hacked: [window.hacked, frame.contentWindow.hacked].filter(one => one === 1),
    };
}"""
"""Shows a capture in the frame, clicks on its first runs, and tells what is there."""


def visit(browser: Browser, run: Mutants, numbers: Iterator[int]) -> Iterator[int]:
    """Shows the mutated pages of these numbers; the numbers, each when its page was found harmless.

    Raises:
        AssertionError: one is not; the message says why.
    """
    run.add("first", mutated(0) + b"<p>a text run</p>" * 50)
    guard = Guard()
    context = browser.new_context()
    server = serve(create_app(run, guard), run, guard, 0)
    with closing(context), serve_to(server, context) as address:
        page, wrong = context.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(f"a script fails: {error}"))
        page.on("request", lambda one: wrong.extend(_elsewhere(one.url, address)))
        page.route("**/why?*", lambda route: route.fulfill(body="why"))
        page.goto(f"{address}/capture?id=first")
        for number in numbers:
            if run.add("mutant", mutated(number)):
                _look(page, wrong)
            yield number


def _look(page: Page, wrong: list[str]) -> None:
    found = page.evaluate(SHOW, "mutant")
    if wrong or found["hacked"]:
        raise AssertionError("; ".join(wrong) or "a script of the page ran")
    if found["shown"] is None or any([at] != chosen for at, chosen in found["clicked"]):
        raise AssertionError(
            f"the page's script does not reach it: {found['shown']}, {found['clicked']}"
        )
    for tag, attributes in found["elements"]:
        check_inert(tag, attributes)


def _elsewhere(url: str, own: str) -> list[str]:
    """What is wrong with a request."""
    asked = urlsplit(url)
    here = asked.netloc == urlsplit(own).netloc or asked.scheme == "data"
    return [] if here else [f"something asks for {url}"]


def main() -> None:
    """Shows mutated pages until the time is up or something is found."""
    folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        sys.exit(NONE)
    with TemporaryDirectory() as made, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        over = time.monotonic() + seconds
        numbers = takewhile(lambda _: time.monotonic() < over, count())
        harmless = 0
        try:
            for shown in visit(browser, mutants(Path(made)), numbers):
                harmless = shown + 1
        except AssertionError:
            (folder / f"crash-frame-{harmless}.html").write_bytes(mutated(harmless))
            raise
    print(f"{harmless:,} pages shown in Chromium, none broke the frame")  # noqa: T201


if __name__ == "__main__":
    main()
