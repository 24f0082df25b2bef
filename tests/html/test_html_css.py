"""Rules of a page's own style sheets: what is read of them, and what they hold for."""

import re
from types import ModuleType
from typing import Any

import pytest
import tinycss2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html import computed_styles, fonts, load
from dbce.html import css as css_rules
from dbce.html.css import prefilter, tokens_of, top_rules
from dbce.model import Limits
from tests.html.soup import soup

STYLED = re.compile("display|visibility", re.IGNORECASE)

SHEET = r"""
@charset "utf-8"; @import url(hide.css) screen; @import "p{display:none}";
<!-- /* a{display:none} */ .menu > li:not(.open, [title="}"]), #a\:b { color: red; display: none; top: 1px }
@font-face { font-family: 'I; "x'; src: url( a/b.woff?#i ) format("woff"), url("x)};y") }
@media screen and (min-width: 1px) { /* } */ .x:before { content: "\f101 }" } @media print { i { visibility: hidden } }
  .x { display: block !important; width: calc((1px + var(--a)) * 2) } .y { background: url(data:image/png;base64,/+a=) } }
@supports (display: grid) and (not (a: b)) { .g { display: grid } } @layer a, b;
@keyframes k { from { visibility: hidden } to { top: 0 } } p { color: red; & b { color: blue } display: none }
.w-1\/2, .md\:none { width: 50%\9; *display: none } .s { d\isplay: none; \64 isplay: none; di\73 play: none }
u { VISIBILITY: hidden; --x: { a: b }; unicode-range: U+26, u+4?? } --> q { color: red } .t { display : none ; }
"""

PARTS = (
    *(
        "display",
        "visibility",
        ":",
        ": none",
        ";",
        "{",
        "}",
        "{}",
        "{a:b}",
        "p",
        " ",
        "\n",
        "\r\n",
        "\f",
    ),
    *(
        "p{display:none}",
        "b{c:d}",
        "@media print",
        "@media all{",
        "@x",
        "@import",
        "!important",
        "!",
        ",",
    ),
    *(
        "(",
        ")",
        "[",
        "]",
        "url(",
        "url( ",
        "URL(",
        "ur\\l(",
        "\\75rl(",
        "\\75 r\\6c (",
        "xurl(",
        "calc(",
        ":is(",
    ),
    *(
        "'",
        '"',
        "/*",
        "*/",
        "/",
        "*",
        "\\",
        "\\\n",
        "\\\r\n",
        "\\}",
        "\\;",
        "\\\\",
        "\\64 ",
        "\\d",
        "\\isplay",
    ),
    *("<!--", "-->", "\0", "é", "u+1?", "U+a-f", "9", "-", "#", "\\0"),
)

