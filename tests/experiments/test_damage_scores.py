"""Pairs that are cut for the purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.archive import capture
from dbce.model import hash_strings
from dbce.visual.changes.snapshot import BlockColumns
from scripts.experiments.damage_scores import away, cut_off, cuts
from tests.site import article, story
from tests.visual.changes.build import harbour, lighthouse, run

if TYPE_CHECKING:
    from pathlib import Path


def test_the_first_words_are_left_and_blocks_behind_them_are_empty() -> None:
    floats = np.ones(3, np.float32)
    whole = BlockColumns(
        *(hash_strings(list("abcdef")), np.zeros(6, np.uint8), np.array([2, 5, 6], np.uint32)),
        *(floats, np.zeros(3, np.uint32), floats, np.empty((0, 4), np.float32)),
    )
    left = cut_off(whole, 0.5)
    assert left.words.tolist() == whole.words[:3].tolist()
    assert left.sizes.tolist() == [2, 1, 0]


def test_each_pair_with_other_bytes_is_told_as_it_is_and_cut(tmp_path: Path) -> None:
    long = [story(f"part{n}") for n in range(4)]
    out = run(
        tmp_path,
        harbour("2014", lighthouse(*long)),
        harbour("2015", lighthouse(*long)),
        harbour("2016", lighthouse(*long, story("news"))),
    )
    told = cuts(str(out))
    of_page = told[told["url"].str.contains("lighthouse")]
    assert of_page[["false", "found"]].to_numpy().tolist() == [[False, True]]


def test_of_each_three_the_middle_one_is_told_as_it_is_and_by_another_site_s_page(
    tmp_path: Path,
) -> None:
    pages = (lighthouse(story(f"part{n}"), story("whole")) for n in range(3))
    market = article("market", *(" ".join(f"m{n}x{word}" for word in range(60)) for n in range(4)))
    out = run(
        tmp_path,
        *(harbour(f"201{n}", html) for n, html in enumerate(pages)),
        capture("http://market.example/", market, "20140101000000"),
    )
    told = away(str(out))
    of_page = told[told["url"].str.contains("lighthouse")]
    assert of_page[["false", "found", "short"]].to_numpy().tolist() == [[False, True, False]]
