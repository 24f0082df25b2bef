"""Other extractors are asked in one way, and what they fail on is empty."""

import pytest

from scripts.experiments.peers import PEERS, extract, plain

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


def test_html_becomes_text_as_a_browser_would_break_it():
    assert plain("<p>W<b>or</b>d <i>and</i> <i>more</i></p>\n<p>next<br>line</p>") == (
        "Word and more\nnext\nline"
    )
