"""Charsets that nobody names, on the shared sets."""

import pytest

from dbce.html import decode
from dbce.model import Capture, Config
from scripts.experiments.charsets import encodings, pages, without_declaration
from scripts.experiments.sets import captures_of
from tests.data import shared

CYRILLIC = (
    '<?xml version="1.0" encoding="koi8-r"?><html><meta charset="koi8-r"><p>Первый снег.</p></html>'
)


def test_declarations_are_taken_away() -> None:
    text = without_declaration(CYRILLIC.encode("koi8-r"), "text/html")
    assert "koi8-r" not in text
    assert "Первый снег." in text


def test_a_text_is_written_in_what_can_hold_it() -> None:
    written = dict(encodings("Первый снег"))
    assert {"cp1251", "koi8-r", "gb18030", "euc_jp"} <= written.keys()
    assert written.keys().isdisjoint({"cp1252", "cp1253"})


@pytest.mark.data
@pytest.mark.slow
def test_news_of_twenty_languages_come_back_from_every_charset() -> None:
    shared("fundus/fundus.warc.gz")
    texts = [page.text for page in pages(("fundus",))]
    right = [decode(payload, "").text == text for text in texts for _, payload in encodings(text)]
    assert len(right) > 500
    assert sum(right) >= 0.99 * len(right)


@pytest.mark.data
def test_chinese_pages_that_name_no_charset_are_chinese() -> None:
    archive = shared("chinese/chinese.warc.gz")
    for page in captures_of(str(archive), Config()):
        assert isinstance(page, Capture)
        assert "的" in decode(page.payload, page.content_type).text
