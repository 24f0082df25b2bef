"""What a missing doctype did is said by rules, and the parser's quirks are undone."""

from __future__ import annotations

import pytest

from dbce.visual.html5.doctype import Mode, mode
from tests.visual.html5.build import body_of, looks, migrated

HTML32 = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">'
LOOSE = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"'
ADDRESS = ' "http://www.w3.org/TR/html4/loose.dtd"'


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        ("", Mode.QUIRKS),
        (HTML32, Mode.QUIRKS),
        (f"{LOOSE}>", Mode.QUIRKS),
        (f"{LOOSE}{ADDRESS}>", Mode.LIMITED),
        ("<!DOCTYPE html>", Mode.STANDARD),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', Mode.STANDARD),
    ],
)
def test_a_doctype_asks_for_a_mode(doctype: str, expected: Mode) -> None:
    assert mode(doctype) is expected


def test_a_paragraph_that_holds_a_table_stays_round_it() -> None:
    found = migrated("<p>a<table><tr><td>b</table>c", doctype=HTML32)
    assert body_of(found).endswith("</table>c</div>")
    assert "margin-top:1em" in looks(found, "div")


def test_tables_take_no_font_from_around_them_and_forms_have_a_margin() -> None:
    html = migrated("x", doctype=HTML32).html
    assert ":where(table){font-size:medium;" in html
    assert ":where(form){margin-bottom:1em}" in html
    assert ":where(table)" not in migrated("x").html


def test_a_line_of_pictures_is_as_high_as_they_are() -> None:
    cell = "<table><tr><td><a href=x><img src=i></a></table>"
    assert "line-height:0" in looks(migrated(cell, doctype=HTML32), "td")
    mixed = "<div><img src=i><br>text</div>"
    assert looks(migrated(mixed, doctype=HTML32), "img") == {"vertical-align:bottom"}
    assert "<td>" in migrated(cell).html


def test_margins_of_the_browser_vanish_at_the_edges_of_cells() -> None:
    found = migrated("<table><tr><td><p>a</p><p>b</p></td></table>", doctype=HTML32)
    assert looks(found, "p", 0) == {"margin-top:0"}
    assert looks(found, "p", 1) == {"margin-bottom:0"}
