"""The address under which a page is laid out: its own, or a stand-in where a browser does not take that."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

NOBODY = "http://stand-in.invalid"
"""The site of a page whose address names none: links that are relative lead nowhere there."""

_NAME = re.compile(r"[a-z0-9.-]+")
"""Names of hosts that browsers leave as they are."""


class Address(NamedTuple):
    """An address as the browser gets it, and the beginnings by which it and that of the capture differ."""

    shown: str
    site: str = ""
    own_site: str = ""

    def archived(self, url: str) -> str:
        """The address in the archive of what a page asks for."""
        if self.site and self.own_site and url.startswith(f"{self.site}/"):
            return self.own_site + url.removeprefix(self.site)
        return url


def addresses(url: str) -> list[Address]:
    """Addresses to try one after the other: that of a capture if it may be asked for, then stand-ins.

    A stand-in keeps host and path where there are any, so that what the page names relative to itself is
    looked for beside it, under the capture's own scheme and port. The last one is never refused.
    """
    nowhere = Address(f"{NOBODY}/")
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets around what is no address of IPv6
        return [nowhere]
    name = parts.hostname or ""
    own = [Address(url)] if parts.scheme in ("http", "https") and name else []
    if not (parts.netloc or parts.path.startswith("/")):
        return [*own, nowhere]
    site = f"http://{name}" if _NAME.fullmatch(name) else NOBODY
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return [*own, Address(site + path, site, f"{parts.scheme}://{parts.netloc}"), nowhere]
