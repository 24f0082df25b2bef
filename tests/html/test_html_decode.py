"""The charset of a page: who names it, who is believed, and what the bytes say where nobody names it."""

# ruff: noqa: RUF001 - texts in many scripts are the subject

import contextlib
import gzip
import random
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import decode
from dbce.html.decode import MULTI_BYTE, SINGLE_BYTE, detect
from dbce.model import InputError, Reason
from scripts.setup.charset_tables import OUT, tables

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
    assert (decoded.text, decoded.charset.source) == (GERMAN, "bom")


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
        ((RUSSIAN * 2).encode("koi8-r"), "windows-1251", RUSSIAN * 2),
        (b"", "", ""),
    ],
)
def test_a_body_is_the_text_that_it_means(payload: bytes, label: str, text: str) -> None:
    assert decode(payload, f"text/html; charset={label}" if label else "").text == text


def test_valid_utf8_wins_over_a_declared_legacy_charset() -> None:
    page = meta("iso-8859-1") + GERMAN
    decoded = decode(page.encode(), "text/html; charset=windows-1250")
    assert (decoded.text, decoded.charset.name, decoded.charset.source) == (page, "utf-8", "utf-8")


def test_a_broken_character_does_not_turn_a_utf8_page_into_latin1() -> None:
    decoded = decode(GERMAN.encode() + b"\xe4", "text/html; charset=iso-8859-1")
    assert (decoded.text, decoded.charset.replacements) == (GERMAN + "\ufffd", 1)


@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "us-ascii", "windows-1252"])
def test_latin1_means_windows_1252(label: str) -> None:
    decoded = decode("<p>it’s – ö</p>".encode("cp1252"), f"text/html; charset={label}")
    told = decoded.text, decoded.charset.name, decoded.charset.source
    assert told == ("<p>it’s – ö</p>", "cp1252", "header")


@pytest.mark.parametrize(
    ("page", "charset", "header", "source"),
    [
        (meta("koi8-r") + RUSSIAN, "cp1251", 'text/html; charset="windows-1251"', "header"),
        *(
            (meta("iso-8859-2") + POLISH, "iso8859-2", header, "meta")
            for header in ("", *map("text/html{}".format, ("", "; charset=utf-8", "; charset=x")))
        ),
        # What does not fit gives way to the next.
        (meta("windows-1251") + RUSSIAN, "cp1251", "text/html; charset=euc-jp", "meta"),
    ],
)
def test_the_header_comes_before_the_meta_element(page, charset, header, source) -> None:
    decoded = decode(page.encode(charset), header)
    assert (decoded.text, decoded.charset.name, decoded.charset.source) == (page, charset, source)


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


@given(st.binary(max_size=400), st.sampled_from(["", "text/html; charset=gbk", "; charset=utf-16"]))
def test_any_bytes_are_decoded_or_rejected_and_have_always_the_same_charset(payload, content_type):
    with contextlib.suppress(InputError):
        decoded = decode(payload, content_type)
        assert decoded.charset.replacements == decoded.text.count("\ufffd")
    charset = detect(payload)
    assert charset in {*SINGLE_BYTE, *MULTI_BYTE}
    assert detect(payload) == charset


