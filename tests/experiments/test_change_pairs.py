"""Pairs of snapshots with gold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from dbce.model import UsageError
from scripts.experiments.change_pairs import pairs
from tests.site import story
from tests.visual.changes.build import harbour, lighthouse, run

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.model import Capture


def gold(path: Path, *captures: tuple[Capture, str]) -> str:
    objects = [
        {
            "record_id": f"<{one.record_id}>",
            "url": one.url,
            "timestamp": f"{one.timestamp:%Y%m%d%H%M%S}",
            "gold_text": text,
        }
        for one, text in captures
    ]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8")
    return str(path)


def test_gold_says_whether_the_content_changed_and_how_much(tmp_path: Path) -> None:
    old, new = harbour("2014", lighthouse()), harbour("2015", lighthouse(story("oil")))
    out = run(tmp_path, old, new)
    path = gold(tmp_path / "x.gold.jsonl", (new, "a b c"), (old, "a b d"))
    (row,) = pairs(str(out), path, pictures=False).to_dict("records")
    assert (row["old"], row["new"]) == (old.record_id, new.record_id)
    assert (row["content"], row["share"]) == (True, 2 / 6)


def test_gold_of_other_pages_is_said_in_a_sentence(tmp_path: Path) -> None:
    out = run(tmp_path, harbour("2014", lighthouse()))
    others = [harbour(year, lighthouse("elsewhere")) for year in ("2011", "2012")]
    path = gold(tmp_path / "x.gold.jsonl", *((one, "a") for one in others))
    with pytest.raises(UsageError, match="it is of other pages"):
        pairs(str(out), path, pictures=False)
