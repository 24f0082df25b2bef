"""Builders: pages written as HTML5, and what is asked of them."""

from dbce.visual.migrate import LabelledBlock, MigratedPage, migrate
from dbce.visual.migrate.tree import DomElement, parse

STANDARD = "<!DOCTYPE html>"


def block(role: str, *paths: str, parent: int = 0, content: float = 0) -> LabelledBlock:
    """A block by the paths of its elements below the body."""
    return LabelledBlock(parent, role, tuple(f"/html/body{path}" for path in paths), content)


PAGE = LabelledBlock(-1, "", ("/html/body",), 0)


def migrated(
    body: str, *blocks: LabelledBlock, doctype: str = STANDARD, head: str = ""
) -> MigratedPage:
    """A page that holds some markup, and loses nothing of it."""
    found = migrate(
        f"{doctype}<html><head>{head}</head><body>{body}</body></html>", [PAGE, *blocks]
    )
    assert found.stable, found.html
    assert not found.losses, (found.losses, found.html)
    return found


def body_of(found: MigratedPage) -> str:
    """What stands in the body of the new page."""
    return found.html.partition("<body>")[2].partition("</body>")[0]


def looks(found: MigratedPage, tag: str, number: int = 0) -> set[str]:
    """The declarations of the rules that an element of the new page has."""
    root = parse(found.html).root
    element = list(root.elements(tag))[number]
    marks = element.attributes.get("data-h5", "").split()
    rules = dict(
        line.removeprefix(':where([data-h5~="').split('"]){')
        for line in rules_of(root)
        if "h5~=" in line
    )
    return {each for mark in marks for each in rules[mark].removesuffix("}").split(";")}


def rules_of(root: DomElement) -> list[str]:
    """The lines of the added style sheet."""
    style = next(e for e in root.elements("style") if e.attributes.get("data-h5") == "rules")
    (text,) = style.children
    return text.text.strip().splitlines()  # type: ignore[union-attr]
