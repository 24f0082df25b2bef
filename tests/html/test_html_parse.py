"""What the parser must not lose, and what is too much for it."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import load, parse
from dbce.html.parse import CONTROLS, _has_too_many_attributes
from dbce.kernel.compiled import has_control, has_tag_of, has_text
from dbce.model import InputError, Limits, Reason
from tests import reference
from tests.html.soup import serialise, soup, texts


def reason(html: str, **limits: int) -> Reason:
    with pytest.raises(InputError) as error:
        load(html.encode(), "text/html", Limits(**limits))
    return error.value.reason


def test_text_below_level_255_is_kept_as_far_as_paths_of_elements_can_be_written() -> None:
    assert texts("<div>" * 400 + "deep" + "</div>" * 400 + "after") == ["deep", "after"]
    deep = "<div>" * 1900
    assert texts(f"{deep}<p>a") == ["a"]
    assert reason(f"{deep}{'<p>a' * 12_000}") == Reason.TOO_DEEP


def test_text_over_ten_megabytes_is_kept_with_all_that_follows() -> None:
    long = "word " * 2_100_000
    root = parse(f"<p>{long}</p><p>after</p>")
    assert [len(p.text or "") for p in root.iter("p")] == [len(long), 5]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>" * 3000 + "deep", Reason.TOO_DEEP),
        ("<noscript>" + "<i>" * 3000 + "</noscript>after", Reason.TOO_DEEP),
        *(
            (html, Reason.NO_TEXT)
            for html in ("", "  \n", "\0", "<!-- only -->", "<!DOCTYPE html>")
        ),
    ],
)
def test_what_is_nested_too_deep_or_empty_is_rejected(html: str, expected: Reason) -> None:
    with pytest.raises(InputError) as error:
        parse(html)
    assert error.value.reason == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<body><p>1</p></body>2<p>3</p></html>4<p>5</p></html>6", [*"123456"]),
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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<frameset><frame><noframes><body>No <b>frames</b><!-- c --></body></noframes></frameset>",
            ["No ", "frames"],
        ),
        ("<p>a</p><noframes><!-- c --></noframes>", ["a"]),
        ("<frameset><noframes><body>a</body></html><p>b</noframes></frameset>", ["a", "b"]),
        ("<p>wo\0rd o\x01ne</p>", ["word one"]),
        ("<p>a\ud800b \ud83d\ude00 c\ufffe</p>", ["a\ufffdb \U0001f600 c\ufffd"]),
        ('<meta charset="iso-8859-1"><p>żółw', ["żółw"]),
        ("<object><param name=a><p>Text</p></object>", ["Text"]),
        ("<div>1<p>2<b>3</b>4</p>5<p>6</p>7</div>8", [*"12345678"]),
    ],
)
def test_what_readers_see_is_text(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


def test_what_react_sends_late_is_read_where_its_scripts_put_it() -> None:
    late = (
        "<div hidden id=S:0>b<i>c</i><template id=P:1></template>e</div><div hidden id=S:1>d</div>"
    )
    scripts = '<script>$RC("B:0","S:0");$RS("S:1","P:1")</script>'
    page = f"a<template id=B:0></template>gone<!--/$-->f<p>g</p>{late}{scripts}"
    assert "".join(texts(page)) == "".join(texts(serialise(parse(page)).decode())) == "abcdefg"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<x-a><template shadowrootmode=open><p>a</p></template></x-a>b", ["a", "b"]),
        ("<div><template shadowroot=open>a</template></div>", ["a"]),
        ("<x-a>b<i>c</i><template shadowrootmode=open>a<slot></slot>d</template></x-a>", [*"abcd"]),
        (
            (
                "<x-a><template shadowrootmode=closed><h1><slot name=t>gone</slot></h1>b<slot></slot></template>"
                "c<i slot=t>a</i><i slot=z>gone</i></x-a>"
            ),
            ["a", "b", "c"],
        ),
        (
            "<x-a><template shadowrootmode=open><slot name=t>a</slot>b</template>\n</x-a>",
            ["a", "b"],
        ),
        ("<x-a><template shadowrootmode=open>a</template>gone without a slot</x-a>", ["a"]),
        (
            (
                "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>a<slot name=q></slot>"
                "</template><slot slot=q></slot></x-b></template>b</x-a>"
            ),
            ["a", "b"],
        ),
        ("<x-a><template shadowrootmode=open><style>p{}</style>a</template></x-a>", ["a"]),
        ("<template>b<x-a><template shadowrootmode=open>c</template></x-a></template>a", ["a"]),
        ("<a><template shadowrootmode=open>gone</template>a</a>", ["a"]),
        ("<x-a><template>gone</template>a</x-a>", ["a"]),
    ],
)
def test_a_shadow_root_is_read_as_browsers_show_it(html: str, expected: list[str]) -> None:
    assert texts(html) == expected
    assert texts(serialise(parse(html)).decode()) == expected


@pytest.mark.parametrize(
    ("html", "body"),
    [
        ("<title>T</title><main><p>a</main>", "<main><p>a</p></main>"),
        ("<meta charset=utf-8><header>a</header>b", "<header>a</header>b"),
        ("<title>T</title><x-a>a</x-a><a name=b><p>c", '<x-a>a</x-a><a name="b"></a><p>c</p>'),
        ("<head><svg></svg><meta name=x></head><body>a<p>b", '<svg></svg><meta name="x">a<p>b</p>'),
        ("<head><title>T</title><template><p>a</template></head><p>b", "<p>b</p>"),
    ],
)
def test_an_element_of_html5_ends_the_head_as_in_browsers(html: str, body: str) -> None:
    assert serialise(parse(html)).decode().partition("<body>")[2] == f"{body}</body></html>"


def test_no_doctype_and_no_meta_are_made_up() -> None:
    written = "<html><head></head><body><p>é</p></body></html>".encode()
    assert serialise(parse("<head></head><p>é")) == written
    assert serialise(parse("<!DOCTYPE html><p>x")).startswith(b"<!DOCTYPE html>\n<html>")


def test_an_unterminated_title_does_not_take_the_page() -> None:
    html = b"<html><head><title>The news<meta name=a></head><body><p>Text</p></body></html>"
    document = load(html, "", Limits())
    assert document.page.title == "The news"
    assert [node.text for node in document.page.nodes] == ["Text"]
    assert load(b"<title>x</title><img src=a>", "", Limits()).page.nodes == ()  # no error


@given(soup)
def test_any_soup_is_parsed_or_rejected(html: str) -> None:
    with contextlib.suppress(InputError):
        root = parse(html)
        assert root.tag == "html"
        assert [e.tag for e in root.itersiblings() if isinstance(e.tag, str)] == []


def attributes(count: int) -> str:
    return " ".join(f"a{n}='{n}>'" for n in range(count))


def test_a_million_empty_elements_are_not_parsed(monkeypatch) -> None:
    monkeypatch.setattr("dbce.html.document.parse", None)
    assert reason("<b></b>" * 1_000_000) == Reason.TOO_MANY_ELEMENTS


@pytest.mark.parametrize("tag", ["<!-- -->", "<script></script>", "<?php ?>"])
def test_comments_and_dropped_elements_take_memory_too(tag: str) -> None:
    assert reason(tag * 101, elements=100) == Reason.TOO_MANY_ELEMENTS
    assert load(f"{tag * 99}x".encode(), "", Limits(elements=100)).page.nodes


@pytest.mark.parametrize("tag", ["<p {}>x", "<p a=\"<b c='>'\" {}>x", "<p/{}", "<br><br {} "])
def test_an_element_of_very_many_attributes_is_rejected(tag: str) -> None:
    assert reason(tag.format(attributes(30_000))) == Reason.TOO_MANY_ELEMENTS


@pytest.mark.parametrize(
    "html",
    [
        f"<p {attributes(5_000)}>text",
        "<p>text</p><img src='data:,{}'>".format("a b " * 100_000),
        "<p>text</p><script>if (a <b) {{ {} }}</script>".format("x y " * 100_000),
        "<p>text</p><!-- <p {}> -->".format("x y " * 100_000),
        "<p>1 <2 {}".format("x y " * 100_000),
    ],
)
def test_long_tags_scripts_and_comments_are_no_attributes(html: str) -> None:
    assert load(html.encode(), "text/html", Limits()).page.nodes


@pytest.mark.parametrize(
    "html", ["<a" * 2_000_000, "<a b='" * 600_000, "<a b=" * 800_000, "<a " + "= " * 2_000_000]
)
def test_hostile_tags_take_linear_time(html: str) -> None:
    _has_too_many_attributes(html)  # would not end


@given(st.binary(min_size=2, max_size=40))
def test_control_characters_are_found_among_others(data: bytes) -> None:
    assert has_control(data) == (data.translate(None, CONTROLS) != data)
    assert all(has_text(data[:n], data[-4:]) == (data[-4:] in data[:n]) for n in range(41))


@given(st.text("<ab='\">/= \t\n", max_size=60))
def test_no_spelling_hides_attributes_that_the_parser_makes(rest: str) -> None:
    html = f"<p {rest}>x"
    made = next(parse(html).iter("p"), None)  # an open quotation takes the rest, tag and all
    assert made is None or not made.attrib or has_tag_of(html.encode(), len(made.attrib) - 1)
    most = max(reference.attributes_of_tags(html))
    assert [has_tag_of(html.encode(), number) for number in (most - 1, most)] == [most > 0, False]


def test_a_page_of_more_texts_or_words_than_the_limit_is_rejected() -> None:
    assert reason("<p>a<b>b</b>" * 6, texts=11) == Reason.TOO_MANY_TEXTS
    assert len(load(b"<p>a<b>b</b>" * 6, "", Limits(texts=12)).page.nodes) == 12
    assert reason("<p>a b c<p>d e f", words=5) == Reason.TOO_MANY_WORDS
    assert load(b"<p>a b c<p>d e f", "", Limits(words=6)).page.nodes
