"""Builders: rows of a run's tables, and lines of gold."""

from __future__ import annotations

from datetime import UTC, datetime


def page(record_id: str, text: str | None, url: str = "u", year: int = 2015) -> dict:
    status = "annotated" if text is not None else "rejected"
    time = datetime(year, 1, 1, tzinfo=UTC) if text is not None else None
    return {"record_id": record_id, "url": url, "status": status, "text": text, "fetch_time": time}


def truth(record_id: str, text: str, site: str = "one.example") -> dict:
    return {"record_id": f"<{record_id}>", "gold_text": text, "site": site}


def run(
    record_id: str, start: int, text: str, label: str, site: str = "", *, probability: float = 0.5
) -> dict:
    """A text run, as a row of `nodes` or a line of gold; both ignore what is the other's."""
    place = {"record_id": record_id, "xpath": "/html/body/p/text()[1]", "probability": probability}
    end = start + len(text)
    return place | {"start": start, "end": end, "text": text, "label": label, "site": site}