SENTENCES = {
    "German": "Am Freitagmorgen fiel über den Dächern der Stadt der erste Schnee, und die Straßen "
    "waren für zwei Stunden menschenleer. Später bauten Kinder große Schneemänner.",
    "French": "Vendredi matin, la première neige est tombée sur les toits de la ville. Les élèves "
    "ont joué dehors jusqu’à l’après-midi, où le soleil l’a déjà fait fondre.",
    "Polish": "W piątek rano mieszkańcy miasta zobaczyli pierwszy śnieg, który leżał na dachach aż "
    "do wieczora, a dzieci już lepiły bałwana. Później przyszła odwilż.",
    "Czech": "V pátek ráno uviděli obyvatelé města první sníh, který ležel na střechách až do "
    "večera, a děti už stavěly sněhuláka. Později přišla obleva.",
    "Hungarian": "Péntek reggel a város lakói meglátták az első havat, amely estig ott feküdt a "
    "tetőkön, a gyerekek pedig már hóembert építettek a szűk utcákban.",
    "Turkish": "Cuma sabahı şehir halkı ilk karı gördü; kar akşama kadar çatılarda kaldı, çocuklar "
    "ise çoktan kardan adam yapmaya başlamıştı. Öğleden sonra güneş açtı.",
    "Lithuanian": "Penktadienio rytą miesto gyventojai išvydo pirmąjį sniegą, kuris ant stogų "
    "išsilaikė iki vakaro, o vaikai jau lipdė senį besmegenį. Vėliau prasidėjo atlydys.",
    "Russian": "В пятницу утром жители города увидели первый снег, который лежал на крышах до "
    "самого вечера, а дети уже лепили снеговика во дворе.",
    "Ukrainian": "У п'ятницю вранці мешканці міста побачили перший сніг, який лежав на дахах аж "
    "до вечора, а діти вже ліпили сніговика. Згодом настала відлига.",
    "Greek": "Την Παρασκευή το πρωί οι κάτοικοι της πόλης είδαν το πρώτο χιόνι, που έμεινε στις "
    "στέγες ως το βράδυ, και τα παιδιά έφτιαχναν ήδη έναν χιονάνθρωπο.",
    "Hebrew": "ביום שישי בבוקר ראו תושבי העיר את השלג הראשון, שנשאר על הגגות עד הערב, והילדים כבר "
    "בנו איש שלג בחצר.",
    "Arabic": "في صباح يوم الجمعة رأى سكان المدينة أول ثلج، وبقي على السطوح حتى المساء، وكان "
    "الأطفال يصنعون رجل ثلج في الساحة.",
    "Thai": "เช้าวันศุกร์ชาวเมืองเห็นหิมะแรกของปี หิมะค้างอยู่บนหลังคาจนถึงเย็น และเด็กๆ กำลังปั้นตุ๊กตาหิมะ",
    "Chinese": "星期五早晨，城里的居民看到了第一场雪。雪一直积在屋顶和街道上，孩子们已经在堆雪人了。",
    "Taiwanese": "星期五早晨，城裡的居民看到了第一場雪。雪一直積在屋頂和街道上，孩子們已經在堆雪人了。",
    "Japanese": "金曜日の朝、町の人々は初雪を見ました。雪は夕方まで屋根に積もっていて、子どもたちはもう雪だるまを作っていました。",
    "Korean": "금요일 아침에 도시의 주민들은 첫눈을 보았다. 눈은 저녁까지 지붕 위에 쌓여 있었고 아이들은 벌써 눈사람을 만들고 있었다.",
}
CHARSETS = {
    "German": "cp1252 mac-roman iso8859-15",
    "French": "cp1252 mac-roman",
    "Polish": "cp1250 iso8859-2 cp1257 iso8859-16",
    "Czech": "cp1250 iso8859-2",
    "Hungarian": "cp1250 iso8859-2 iso8859-16",
    "Turkish": "cp1254 iso8859-3",
    "Lithuanian": "cp1257 iso8859-13 iso8859-4",
    "Russian": "cp1251 koi8-r iso8859-5 cp866 mac-cyrillic",
    "Ukrainian": "cp1251 koi8-u iso8859-5 mac-cyrillic",
    "Greek": "cp1253 iso8859-7",
    "Hebrew": "cp1255 iso8859-8",
    "Arabic": "cp1256 iso8859-6",
    "Thai": "cp874",
    "Chinese": "gb18030",
    "Taiwanese": "big5",
    "Japanese": "cp932 euc_jp iso2022_jp",
    "Korean": "cp949",
}
WRITTEN_IN = [(language, one) for language, names in CHARSETS.items() for one in names.split()]


def in_markup(text: str) -> str:
    """A page in whose markup English words stand."""
    menu = '<div class="menu"><a href="/about.html">About</a> <a href="/contact.html">Contact</a></div>'
    return f"<html><head><title>Weather</title></head><body>{menu}<p>{text}</p></body></html>"


@pytest.mark.parametrize(("language", "charset"), WRITTEN_IN)
def test_a_sentence_or_two_name_their_charset(language: str, charset: str) -> None:
    original = in_markup(SENTENCES[language])
    decoded = decode(original.encode(charset), "")
    assert decoded.text == original
    assert decoded.charset.source == "detected"


def test_text_far_behind_the_beginning_and_broken_bytes_do_not_hide_a_charset() -> None:
    original = in_markup("plain words " * 20_000 + SENTENCES["Russian"] * 3)
    assert decode(original.encode("koi8-r"), "").text == original
    payload = in_markup(SENTENCES["Chinese"] * 3).encode("gb18030") + b"\xff <p>\xb0"
    decoded = decode(payload, "")
    assert decoded.charset.name == "gb18030"
    assert SENTENCES["Chinese"] in decoded.text
    assert decoded.charset.replacements == 2


def test_a_declaration_counts_though_a_byte_contradicts_it() -> None:
    # š in Central European, ¹ in Western: a bare byte says neither.
    payload = in_markup("Hotel \xb9 \x81").encode("latin-1")
    assert detect(payload, ["iso8859-2"]) == "iso8859-2"
    assert detect(payload) != "iso8859-2"


UNICODE = "14.0.0"  # with which the stored tables were made, that of Python 3.11
UNASSIGNED = 0x0378  # a character that no version of Unicode has assigned


def test_the_stored_tables_are_what_the_counts_make() -> None:
    made = tables()
    with np.load(OUT) as stored:
        assert set(stored.files) == made.keys()
        numbers = stored["numbers"]
        later = np.flatnonzero(numbers != made.pop("numbers"))
        # Python 3.12 and 3.13 know characters that Unicode had not assigned.
        assert len(later) == 0 or unicodedata.unidata_version != UNICODE
        assert set(numbers[later]) <= {numbers[UNASSIGNED]}
        for name, table in made.items():
            np.testing.assert_allclose(stored[name], table, rtol=2e-6 if len(later) else 1e-6)
