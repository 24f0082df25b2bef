"""Layout mode that a doctype gives a page in browsers."""

from __future__ import annotations

from enum import StrEnum

from dbce.visual.migrate.tree import parse


class Mode(StrEnum):
    """Mode in which browsers lay a page out (Quirks Mode Standard, HTML Standard 13.2.6.4.1)."""

    QUIRKS = "quirks"
    LIMITED = "limited-quirks"
    STANDARD = "no-quirks"


TRANSITIONAL = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")
"""Public identifiers of limited quirks; those below only where there is a system identifier, too."""

TRANSITIONAL_HTML = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
"""Public identifiers of limited quirks with a system identifier; without one they mean quirks."""


def mode(doctype: str) -> Mode:
    """The mode that a doctype asks for.

    Quirks are what the parser takes for them: there alone a table may stand in a paragraph.
    """
    root = parse(f"{doctype}<p><table>").root
    if any(table.parent and table.parent.tag == "p" for table in root.elements("table")):
        return Mode.QUIRKS
    said = doctype.lower()
    if any(f'"{name}' in said for name in (*TRANSITIONAL, *TRANSITIONAL_HTML)):
        return Mode.LIMITED
    return Mode.STANDARD
