"""The format of the prose files, and the marks that carry the truth through rendering."""

from datetime import date

from scripts.sample.layout import turn
from scripts.sample.marks import BLOCK, END, RUN, content, unmarked
from scripts.sample.prose import read

TEXT = """path: /a.html
section: Work
title: A Day: Its Hours
date: 2012-03-20

First {teh|the} paragraph.
## Heading
- item
1. step
% Ada: comment
@3 Added later.
"""


def test_a_piece_has_facts_and_blocks() -> None:
    piece = read(TEXT)
    assert (piece.title, piece.date, piece.author) == ("A Day: Its Hours", date(2012, 3, 20), "")
    kinds = [block.kind for block in piece.blocks]
    assert kinds == ["paragraph", "heading", "item", "step", "comment", "paragraph"]
    assert piece.of("item", "step") == ("item", "step")


def test_a_crawl_sees_what_is_there_by_then() -> None:
    early, late = read(TEXT).at(1), read(TEXT).at(3)
    assert early.of("paragraph") == ("First teh paragraph.",)
    assert late.of("paragraph") == ("First the paragraph.", "Added later.")


def test_marks_stand_around_text_and_never_around_white_space() -> None:
    marked = content("One *two* **three** & [four](/4).")
    assert marked == (
        f"{BLOCK}One {END}<em>{RUN}two{END}</em> <strong>{RUN}three{END}</strong>"
        f'{RUN} &amp; {END}<a href="/4">{RUN}four{END}</a>{RUN}.{END}'
    )
    assert unmarked(marked).startswith("One <em>two</em> <strong>three</strong> &amp; ")


def test_furniture_turns_round() -> None:
    assert turn("abc", 2, 4) == ["c", "a", "b", "c"]
