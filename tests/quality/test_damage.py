"""Damage of captures, by what they show alone and beside others."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dbce
from dbce import html, quality
from dbce.boilerplate.sketch import sketch
from dbce.history import CaptureState, TextStep, steps_in_words
from dbce.history.through_time import state_of
from dbce.html import SourceSigns
from dbce.model import Config, Limits, Reason, printable
from dbce.output.quality import MISSING
from dbce.quality import Damage, DamageKind, PageSigns, damage_of, replacement_kind
from dbce.quality.damage import OPENING, SHORT, SURE_WORDS, describe_garbling
from dbce.visual.changes.look import LACKING
from scripts.experiments.compared_damage import damage_among
from tests.site import page

PROSE = (
    "The ferry leaves at seven, and who misses it waits for the next one on the bench by the harbour. "
    "A man sells tickets from a box that was a telephone once. In winter nobody asks for one, since "
    "the captain knows each of the nine who cross, and the tenth is a dog that belongs to the island. "
    "When the fog comes in they ring the bell of the church, every minute, until the boat is back."
)
STORY = f"{PROSE} {' '.join(PROSE.split()[:40])}"
MENU = "\n".join(f"Harbour news section {number}" for number in range(40))
FRAME = "".join(f"<p>{line}</p>" for line in MENU.split("\n"))
PASSWORD = "<form><input type=password></form>"


def signs(source: str, text: str = "", url: str = "http://harbour.example/ferry") -> PageSigns:
    """The signs of a page."""
    document = html.load(source.encode(), "text/html; charset=utf-8", Limits())
    return quality.page_signs(url, document, text)


def kind_of(page: PageSigns) -> DamageKind | None:
    damage = damage_of(page)
    return damage and damage.kind


@pytest.mark.parametrize("kind", [*DamageKind, *Reason])
def test_a_kind_and_a_reason_are_put_into_words_in_one_module(kind: DamageKind | Reason) -> None:
    home = "damage.py" if isinstance(kind, DamageKind) else "values.py"
    saying = {path.name for path, source in sources() if f'"{kind.meaning}"' in source}
    assert kind.meaning
    assert saying == {home}
    assert quality.meaning(str(kind)) == kind.meaning
    assert type(kind)(str(kind)) is kind  # as tables have it


@cache
def sources() -> tuple[tuple[Path, str], ...]:
    """Every source of dbce."""
    return tuple((path, path.read_text("utf-8")) for path in Path(dbce.__path__[0]).rglob("*.py"))


@pytest.mark.parametrize("kind", DamageKind)
def test_who_reads_a_kind_goes_by_what_it_affects(kind: DamageKind) -> None:
    is_gone = kind.affected is quality.AffectedPart.PAGE
    assert (replacement_kind(str(kind), 10, 10) == kind) == is_gone
    step = TextStep("urn:1", datetime(2015, 1, 1, tzinfo=UTC), state_of(kind), reason=kind)
    assert step.state == (CaptureState.GONE if is_gone else CaptureState.DAMAGED)
    assert kind.meaning in steps_in_words([step])
    assert (
        (kind in MISSING)
        == (kind.affected is quality.AffectedPart.RESOURCES)
        == (kind in LACKING.values())
    )


def test_another_value_is_told_as_it_is() -> None:
    assert quality.meaning("none found") == "none found"


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("404 Not Found", "The requested URL was not found on this server.", DamageKind.ERROR),
        ("Uferbote", "Seite nicht gefunden", DamageKind.ERROR),
        ("Fehler", "Die gesuchte Seite wurde nicht gefunden.", DamageKind.ERROR),
        ("Blog", "Fatal error: Call to undefined function", DamageKind.ERROR),
        ("Shop", "We are down for maintenance.", DamageKind.MAINTENANCE),
        ("Ferry", "This page has moved to ferry.example/new. Please update your links.", DamageKind.MOVED),
        ("302 Found", "Object moved to here.", DamageKind.MOVED),
        ("Piers", "The page has been replaced by piers.example.", DamageKind.MOVED),
        ("Piers", "Redirecting to the list of piers in 1 second.", DamageKind.MOVED),
        ("Fähre", "Wir sind umgezogen! Sie finden uns unter faehre.example.", DamageKind.MOVED),
        ("Ferry", "The page you requested has moved or cannot be found.", DamageKind.ERROR),
        ("harbour.example", "This domain is for sale. Buy this domain.", DamageKind.PARKED),
        ("Just a moment...", "Enable JavaScript and cookies to continue", DamageKind.BOT_CHECK),
        ("News", "Please sign in to continue reading.", DamageKind.LOGIN),
        ("App", "You need to enable JavaScript to run this app.", DamageKind.EMPTY_SHELL),
        ("Before you continue", "We use cookies and data.\nAccept all cookies", DamageKind.CONSENT),
    ],
)  # fmt: skip
def test_a_page_in_another_s_place_says_so(title: str, text: str, kind: DamageKind) -> None:
    lines = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    assert kind_of(signs(f"<html><title>{title}</title><body>{lines}</html>", text)) == kind


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("The ferry", "Room 404 of the harbour office has a view."),
        ("Lost and found", "Keys were found on the ferry."),
        # An article is none whatever it is on and its title says.
        ("Lost pages", f"404 Not Found: domains for sale. Please sign in to continue. {PROSE * 3}"),
        ("Error: access denied", "\n".join([PROSE] * 4)),
    ],
)
def test_words_of_such_pages_alone_and_articles_are_none(title: str, text: str) -> None:
    page = signs(f"<html><title>{title}</title><h1>{title}</h1><p>{text}</html>", text)
    assert (page.expected_words > SHORT) == (PROSE in text)
    assert damage_of(page) is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (quality.phrases.ERROR_PHRASES, "抱歉页面不存在了"),
        (quality.phrases.ERROR_PHRASES, "— http: 404"),
        (quality.phrases.LOGIN, "阅读全文请登录"),
        (quality.phrases.MAINTENANCE, "现在系统维护中"),
        (quality.phrases.ENABLE_SCRIPTS, "このサイトはjavascriptを有効にしてください"),
    ],
)
def test_a_phrase_is_seen_where_no_word_begins(pattern: re.Pattern[str], text: str) -> None:
    """Not all scripts part words, and a line may begin with a sign."""
    assert pattern.search(text)


@pytest.mark.parametrize(
    ("kind", "words", "expected", "told"),
    [
        ("error", 140, 140, "error"),
        ("login", 900, 40, "login"),
        ("error", 207, 120, ""),
        ("cut-short", 10, 10, ""),
        (None, None, None, ""),
    ],
)
def test_a_page_with_a_text_of_its_own_stands_in_no_other_s_place(kind, words, expected, told):
    assert replacement_kind(kind, words, expected) == told


def test_a_short_article_in_a_template_is_no_error_if_its_text_is_sure() -> None:
    source = f"<html><title>Error: access denied</title>{FRAME}<p>{STORY}</p></html>"
    article = signs(source, STORY)
    assert article.words > SHORT > article.expected_words >= SURE_WORDS
    assert damage_of(article) is None
    assert kind_of(replace(article, certainty=0.6)) == DamageKind.ERROR
    message = signs(source.replace(STORY, PROSE), PROSE)
    assert kind_of(message) == DamageKind.ERROR


LOGGED_IN = "<p>Members only: write a comment.</p><form><input type=password></form>"
FEW_WORDS = (
    "Sorry. There are no sailings listed at this pier today, so please try another one. "
    "The office by the ferry opens at seven."
)
FORM = "<html><form>Name <input><input type=password></form></html>"


def test_what_only_members_may_do_is_no_wall_beside_a_sure_text_or_a_few_words() -> None:
    article = signs(f"<html>{FRAME}<p>{STORY}</p>{LOGGED_IN}</html>", STORY)
    assert damage_of(article) is None
    assert kind_of(replace(article, certainty=0.6)) == DamageKind.LOGIN
    box = "<form>Member <input> <input type=password></form>"
    assert damage_of(signs(f"<html><p>{FEW_WORDS}</p>{box}</html>", FEW_WORDS)) is None


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("ferry", DamageKind.LOGIN),
        ("login", None),
        ("accounts/new?step=1", None),
        ("accounting/designing-a-pier", DamageKind.LOGIN),  # words that only hold those of such addresses
    ],
)  # fmt: skip
def test_a_form_to_log_in_is_whole_at_its_own_address_and_a_wall_elsewhere(path, kind) -> None:
    assert kind_of(signs(FORM, url=f"http://harbour.example/{path}")) == kind


def test_a_wall_may_stand_below_what_it_hides() -> None:
    begun = f"{PROSE} On the pier they wait."
    assert len(begun) > OPENING
    wall = f"{begun} Anmeldung erforderlich, um weiterzulesen."
    walled = signs(f"<html>{FRAME}<p>{wall}</p>{PASSWORD}</html>", wall)
    assert walled.words > SHORT >= walled.content_words
    assert kind_of(walled) == DamageKind.LOGIN
    assert damage_of(signs(f"<html>{FRAME}<p>{begun}</p>{PASSWORD}</html>", begun)) is None


@pytest.mark.parametrize(
    ("title", "line", "form", "damage"),
    [
        ("Sign in | Harbour news", "Welcome.", PASSWORD, Damage(DamageKind.LOGIN, "Sign in")),
        ("News", "Please log in to see it.", PASSWORD, Damage(DamageKind.LOGIN, "log in to see")),
        ("Sign in | Harbour news", "Welcome.", "", None),
        ("News", "Please log in to see it.", "", None),
        ("How to sign in | Harbour news", MENU, PASSWORD, None),
    ],
)
def test_a_form_in_a_large_template_is_a_wall_by_its_title_or_by_a_line(title, line, form, damage):
    source = f"<html><title>{title}</title>{FRAME}<p>{line}</p>{form}</html>"
    assert damage_of(signs(source, MENU[:200])) == damage


def test_an_element_that_scripts_fill_is_empty_in_a_shell() -> None:
    shell = "<html><header>Harbour news</header><div id=root></div><script>go()</script></html>"
    assert kind_of(signs(shell)) == DamageKind.EMPTY_SHELL
    filled = shell.replace("id=root>", f"id=root><p>{PROSE}</p>")
    assert damage_of(signs(filled, PROSE)) is None


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        ("<html><p>Whole</p></html>", ""),
        ("<p>A fragment</p>", ""),
        ("<p>A fragment that ends with a sentence.", ""),
        ("<html><p>Whole</p><!-- by nobody -->", ""),
        ("<html><div><div><div><div><p>The ferry</p><!-- end of the page -->", ""),
        ("<html><p>The ferry leav", "in a text"),
        ("<html><p>The ferry</p><a hre", "in a tag"),
        ("<html><script>if (a>", "in a script or a comment"),
        ("<html><div><div><div><div><p>The ferry</p>", "with 4 elements open"),
        ("<html><div><div><p>The ferry</p>", ""),
    ],
)
def test_a_source_that_ends_in_the_middle_breaks_off(source: str, ends: str) -> None:
    assert html.load(source.encode(), "text/html", Limits()).source.breaks_off == ends


HEAD = "<html><head><title>Harbour</title></head><body><div><div><div><div>"


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        ("<img src=a.png", DamageKind.CUT_SHORT),
        ("</div></div></div></div></body></html>", DamageKind.EMPTY_SHELL),
    ],
)
def test_a_page_without_text_that_breaks_off_is_cut_and_another_a_shell(rest, kind) -> None:
    result = sketch(page("ferry", html=HEAD + rest), Config())
    damage = quality.damage_of_reject(result.reason, result.detail)
    assert (result.reason, damage.kind) == (Reason.NO_TEXT, kind)


def test_what_breaks_off_is_cut_short() -> None:
    assert kind_of(signs(f"<html><p>{PROSE[:-1]}", PROSE)) == DamageKind.CUT_SHORT
    cut = PageSigns("", "", PROSE, (PROSE,), truncated="length")
    assert damage_of(cut) == Damage(DamageKind.CUT_SHORT, "the record breaks off: length")


GERMAN = "Über die Brücke fährt früh um fünf die Straßenbahn, für Schüler, Bäcker und müde Köche. "

RUSSIAN = "Паром уходит в семь часов утра от причала"


@pytest.mark.parametrize(
    "broken",
    [
        GERMAN.encode().decode("cp1252", "replace"),
        GERMAN.encode("latin-1").decode("utf-8", "replace"),
        GERMAN.encode("ascii", "replace").decode(),
        RUSSIAN.encode("cp1251").decode("latin-1"),
        RUSSIAN.encode().decode("cp1251", "replace"),
    ],
)
def test_a_text_that_went_through_the_wrong_charset_is_garbled(broken: str) -> None:
    assert describe_garbling(broken)
    assert kind_of(signs(f"<html><meta charset=utf-8><p>{broken}</html>")) == DamageKind.CHARSET


def test_quotation_marks_read_as_latin_1_are_seen_though_the_main_text_lacks_what_they_became():
    said = f"{PROSE}\n“Ring once,” she said, “or twice” — and “never” again. "
    misread = said.encode().decode("latin-1")
    source = "<html><title>Ferry</title><body><p>{}</p></body></html>"
    assert kind_of(signs(source.format(misread), printable(misread))) == DamageKind.CHARSET
    assert kind_of(signs(source.format(said), said)) is None
    framed = source.format(f"{misread}</p><p>{PROSE}")
    assert kind_of(signs(framed, PROSE)) is None, "the template alone is garbled"


@pytest.mark.parametrize(
    "sound",
    [
        *(GERMAN * 3, "Паром уходит в семь часов", "渡船早上七点开"),
        "Où était-ce ? À l’été déjà ! L’équipe d’été n’était là.",
        *("See index.php?id=3, a?b=c and /x?y for more. Really? Yes! What?", "CAFÉ ÉTÉ ÀÉÎÕ", ""),
    ],
)
def test_a_sound_text_is_not_garbled(sound: str) -> None:
    assert describe_garbling(sound) == ""


def whole(text: str) -> PageSigns:
    return PageSigns("http://harbour.example/ferry", "Ferry", text, (MENU, text))


def test_a_page_that_has_nearly_nothing_of_what_it_had_collapsed() -> None:
    left = PageSigns("http://harbour.example/ferry", "Ferry", "", ("Harbour news",))
    assert damage_among(left, [whole(PROSE)]) == Damage(DamageKind.COLLAPSED, "0 of 78 words left")
    assert damage_of(left) is None
    assert damage_among(whole(PROSE), [left]) is None


def test_content_that_is_gone_from_its_template_or_has_little_probability_fell() -> None:
    others = [whole(PROSE), whole(f"{PROSE} again")]
    assert damage_among(whole(""), others).kind == DamageKind.CONTENT_FELL
    assert damage_among(whole(""), others[:1]) is None, "one page shows nothing that is usual"
    assert quality.damage_by_counts(70, 230, [(75, 235), (76, 236)]) == (None, False)
    damage = damage_among(replace(whole(PROSE), certainty=0.1), others)
    assert damage == Damage(DamageKind.CONTENT_FELL, "8 words of content, where 78 are usual")
    assert damage_among(replace(whole(PROSE), certainty=0.9), others) is None


NOTICE = " ".join(f"Comment {n} should be about the timetable." for n in range(10))
"""A text of the template that passes for content where the content has gone."""

LONG = " ".join([PROSE] * 5)


def with_notice(text: str) -> PageSigns:
    menu = "\n".join(MENU.split("\n")[:10])
    return PageSigns("http://harbour.example/ferry", "Ferry", text or NOTICE, (menu, text, NOTICE))


def counts_of(pages: Sequence[PageSigns]) -> list[tuple[int, int]]:
    return [(page.expected_words, page.words) for page in pages]


def test_what_is_left_may_be_the_template_s_and_a_page_that_grew_was_whole_when_it_was_short():
    left, begun = with_notice(""), with_notice(PROSE)
    others = [with_notice(LONG), with_notice(f"{LONG} again")]
    _, is_suspected = quality.damage_by_counts(left.content_words, left.words, counts_of(others))
    assert is_suspected
    damage = damage_among(left, others)
    assert damage == Damage(DamageKind.CONTENT_FELL, "70 words of content, where 390 are usual")
    _, is_suspected = quality.damage_by_counts(begun.content_words, begun.words, counts_of(others))
    assert is_suspected
    assert quality.is_text_of(begun.text, [LONG])
    assert not quality.is_text_of(NOTICE, [LONG])
    assert not quality.is_text_of("", [LONG])
    assert damage_among(begun, others) is None


def test_a_short_page_of_a_template_has_a_text_of_its_own() -> None:
    others = [
        PageSigns(f"http://harbour.example/{n}", "", " ".join([PROSE, str(n)] * 9), (MENU, PROSE))
        for n in range(3)
    ]
    news = " ".join(f"word{n}" for n in range(60))
    short = PageSigns("http://harbour.example/short", "", news, (MENU, news))
    damage, _ = quality.damage_by_counts(short.content_words, short.words, counts_of(others))
    assert damage
    assert damage_among(short, others) is None
    empty = replace(short, text="Harbour news section 7", texts=(MENU,))
    assert damage_among(empty, others).kind == DamageKind.CONTENT_FELL


def test_style_sheets_and_pictures_that_were_not_archived_are_missing() -> None:
    pictures = ["a.png", "b.png", "c.png"]
    assert quality.missing_resources(["s.css"], pictures, {"s.css", *pictures}.__contains__) is None
    unstyled = quality.missing_resources(["s.css", "t.css"], [], set[str]().__contains__)
    assert unstyled == Damage(DamageKind.NO_STYLE, "2 style sheets not archived")
    few = quality.missing_resources(["s.css"], pictures, {"s.css", "a.png"}.__contains__)
    assert few == Damage(DamageKind.NO_PICTURES, "2 of 3 pictures not archived")


def test_a_page_names_what_it_embeds() -> None:
    source = (
        "<html><base href=/shore/><link rel='icon stylesheet' href=s.css><link rel=icon href=i.png>"
        "<img src=a.png><img src=data:x><img><script>go()</script><script type=application/json>"
        "{}</script></html>"
    )
    assert signs(source).source == SourceSigns(("s.css",), ("a.png",), "/shore/", 0, 1, "")


LETTERS = "äöüßéèñçøåłńşğžčřűабвгдежзийклмнопрстуфхцчшщъыьэюяαβγδ"


@pytest.mark.parametrize("charset", ["latin-1", "cp1251", "cp1250"])
@given(letters=st.lists(st.sampled_from(LETTERS), min_size=3, max_size=9))
def test_utf8_read_as_another_charset_is_garbled(charset: str, letters: list[str]) -> None:
    text = " and ".join(f"w{letter}rd" for letter in letters)
    assert not describe_garbling(text)
    try:
        misread = text.encode().decode(charset)
    except UnicodeDecodeError:
        assume(False)
    assert describe_garbling(misread) == f"{len(letters)} places of UTF-8 read as another charset"


def test_other_signs_of_a_wrong_charset() -> None:
    for text, told in {
        "one \ufffd\ufffd two \ufffd three \ufffd": "3 places with replacement characters",
        "gr??e und M?he, f?r alle": "3 words with question marks for letters",
        "Ïðèâåò ìèð Êíèãà ñòîë": "3 words of accented letters alone",
        "What? Why? Who? How? A sound text.": "",
    }.items():
        assert describe_garbling(text) == told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("?ber die Br?cke f?hrt die Stra?enbahn, und ?fter am Abend.", 5),
        ("Don?t ask: it?s the ferry?s rule that we?ve to wait.", 4),
        ("L?équipe n?est pas l? : qu?il revienne, d?accord.", 4),
        ("????? ?????? ? ???? ????? ???? ?? ???????.", 7),
    ],
)
def test_question_marks_stand_for_letters_and_apostrophes(text: str, words: int) -> None:
    assert describe_garbling(text) == f"{words} words with question marks for letters"


@pytest.mark.parametrize(
    "text",
    [
        "Balance 1: ??,?? and balance 2: ??,?? and both: ??,?? of all.",
        "Total ?? of ?? in ?? days and ?? hours.",
        "See /a?id=3, b.php?page=4, ?query and c?d in the log.",
        "Qui est là ? Personne ?? Vraiment ??? Non.",
        "Use T: ?Sized with f(x)?.await and a ? b : c, or colou?r.",
    ],
)
def test_question_marks_that_are_meant_are_none(text: str) -> None:
    assert describe_garbling(text) == ""
