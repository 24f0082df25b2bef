"""How text looks, by a page's own style sheets and by what browsers give elements."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html import load
from dbce.model import Limits
from dbce.visual.headings import selectors, sheets
from dbce.visual.headings.sheets import computed_styles
from tests.html.soup import soup

BOLD = "{font-weight:bold}"


def bold(html, style=""):
    """The ids of the elements that a rule makes bold, or the tag names of those without one."""
    document = load(f"<!doctype html><head>{style}</head>{html}".encode(), "text/html", Limits())
    read, looks = document.page, computed_styles(document)
    return [
        name or tag
        for name, tag, look in zip(read.ids, read.tags, looks, strict=True)
        if look.font_weight == 700
    ]


def styled(css, html):
    return bold(html, f"<style>{css}</style>")


HOLDING = (
    "|all|Screen|only screen and (max-width: 1400px)|(min-width:48em) and (max-width:100rem)|"
    "print, screen|not print|(prefers-color-scheme: light)"
).split("|")
FAILING = (
    "screen and (max-width: 600px)|(min-width:1281px)|(max-device-width: 480px)|print|"
    "not all and (min-width: 600px)|(prefers-reduced-motion: reduce)|(orientation: portrait)|"
    "speech or (min-width: 1px)|(-webkit-min-device-pixel-ratio: 0)|(min-width: 1vw)|((("
).split("|")


@pytest.mark.parametrize(
    ("media", "holds"), [*((q, True) for q in HOLDING), *((q, False) for q in FAILING)]
)
def test_media_queries_are_those_of_a_screen(media, holds):
    found = ["p"] if holds else []
    assert bold("<p>x", f"<style media='{media}'>p{BOLD}</style>") == found
    if media != "(((":  # takes the rules with it
        assert styled(f"i{BOLD} @media {media} {{p{BOLD}}}", "<p>x") == found


@pytest.mark.parametrize("broken", ["p{:}", "p:(){}", "<!-- -->", "@media{}", ";;{}", "p{;top:;}"])
def test_a_broken_rule_does_not_take_others_with_it(broken):
    assert styled(f"i{BOLD} {broken} u{BOLD}", "<i>x</i><u>x</u>") == ["i", "u"]


def test_selectors_count_siblings_and_look_around_as_browsers_do():
    html = "<ul lang=de><script></script><li id=a><li id=b><q>x</q><li id=c class=l><li id=d></ul>"
    cases = {
        "li:nth-child(even)": "ac",  # the script is a child too
        "li:first-of-type": "a",
        "li:last-child": "d",
        "li:nth-last-of-type(2)": "c",
        "#a + li": "b",
        "#b ~ li": "cd",
        "li:not(.l)": "abd",
        "li:has(q)": "b",
        "li:nth-child(1 of .l)": "c",
        "li:lang(de)": "abcd",
        "[class^=l]": "c",
        "ul > *:is(#a, #d)": "ad",
        "* html li": "",
    }
    for selector, ids in cases.items():
        found = set(styled(selector + BOLD, html)) & set("abcd")
        assert "".join(sorted(found)) == ids, selector


TOKENS = (
    "p * .x #y a|b [x [x=y] ] : :: :not( :is( :has( :nth-child( 2n+1 of :lang( ) > + ~ , { } ; ( "
    "@media @import screen and not (min-width: 1px) display : none visibility hidden !important ! "
    "<!-- --> /* */ \\ \\1 \\d800 ' \" url( u+ 1e999 é :link :local-link :disabled :root :first-of-type"
).split(" ")
SHEETS = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3), max_size=30).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(SHEETS, soup)
@example("[\\1=x]", "<p>x")
@example(":local-link", "<a href='http://[x'>x")
@example(":is(", "<p>x")
def test_no_style_sheet_stops_a_page(css, html):
    css = f"p{BOLD} {css} {BOLD} {css}{BOLD}"
    source = f"<style>{css}</style><p style='font-weight:bold;{css}'>x</p>{html}"
    document = load(source.encode("utf-8", "replace"), "", Limits())
    assert computed_styles(document)


@pytest.mark.parametrize("limit", ["CHARACTERS", "RULES", "STEPS"])
def test_beyond_a_limit_no_sheet_is_read(limit, monkeypatch):
    css, html = f"div i{BOLD} #b{BOLD}", "<div><i id=a>x</i><u id=b>x</u></div>"
    assert styled(css, html) == ["a", "b"]
    monkeypatch.setattr(selectors, limit, 1)
    sheets._rules.cache_clear()
    assert styled(css, html) == []


def test_hostile_sheets_take_bounded_work(monkeypatch):
    monkeypatch.setattr(selectors, "STEPS", selectors.STEPS // 5)
    many = "".join(f".a b:not(.c{i}){BOLD}" for i in range(1999))
    for css, html in (
        ("".join(f".a{i}{BOLD}" for i in range(50_000)), "<p class=a1>x</p>"),
        (many, "<q>x</q>" * 1000),
        ("u" + "~q" * 12 + BOLD, "<q>x</q>" * 600),
        ("u " + "div " * 30 + "q" + BOLD, "<div>" * 450 + "<q>x</q>" * 50),
        ("*" + ":has(*" * 6 + " u" + ")" * 6 + BOLD, "<div>" * 400 + "x"),
    ):
        assert styled(css, html) == []


def looks(html, doctype="<!doctype html>"):
    """How the text of the element called x looks."""
    document = load(f"{doctype}{html}".encode(), "text/html; charset=utf-8", Limits())
    return computed_styles(document)[document.page.ids.index("x")]


CASCADE = (
    "<style>#x{color:red} p{color:blue!important} p.a{color:green} .a{font-style:italic}</style>"
)


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ("<h1 id=x>a</h1>", "font_size", 32),
        ("<h3 id=x>a</h3>", "font_size", 18.72),
        ("<big><small id=x>a</small></big>", "font_size", 16),
        ("<font size=5 id=x>a</font>", "font_size", 24),
        ("<font size=00005 id=x>a</font>", "font_size", 24),
        ("<font size=-1 id=x>a</font>", "font_size", 13),
        ("<pre><code id=x>a</code></pre>", "font_size", 13),
        ("<div style='font-size:20px'><code id=x>a</code></div>", "font_size", 16.25),
        ("<div style='font-size:10pt'><p style='font-size:150%' id=x>a", "font_size", 20),
        ("<p style='font:italic bold 12px/1.5 serif' id=x>a</p>", "font_size", 12),
        ("<p style='font-size:large' id=x>a</p>", "font_size", 18),
        ("<p style='font-size:calc(1px + 1em)' id=x>a</p>", "font_size", 16),
        ("<b id=x>a</b>", "font_weight", 700),
        ("<b><b id=x>a</b></b>", "font_weight", 900),
        ("<table><tr><th id=x>a</th></tr></table>", "font_weight", 700),
        ("<h2 style='font-weight:normal' id=x>a</h2>", "font_weight", 400),
        ("<p style='font:bold 12px serif'><span id=x>a</span></p>", "font_weight", 700),
        ("<b><span style='font-weight:lighter' id=x>a</span></b>", "font_weight", 400),
        # Lines are those of the element itself.
        ("<u id=x>a</u>", "text_decoration", "underline"),
        ("<u><b id=x>a</b></u>", "text_decoration", "none"),
        ("<p id=x style='text-decoration:underline dotted red'>a", "text_decoration", "underline"),
        ("<a href=y id=x>a</a>", "color", "rgb(0, 0, 238)"),
        ("<body link='#ff0000'><a href=y id=x>a</a>", "color", "rgb(255, 0, 0)"),
        ("<body text=336699><a id=x>a</a>", "color", "rgb(51, 102, 153)"),
        ("<p id=x style='color:#ffffffb3'>a</p>", "color", "rgba(255, 255, 255, 0.7)"),
        # Importance, specificity and order decide, and rules are stronger than attributes.
        (f"{CASCADE}<p id=x class=a style='color:black'>", "color", "rgb(0, 0, 255)"),
        (f"{CASCADE}<p id=x class=a>", "font_style", "italic"),
        ("<style>font{color:blue}</style><font color=red id=x>a", "color", "rgb(0, 0, 255)"),
        # The style that marks verdicts does not count.
        ('<style data-dbce="style">p{color:red}</style><p id=x>a', "color", "rgb(0, 0, 0)"),
        ("<font size=5><table><tr><td id=x>a</td></tr></table></font>", "font_size", 24),
    ],
)
def test_text_looks_as_in_a_browser(body, name, value):
    found = getattr(looks(body), name)
    assert found == (value if isinstance(value, str) else pytest.approx(value))


def test_a_table_begins_anew_only_in_quirks_mode():
    body = "<font size=5><table><tr><td id=x>a</td></tr></table></font>"
    assert looks(body, doctype="").font_size == 16
