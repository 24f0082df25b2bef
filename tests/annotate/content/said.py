"""Builders: what people say of the text nodes of a page."""

from dbce.annotate.content.history import Mark, Span, event_of

CON, BP, COM, UND = Mark


def span(start: int, text: str, mark: Mark = CON, node: int = 0, *, end: int | None = None) -> Span:
    """A stretch of a text node; with `end` its text is normalised and of another length."""
    return Span(node, f"/p[{node}]", start, end or start + len(text), text, mark)


def about(record_id: str = "page") -> dict:
    return {"record_id": record_id, "url": "http://a.example/", "site": "a.example"}


def says(by: str, *spans: Span, record_id: str = "page", hidden: bool = False) -> dict:
    """Somebody's saying, as the journal has it."""
    return event_of(by, about(record_id), spans, hidden=hidden)


def settles(span: Span) -> dict:
    return event_of("a reviewer", about(), [span], settles=True)
