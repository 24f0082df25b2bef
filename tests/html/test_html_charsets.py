"""Charsets that nobody names: told by what the bytes would say in each."""

# ruff: noqa: RUF001 - texts in many scripts are the subject

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import decode
from dbce.html.decode import MULTI_BYTE, SINGLE_BYTE, detect
from scripts.setup.charset_tables import OUT, tables

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


def page(text: str) -> str:
    """A page in whose markup English words stand."""
    menu = '<div class="menu"><a href="/about.html">About</a> <a href="/contact.html">Contact</a></div>'
    return f"<html><head><title>Weather</title></head><body>{menu}<p>{text}</p></body></html>"


@pytest.mark.parametrize(("language", "charset"), WRITTEN_IN)
def test_a_sentence_or_two_name_their_charset(language: str, charset: str) -> None:
    original = page(SENTENCES[language])
    decoded = decode(original.encode(charset), "")
    assert decoded.text == original
    assert decoded.source == "detected"


def test_text_far_behind_the_beginning_and_broken_bytes_do_not_hide_a_charset() -> None:
    original = page("plain words " * 20_000 + SENTENCES["Russian"] * 3)
    assert decode(original.encode("koi8-r"), "").text == original
    payload = page(SENTENCES["Chinese"] * 3).encode("gb18030") + b"\xff <p>\xb0"
    decoded = decode(payload, "")
    assert decoded.charset == "gb18030"
    assert SENTENCES["Chinese"] in decoded.text
    assert decoded.replacements == 2


def test_a_declaration_counts_though_a_byte_contradicts_it() -> None:
    # š in Central European, ¹ in Western: a bare byte says neither.
    payload = page("Hotel \xb9 \x81").encode("latin-1")
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


@given(st.binary(max_size=400))
def test_any_bytes_have_a_charset_and_always_the_same(payload: bytes) -> None:
    charset = detect(payload)
    assert charset in {*SINGLE_BYTE, *MULTI_BYTE}
    assert detect(payload) == charset
