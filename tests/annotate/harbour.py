"""Builders: a page to label, and how our own pages send a change."""

from __future__ import annotations

from tests.site import article, page

HIDDEN = "Nobody sees this text about cookies"
REMARK = "I saw the very same thing from my window!"

OWN = {"Origin": "http://localhost", "X-Dbce-Token": "secret"}
"""The headers of a request that one of our own pages sends."""


def labelled_page(topic: str, year: int):
    html = article(topic).replace(
        '<div class="foot">',
        f'<p class="remark">{REMARK}</p><div style="display:none"><p>{HIDDEN}</p></div>'
        '<div class="foot">',
    )
    return page(topic, f"{year}0101000000", html)
