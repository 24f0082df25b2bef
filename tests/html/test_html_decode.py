"""The charset of a page: who names it, and who is believed."""

# ruff: noqa: RUF001 - texts in many scripts are the subject

import contextlib
import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import decode
from dbce.model import InputError, Reason

GERMAN = "<html><body><p>Schöne Grüße aus Dächern und Straßen</p></body></html>"
POLISH = (
    "<html><body><p>Zażółć gęślą jaźń. W piątek rano mieszkańcy miasta zobaczyli pierwszy śnieg, "
    "który leżał na dachach aż do wieczora, a dzieci już lepiły bałwana.</p></body></html>"
)
RUSSIAN = "<p>В пятницу утром жители города увидели первый снег, который лежал до вечера.</p>"


def meta(charset: str) -> str:
    return f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_beats_every_declaration_and_is_no_text(charset: str) -> None:
    decoded = decode(GERMAN.encode(charset), "text/html; charset=iso-8859-1")
    assert decoded.text == GERMAN
    assert decoded.source == "bom"


@pytest.mark.parametrize("label", ["gb2312", "gbk", "gb18030"])
def test_the_second_wide_space_of_chinese_pages_is_a_space(label: str) -> None:
    page = "<p>第一场雪".encode("gb18030") + b"\xa3\xa0" + "屋顶".encode("gb18030")
    assert decode(page, f"text/html; charset={label}").text == "<p>第一场雪\u3000屋顶"


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_need_no_mark(charset: str) -> None:
    assert decode(GERMAN.encode(charset), "").text == GERMAN


def test_valid_utf8_wins_over_a_declared_legacy_charset() -> None:
    page = meta("iso-8859-1") + GERMAN
    decoded = decode(page.encode(), "text/html; charset=windows-1250")
    assert (decoded.text, decoded.charset, decoded.source) == (page, "utf-8", "utf-8")


def test_a_broken_character_does_not_turn_a_utf8_page_into_latin1() -> None:
    payload = GERMAN.encode() * 5 + b"\xe4"
    decoded = decode(payload, "text/html; charset=iso-8859-1")
    assert decoded.text == GERMAN * 5 + "\ufffd"
    assert decoded.replacements == 1


@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_latin1_means_windows_1252(label: str) -> None:
    decoded = decode("<p>it’s – ö</p>".encode("cp1252"), f"text/html; charset={label}")
    assert (decoded.text, decoded.charset) == ("<p>it’s – ö</p>", "cp1252")
    assert decoded.source == "header"


def test_the_header_comes_before_the_meta_element() -> None:
    page = meta("koi8-r") + RUSSIAN
    decoded = decode(page.encode("cp1251"), 'text/html; charset="windows-1251"')
    assert (decoded.text, decoded.source) == (page, "header")


def test_the_meta_element_speaks_where_the_header_is_silent_or_wrong() -> None:
    page = meta("iso-8859-2") + POLISH
    for header in ("", "text/html", "text/html; charset=utf-8", "text/html; charset=no-such"):
        decoded = decode(page.encode("iso-8859-2"), header)
        assert (decoded.text, decoded.source) == (page, "meta")


def test_a_declared_charset_that_does_not_fit_gives_way_to_the_next() -> None:
    page = meta("windows-1251") + RUSSIAN
    decoded = decode(page.encode("cp1251"), "text/html; charset=euc-jp")
    assert (decoded.text, decoded.charset) == (page, "cp1251")


@pytest.mark.parametrize("label", ["utf-7", "idna", "hex", "rot13", "unicode_escape", "utf-16"])
def test_a_codec_that_is_no_charset_of_pages_is_not_used(label: str) -> None:
    decoded = decode(GERMAN.encode("cp1252"), f"text/html; charset={label}")
    assert decoded.text == GERMAN


def test_iso_2022_is_ascii_only_on_the_surface() -> None:
    page = meta("iso-2022-jp") + "<p>金曜日の朝</p>"
    assert decode(page.encode("iso2022_jp"), "").text == page


def test_a_few_quotes_in_english_are_windows_1252() -> None:
    page = "<p>The library’s catalogue lists “old maps” – and © notices, of £15 each.</p>" * 3
    page += "<p>" + "Nothing else in this page is outside of plain ASCII letters. " * 20
    assert decode(page.encode("cp1252"), "").text == page


@pytest.mark.parametrize(
    "payload",
    [
        b"\0" * 500,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6\0\0\0",
        gzip.compress(random.Random(7).randbytes(3000), mtime=0),
    ],
)
def test_what_is_no_text_is_rejected(payload: bytes) -> None:
    with pytest.raises(InputError) as error:
        decode(payload, "text/html; charset=utf-8")
    assert error.value.reason == Reason.UNDECODABLE


def test_an_empty_body_is_empty_text() -> None:
    assert decode(b"", "").text == ""


@given(st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cs"])))
def test_utf8_text_comes_back(text: str) -> None:
    decoded = decode(f"<p>{text}".encode(), "text/html; charset=shift_jis")
    assert decoded.text == f"<p>{text}"


@given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=gbk", "; charset=utf-16"]))
def test_any_bytes_are_decoded_or_rejected(payload: bytes, content_type: str) -> None:
    with contextlib.suppress(InputError):
        decoded = decode(payload, content_type)
        assert decoded.replacements == decoded.text.count("\ufffd")
