"""Style sheets of archived pages refer to nothing but what we serve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.view.resources import LONGEST, rewritten


def known(url: str) -> str | None:
    return f"/resource?id={url}" if url.startswith("known") else None


@pytest.mark.parametrize(
    ("css", "shown"),
    [
        ("a { background: url(known.png) }", 'a { background: url("/resource?id=known.png") }'),
        ("a { background: url( 'known' ) }", 'a { background: url( "/resource?id=known" ) }'),
        ("@import 'known.css' print;", '@import "/resource?id=known.css" print;'),
        ("@IMPORT/* */ url(known);", '@IMPORT/* */ url("/resource?id=known");'),
        ("a { background: url(http://evil.example/) }", 'a { background: url("data:,") }'),
        ("a { background: u\\72l(http://evil.example/) }", 'a { background: url("data:,") }'),
        ("@import 'http://evil.example/';", '@import "data:,";'),
        (
            "@media print { a { b: image-set('known' 1x) } }",
            '@media print { a { b: image-set("/resource?id=known" 1x) } }',
        ),
        ("a::before { content: 'known' }", 'a::before { content: "known" }'),
    ],
)
def test_addresses_become_ours_or_none(css: str, shown: str) -> None:
    assert rewritten(css, known) == shown


PIECES = (
    "url( 'http://evil.example/ \" ) ; { } @import \\75 rl( src( image-set( evil.example // /* */ <!-- "
    "http://evil.example/x -->"
).split(" ")


@given(st.lists(st.sampled_from([*PIECES, " ", "\n"]), max_size=20).map("".join))
def test_no_spelling_keeps_an_address(css: str) -> None:
    left: list[str] = []
    rewritten(rewritten(css, known), lambda url: left.append(url) or known(url))
    assert {url for url in left if url != "data:,"} == set()


def test_a_sheet_too_long_to_be_read_in_a_second_is_left_out() -> None:
    assert rewritten("a" * (LONGEST + 1), known) == ""
