"""Pages with other URLs that are the same document: no neighbours, and said to be variants."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import capture, expand, read
from dbce.boilerplate import Annotated
from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.scores import page_table, score_page
from dbce.model import Capture, Config, Label, Status
from dbce.pipeline import annotate
from tests.data import shared

PATTERNS = Config(method="T002")
MENU = "".join(f'<li class="item"><a href="/{n}">Section {n}</a></li>' for n in range(8))
LEGAL = [
    f"<p class='legal'>{' '.join(f'law{part}x{n}' for n in range(50))}.</p>" for part in range(8)
]


def prose(name: str, paragraphs: int = 6, words: int = 30) -> list[str]:
    """Paragraphs that no other name shares a word with."""
    return [" ".join(f"{name}{p}x{n}" for n in range(words)) + "." for p in range(paragraphs)]


def html(
    title: str, texts: Sequence[str], menu: str = MENU, below: str = "", root: str = "page"
) -> str:
    """A page of the site."""
    body = "".join(f'<p class="text">{text}</p>' for text in texts)
    return (
        f"<html><head><title>{title}</title></head><body class='{root}'><div class='nav'><ul>{menu}</ul></div>"
        f"<div class='main'><h1>{title} today</h1>{body}</div>"
        f"<div class='foot'>{below}<p class='c'>All rights reserved by the harbour</p></div></body></html>"
    )


def at(path: str, page: str, time: str = "2016") -> Capture:
    return capture(f"http://harbour.example/{path}", page, time)


ARTICLE = at("ferry", html("ferry", prose("ferry")))
OTHERS = [
    at(name, html(name, prose(name))) for name in ("goat", "tide", "rope", "lamp", "fog", "pier")
]

FERRY = prose("ferry")
VARIANTS = {
    "print": at("ferry/print", html("ferry", FERRY, menu="<li>Print this page</li>")),
    "session": at("ferry?visit=81ab", html("ferry", FERRY, below="<p>Page 81 of your visit</p>")),
    "moved": at("2016/05/ferry", html("ferry", FERRY, below="<p>In May</p>")),
    "same": at("archive/ferry", html("ferry", FERRY)),
}
"""The article under other URLs: all of it is the same but what stands around it."""

PARTS = {
    "amp": at("ferry/amp", html("ferry", FERRY, menu="<li>Menu</li>", root="amp")),
    "translation": at("de/ferry", html("faehre", [*prose("faehre", 2), *FERRY[2:]])),
    "tag": at("tag/boats", html("boats", [*FERRY, prose("goat")[0], prose("tide")[0]])),
}
"""The article in pages that have other text as well."""


def of(captures: Sequence[Capture], config: Config = PATTERNS) -> dict[str, Annotated]:
    """The results by URL path."""
    return {one.capture.url.partition("example/")[2]: one for one in annotate(captures, config)}


@pytest.mark.parametrize("method", ["T002", "joint"])
@pytest.mark.parametrize("name", [*VARIANTS, *PARTS])
def test_a_page_is_judged_with_its_variant_as_without(name, method):
    variant = {**VARIANTS, **PARTS}[name]
    config = Config(method=method)
    without, found = of([ARTICLE, *OTHERS], config), of([ARTICLE, *OTHERS, variant], config)
    assert found["ferry"].runs == without["ferry"].runs
    assert all(text in found["ferry"].text for text in prose("ferry"))
    assert found["ferry"].cross.variant_of == variant.record_id
    assert without["ferry"].cross.variant_of is None


@pytest.mark.parametrize("name", [*VARIANTS, *PARTS])
def test_the_variant_is_judged_as_without_the_page(name):
    variant = {**VARIANTS, **PARTS}[name]
    path = variant.url.partition("example/")[2]
    without, found = of([*OTHERS, variant]), of([ARTICLE, *OTHERS, variant])
    assert found[path].runs == without[path].runs
    assert found[path].cross.variant_of == ARTICLE.record_id


@pytest.mark.parametrize("names", [["print"], ["session"], ["moved"], ["same"], [*VARIANTS]])
def test_a_page_with_nothing_but_variants_is_judged_alone(names):
    alone, found = of([ARTICLE]), of([ARTICLE, *(VARIANTS[name] for name in names)])
    assert found["ferry"].runs == alone["ferry"].runs
    assert {one.status for one in found.values()} == {Status.SINGLE}
    assert found["ferry"].cross.variant_of in {VARIANTS[name].record_id for name in names}
    assert not found["ferry"].cross.has_members


def test_snapshots_of_a_variant_are_variants_and_the_nearest_is_named():
    times = ("2010", "2015", "2020")
    again = [at("ferry/print", html("ferry", prose("ferry"), menu=""), time) for time in times]
    found = list(annotate([ARTICLE, *OTHERS, *again], PATTERNS))
    assert found[0].cross.variant_of == again[1].record_id
    assert found[-1].cross.prev == again[1].record_id, "snapshots of its own URL stay neighbours"
    assert found[-1].cross.variant_of == ARTICLE.record_id


@pytest.mark.parametrize("pages", [3, 6, 30])
def test_a_long_text_of_all_pages_is_boilerplate_and_makes_no_variants(pages):
    below = "".join(LEGAL)
    site = [at(f"p{n}", html(f"p{n}", prose(f"p{n}", 1, 40), below=below)) for n in range(pages)]
    for n, result in enumerate(of(site).values()):
        assert result.cross.variant_of is None
        assert result.text.splitlines()[-1] == prose(f"p{n}", 1, 40)[0]
        assert "law" not in result.text


def test_a_notice_of_half_the_pages_makes_no_variants():
    below = "".join(LEGAL)
    some = [at(f"p{n}", html(f"p{n}", prose(f"p{n}", 1, 40), below=below)) for n in range(10)]
    more = [at(f"q{n}", html(f"q{n}", prose(f"q{n}", 1, 40))) for n in range(10)]
    found = of([*some, *more]).values()
    assert {result.cross.variant_of for result in found} == {None}
    assert not any("law" in result.text for result in found)


def test_a_menu_of_a_few_pages_makes_no_variants():
    """Few pages of a language have its menu, and it may be most of what they say."""
    menu = "".join(f"<li><a href='/{n}'>Teil {n} der Seite</a></li>" for n in range(40))
    german = [at(f"de/{n}", html(f"seite{n}", prose(f"de{n}", 1, 12), menu=menu)) for n in range(3)]
    found = of([*OTHERS, ARTICLE, *german])
    assert {found[f"de/{n}"].cross.variant_of for n in range(3)} == {None}


CRAWLED = {"cs": "2015", "de": "2016", "ru": "2017"}
"""Languages of a site, which are crawled one after the other."""

MENUS = {
    language: "".join(
        f'<li class="item"><a href="/{n}">{language}menu{n}</a></li>' for n in range(8)
    )
    for language in CRAWLED
}
LINKS = [
    f'<a href="/{name}">{name.title()} of the library</a>'
    for name in ("manual", "list", "chat", "bugs")
]


def in_languages(
    name: str, texts: Sequence[str] | None = None, *languages: str
) -> dict[str, Capture]:
    """A page in languages; given texts are the same in all of them, as what nobody has translated yet."""
    return {
        of: at(
            f"{of}/{name}",
            html(f"{of}{name}", texts or prose(f"{of}{name}", 2), menu=MENUS[of]),
            CRAWLED[of],
        )
        for of in languages or CRAWLED
    }


@pytest.mark.parametrize("method", ["T002", "joint"])
def test_translations_are_no_neighbours_however_short_what_is_not_translated(method):
    config = Config(method=method)
    rest = [in_languages(name) for name in ("goat", "tide", "rope")]
    pages = in_languages("help", LINKS)
    found = of([*pages.values(), *(page for every in rest for page in every.values())], config)
    for language, page in pages.items():
        alone = of([page, *(every[language] for every in rest)], config)
        result = found[f"{language}/help"]
        assert result.text == alone[f"{language}/help"].text
        assert "Manual of the library" in result.text
        assert "menu" not in result.text
        others = {one.record_id for one in pages.values()} - {page.record_id}
        assert result.cross.variant_of in others


def test_the_original_of_translations_may_have_no_language_in_its_address():
    original = at("help", html("help", LINKS))
    german = in_languages("help", LINKS, "de")["de"]
    found = of([original, german, *OTHERS])
    assert found["help"].cross.variant_of == german.record_id
    assert found["de/help"].cross.variant_of == original.record_id


def test_a_page_of_which_only_translations_are_there_is_judged_alone():
    found = of(list(in_languages("help", LINKS).values()))
    assert {one.status for one in found.values()} == {Status.SINGLE}


def test_of_a_page_and_its_variants_that_with_most_of_its_words_is_named_before_a_translation():
    german = at("de/ferry", html("faehre", prose("faehre")))
    found = of([ARTICLE, german, *OTHERS, VARIANTS["print"]])
    assert found["ferry"].cross.variant_of == VARIANTS["print"].record_id
    assert found["de/ferry"].cross.variant_of == ARTICLE.record_id


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([*VARIANTS, *PARTS]), unique=True, min_size=1, max_size=2),
    st.integers(0, 5),
    st.randoms(use_true_random=False),
)
def test_no_page_is_worse_with_its_variants_in_the_archive(names, others, random: Random):
    """Whatever their order, and however few other pages there are, as long as there are enough to tell."""
    every = {**VARIANTS, **PARTS}
    site = [ARTICLE, *OTHERS[others:], *OTHERS[:others]]
    with_variants = [*site, *(every[name] for name in names)]
    random.shuffle(with_variants)
    before, found = of(site), of(with_variants)
    assert found["ferry"].runs == before["ferry"].runs
    for path, result in before.items():
        kept = {r.node for r in found[path].runs if r.verdict.label is Label.CONTENT}
        assert {r.node for r in result.runs if r.verdict.label is Label.CONTENT} <= kept, path


def of_site(name: str, host: str) -> tuple[dict[str, Annotated], dict[str, str]]:
    """The captures of a site in a shared set by record id, judged by patterns, and their gold."""
    archive, gold = shared(f"{name}/{name}.warc.gz"), shared(f"{name}/{name}.gold.jsonl")
    captures = [
        one
        for source in expand([str(archive)])
        for one in read(source, PATTERNS.limits)
        if isinstance(one, Capture) and host in one.url
    ]
    found = {one.capture.record_id: one for one in annotate(captures, PATTERNS)}
    texts = {one.page: one.text for one in by_kind(read_gold(str(gold)))[0] if one.page in found}
    return found, texts


def variants_of(found: dict[str, Annotated]) -> dict[str, str]:
    """The URL of the variant that a URL is said to have."""
    return {
        one.capture.url: found[one.cross.variant_of].capture.url
        for one in found.values()
        if one.cross and one.cross.variant_of
    }


def f1_of(gold: dict[str, str], pages: Sequence[Annotated]) -> float:
    """Mean bag F1 of some pages."""
    scores = [score_page(gold[one.capture.record_id], one.text) for one in pages]
    return float(page_table(scores)["bag_f1"].mean())


def test_half_translated_pages_keep_what_is_not_translated():
    found, gold = of_site("timelines", "www.sympy.org")
    fronts = {f"https://www.sympy.org/{language}/" for language in ("cs", "de", "ru")}
    named = variants_of(found)
    assert all(named[front] in fronts - {front} for front in fronts)
    assert f1_of(gold, [one for one in found.values() if one.capture.url in fronts]) > 0.6


def test_labels_that_come_again_make_no_variants():
    found, _ = of_site("timelines", "rubykaigi.org")
    assert variants_of(found) == {}


def test_an_article_that_is_twice_on_a_host_is_kept():
    found, gold = of_site("dragnet-sites", "sports.yahoo.com")
    twice = [one for one in found.values() if one.cross.variant_of]
    assert [one.cross.variant_of for one in twice] == [one.capture.record_id for one in twice[::-1]]
    assert ["overhaul-brazil" in one.capture.url for one in twice] == [True, True]
    assert f1_of(gold, twice) > 0.7
