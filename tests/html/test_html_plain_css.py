"""Sheets read by regular expressions, and selectors held against columns: the parser and the library are the oracles."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html.css import UnusualError, plain_rules
from dbce.html.hidden import (
    STYLED,
    Rule,
    StyledPage,
    inline_rules,
    parsed_declarations,
    parsed_rules,
    plainly_read,
    selectors_of,
    tokens_of,
)
from dbce.html.parse import parse
from dbce.html.selectors import PlainSelector, Tree, matches, plain_selectors
from dbce.html.walk import attributes, walk
from dbce.model import Config
from tests.html.test_html_css_prefilter import SHEET, css_of_parts, damaged

NAMES = st.sampled_from("p div .a .b #c p.a .a.b *.b div#c * p:hover .a:focus".split())
COMBINATORS = st.sampled_from([" ", ">", " > ", "\n", "  >"])
NESTED = "p{display:none; & b{display:block} visibility:hidden} i{d\\isplay:none;display:none}"


@st.composite
def selectors(draw: st.DrawFn) -> str:
    """A selector of names."""
    first, others = draw(NAMES), draw(st.lists(st.tuples(COMBINATORS, NAMES), max_size=3))
    return first + "".join(combinator + name for combinator, name in others)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """A page of elements with the names that selectors ask for."""
    start = "<p{0}><div{0}><b{0}>".replace("{0}", "{}")
    names = st.sampled_from(["", " class=a", " class='a b'", " id=c", " id=c class='b\xa0a \x0bb'"])
    html = ""
    for tag in draw(st.lists(st.sampled_from(["div", "b", "span", "/div", "/span"]), max_size=12)):
        html += f"<{tag}{'' if tag.startswith('/') else draw(names)}>x"
    return html + start.format(draw(names), draw(names), draw(names))


def told(rules: list[Rule]) -> list[tuple[object, ...]]:
    return [
        (rule.name, rule.property_name, rule.hides, rule.weight) for rule in rules if rule.selector
    ]


@settings(max_examples=500, deadline=None)
@given(st.one_of(css_of_parts, damaged()))
@example(SHEET)
@example(NESTED)
@example("} p{display:none} i{display:none}")
@example("} @media all{p{display:none}} i{display:none}")
@example("}}@font-face{a:b} p{display:none} @media print{}} p{display:none} i{display:none}")
@example("@import 'a'; /* ; */ @charset \"b\"; p{display:none}")
@example("--> p{display:none} <!-- i{display:none}")
@example("a/**/b{display:none} /**/ p/**/{display:none}")
@example("p{display:none!important;*display:inline;_display:block;display:none\\9;-x-display:none}")
@example("p{content-visibility:hidden;--display:none;display:var(--a);display:NONE ! IMPORTANT}")
@example("p::before, i:after, b:hover u{display:none} b::nonesuch, u{display:none}")
@example(
    "@media all{@supports (a:b){p{display:none}}} @media print{p{display:none}} i{display:none}"
)
@example("p{a:'{';display:none} i{b:url(;)};display:block} @MEDIA all{i{display:none")
def test_sheets_say_the_same_as_to_the_parser(css: str) -> None:
    try:
        found = list(plainly_read(css))
    except UnusualError:
        return
    assert told(found) == told(list(parsed_rules(css)))


@pytest.mark.parametrize("css", [SHEET.replace("<!--", "").replace("-->", ""), NESTED])
def test_usual_sheets_need_no_parser_as_a_whole(css: str) -> None:
    assert list(plain_rules(css, STYLED))


@settings(max_examples=300, deadline=None)
@given(selectors(), trees())
def test_plain_selectors_fit_what_they_fit_to_the_library(selector: str, html: str) -> None:
    plain = plain_selectors(selector)
    parsed = selectors_of(tokens_of(selector))
    assert plain is not None
    assert [(s.name, s.specificity) for s in plain] == [(s.name, s.specificity) for s in parsed]
    tree = walk(parse(html), Config().limits)
    page, nodes = StyledPage(tree, attributes(tree.elements)), Tree()
    for i, element in enumerate(tree.elements):
        fits = bool(page.candidates(i, [Rule(plain[0], "display", True, False)]).rules) and (
            page.fits(Rule(plain[0], "display", True, False), i)
        )
        assert fits == matches(parsed[0], nodes.node(element))


@pytest.mark.parametrize(
    "selector", ["", "p,", "p + i", "p[a]", "p:not(i)", "p::marker", "a|b", "é", "p\\:a", "-", "#1"]
)
def test_other_selectors_are_left_to_the_library(selector: str) -> None:
    assert plain_selectors(selector) is None


def test_selectors_with_a_pseudo_element_are_none_and_leave_the_others() -> None:
    found = plain_selectors("p::before, .a > b")
    assert found is not None
    assert [type(selector) for selector in found] == [PlainSelector]


@settings(max_examples=300, deadline=None)
@given(css_of_parts)
@example("display:none")
@example(" DISPLAY : none ! important ; ")
@example("x-display:none")
@example("display:none;display:block")
@example("display:none}")
@example("{display:none")
@example("display/**/:none")
def test_style_attributes_say_the_same_as_to_the_parser(style: str) -> None:
    said = [(rule.property_name, rule.hides, rule.important) for rule in inline_rules(style)]
    assert said == parsed_declarations(tokens_of(style))
