"""What a reader does not see: attributes, and the rules of the page's own style sheets."""

from types import ModuleType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html import hidden, selectors
from tests.html.soup import page, soup

NONE = "{display:none}"


def hides(html: str, style: str = "") -> list[str]:
    """The ids of the elements that hide themselves, or the tag names of those without one."""
    read = page(f"<head>{style}</head>{html}")
    return [
        name or tag
        for name, tag, is_hidden in zip(read.ids, read.tags, read.hidden, strict=True)
        if is_hidden
    ]


def styled(css: str, html: str) -> list[str]:
    return hides(html, f"<style>{css}</style>")


def test_an_element_hides_itself_by_attribute_or_style() -> None:
    html = (
        "<p id=a hidden>x<p id=b aria-hidden=true>x<p id=c style='color:red; DISPLAY : none'>x"
        "<p id=d style='visibility:hidden'>x<p id=e aria-hidden=false style='display:block'>x"
    )
    assert hides(html) == ["a", "b", "c", "d"]


def test_rules_of_the_pages_own_sheet_hide_what_they_match_and_not_what_is_in_it() -> None:
    html = "<div id=a><p id=b>x</p></div><p id=c class='x y'>x</p><i>x</i><u>x</u>"
    assert styled("#a, .y, i {display: none}", html) == ["a", "c", "i"]
    assert styled("div p {visibility: hidden} div > i {display: none}", html) == ["b"]


def test_rules_ask_for_names_of_elements_above() -> None:
    html = "<div id=top><i>x</i><i>x</i></div><div id=other class=top><u>x</u><u>x</u></div>"
    assert styled("#top i, #bottom u, .top > u, section i {display: none}", html) == list("iiuu")
    assert styled("#other i, .bottom u, #top > u {display: none}", html) == []


@pytest.mark.parametrize(
    ("css", "is_hidden"),
    [
        ("#menu{display:none} .open #menu{display:block}", False),
        (".open #menu{display:block} #menu{display:none}", False),  # specificity before order
        ("p{display:none} p{display:block}", False),
        ("p{display:block} p{display:none}", True),
        ("p.m{display:block} p{display:none}", False),
        ("p{display:none !important} .open #menu{display:block}", True),
        ("p{display:none !important} #menu{display:block !important}", False),
        ("p{display:none} #menu{visibility:visible}", True),  # each property by itself
        ("p{visibility:hidden} #menu{display:block}", True),
        ("p{display:none; display:block}", False),
        ("p{display:none} p{display:1px} p{visibility:none}", True),  # no values of theirs
        (".closed #menu{display:none}", False),
    ],
)
def test_importance_specificity_and_order_decide(css: str, is_hidden: bool) -> None:
    html = "<div class=open><p id=menu class=m>x</p></div>"
    assert styled(css, html) == (["menu"] if is_hidden else [])


def test_a_style_that_only_looks_as_if_it_hid_has_no_say_where_a_rule_decides() -> None:
    html = "<p id=a class=x style='x-display:none'>x<p id=b style='x-display:none'>x"
    assert styled(".y .x {display: none} .x {display: block}", html) == ["b"]


def test_order_goes_on_from_one_sheet_to_the_next() -> None:
    first, second = "<style>p{display:none}</style>", "<style>p{display:block}</style>"
    assert hides("<p>x", first + second) == []
    assert hides("<p>x", second + first) == ["p"]


def test_a_style_attribute_wins_unless_the_rule_is_important() -> None:
    shown, gone = "<p style='display:block'>x", "<p style='display:none'>x"
    assert styled("p{display:none}", shown) == []
    assert styled("p{display:none !important}", shown) == ["p"]
    assert styled("i{display:none} p{display:block}", gone) == ["p"]
    assert styled("i{display:none} p{display:block !important}", gone) == []
    assert styled("p{display:none !important}", "<p style='display:block !important'>x") == []


@pytest.mark.parametrize(
    ("media", "holds"),
    [
        ("", True),
        ("all", True),
        ("Screen", True),
        ("only screen and (max-width: 1400px)", True),
        ("screen and (max-width: 600px)", False),
        ("(min-width:48em) and (max-width:100rem)", True),
        ("(min-width:1281px)", False),
        ("(max-device-width: 480px)", False),
        ("print, screen", True),
        ("print", False),
        ("not print", True),
        ("not all and (min-width: 600px)", False),
        ("(prefers-reduced-motion: reduce)", False),
        ("(prefers-color-scheme: light)", True),
        ("(orientation: portrait)", False),
        ("speech or (min-width: 1px)", False),
        ("(-webkit-min-device-pixel-ratio: 0)", False),
        ("(min-width: 1vw)", False),
        ("(((", False),
    ],
)
def test_media_queries_are_those_of_a_screen(media: str, holds: bool) -> None:
    found = ["p"] if holds else []
    assert hides("<p>x", f"<style media='{media}'>p{NONE}</style>") == found
    if media != "(((":  # takes the rules with it
        assert styled(f"i{NONE} @media {media} {{p{NONE}}}", "<p>x") == found


def test_rules_in_media_have_their_place_in_the_order() -> None:
    assert (
        styled("@media screen{@media all{p{display:none}} i{top:0}} p{display:block}", "<p>x") == []
    )
    assert styled("p{display:block} @media screen{@media all{p{display:none}}}", "<p>x") == ["p"]


