"""Pages that say something of themselves, and what is made of that."""

from datetime import UTC, datetime

from dbce.html import load
from dbce.metadata import Metadata, describe
from dbce.model import Limits

CAPTURED = datetime(2016, 6, 1, tzinfo=UTC)


def said_by(
    head: str = "",
    body: str = "<p>a</p>",
    *,
    html: str = "<html>",
    url: str = "http://paper.example/ferry",
    text: str = "",
    captured: datetime = CAPTURED,
) -> Metadata:
    """What a page with this head and body says of itself."""
    payload = f"{html}<head>{head}</head><body>{body}</body></html>".encode()
    document = load(payload, "text/html; charset=utf-8", Limits())
    return describe(document.declared_metadata, document.page, url, captured, text)


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


def og(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{content}">'


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'
