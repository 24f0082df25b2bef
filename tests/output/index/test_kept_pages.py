"""The pages that are kept between the stages come back as they were."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.archive import capture
from dbce.html import Canonical, Document, load
from dbce.model import Capture, InputError, Limits, StoreError
from dbce.output.index import keep_pages, kept_file, read_kept_pages
from dbce.storage import Digest, Folder, file_digest
from tests.html.soup import soup

stored = import_module("dbce.output.index.kept_pages")  # whose name the front has for a function

RICH = """<html lang="de"><head><title>A  page</title><meta name="author" content="Ann">
<script type="application/ld+json">{"headline": "H"}</script></head>
<body><h1 itemprop="headline">H</h1><a href="#c">[1]</a><time datetime="2014-01-02" pubdate>2 Jan</time>
<p class="a b" id="c" role="main">one<b>two</b> three<p hidden>four</p>
<h2 id="d">Code<a href="#d">¶</a></h2><pre class="language-py">if a:\n  b</pre><button>Copy</button>
<p>So <math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math> holds.</p>
<a rel="author">Bob</a><p data-dbce="content">five &amp; six</body>"""


def parsed(html: str) -> tuple[Capture, Document]:
    one = capture("http://example.org/ä", html, "20140102030405", record_id="urn:uuid:1")
    return one, load(one.payload, one.content_type, Limits())


def there_and_back(work: Folder, *pages: tuple[int, Capture, Document]) -> list[tuple]:
    with keep_pages(work, "a.warc.gz", "new") as keep:
        for page in pages:
            keep(*page)
    return list(found_in(work) or ())


def found_in(
    work: Folder, unit: str = "a.warc.gz", state: str = "new", digest: Digest | None = None
) -> Iterator[tuple] | None:
    """What is kept of a unit; by default with the digest that the file has now."""
    now = file_digest(work, kept_file(unit)) if work.exists(kept_file(unit)) else Digest(0, "")
    return read_kept_pages(work, unit, state, digest or now)


def plain(document: Canonical) -> tuple:
    page = {name: getattr(document.page, name) for name in document.page.__slots__}
    of_page = page, document.charset, document.declared_metadata, document.skeleton
    return *of_page, document.markup, document.size, document.walked


@settings(max_examples=150)
@given(st.lists(soup, min_size=1, max_size=3))
@example([RICH, RICH])
@example(["<p>a&#12;b&#1;c&#0;d&#13;</p>", "<p title='&#0;'>x", "<p class='\x7f'>"])
def test_a_page_comes_back_as_it_was(pages: list[str]) -> None:
    given, known = [], []
    for number, html in enumerate(pages):
        try:
            one, document = parsed(html)
        except InputError:
            continue
        if document.page.nodes:
            given.append((number, one, document))
            known.append((number, one, parsed(html)[1].canonical()))
    with TemporaryDirectory() as folder:
        found = there_and_back(Folder(folder), *given)
    assert len(found) == len(known)
    for (number, one, document), (n, known_one, known_document) in zip(found, known, strict=True):
        assert number == n
        assert one.payload == b""
        assert all(
            getattr(one, name) == getattr(known_one, name)
            for name in one.__slots__
            if name != "payload"
        )
        assert plain(document) == plain(known_document)


def test_of_a_file_that_has_changed_nothing_is_kept(tmp_path: Path) -> None:
    work = Folder(str(tmp_path))
    assert len(there_and_back(work, (3, *parsed(RICH)))) == 1
    assert found_in(work, state="changed") is None
    assert found_in(work, "b.warc.gz") is None


def test_where_one_page_cannot_be_kept_none_is(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Document, "canonical", None)
    assert there_and_back(Folder(str(tmp_path)), (0, *parsed(RICH))) == []
    assert list(tmp_path.rglob("*.arrow")) == []


def test_nothing_is_made_of_what_is_kept_but_values_of_pages(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Document, "canonical", lambda _: print)
    with pytest.raises(StoreError, match=r"\(builtins.print is no value of a page\); remove it"):
        there_and_back(Folder(str(tmp_path)), (0, *parsed(RICH)))


def test_many_pages_are_read_a_few_at_a_time(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(stored, "BYTES", 1000)
    pages = [(number, *parsed(RICH.replace("five", str(number)))) for number in range(9)]
    found = there_and_back(Folder(str(tmp_path)), *pages)
    last = [(number, of.page.nodes[-1].text.split()[0]) for number, _, of in found]
    assert last == [(number, str(number)) for number in range(9)]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        *(lambda data, share=share: data[: int(len(data) * share)] for share in (0.3, 0.9)),
        lambda data: data[:2000] + bytes([data[2000] ^ 1]) + data[2001:],
    ],
)
def test_what_is_cut_short_or_damaged_inside_counts_as_missing(tmp_path: Path, damage) -> None:
    work = Folder(str(tmp_path))
    there_and_back(work, (0, *parsed(RICH)))
    (file,) = tmp_path.rglob("*.arrow")
    digest = file_digest(work, kept_file("a.warc.gz"))
    file.write_bytes(damage(file.read_bytes()))
    assert found_in(work, digest=digest) is None
