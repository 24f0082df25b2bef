"""Pages whose text is in `<noscript>`."""

import pytest
from hypothesis import assume, example, given, settings

from dbce.html import load, strip, xpaths
from dbce.html import page as page_module
from dbce.html.page import FEW_WORDS, LEAST_WORDS, TIMES
from dbce.html.walk import walk
from dbce.model import InputError, Limits, Reason
from tests.html.soup import annotate, is_at, page, random_runs, read_soup, serialise, soup, texts


def words(number: int, name: str = "word") -> str:
    return " ".join(f"{name}{n}" for n in range(number))


THREAD = words(max(LEAST_WORDS, TIMES * FEW_WORDS), "post")
NOTE = words(LEAST_WORDS - 1, "enable")


def test_a_thread_that_only_readers_without_scripts_see_is_the_text() -> None:
    read = page(f"<section id=app></section><noscript><div><p>{THREAD}</p></div></noscript>")
    assert [node.text for node in read.nodes] == [THREAD]
    assert read.tags == ("html", "body", "section", "noscript", "div", "p")
    assert xpaths(read) == ["/html/body/noscript[1]/div[1]/p[1]/text()[1]"]
    read = page(f"<p>Loading</p><noscript><b hidden>x</b><i>{THREAD}</i></noscript>")
    assert [tag for tag, hides in zip(read.tags, read.hidden, strict=True) if hides] == ["b"]


@pytest.mark.parametrize(
    "inside",
    [
        "You need to enable JavaScript to run this app.",
        NOTE,
        "<img src='https://tracker.example/pixel?a=b' width=1 height=1 alt='a b c'>",
        f"<iframe src='https://tags.example/'>{THREAD}</iframe>",
        f"<style>{THREAD}</style>",
        "<p> \n </p>" * 1000,
    ],
)
def test_a_request_to_enable_scripts_and_a_pixel_are_no_text(inside: str) -> None:
    assert texts(f"<div id=root></div><noscript>{inside}</noscript>") == []
    assert texts(f"Loading ...<noscript>{inside}</noscript>") == ["Loading ..."]
    assert texts(f"<noscript>{inside}</noscript>" * 20) == []


def test_a_note_beside_the_thread_is_none_of_its_text_but_counts_in_paths() -> None:
    read = page(f"<noscript>{NOTE}</noscript>Loading<noscript>{THREAD}</noscript>")
    assert [node.text for node in read.nodes] == ["Loading", THREAD]
    assert xpaths(read)[1] == "/html/body/noscript[2]/text()[1]"


def test_with_other_text_than_a_few_words_the_page_is_read_as_with_scripts() -> None:
    def counts(outside: int, inside: int) -> bool:
        html = f"<p>{words(outside)}</p><noscript><p>{words(inside)}</p></noscript>"
        return "noscript" in page(html).tags

    assert counts(0, LEAST_WORDS)
    assert not counts(0, LEAST_WORDS - 1)
    assert counts(FEW_WORDS, TIMES * FEW_WORDS)
    assert not counts(FEW_WORDS, TIMES * FEW_WORDS - 1)
    assert not counts(FEW_WORDS + 1, 100 * FEW_WORDS)


def test_a_page_with_text_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[object] = []

    def counted(root, *limits):
        walks.append(root)
        return walk(root, *limits)

    monkeypatch.setattr(page_module, "walk", counted)
    texts(f"<p>{words(FEW_WORDS + 1)}</p><noscript>{THREAD}</noscript>")
    texts("<p>a page of few words, without any such element")
    assert len(walks) == 2  # one a page


def test_the_text_of_the_head_is_none_here_either() -> None:
    html = f"<head><noscript><p>{THREAD}</p></noscript></head><body>a<noscript>b</noscript>"
    assert texts(html) == ["a"]
    assert "noscript" not in page(html).tags


def test_what_an_element_left_open_has_taken_into_noscript_is_text() -> None:
    html = f"<a>Skip</a><noscript><div id=left></noscript><p>{THREAD}<noscript>note</noscript><p>b"
    assert texts(html) == ["Skip", THREAD, "note", "b"]


def test_limits_hold_in_there() -> None:
    html = f"<noscript>{THREAD}{'<i>' * 20}</noscript>"
    for limits, reason in (
        (Limits(depth=15), Reason.TOO_DEEP),
        (Limits(elements=15), Reason.TOO_MANY_ELEMENTS),
        (Limits(words=LEAST_WORDS), Reason.TOO_MANY_WORDS),
    ):
        with pytest.raises(InputError) as error:
            page(html, limits)
        assert error.value.reason == reason


@settings(max_examples=100, deadline=None)
@given(soup, soup, soup)
@example("<p>a<span>b", "<p data-dbce='content'>c<!-- d -->e<i>f</i>g", "h")
@example("<noscript>", "</noscript>data-dbce<noscript>", "</noscript></html>h")
@example("", "<table>a<tr>b<select><option>c d</select>", "<svg><text>e f</text></svg>")
def test_such_a_page_comes_back_and_every_path_finds_its_text(
    before: str, inside: str, behind: str
) -> None:
    html = f"<body>{before}<noscript><p>{THREAD}<br>{inside}</noscript>{behind}"
    root, read, handles = read_soup(html)
    assume("noscript" in read.tags)
    for expression, node, handle in zip(xpaths(read), read.nodes, handles, strict=True):
        assert root.getroottree().xpath(expression) == [node.text]
        assert is_at(handle, node.text)
    original = serialise(root)
    annotated = annotate(root, read, handles, random_runs(read, len(html)))
    assert strip(annotated) == original
    assert b' data-dbce-bits="' in annotated  # the page's own are respelled


def test_what_is_stripped_reads_as_the_page_did() -> None:
    html = f"<p>Loading</p><noscript><p>{THREAD}</p><p>b<br>c</p></noscript><div></div>"
    document = load(html.encode(), "text/html; charset=utf-8", Limits())
    runs = random_runs(document.page, 3)
    stripped = strip(annotate(document.root, document.page, document.handles, runs))
    assert load(stripped, "text/html; charset=utf-8", Limits()).page == document.page
