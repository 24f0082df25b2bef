"""The headings that HEPS, as published, shares with its reference.

    python -m scripts.experiments.heps_agreement HEPS.user.js NUMBER INPUT...

The reference is the script of its authors (tmanabe/HEPS), which is no part of this project. It runs in the tab in which
a page is laid out, just after the page was collected, with the text of images switched on, as mode `published` has it. Of
each input so many pages are taken, evenly. Headings are compared by their text, page by page.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import urljoin

from dbce.archive import expand, read
from dbce.model import Capture, Rendering
from dbce.visual.headings import headings
from dbce.visual.render import chromium, layout
from dbce.visual.render.answers import Answers, Places, places_of
from dbce.visual.render.layout import COLLECT
from dbce.visual.render.renderer import RenderedCapture, Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.visual import RenderedPage
    from dbce.visual.headings import Heading

WITHOUT_TEXT = "EXTRACT_TEXT_OF_IMG  = false"


def pages(reference: str, number: int, inputs: list[str]) -> Iterator[tuple[RenderedPage, Any]]:
    """Pages as they were laid out, with what the reference says of them."""
    config = Rendering()
    sources = expand(inputs)
    replies: dict[str, Any] = {}
    evaluated = layout._evaluate  # noqa: SLF001 - the one place where the page is there as it was collected

    async def also_by_reference(session: Any, world: int, expression: str) -> Any:
        value = await evaluated(session, world, expression)
        if expression is COLLECT:
            replies["json"] = await evaluated(session, world, f"{reference}; window.HEPS.json")
        return value

    answers = Answers(Places(places_of(source) for source in sources), config.limits)
    with (
        patch.object(layout, "_evaluate", also_by_reference),
        closing(Renderer(chromium(), answers, config)) as renderer,
    ):
        for source in sources:
            captures = [one for one in read(source, config.limits) if isinstance(one, Capture)]
            for capture in captures[:: max(1, len(captures) // number)][:number]:
                replies.clear()
                found = renderer.render(capture)
                if isinstance(found, RenderedCapture):
                    yield found.page, json.loads(replies["json"])


def by_reference(block: Any, text: str) -> Iterator[str]:
    """The headings of a block of the reference, and of all in it."""
    for heading in block.get("headings", []):
        yield " ".join(text[heading[0]["from"] : heading[-1]["to"]].split())
    for child in block["children"]:
        yield from by_reference(child, text)


def ours(page: RenderedPage, heading: Heading) -> str:
    """A heading as the reference says it: an image is the words of its address, and what it is called."""
    items = [(page.texts[text].order, page.texts[text].text) for text in heading.texts]
    for image in heading.images:
        attributes = page.elements[image].attributes
        source = attributes.get("src", "").strip()
        words = re.split(r"\W+", urljoin(page.url, source).split("://")[-1], flags=re.ASCII)
        items.append((page.elements[image].order, " ".join([*words, attributes.get("alt", "")])))
    return " ".join(" ".join(text for _, text in sorted(items)).split())


def main(script: str, number: str, *inputs: str) -> None:
    """Prints the headings of both, those that both have, and their F; then the pages that differ."""
    reference = Path(script).read_text(encoding="utf-8")
    if WITHOUT_TEXT not in reference:
        raise SystemExit(f"{script} is not HEPS 1.0: it has no {WITHOUT_TEXT}")
    reference = reference.replace(WITHOUT_TEXT, WITHOUT_TEXT.replace("false", "true"))
    theirs_in_all = ours_in_all = both_in_all = count = 0
    different = []
    for page, answers in pages(reference, int(number), list(inputs)):
        theirs = Counter(by_reference(answers, answers["rawString"]))
        found = Counter(ours(page, one) for one in headings(page, 0, "heps-published").headings)
        both = (theirs & found).total()
        theirs_in_all += theirs.total()
        ours_in_all += found.total()
        both_in_all += both
        count += 1
        if theirs != found:
            different.append(f"{theirs.total()} {found.total()} {both} {page.url}")
    agreement = 2 * both_in_all / max(1, theirs_in_all + ours_in_all)
    print(f"{count} pages, {count - len(different)} of them alike")
    print(
        f"headings: reference {theirs_in_all}, ours {ours_in_all}, both {both_in_all}; F {agreement:.3f}"
    )
    print("\n".join(different))


if __name__ == "__main__":
    main(*sys.argv[1:])
