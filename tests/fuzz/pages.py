"""Fuzz target: the bytes of a page, decoded, parsed, marked and stripped. `make fuzz` runs it.

The first byte of an input chooses what the HTTP header says of the charset.
"""

from dbce.html import load, xpaths
from dbce.model import InputError, Limits
from tests.html.soup import comes_back

CONTENT_TYPES = tuple(
    f"text/html; charset={charset}"
    for charset in ("", "utf-8", "iso-8859-1", "windows-1251", "shift_jis", "utf-16", "utf-7")
)
LIMITS = Limits(elements=20_000, texts=20_000, words=50_000)
"""Less than a run allows, so that inputs of some kilobytes reach them."""


def check(data: bytes) -> None:
    """Takes a page the whole way.

    Raises:
        AssertionError: the page without its marks is another than before.
    """
    if not data:
        return
    try:
        document = load(data[1:], CONTENT_TYPES[data[0] % len(CONTENT_TYPES)], LIMITS)
    except InputError:
        return
    page = document.page
    assert len(page.tags) == len(page.parents) == len(page.hidden)
    assert all(node.text.strip() and node.element < len(page.tags) for node in page.nodes)
    assert len(set(xpaths(page))) == len(page.nodes)
    assert comes_back(document, data[0])
