"""The later return of the old text shows that what stood between was no redesign."""

from pathlib import Path

from tests.site import article, story
from tests.visual.changes.build import changes, harbour, lighthouse, run

OTHER = "<div><table>{}</table></div>".format(
    "".join(f"<tr><td>{story(f'market{n}')}</td></tr>" for n in range(9))
)
"""A long page of others, as at an address that somebody else has for a while."""


def _told(folder: Path, *pages: str) -> list[tuple[str, str | None, bool | None]]:
    out = run(folder, *(harbour(f"201{n}", html) for n, html in enumerate(pages)))
    return [(row["class"], row["reason"], row["back"]) for row in changes(out)]


def test_a_long_page_in_its_place_is_gone_if_the_old_text_is_back(tmp_path: Path) -> None:
    back = _told(tmp_path, lighthouse(), OTHER, lighthouse("a note"))
    assert back[0] == ("gone", "collapsed", True)
    assert back[1][0] != "gone"


def test_a_long_page_that_stays_is_a_redesign(tmp_path: Path) -> None:
    assert _told(tmp_path, lighthouse(), OTHER, OTHER)[0] == ("redesign", None, None)


def test_a_login_between_shows_of_no_text_that_it_went(tmp_path: Path) -> None:
    wall = article("lighthouse", "You must be logged in to read this page.")
    told = _told(tmp_path, lighthouse(), OTHER, wall, lighthouse())
    assert told == [
        ("gone", "collapsed", True),
        ("gone", "login", True),
        ("equal", None, None),
    ]
