"""What the crawl lost is told from what the page changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("skimage", reason="pip install 'dbce[render]'")

from dbce.visual.changes.history import LACKING
from tests.visual.changes.build import changes, harbour, lighthouse, run
from tests.visual.changes.rendered import laid_out, write_looks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("found", "damage"),
    [((1.0, 0.5), LACKING), ((1.0, 0.9), None), ((0.5, 0.5), None), ((0.5, 1.0), None)],
)
def test_a_page_that_found_much_less_of_its_sheets_and_images_is_damaged(
    tmp_path: Path, found: tuple[float, float], damage: str | None
) -> None:
    old, new = harbour("2014", lighthouse()), harbour("2015", lighthouse("a note"))
    out = run(tmp_path, old, new)
    write_looks(out, [laid_out(one, "a story", "its end") for one in (old, new)], found)
    (row,) = changes(out, "--mode", "hybrid")
    assert (row["mode"], row["damage"]) == ("hybrid", damage)
    assert (row["resources_before"], row["resources"]) == found
