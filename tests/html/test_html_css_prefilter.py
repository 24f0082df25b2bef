"""What is left of a style sheet: all that says something of two properties, and little else."""

import re
from typing import Any

import pytest
import tinycss2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html.css import prefiltered
from dbce.html.hidden import STYLED, parsed_declarations, tokens_of, top_rules

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
    found = [
        (tinycss2.serialize(rule.prelude), parsed_declarations(rule.content)) for rule in rules
    ]
    return [rule for rule in found if rule[1]]


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
    assert says(prefiltered(css, STYLED)) == says(css)


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
    assert prefiltered(css, STYLED) == left


@pytest.mark.parametrize(
    "part", ["(", "[", "a{", "a{b:(", "}", "'", "/*", "\\", "\\a", "url(", ";", "a(b)", "1"]
)
def test_hostile_sheets_take_time_in_proportion_to_their_length(part: str) -> None:
    css = part * (200_000 // len(part))
    assert prefiltered(css, re.compile("display")) in ("", css)
