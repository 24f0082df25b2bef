"""What the model of forums gains, page by page."""

from __future__ import annotations

import pytest

from dbce import html
from dbce.evaluate.gold import GoldText
from dbce.model import Config
from scripts.experiments.forum_model import gain
from scripts.experiments.sets import Gains, compare_captures
from tests.site import page, story


def test_pages_of_forums_are_judged_as_their_model_has_it() -> None:
    posts = [f"<title>-</title><p>{story(topic)}</p>" for topic in ("ferry", "harbour")]
    pages = [page(f"{n}", html=one) for n, one in enumerate(posts)]
    ids = [one.record_id for one in pages]
    gold = tuple(
        GoldText(of, story(topic), of) for of, topic in zip(ids, ("ferry", "harbour"), strict=True)
    )
    archive = compare_captures(tuple(pages), gold, {}, Config())
    read = html.load(pages[0].payload, "text/html", Config().limits).page
    lines = max(html.lines(read, html.holders(read))) + 1
    nothing, everything = Gains([-1.0] * lines, []), Gains([1.0] * lines, [])
    found = gain(archive, dict.fromkeys(ids, nothing), dict.fromkeys(ids, everything), ids[:1])
    assert found == [2, 1, 0.0, 0.5, 0.5, pytest.approx(0.5)]
