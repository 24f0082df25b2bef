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


JAPANESE = meta("iso-2022-jp") + "<p>金曜日の朝</p>"
QUOTED = "<p>The library’s catalogue lists “old maps” – and © notices, of £15 each.</p>" * 3
QUOTED += "<p>" + "Nothing else in this page is outside of plain ASCII letters. " * 20
SNOW = "<p>第一场雪".encode("gb18030") + b"\xa3\xa0" + "屋顶".encode("gb18030")


@pytest.mark.parametrize(
    ("payload", "label", "text"),
    [
        # The second wide space of Chinese pages is a space.
        *((SNOW, label, "<p>第一场雪\u3000屋顶") for label in ("gb2312", "gbk", "gb18030")),
        # Wide encodings need no mark.
        *(
            (GERMAN.encode(charset), "", GERMAN)
            for charset in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
        ),
        # Codecs that are no charset of pages are not used.
        *(
            (GERMAN.encode("cp1252"), label, GERMAN)
            for label in ("utf-7", "idna", "hex", "rot13", "unicode_escape", "utf-16")
        ),
        (JAPANESE.encode("iso2022_jp"), "", JAPANESE),  # ASCII only on the surface
        (QUOTED.encode("cp1252"), "", QUOTED),  # a few quotes in English
        (b"", "", ""),
    ],
)
def test_a_body_is_the_text_that_it_means(payload: bytes, label: str, text: str) -> None:
    assert decode(payload, f"text/html; charset={label}" if label else "").text == text


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


@pytest.mark.parametrize(
    ("page", "charset", "header", "source"),
    [
        (meta("koi8-r") + RUSSIAN, "cp1251", 'text/html; charset="windows-1251"', "header"),
        *(
            (meta("iso-8859-2") + POLISH, "iso8859-2", header, "meta")
            for header in (
                "",
                "text/html",
                "text/html; charset=utf-8",
                "text/html; charset=no-such",
            )
        ),
        # What does not fit gives way to the next.
        (meta("windows-1251") + RUSSIAN, "cp1251", "text/html; charset=euc-jp", "meta"),
    ],
)
def test_the_header_comes_before_the_meta_element(page, charset, header, source) -> None:
    decoded = decode(page.encode(charset), header)
    assert (decoded.text, decoded.charset, decoded.source) == (page, charset, source)


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


@given(st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cs"])))
def test_utf8_text_comes_back(text: str) -> None:
    decoded = decode(f"<p>{text}".encode(), "text/html; charset=shift_jis")
    assert decoded.text == f"<p>{text}"


@given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=gbk", "; charset=utf-16"]))
def test_any_bytes_are_decoded_or_rejected(payload: bytes, content_type: str) -> None:
    with contextlib.suppress(InputError):
        decoded = decode(payload, content_type)
        assert decoded.replacements == decoded.text.count("\ufffd")