@pytest.mark.parametrize(
    "css",
    [
        "p:hover{display:none}",
        "p::before{display:none}",
        "p:unheard-of{display:none}",
        "p, i:unheard-of{display:none}",  # as browsers: one unknown selector, no rule
        "p[*|a]{display:none}",
        "p|{display:none}",
        "@supports (display:grid){p{display:none}}",
        "@import url(hide.css); @font-face{display:none}",
        "@keyframes x{from{visibility:hidden}}",
        "p{display:none\\9} p{*display:none} p{_display:none}",  # for old browsers alone
        "p{color:red; /* display:none */}",
        "p{-x-display:none} p{display:nonesuch}",
        "p:not(" * 5000 + NONE,
        "p" + " p" * 5000 + NONE,
        "p:nth-child(" + "9" * 5000 + ")" + NONE,
    ],
)
def test_what_a_page_at_rest_does_not_show_or_nobody_knows_hides_nothing(css: str) -> None:
    assert styled(css, "<p>x") == []


@pytest.mark.parametrize(
    "broken", ["p{:}", "p:(){}", "<!-- -->", "@media{}", ";;{}", "p{;color:;}"]
)
def test_a_broken_rule_does_not_take_others_with_it(broken: str) -> None:
    assert styled(f"i{NONE} {broken} u{NONE}", "<i>x</i><u>x</u>") == ["i", "u"]


def test_a_sheet_that_ends_in_a_rule_counts_up_to_its_end() -> None:
    assert styled("i{display:none} u{color:red;display:none", "<i>x</i><u>x</u>") == ["i", "u"]


def test_selectors_count_siblings_and_look_around_as_browsers_do() -> None:
    html = (
        "<ul lang=de><script></script><li id=a>x<li id=b><b>x</b><li id=c class=l>x<li id=d>x</ul>"
    )
    cases = {
        "li:nth-child(even)": "ac",  # the script is a child too
        "li:first-of-type": "a",
        "li:last-child": "d",
        "li:nth-last-of-type(2)": "c",
        "#a + li": "b",
        "#b ~ li": "cd",
        "li:not(.l)": "abd",
        "li:has(b)": "b",
        "li:nth-child(1 of .l)": "c",
        "li:lang(de)": "abcd",
        "[class^=l]": "c",
        "ul > *:is(#a, #d)": "ad",
        "* html li": "",
    }
    for selector, ids in cases.items():
        assert "".join(i for i in styled(selector + NONE, html) if len(i) == 1) == ids, selector


def test_a_sheet_for_nobody_is_not_read() -> None:
    sheet = f"<style>p{NONE}</style>"
    for style in (
        f"<noscript>{sheet}</noscript>",
        f"<template>{sheet}</template>",
        f"<!-- {sheet} -->",
        f"<style type='text/less'>p{NONE}</style>",
    ):
        assert hides("<p>x", style) == []
    assert hides(f"<p>x{sheet}") == ["p"]


def test_a_page_that_hides_itself_whole_until_a_script_has_run_is_shown() -> None:
    assert styled(f"body{NONE} html{{visibility:hidden}}", "<p>x") == []
    assert hides("<body style='display:none'><p>x") == []


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                "p * .x #y a|b [x [x=y] ] : :: :not( :is( :has( :nth-child( 2n+1 of :lang( ) > + ~ , { } ; ( @media"
                " @import screen and not (min-width: 1px) display : none visibility hidden !important ! <!-- -->"
                " /* */ \\ \\1 \\d800 ' \" url( u+ 1e999 é :link :local-link :disabled :first-of-type :root".split(
                    " "
                )
            ),
            st.text(max_size=3),
        ),
        max_size=30,
    ).map(" ".join),
    soup,
)
@example("[\\1=x]", "<p>x")
@example(":local-link", "<a href='http://[x'>x")
@example(":is(", "<p>x")
def test_no_style_sheet_stops_a_page(css: str, html: str) -> None:
    css = f"p{NONE} {css} {NONE} {css}{NONE}"
    markup = f"<style>{css}</style><p style='display:none;{css}'>x</p>{html}"
    assert page(markup).hidden


@pytest.mark.parametrize(
    ("module", "limit"), [(hidden, "CHARACTERS"), (hidden, "RULES"), (selectors, "STEPS")]
)
def test_beyond_a_limit_no_sheet_is_read(
    module: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    css = "div i{display:none} #b{display:block}"
    html = "<div><i id=a>x</i><i id=b>x</i></div><p hidden>x"
    assert styled(css, html) == ["a", "p"]
    monkeypatch.setattr(module, limit, 1)
    hidden._rules.cache_clear()
    assert styled(css, html) == ["p"]


def test_hostile_sheets_take_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "STEPS", selectors.STEPS // 5)  # all but the first go beyond it
    many = "".join(f".a b:not(.c{i}){NONE}" for i in range(1999))
    for css, html in (
        ("".join(f".a{i}{NONE}" for i in range(50_000)), "<p class=a1>x</p>"),
        (many, "<b>x</b>" * 1000),
        ("u" + "~b" * 12 + NONE, "<b>x</b>" * 600),
        ("u " + "div " * 30 + "b" + NONE, "<div>" * 450 + "<b>x</b>" * 50),
        ("*" + ":has(*" * 6 + " u" + ")" * 6 + NONE, "<div>" * 400 + "x"),
    ):
        assert styled(css, html) == []
