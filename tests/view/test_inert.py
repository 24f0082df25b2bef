"""Archived pages as they looked, unable to act; their style sheets refer to nothing but what we serve."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.view.frame import frame_document
from dbce.view.inert import LINK_STYLE, LONGEST, LOST_PICTURE, archived_resources, inert, rewritten
from tests.view.harbour import LOGO, SITE, record_id

FERRY = record_id(2013, "ferry")


def document(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{body}</body></html>"


def body_of(html: str) -> str:
    return html.partition("<body>")[2].partition("</body>")[0]


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<script src="http://evil.example/x.js"></script>',
        "<noscript><img src='http://evil.example/pixel'></noscript>",
        "<template><script>alert(1)</script></template>",
        '<iframe src="http://evil.example/"></iframe>',
        '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
        '<embed src="http://evil.example/x.swf">',
        '<link rel="dns-prefetch" href="//evil.example">',
        '<meta http-equiv="refresh" content="0;url=http://evil.example/">',
        '<base href="http://evil.example/" target="_top">',
        "<!-- <script>alert(1)</script> -->",
        '<?php echo "alert(1)" ?>',
    ],
)
def test_what_acts_is_gone(hostile) -> None:
    shown = inert(document(f"<p>before</p>{hostile}<p>after</p>"))
    assert body_of(shown) == "<p>before</p><p>after</p>"


PICTURE = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<p onclick="alert(1)">x</p>', "<p>x</p>"),
        ('<p OnMouseOver="alert(1)">x</p>', "<p>x</p>"),
        ('<a href="javascript:alert(1)">x</a>', "<a>x</a>"),
        ('<a href="JaVa&#9;script&colon;alert(1)" target="_top">x</a>', "<a>x</a>"),
        ('<a href="http://evil.example/" ping="http://evil.example/">x</a>', "<a>x</a>"),
        ('<a href="#top">x</a>', "<a>x</a>"),
        ('<form action="http://evil.example/"><input></form>', "<form><input></form>"),
        ('<button formaction="http://evil.example/">x</button>', "<button>x</button>"),
        ('<img src="http://evil.example/a" srcset="b 2x" alt="x">', '<img alt="x">'),
        ('<input autofocus accesskey="s" tabindex="1">', "<input>"),
        # No name of a page stands for a method of the document.
        ('<form name="body"><input name="closest"></form>', "<form><input></form>"),
        ('<img name="querySelector" id="kept">', '<img id="kept">'),
        ('<object data="http://evil.example/x">x</object>', "<span>x</span>"),
        ('<video src="x" poster="y" autoplay><source src="z">x</video>', "<span>x</span>"),
        ('<svg><image xlink:href="http://evil.example/"/></svg>', "<svg><image></image></svg>"),
        (
            """<p title='"><script>alert(1)</script>'>x</p>""",
            '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</p>',
        ),
        # Pictures within the page, and verdicts on elements that do not work here, stay.
        (PICTURE, PICTURE),
        (
            '<object data-dbce="content" data-dbce-p="0.90">Fallback</object>',
            '<span data-dbce="content" data-dbce-p="0.90">Fallback</span>',
        ),
    ],
)
def test_addresses_and_handlers_are_gone_and_their_elements_stay(written, shown) -> None:
    assert body_of(inert(document(written))) == shown


def test_a_frameset_shows_what_it_says_to_browsers_without_frames() -> None:
    page = "<frameset><frame src='x'><noframes><p>Read on</p></noframes></frameset>"
    assert inert(page) == "<div><div><p>Read on</p></div></div>"


def test_doctype_style_and_references_stay_as_they_are() -> None:
    html = document("<p>Fish &amp; chips &lt;3 &nbsp;&#233;</p>", "<style>a > b{color:red}</style>")
    assert inert(html) == html.replace("<head>", f"<head>{LINK_STYLE}")


def test_a_style_sheet_starts_no_tag_where_a_browser_reads_it_as_text() -> None:
    sheet = "<svg><style><!-- p{} <img src=x onerror=alert(1)> --></style></svg>"
    assert "<img" not in inert(document(sheet))


ODDITIES = (
    "<script> </script> <SCRIPT/ <iframe > < ' \" </ <!-- --> <svg> <style> </style> <p onclick= "
    "href=javascript:x = &lt; x <![CDATA[ ]]> <noscript> </noscript> <textarea> <title> / \0"
).split(" ")
SOUP = st.lists(st.sampled_from([*ODDITIES, " "]), max_size=25).map("".join)


@given(SOUP)
def test_no_spelling_gets_a_script_or_a_handler_through(soup) -> None:
    shown = inert(soup).lower()
    assert "<script" not in shown
    assert not re.search(r"<iframe[\s/>]", shown), "an element of its own name is another"
    assert not re.search(r"<[a-z][^<>]*\s(on\w+|href)=", shown)


class Album:
    """Resources of an archive that has what is called so."""

    def picture(self, url: str) -> str | None:
        return "/resource?id=1" if url == "known.png" else None

    def sheet(self, url: str) -> str | None:
        return "/resource?id=2" if url == "known.css" else None

    def css(self, css: str) -> str:
        return css.replace("url(known)", "url(/resource?id=3)")


BOX = f' src="{LOST_PICTURE}" data-dbce-missing=""'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<img src="known.png" alt="x">', '<img src="/resource?id=1" alt="x">'),
        ('<img src="known.png" alt="">', '<img src="/resource?id=1" alt="">'),
        ('<img src="http://evil.example/" alt="x">', f'<img{BOX} alt="not in the archive: x">'),
        ('<img width="9">', f'<img width="9"{BOX} alt="not in the archive">'),
        ('<td background="known.png">x</td>', '<td background="/resource?id=1">x</td>'),
        ('<video src="known.png">x</video>', "<span>x</span>"),
        ('<a href="known.png">x</a>', "<a>x</a>"),
        ('<p style="a:url(known)">x</p>', '<p style="a:url(/resource?id=3)">x</p>'),
        ("<style>p{a:url(known)}</style>", "<style>p{a:url(/resource?id=3)}</style>"),
        (
            '<link rel="StyleSheet" href="known.css" media="print" onload="x()">',
            '<link rel="stylesheet" href="/resource?id=2" media="print">',
        ),
        ('<link rel="alternate stylesheet" href="known.css">', ""),
        ('<link rel="stylesheet" href="http://evil.example/">', ""),
        ('<link rel="preload" href="known.css">', ""),
    ],
)
def test_what_the_archive_has_is_shown_and_nothing_else(written, shown) -> None:
    assert body_of(inert(document(written), Album())) == shown


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
def test_addresses_become_ours_or_none(css, shown) -> None:
    assert rewritten(css, known) == shown


PIECES = (
    "url( 'http://evil.example/ \" ) ; { } @import \\75 rl( src( image-set( evil.example // /* */ <!-- "
    "http://evil.example/x -->"
).split(" ")


@given(st.lists(st.sampled_from([*PIECES, " ", "\n"]), max_size=20).map("".join))
def test_no_spelling_keeps_an_address(css) -> None:
    left: list[str] = []
    rewritten(rewritten(css, known), lambda url: left.append(url) or known(url))
    assert {url for url in left if url != "data:,"} == set()


def test_a_sheet_too_long_to_be_read_in_a_second_is_left_out() -> None:
    assert rewritten("a" * (LONGEST + 1), known) == ""


def test_every_run_has_its_number(run) -> None:
    for topic in ("ferry", "evil"):
        page = run.page(record_id(2013, topic))
        shown = frame_document(run, page)
        numbers = [int(number) for number in re.findall(r'data-dbce-at="(\d+)"', shown)]
        assert sorted(numbers) == list(range(len(run.runs(page))))


def test_style_sheet_and_picture_come_from_the_archive_at_the_pages_time(run) -> None:
    for year in (2013, 2015):
        shown = frame_document(run, run.page(record_id(year, "ferry")))
        sheet = re.search(r'<link rel="stylesheet" href="/resource\?id=([^"]+)"', shown)
        assert sheet[1] == f"urn%3Atest%3A{year}-90"
        assert f'<img src="/resource?id=urn%3Atest%3A{year}-92"' in shown


def test_a_style_sheet_refers_to_the_archive_too(client) -> None:
    first = client.get("/resource?id=urn:test:2013-90")
    assert first.content_type == "text/css; charset=utf-8"
    assert 'url("/resource?id=urn%3Atest%3A2013-92")' in first.text
    second = client.get("/resource?id=urn:test:2015-90").text
    assert '@import "/resource?id=urn%3Atest%3A2015-91"' in second
    assert "evil" not in second


def test_a_picture_is_sent_as_it_is_and_may_do_nothing(client) -> None:
    answer = client.get("/resource?id=urn:test:2013-92")
    assert answer.data == LOGO
    assert answer.content_type == "image/png"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_scripts_and_pages_of_the_archive_are_not_served(client) -> None:
    for record in ("urn:test:2013-93", FERRY):
        assert client.get(f"/resource?id={record}").status_code == 404


def test_without_the_archive_the_page_is_plain(harbour, run) -> None:
    assert "/resource" not in frame_document(replace(run, places={}), run.page(FERRY))


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        *((base, "2013-92") for base in ("http://[", "//[/", "/?a=1&amp;b=2")),
        *((base, None) for base in ("http://evil.example/", "/elsewhere/")),
    ],
)
def test_a_base_that_is_no_address_is_passed_over(run, base, shown) -> None:
    page, at = f'<base href="{base}"><img src="logo.png">', run.page(FERRY)["fetch_time"]
    address = archived_resources(run, f"{SITE}/ferry", at, page).picture("logo.png")
    assert address == (shown and f"/resource?id=urn%3Atest%3A{shown}")


@pytest.mark.parametrize(
    "referring",
    [
        '<img src="logo.png?a=1&amp;b=2">',
        '<p style="background: url(&quot;logo.png?a=1&amp;b=2&quot;)">',
    ],
)
def test_an_address_is_read_without_the_escapes_of_html(run, monkeypatch, referring) -> None:
    asked: list[str] = []
    monkeypatch.setattr("dbce.view.inert.nearest", lambda _, keys, __: asked.extend(keys) or {})
    archived_resources(run, f"{SITE}/ferry", None, referring)
    assert asked == ["example,harbour)/logo.png?a=1&b=2"]
