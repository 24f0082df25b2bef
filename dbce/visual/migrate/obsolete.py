"""Elements and attributes of a page that are obsolete in HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.migrate.attributes import look_of
from dbce.visual.migrate.elements import CHANGES
from dbce.visual.migrate.names import DATA, DESCRIBED
from dbce.visual.migrate.tables import LINKS, OF_TABLES

if TYPE_CHECKING:
    from dbce.visual.migrate.tree import Element

FRAMES = ("frame", "frameset")


def obsolete_in(root: Element) -> set[str]:
    """The obsolete elements and attributes of a page, by name: `font`, `td@bgcolor`."""
    found = set()
    for element in root.elements():
        tag = element.tag
        if tag in CHANGES or tag in FRAMES:
            found.add(tag)
        found.update(f"{tag}@{name}" for name in element.attributes if _is_obsolete(tag, name))
    return found


def _is_obsolete(tag: str, name: str) -> bool:
    return (
        look_of(tag, name) is not None
        or name in DATA.get(tag, ())
        or name in DESCRIBED.get(tag, ())
        or (tag == "table" and name in OF_TABLES)
        or (tag == "body" and name in LINKS)
    )
