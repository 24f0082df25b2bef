"""Pages of two small sites, all of one template."""

from dbce.archive import capture
from dbce.model import Capture

MENU = "<ul class='menu'><li>Start</li><li>Archive</li></ul>"
FOOT = "<div class='foot'><p>All rights reserved by the harbour board</p></div>"


def story(url: str, text: str, at: str, *, title: str = "A story", extra: str = "") -> Capture:
    """A page of the one template that all stories here have."""
    html = (
        f"<!doctype html><html><head><title>{title}</title></head>"
        f"<body>{MENU}<div class='story'><h1>{title}</h1><p>{text}</p></div>{extra}{FOOT}</body>"
    )
    return capture(url, html, at=at)


def stories(site: str, count: int) -> list[Capture]:
    """As many pages of a site, two snapshots of each."""
    return [
        story(f"http://{site}/{n}", f"The ferry number {n} has left", at)
        for n in range(count)
        for at in ("20150301120000", "20160301120000")
    ]
