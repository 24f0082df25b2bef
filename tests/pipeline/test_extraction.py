"""The main content of pages in memory: `import dbce`, by this process and by several."""

import gc
import json
import os
import re
import signal
import sys

import pytest

import dbce
from dbce.archive import capture
from dbce.boilerplate import judge
from dbce.boilerplate.classify import Model, load_model
from dbce.html import parse
from dbce.model import Config, InputError, Reason, Status, StoreError
from dbce.pipeline.pages import judge_captures
from tests.runs import process
from tests.site import FOOTER, TOPICS, article, story

PAGES = [(f"http://harbour.example/{topic}", article(topic)) for topic in TOPICS]


def test_one_page_is_one_text():
    html = "<title>Ferry</title><h1>The last hand ferry</h1>" + f"<p>{story('ferry', 60)}</p>"
    markdown = dbce.extract(html, "http://[broken/")
    assert "# The last hand ferry" in markdown
    assert story("ferry", 60) in markdown
    assert dbce.extract(
        html.encode(), "http://a.example/2016/05/01/", format="txt"
    ) in markdown.replace("# ", "").replace("\n\n", "\n")
    row = json.loads(dbce.extract(html, "http://a.example/2016/05/01/", format="jsonl"))
    assert (row["title"], row["date"], row["date_source"]) == ("Ferry", "2016-05-01", "url")
    assert row["timestamp"] is None


def test_links_and_blocks_are_given_out_as_they_are_asked_for():
    html = f"<h1>The last hand ferry</h1><p>{story('ferry', 60)} <a href='/b'>more of it</a></p>"
    for links, shown in (("keep", "(http://a.example/b)"), ("end", "]: http://a.example/b")):
        assert shown in dbce.extract(html, "http://a.example/", links=links)
    assert "http://a.example/b" not in dbce.extract(html, "http://a.example/", links="text")
    page = json.loads(dbce.extract(html, "http://a.example/", format="blocks"))
    assert [block["type"] for block in page["blocks"]] == ["heading", "paragraph"]
    assert (page["version"], page["filename"]) == (1, "memory")


@pytest.mark.parametrize("form", ["markdown", "html", "tei", "blocks"])
def test_a_page_is_parsed_once_whatever_its_format(form: str, monkeypatch: pytest.MonkeyPatch):
    parsed = []
    monkeypatch.setattr("dbce.html.document.parse", lambda *of: parsed.append(of) or parse(*of))
    assert story("ferry", 60) in dbce.extract(article("ferry", story("ferry", 60)), format=form)
    assert len(parsed) == 1


def test_metadata_is_looked_for_where_it_is_shown(monkeypatch: pytest.MonkeyPatch):
    looked = []
    monkeypatch.setattr(
        "dbce.pipeline.extraction.metadata_of", lambda *_: looked.append(1) or dbce.Metadata()
    )
    for form in ("txt", "markdown", "html"):
        assert dbce.extract(article("ferry"), format=form)
    assert not looked
    assert dbce.extract(article("ferry"), format="jsonl")
    assert looked


def test_several_pages_are_compared_with_each_other():
    found = list(dbce.extract_all(PAGES))
    assert [one.url for one in found] == [url for url, _ in PAGES]
    assert {one.status for one in found} == {Status.ANNOTATED}
    for topic, one in zip(TOPICS, found, strict=True):
        assert story(topic) in one.text
        assert FOOTER not in one.text
        assert (one.metadata.title, one.metadata.title_source) == (topic, "title")


def test_a_page_alone_is_extracted_as_beside_pages_of_other_sites():
    pages = [(f"http://{topic}.example/", article(topic)) for topic in TOPICS]
    for form in ("txt", "markdown"):
        together = [one.text for one in dbce.extract_all(pages, form)]
        assert [dbce.extract(html, url, form) for url, html in pages] == together
    assert FOOTER not in "".join(together)


THREAD = "http://forum.harbour.example/viewtopic.php?f=2&t=17"


def thread() -> str:
    posts = "".join(
        f'<div class="post"><p class="author">by <b>{name}</b> » Mon 3 May 2014</p>'
        f'<div class="postbody"><p>{story(name, 40)}</p></div><a href="#r">Reply</a></div>'
        for name in ("ann", "bob", "cy", "dee")
    )
    return (
        '<meta name="generator" content="phpBB"><title>Bell - View topic</title>'
        f'<h1>How does the bell ring?</h1><div class="topic thread">{posts}</div>'
    )


def test_pages_of_forums_have_a_model_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def load(path: str, *, for_forums: bool = False) -> Model:
        asked.append((path, for_forums))
        return load_model("", for_forums=for_forums)

    monkeypatch.setattr("dbce.boilerplate.classify.load_model", load)
    pages = [PAGES[0], (THREAD, thread()), PAGES[1], (THREAD.replace("17", "18"), thread())]
    found = [one.text for one in dbce.extract_all(pages)]
    assert asked == [("", False), ("", True)]
    assert [story(TOPICS[0]) in found[0], story(TOPICS[1]) in found[2]] == [True, True]
    assert [story("ann", 40) in found[n] for n in range(4)] == [False, True, False, True]
    asked.clear()
    dbce.extract(thread(), THREAD, config=Config(model="mine.npz"))
    assert asked == [("mine.npz", False)]


