"""How text looks, by a page's own style sheets and by what browsers give elements."""

from __future__ import annotations

import pytest

from dbce.html import ComputedStyle, computed_styles, load
from dbce.model import Limits


def looks(
    body: str, css: str = "", doctype: str = "<!doctype html>", **of_body: str
) -> ComputedStyle:
    """How the text of the element called x looks."""
    said = "".join(f' {name}="{value}"' for name, value in of_body.items())
    source = f"{doctype}<html><head><style>{css}</style></head><body{said}>{body}</body></html>"
    document = load(source.encode(), "text/html; charset=utf-8", Limits())
    return computed_styles(document, Limits())[document.page.ids.index("x")]


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("<h1 id=x>a</h1>", 32),
        ("<h3 id=x>a</h3>", 18.72),
        ("<big><small id=x>a</small></big>", 16),
        ("<font size=5 id=x>a</font>", 24),
        ("<font size=-1 id=x>a</font>", 13),
        ("<pre><code id=x>a</code></pre>", 13),
        ("<div style='font-size:20px'><code id=x>a</code></div>", 16.25),
        ("<div style='font-size:10pt'><p style='font-size:150%' id=x>a</p></div>", 20),
        ("<p style='font:italic bold 12px/1.5 serif' id=x>a</p>", 12),
        ("<p style='font-size:large' id=x>a</p>", 18),
        ("<p style='font-size:calc(1px + 1em)' id=x>a</p>", 16),
    ],
)
def test_sizes(body: str, size: float) -> None:
    assert looks(body).font_size == pytest.approx(size)


@pytest.mark.parametrize(
    ("body", "weight"),
    [
        ("<b id=x>a</b>", 700),
        ("<b><b id=x>a</b></b>", 900),
        ("<table><tr><th id=x>a</th></tr></table>", 700),
        ("<h2 style='font-weight:normal' id=x>a</h2>", 400),
        ("<p style='font:bold 12px serif'><span id=x>a</span></p>", 700),
        ("<b><span style='font-weight:lighter' id=x>a</span></b>", 400),
    ],
)
def test_weights(body: str, weight: int) -> None:
    assert looks(body).font_weight == weight


def test_lines_are_those_of_the_element_itself() -> None:
    assert looks("<u id=x>a</u>").text_decoration == "underline"
    assert looks("<u><b id=x>a</b></u>").text_decoration == "none"
    assert looks("<p id=x style='text-decoration:underline dotted red'>a</p>").text_decoration == (
        "underline"
    )


def test_colors_of_links_and_text_are_those_of_the_body() -> None:
    assert looks("<a href=y id=x>a</a>").color == "rgb(0, 0, 238)"
    assert looks("<a href=y id=x>a</a>", link="#ff0000").color == "rgb(255, 0, 0)"
    assert looks("<a id=x>a</a>", text="336699").color == "rgb(51, 102, 153)"
    assert looks("<p id=x style='color:#ffffffb3'>a</p>").color == "rgba(255, 255, 255, 0.7)"


def test_importance_specificity_and_order_decide() -> None:
    css = "#x{color:red} p{color:blue!important} p.a{color:green} .a{font-style:italic}"
    found = looks("<p id=x class=a style='color:black'>a</p>", css)
    assert (found.color, found.font_style) == ("rgb(0, 0, 255)", "italic")


def test_rules_are_stronger_than_attributes_and_these_than_browsers() -> None:
    assert looks("<font color=red id=x>a</font>", "font{color:blue}").color == "rgb(0, 0, 255)"


def test_a_table_begins_anew_only_in_quirks_mode() -> None:
    body = "<font size=5><table><tr><td id=x>a</td></tr></table></font>"
    assert looks(body).font_size == 24
    assert looks(body, doctype="").font_size == 16


def test_sheets_for_other_media_do_not_count() -> None:
    assert looks("<p id=x>a</p>", "@media print{p{color:red}}").color == "rgb(0, 0, 0)"
    assert looks("<p id=x>a</p>", "@media screen{p{color:red}}").color == "rgb(255, 0, 0)"


def test_the_style_that_marks_verdicts_does_not_count() -> None:
    source = b'<style data-dbce="style">p{color:red}</style><p>a</p>'
    document = load(source, "text/html; charset=utf-8", Limits())
    found = computed_styles(document, Limits())[document.page.tags.index("p")]
    assert found.color == "rgb(0, 0, 0)"
