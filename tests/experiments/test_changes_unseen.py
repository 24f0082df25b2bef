"""Runs whose verdicts are held-out texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dbce.output import node_rows, open_run
from scripts.experiments.changes_unseen import run
from tests.site import stored, story
from tests.visual.changes.build import harbour, lighthouse

if TYPE_CHECKING:
    from pathlib import Path


def test_the_lines_of_a_held_out_text_are_content_and_no_others(tmp_path: Path) -> None:
    page = harbour("2014", lighthouse())
    archive, gold = tmp_path / "pages.warc.gz", tmp_path / "pages.gold.jsonl"
    archive.write_bytes(stored(page))
    row = {"record_id": f"<{page.record_id}>", "gold_text": ""}
    gold.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    run(str(archive), str(gold), {page.record_id: story("keeper")}, tmp_path / "out")
    (folder,) = (tmp_path / "out").iterdir()
    rows = node_rows(open_run(str(folder))[0], page.record_id)
    assert {one["decided_by"] for one in rows} == {"held out"}
    content = [one["text"] for one in rows if one["label"] == "content"]
    assert " ".join(content) == story("keeper")
    assert (folder / gold.name).read_text(encoding="utf-8") == gold.read_text(encoding="utf-8")
