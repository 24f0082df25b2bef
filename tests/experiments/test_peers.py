"""Other extractors are asked in one way, and what they fail on is empty."""

import pytest

from scripts.experiments import peers
from scripts.experiments.peers import PEERS, extract, installed_peers, plain

STORY = [
    f"In the year {n} of the flood it took four people and a goat to move the ferry over the "
    "river, and they did so because there was no bridge and because the goat was calm enough "
    "for the journey, as all of those who were there have told us again and again since then."
    for n in range(5)
]
PAGE = (
    "<html><head><title>The last hand ferry</title></head><body>"
    '<ul class="nav"><li><a href="/">Home</a></li><li><a href="/b">Letters</a></li></ul>'
    f"<article><h1>The last hand ferry</h1>{''.join(f'<p>{text}</p>' for text in STORY)}</article>"
    '<div class="footer"><a href="/c">Imprint</a></div></body></html>'
)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_the_story_and_not_the_menu(name: str):
    module, peer = PEERS[name]
    pytest.importorskip(module, reason="pip install 'dbce[peers]'")
    text = extract(peer, PAGE, "en")
    assert [story in " ".join(text.split()) for story in STORY] == [True] * 5
    assert "Letters" not in text


@pytest.mark.parametrize("name", PEERS)
def test_a_page_without_text_is_empty(name: str):
    module, peer = PEERS[name]
    pytest.importorskip(module, reason="pip install 'dbce[peers]'")
    assert extract(peer, "<html><body></body></html>").strip() == ""


def test_justext_reads_languages_that_it_has_no_list_for():
    pytest.importorskip("justext", reason="pip install 'dbce[peers]'")
    page = PAGE.replace("and", "und").replace("the", "zog")
    assert "goat" in extract(peers.justext, page, "ja")


def test_what_a_peer_fails_on_is_empty():
    def broken(page: str, language: str) -> str:
        raise RecursionError

    assert extract(broken, PAGE) == ""


def test_a_peer_that_is_not_installed_is_absent(monkeypatch):
    monkeypatch.setitem(PEERS, "nobody", ("no_such_module", lambda page, language: page))
    assert "nobody" not in installed_peers()


def test_html_becomes_text_as_a_browser_would_break_it():
    assert plain("<p>W<b>or</b>d <i>and</i> <i>more</i></p>\n<p>next<br>line</p>") == (
        "Word and more\nnext\nline"
    )
