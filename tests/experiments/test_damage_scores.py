"""Pairs that are cut for the purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.model import hash_strings
from dbce.visual.changes.snapshot import BlockColumns
from scripts.experiments.damage_scores import cut_off, cuts
from tests.site import story
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
