"""What a missing doctype did is said by rules, and the parser's quirks are undone."""

import pytest

from dbce.visual.migrate.quirks import Mode, mode
from tests.visual.migrate.build import body_of, looks, migrated

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


def test_a_no_break_space_is_a_text() -> None:
    found = migrated("<p>&nbsp;<img src=i></p>", doctype=HTML32)
    assert "line-height:0" not in looks(found, "p")


def test_text_in_a_font_makes_its_lines_itself_unless_heights_are_said() -> None:
    body = "<div><font size=1>a</font><br><br><font size=1>b</font></div>"
    found = migrated(body, doctype=HTML32)
    assert looks(found, "div") == {"line-height:0"}
    assert "line-height:normal" in looks(found, "span")
    assert body_of(found).count("<br></span>") == 1  # the empty line keeps its height
    styled = migrated(body, doctype=HTML32, head="<style>td{line-height:2}</style>")
    assert "line-height" not in "".join(looks(styled, "span"))


def test_a_cell_of_some_width_wraps_though_it_says_otherwise() -> None:
    found = migrated("<table><tr><td nowrap width=50>a b</table>", doctype=HTML32)
    assert looks(found, "td") >= {"min-width:50px", "width:50px"}
    assert "white-space:nowrap" not in looks(found, "td")


def test_a_picture_that_is_not_there_keeps_its_place() -> None:
    html = migrated("<img src=i width=9 height=9>", doctype=HTML32).html
    assert ":where(img[width][height]){display:inline-block;overflow:hidden}" in html