css_of_parts = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=2)), max_size=40).map(
    "".join
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The sheet above with some pieces cut out and others put in."""
    css = SHEET
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(css)))
        css = css[:at] + draw(st.sampled_from(PARTS)) + css[at + draw(st.integers(0, 9)) :]
    return css


def says(css: str) -> list[Any]:
    """What the parser finds in a sheet: selectors with what they say, in their order."""
    rules = top_rules(tinycss2.parse_stylesheet(tokens_of(css)))
    found = [(tinycss2.serialize(rule.prelude), declared(rule.content)) for rule in rules]
    return [rule for rule in found if rule[1]]


def declared(block: Any) -> list[tuple[str, str, bool]]:
    """The declarations of two properties, with their values, and whether they are important."""
    return [
        (item.lower_name, tinycss2.serialize(item.value), item.important)
        for item in tinycss2.parse_blocks_contents(block)
        if item.type == "declaration" and STYLED.fullmatch(item.lower_name)
    ]


@settings(max_examples=400, deadline=None)
@given(st.one_of(css_of_parts, damaged()))
@example(SHEET)
@example("p } b{c:d} i{display:none}")  # a brace too many is in the selector of `b`
@example("a{b:c}}b{c:d} i{display:none}}@media all{b{c:d}}}i{display:none}")
@example("p{d\\isplay:none}")
@example("b{c:'\\\n}'} i{display:none}")
@example("b{c:'\n} i{display:none}")
@example("b{c:url(x'}i{display:none}')} p{display:none}")
@example("b{c:url(/*)} i{display:none} /**/ p{display:none}")
@example("b{c:ur\\l(a(b)} i{display:none} c)} p{display:none}")
@example("b{c:\\75 rl(a(b)} i{display:none} c)} p{display:none}")
@example("b{c:d;/*} i{display:none} /**/ p{display:none}")
@example(f"b{{c:{'1' * 5000}}} i{{display:none}}")
@example("i{display:none} b{c:d")
@example(":is({} , b{c:d}) {display:none}")
@example("p{x:{a:b} display:none;y:(;display:none;);z}")
@example("} @font-face{display:none} p{display:none}")
@example("} @supports (a:b) {p{display:none}} i{display:none}")
@example("@supports (a:b) {p{display:none}} } i{display:none} b{display:none}")
@example("@x } @media all{} i{display:none} b{display:none}")
@example("@med\\69 a all{p{display:none}} @MEDIA all{i{display:none}} @-{display:none}")
@example("@x;p{display:none} @x y;@media all{p{display:none}} @keyframes k{from{display:none}")
def test_the_parser_finds_the_same_in_what_is_left(css: str) -> None:
    assert says(prefilter(css, STYLED)) == says(css)


@pytest.mark.parametrize(
    ("css", "left"),
    [
        ("b{c:d} p{e:f;display:none;g:h}", " p{display:none;}"),
        ("@media all{b{c:d} p{display:none}} q{r:s}", "@media all{ p{display:none}}"),
        (
            "a{b:'}';c:url(d);e:calc((1px + 2px)/3)} \\66 i{j:\"\\f101\"} k\\:l{m:n}",
            ' \\66 i{j:"\\f101"}',
        ),
        (
            "@font-face{font-display:swap} @supports (display: grid){p{display:grid}} q{display:none}",
            " q{display:none}",
        ),
        (
            "@media all{@media print{b{c:d} } } @media all{p{display:none}}",
            " @media all{p{display:none}}",
        ),
        ("p{d\\isplay:none}", "p{d\\isplay:none}"),
        ("b{c:d} p{e:'f", "b{c:d} p{e:'f"),
    ],
)
def test_what_is_left_is_short(css: str, left: str) -> None:
    assert prefilter(css, STYLED) == left


@pytest.mark.parametrize(
    "part", ["(", "[", "a{", "a{b:(", "}", "'", "/*", "\\", "\\a", "url(", ";", "a(b)", "1"]
)
def test_hostile_sheets_take_time_in_proportion_to_their_length(part: str) -> None:
    css = part * (200_000 // len(part))
    assert prefilter(css, re.compile("display")) in ("", css)


BOLD = "{font-weight:bold}"


def bold(html: str, style: str = "") -> list[str]:
    """The ids of the elements that a rule makes bold, or the tag names of those without one."""
    document = load(f"<!doctype html><head>{style}</head>{html}".encode(), "text/html", Limits())
    read, looks = document.page, computed_styles(document, Limits())
    return [
        name or tag
        for name, tag, look in zip(read.ids, read.tags, looks, strict=True)
        if look.font_weight == 700
    ]


def styled(css: str, html: str) -> list[str]:
    return bold(html, f"<style>{css}</style>")


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
    assert bold("<p>x", f"<style media='{media}'>p{BOLD}</style>") == found
    if media != "(((":  # takes the rules with it
        assert styled(f"i{BOLD} @media {media} {{p{BOLD}}}", "<p>x") == found


@pytest.mark.parametrize("broken", ["p{:}", "p:(){}", "<!-- -->", "@media{}", ";;{}", "p{;top:;}"])
def test_a_broken_rule_does_not_take_others_with_it(broken: str) -> None:
    assert styled(f"i{BOLD} {broken} u{BOLD}", "<i>x</i><u>x</u>") == ["i", "u"]


def test_selectors_count_siblings_and_look_around_as_browsers_do() -> None:
    html = (
        "<ul lang=de><script></script><li id=a>x<li id=b><q>x</q><li id=c class=l>x<li id=d>x</ul>"
    )
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
    css = f"p{BOLD} {css} {BOLD} {css}{BOLD}"
    document = load(
        f"<style>{css}</style><p style='font-weight:bold;{css}'>x</p>{html}".encode(
            "utf-8", "replace"
        ),
        "",
        Limits(),
    )
    assert computed_styles(document, Limits())


@pytest.mark.parametrize(
    ("module", "limit"), [(fonts, "CHARACTERS"), (fonts, "RULES"), (css_rules, "STEPS")]
)
def test_beyond_a_limit_no_sheet_is_read(
    module: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    css, html = f"div i{BOLD} #b{BOLD}", "<div><i id=a>x</i><u id=b>x</u></div>"
    assert styled(css, html) == ["a", "b"]
    monkeypatch.setattr(module, limit, 1)
    fonts._rules.cache_clear()
    assert styled(css, html) == []


def test_hostile_sheets_take_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(css_rules, "STEPS", css_rules.STEPS // 5)
    many = "".join(f".a b:not(.c{i}){BOLD}" for i in range(1999))
    for css, html in (
        ("".join(f".a{i}{BOLD}" for i in range(50_000)), "<p class=a1>x</p>"),
        (many, "<q>x</q>" * 1000),
        ("u" + "~q" * 12 + BOLD, "<q>x</q>" * 600),
        ("u " + "div " * 30 + "q" + BOLD, "<div>" * 450 + "<q>x</q>" * 50),
        ("*" + ":has(*" * 6 + " u" + ")" * 6 + BOLD, "<div>" * 400 + "x"),
    ):
        assert styled(css, html) == []
