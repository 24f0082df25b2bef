"""Experiments on the wing: changes between snapshots, segments, lists of labels."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from pandas import DataFrame

from dbce.archive import capture
from dbce.model import Capture, UsageError, hash_strings
from dbce.output import node_rows, open_run
from dbce.visual import Rect
from dbce.visual.changes.snapshot import BlockColumns
from dbce.visual.measure import MarkedBlock, MarkedPage
from dbce.visual.segment import segment
from scripts.experiments import changes_unseen
from scripts.experiments.change_pairs import pairs
from scripts.experiments.damage_scores import away, cut_off, cuts
from scripts.experiments.diff_tools import Change, Pair, by_difflib, marked, score, words
from scripts.experiments.migration import compare_labels
from scripts.experiments.segment_evidence import WITHOUT, DrawnPage, PageScore, page_score, row
from tests.experiments.build import gold_of, write_set
from tests.site import article, story
from tests.visual.changes.build import harbour, lighthouse, run
from tests.visual.pages import box, page

# Pairs of snapshots with gold


def gold(folder: Path, *captures: tuple[Capture, str]) -> str:
    rows = [
        gold_of(one, url=one.url, timestamp=f"{one.timestamp:%Y%m%d%H%M%S}", gold_text=text)
        for one, text in captures
    ]
    return str(write_set(folder, [], rows)[1])


def test_gold_says_whether_the_content_changed_and_how_much(tmp_path: Path) -> None:
    old, new = harbour("2014", lighthouse()), harbour("2015", lighthouse(story("oil")))
    out = run(tmp_path, old, new)
    path = gold(tmp_path / "gold", (new, "a b c"), (old, "a b d"))
    (row,) = pairs(str(out), path, pictures=False).to_dict("records")
    assert (row["old"], row["new"]) == (old.record_id, new.record_id)
    assert (row["content"], row["share"]) == (True, 2 / 6)


def test_gold_of_other_pages_is_said_in_a_sentence(tmp_path: Path) -> None:
    out = run(tmp_path, harbour("2014", lighthouse()))
    others = [harbour(year, lighthouse("elsewhere")) for year in ("2011", "2012")]
    path = gold(tmp_path / "gold", *((one, "a") for one in others))
    with pytest.raises(UsageError, match="it is of other pages"):
        pairs(str(out), path, pictures=False)


# Runs whose verdicts are held-out texts


def test_the_lines_of_a_held_out_text_are_content_and_no_others(tmp_path: Path) -> None:
    page = harbour("2014", lighthouse())
    row = gold_of(page, record_id=f"<{page.record_id}>", gold_text="")
    archive, gold = write_set(tmp_path / "pages", [page], [row])
    changes_unseen.run(str(archive), str(gold), {page.record_id: story("keeper")}, tmp_path / "out")
    (folder,) = (tmp_path / "out").iterdir()
    rows = node_rows(open_run(str(folder))[0], page.record_id)
    assert {one["decided_by"] for one in rows} == {"held out"}
    content = [one["text"] for one in rows if one["label"] == "content"]
    assert " ".join(content) == story("keeper")
    assert (folder / gold.name).read_text(encoding="utf-8") == gold.read_text(encoding="utf-8")


# Pairs that are cut for the purpose


def test_the_first_words_are_left_and_blocks_behind_them_are_empty() -> None:
    floats = np.ones(3, np.float32)
    whole = BlockColumns(
        *(hash_strings(list("abcdef")), np.zeros(6, np.uint8), np.array([2, 5, 6], np.uint32)),
        *(floats, np.zeros(3, np.uint32), floats, np.empty((0, 4), np.float32)),
    )
    left = cut_off(whole, 0.5)
    assert left.words.tolist() == whole.words[:3].tolist()
    assert left.sizes.tolist() == [2, 1, 0]


def told(tmp_path: Path, measure: Callable[[str], DataFrame], *captures: Capture) -> DataFrame:
    """Value of a measure for the page of the lighthouse."""
    found = measure(str(run(tmp_path, *captures)))
    return found[found["url"].str.contains("lighthouse")]


def test_each_pair_with_other_bytes_is_told_as_it_is_and_cut(tmp_path: Path) -> None:
    long = [story(f"part{n}") for n in range(4)]
    pages = lighthouse(*long), lighthouse(*long), lighthouse(*long, story("news"))
    captures = (harbour(f"{year}", html) for year, html in enumerate(pages, 2014))
    of_page = told(tmp_path, cuts, *captures)
    assert of_page[["false", "found"]].to_numpy().tolist() == [[False, True]]


def test_of_each_three_the_middle_one_is_told_as_it_is_and_by_another_site_s_page(tmp_path):
    pages = (lighthouse(story(f"part{n}"), story("whole")) for n in range(3))
    market = article("market", *(" ".join(f"m{n}x{word}" for word in range(60)) for n in range(4)))
    captures = (harbour(f"201{n}", html) for n, html in enumerate(pages))
    other = capture("http://market.example/", market, "20140101000000")
    of_page = told(tmp_path, away, *captures, other)
    assert of_page[["false", "found", "short"]].to_numpy().tolist() == [[False, True, False]]


# Changes that tools report


PAIR = Pair(
    "http://harbour.example/",
    ("a", "b"),
    (Counter(words("the ferry left at nine")), Counter(words("the ferry left at ten"))),
    ("<p>News</p><p>The ferry left at nine</p>", "<p>Letters</p><p>The ferry left at ten</p>"),
)


def test_a_change_of_a_menu_is_boilerplate_and_what_no_tool_says_is_missed() -> None:
    found = score(PAIR, by_difflib(PAIR))
    assert found == Counter(true=2, pairs=1, changes=2, unreal=1, words=4, others=2, hits=2)
    assert score(PAIR, ())["true"] == 2


def test_changes_are_read_from_a_page_that_marks_them() -> None:
    page = "<p>The ferry left at <del>nine</del> <ins>ten</ins> <ins> </ins></p>"
    assert list(marked(page)) == [Change((), ["nine"]), Change(["ten"], ())]
    assert list(marked("")) == []


# Worth of each kind of evidence on blocks


HEAD = box("div", (0, 0, 1000, 100), "the name of the place", **{"class": "head"})
POSTS = [box("li", (0, y, 1000, 500), "what someone says of it") for y in (100, 700, 1300)]
SHOWN = page(
    HEAD, box("ol", (0, 100, 1000, 1700), *POSTS), box("p", (0, 1800, 1000, 200), "at its foot")
)


def drawn(url: str = "https://example.org/") -> DrawnPage:
    rects = [Rect(0, 0, 1000, 100), *(post.rect for post in POSTS), Rect(0, 1800, 1000, 200)]
    blocks = tuple(MarkedBlock(str(n), rect=rect) for n, rect in enumerate(rects))
    return DrawnPage(0, replace(SHOWN, url=url), MarkedPage("", url, blocks))


@pytest.mark.parametrize("name", WITHOUT)
def test_what_is_taken_away_is_there(name: str) -> None:
    with ExitStack() as changed:
        for target, value in WITHOUT[name].items():
            changed.enter_context(patch(target, value))
        assert segment(SHOWN).terminal


def test_blocks_that_people_drew_are_found_if_all_evidence_is_there() -> None:
    assert page_score(drawn(), "dbce") == PageScore(1.0, 5, 5, 0)
    assert page_score(drawn(), "page").f < 1


def test_a_row_tells_what_the_evidence_raises_and_lowers() -> None:
    pages = [drawn("https://a.example.org/"), drawn("https://b.example.org/")]
    whole, less = [PageScore(0.9, 2, 4, 1)] * 2, [PageScore(0.5, 1, 4, 1), PageScore(0.6, 1, 4, 0)]
    assert row("none", pages, less, whole).endswith("| 0.25, 0.50 | 2 (1) | 0 (0) |")
    assert row("none", pages, whole, less).endswith("| 0.50, 1.00 | 0 (0) | 2 (1) |")


# Lists of labels, compared as the papers do it


def test_the_example_of_the_thesis() -> None:
    """Figure 5.5: header, nav, article (D), aside, article, aside, footer; the nav is not found."""
    found = compare_labels("HNDADAF", "HDADAF")
    told = found.distance, found.found, found.expected, found.common, found.gold
    assert told == (1, 4, 5, 6, 7)
    assert found.relative_distance == pytest.approx(1 / 7)
    assert (found.recall, found.precision) == (pytest.approx(6 / 7), 1)