def test_pages_may_come_from_a_generator_with_times_or_as_captures():
    dated = [(url, html, f"{year}0101") for year in (2014, 2015) for url, html in PAGES]
    found = list(dbce.extract_all(iter(dated), "txt"))
    assert [one.timestamp for one in found] == ["20140101000000"] * 4 + ["20150101000000"] * 4
    assert list(dbce.extract_all([capture(*page) for page in dated], "txt")) == found


def test_every_page_has_a_result_and_those_without_text_say_why():
    equal = [(None, article("ferry"))] * 2
    pages = [PAGES[0], (None, "<p></p>"), (None, b"\x00\x01\x02" * 99), *equal]
    found = list(dbce.extract_all(pages))
    assert [one.reason for one in found] == [None, Reason.NO_TEXT, Reason.UNDECODABLE, None, None]
    assert [one.text for one in found[1:3]] == ["", ""]


def test_a_page_that_cannot_be_read_is_an_error_and_one_without_text_is_empty():
    before = gc.get_threshold()
    assert dbce.extract("<p></p>") == ""
    with pytest.raises(InputError) as error:
        dbce.extract(b"\x00\x01\x02" * 99)
    assert error.value.reason is Reason.UNDECODABLE
    assert all(gc.get_threshold() == before for _ in dbce.extract_all(PAGES))


def test_a_format_or_a_time_that_is_none_is_named_at_once():
    with pytest.raises(ValueError, match="choose one of jsonl, txt, markdown"):
        dbce.extract("<p>a</p>", format="pdf")
    with pytest.raises(ValueError, match="csv cannot have links"):
        dbce.extract("<p>a</p>", format="csv", links="text")
    with pytest.raises(ValueError, match="markdown cannot have links"):
        dbce.extract("<p>a</p>", links="no")
    with pytest.raises(ValueError, match="page 0: not a date"):
        dbce.extract_all([(None, "<p>a</p>", "yesterday")])
    with pytest.raises(ValueError, match="0 processes"):
        dbce.extract_all(CAPTURES, processes=0)
    with pytest.raises(TypeError, match="config is of type dict"):
        dbce.extract("<p>a</p>", config={})


@pytest.mark.parametrize("html", [None, 5, ["<p>a</p>"], "http://a.example/"])
def test_what_is_no_page_is_told_with_what_to_give(html):
    with pytest.raises(TypeError, match=r"^html is .*; give the HTML of a page, as str or bytes$"):
        dbce.extract(html)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("<p>a</p>", "page 1: it is of type str; give (url, html)"),
        (None, "page 1: it is None; give (url, html)"),
        (("http://a.example/",), "page 1: it is of type tuple; give (url, html)"),
        (("http://a.example/", None), "page 1: html is None; give the HTML"),
        ((b"http://a.example/", "<p>a</p>"), "page 1: url is of type bytes; give a str"),
        (("http://a.example/", "<p>a</p>", 2016), "page 1: timestamp is of type int; give a str"),
    ],
)
def test_what_is_no_page_among_pages_is_told_at_once(page, sentence):
    with pytest.raises(TypeError, match=re.escape(sentence)):
        dbce.extract_all([(None, "<p>a</p>"), page])


def test_the_package_exports_what_it_says():
    assert dbce.__all__ == ["Extracted", "Metadata", "extract", "extract_all", "text_history"]
    assert dir(dbce) == sorted(["__version__", *dbce.__all__])
    assert all(getattr(dbce, name).__name__ == name for name in dbce.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        dbce.nothing  # noqa: B018


# Captures read once and judged in batches, by this process and by several.


DATED = [
    (f"http://harbour.example/{topic}", article(topic, story(topic, 30 + year % 7)), f"{year}0101")
    for year in (2014, 2015, 2016)
    for topic in TOPICS
]
CAPTURES = [*DATED, ("http://harbour.example/none", "<p> </p>"), *DATED[:2]]


@pytest.mark.slow
def test_several_processes_give_the_results_of_one(monkeypatch) -> None:
    monkeypatch.setattr(judge, "BATCH_PAGES", 3)  # of this process; others cut as they do
    config = Config()
    alone = list(dbce.extract_all(CAPTURES, config=config))
    assert len(alone) == len(CAPTURES)
    assert len({one.status for one in alone}) > 1
    assert list(dbce.extract_all(CAPTURES, config=config, processes=2)) == alone


def test_a_batch_is_no_larger_than_a_model_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "BATCH_PAGES", 3)
    monkeypatch.setattr(judge, "BATCH_BYTES", 50)
    found = judge.batches([10, 10, 10, 45, 5, 1, 99, 1], lambda size: size)
    assert list(found) == [[10] * 3, [45, 5], [1, 99], [1]]


def plain(document):
    return document.canonical(to_write=False)


def deadly(_texts):
    def make(*_judged: object) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    return make


@pytest.mark.slow
def test_a_process_that_is_killed_over_a_batch_again_and_again_is_told() -> None:
    captures = [capture(url, html, at) for url, html, at in DATED]
    with pytest.raises(StoreError, match="pages of memory was killed twice"):
        list(judge_captures(captures, Config(), deadly, plain, processes=2))


@pytest.mark.slow
def test_a_script_needs_no_guard_and_may_end_before_its_pages(tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import dbce\nprint('begun')\npages = {DATED[:4]!r}\nprint(len(list(dbce.extract_all(pages, processes=2))))\n"
        "unfinished = dbce.extract_all(pages, processes=2)\nprint(next(unfinished).status)\n"
    )
    done = process(sys.executable, script)
    assert (done.stdout, done.stderr) == ("begun\n4\nannotated\n", "")
