"""What the parser must not lose."""

import contextlib

import pytest
from hypothesis import given

from dbce.html import load, parse, serialise
from dbce.model import InputError, Limits, Reason
from tests.html.soup import soup, texts


def reason(html: str) -> Reason:
    with pytest.raises(InputError) as error:
        parse(html)
    return error.value.reason


def test_text_below_level_255_is_kept() -> None:
    assert texts("<div>" * 400 + "deep" + "</div>" * 400 + "after") == ["deep", "after"]


def test_text_over_ten_megabytes_is_kept_with_all_that_follows() -> None:
    long = "word " * 2_100_000
    root = parse(f"<p>{long}</p><p>after</p>")
    assert [len(p.text or "") for p in root.iter("p")] == [len(long), 5]


def test_nesting_that_the_parser_gives_up_on_is_rejected() -> None:
    assert reason("<div>" * 3000 + "deep") == Reason.TOO_DEEP
    assert reason("<noscript>" + "<i>" * 3000 + "</noscript>after") == Reason.TOO_DEEP


@pytest.mark.parametrize("html", ["", "  \n", "\0", "<!-- only this -->", "<!DOCTYPE html>"])
def test_a_page_without_anything_is_unparsable(html: str) -> None:
    assert reason(html) == Reason.UNPARSABLE


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p></html>b<p>c</p>d", ["a", "b", "c", "d"]),
        ("<html><body>a</body></html><html><body>b</body></html>", ["ab"]),
        ("<body>a</body>b<p>c</p></html>d", ["ab", "c", "d"]),
        ("<head></head></html><body>a<p>b", ["a", "b"]),
        ("a</html>&#1;b", ["ab"]),
        ("<p>a</html><!-- c -->b", ["a", "b"]),
    ],
)
def test_text_after_the_end_of_html_belongs_to_the_body(html: str, expected: list[str]) -> None:
    assert texts(html) == expected
    assert len(parse(html).findall("body")) == 1
    assert next(parse(html).itersiblings("html"), None) is None


def test_the_text_behind_html_keeps_its_order() -> None:
    root = parse("<body><p>1</p></body>2<p>3</p></html>4<p>5</p></html>6")
    assert "".join(root.itertext()) == "123456"


def test_the_text_of_noframes_is_parsed() -> None:
    html = (
        "<frameset><frame><noframes><body>No <b>frames</b><!-- c --></body></noframes></frameset>"
    )
    assert texts(html) == ["No ", "frames"]
    assert texts("<p>a</p><noframes><!-- c --></noframes>") == ["a"]
    assert texts("<frameset><noframes><body>a</body></html><p>b</noframes></frameset>") == [
        "a",
        "b",
    ]


def test_control_characters_are_no_part_of_words() -> None:
    assert texts("<p>wo\0rd o\x01ne</p>") == ["word one"]


def test_lone_surrogates_become_one_replacement_character() -> None:
    assert texts("<p>a\ud800b \ud83d\ude00 c\ufffe</p>") == ["a\ufffdb \U0001f600 c\ufffd"]


def test_a_meta_element_does_not_change_the_charset() -> None:
    assert texts('<meta charset="iso-8859-1"><p>żółw') == ["żółw"]


def test_no_doctype_and_no_meta_are_made_up() -> None:
    assert (
        serialise(parse("<head></head><p>é"))
        == "<html><head></head><body><p>é</p></body></html>".encode()
    )
    assert serialise(parse("<!DOCTYPE html><p>x")).startswith(b"<!DOCTYPE html>\n<html>")


def test_an_unterminated_title_does_not_take_the_page() -> None:
    html = b"<html><head><title>The news<meta name=a></head><body><p>Text</p></body></html>"
    document = load(html, "", Limits())
    assert document.page.title == "The news"
    assert [node.text for node in document.page.nodes] == ["Text"]


def test_a_page_without_text_is_no_error() -> None:
    assert load(b"<title>x</title><img src=a>", "", Limits()).page.nodes == ()


@given(soup)
def test_any_soup_is_parsed_or_rejected(html: str) -> None:
    with contextlib.suppress(InputError):
        root = parse(html)
        assert root.tag == "html"
        assert [e.tag for e in root.itersiblings() if isinstance(e.tag, str)] == []
