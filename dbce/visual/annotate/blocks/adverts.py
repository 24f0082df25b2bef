"""Advertisements in frames, told by what a rendering has of them: address, name, size.

They are other ones whenever a page is captured, and empty boxes where the archive has none, so that nobody is asked
to draw them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from dbce.visual import Element, Rect, RenderedPage

FRAMES = frozenset(("embed", "iframe", "object"))
"""Elements that show what another server sends."""

SERVERS = frozenset(
    "2mdn.net a-ads.com adbrite.com adform.net adjuggler.net adnxs.com adroll.com adspeed.net adsrvr.org adtech.de "
    "adtechus.com adtrafficquality.google advertising.com amazon-adsystem.com atdmt.com bidswitch.net "
    "carbonads.com casalemedia.com criteo.com criteo.net datafeedfile.com doubleclick.net falkag.net fastclick.net "
    "flashtalking.com googleadservices.com googlesyndication.com media.net mediaplex.com openx.net openx.org "
    "outbrain.com pubmatic.com rcm.amazon.com realmedia.com revcontent.com rubiconproject.com serving-sys.com "
    "smartadserver.com taboola.com teads.tv tribalfusion.com yieldmanager.com zedo.com".split()
)
"""Domains that send advertisements: the large ones of each decade, and those in frames of the development sets."""

_HOST = re.compile(r"(?:ads?|adserv(?:er|ing)?|adv|banners?|ox-d)\d*\.[^.]+\.")
"""Beginning of the name of a host that sends nothing else, as ads.example.org."""

_PATH = re.compile(r"/(?:ads?|adframe|adi|adserver)/")
"""Folder in the address of a frame where a site keeps its own; pages of classified ads may be in one, too."""

_WORD = re.compile(r"(?<![a-z0-9])([a-z]+)\d*(?![a-z0-9])")
"""A word with its number; letters of a digest, as in 3ad4f, are none."""

WORDS = frozenset(
    "ad adbanner adframe adiframe adrefresh ads adsbygoogle adsense adslot adunit adv advert advertisement "
    "advertising adverts anzeige aswift werbung".split()
)
"""Words of the identifier, name or class of a frame that say so, as in ad_iframe_7 or google_ads_frame1."""

SIZES = frozenset(
    (
        *((468, 60), (728, 90), (970, 90), (970, 250), (234, 60), (320, 50), (320, 100), (300, 50)),
        *((300, 250), (336, 280), (250, 250), (200, 200), (180, 150), (125, 125), (240, 400)),
        *((120, 240), (120, 600), (160, 600), (300, 600)),
    )
)
"""Widths and heights of banners in pixels, as the Interactive Advertising Bureau has fixed them since 1996."""

BORDER = 4
"""Pixels by which a frame may be larger than what it shows: without a style it has a border of 2."""


def is_ad_server(url: str) -> bool:
    """Tell whether an address is that of a server of advertisements, and not of the company that runs it."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # no address at all
        return False
    if host.startswith("www."):
        return False
    labels = host.split(".")
    domains = {".".join(labels[n:]) for n in range(len(labels))}
    return not domains.isdisjoint(SERVERS) or _HOST.match(host) is not None


def is_ad_frame(element: Element, page_url: str) -> bool:
    """Tell whether an element is a frame with an advertisement.

    Its name or its address says so; or it has no address, since a script wrote into it, and the size of a banner.
    """
    if element.tag not in FRAMES:
        return False
    names = (element.attributes.get(name, "") for name in ("id", "name", "class"))
    if not WORDS.isdisjoint(_WORD.findall(" ".join(names).lower())):
        return True
    address = element.attributes.get("src", "").strip()
    if not address or address.lower().startswith(("#", "about:", "javascript:")):
        return element.tag == "iframe" and _is_banner(element.rect)
    return is_ad_server(_joined(page_url, address)) or _PATH.search(address) is not None


def ad_places(page: RenderedPage) -> frozenset[int]:
    """Return the places of the frames with advertisements, and of all elements in them."""
    places: set[int] = set()
    for place, element in enumerate(page.elements):  # parents stand before their children
        if element.parent in places or is_ad_frame(element, page.url):
            places.add(place)
    return frozenset(places)


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # no address at all
        return ""


def _is_banner(rect: Rect | None) -> bool:
    return rect is not None and any(
        0 <= rect.w - width <= BORDER and 0 <= rect.h - height <= BORDER for width, height in SIZES
    )
