"""What the crawl lost is told from what the page changed."""

import pytest

pytest.importorskip("skimage", reason="pip install 'dbce[render]'")

from collections.abc import Sequence
from pathlib import Path

from dbce.output import Row
from tests.visual.changes.build import changes, harbour, lighthouse, run
from tests.visual.changes.rendered import laid_out, write_looks

WHOLE = (1, 20, 30)
"""Style sheets, images and all that a page asked for."""


def _found(style_sheets: int, images: int, requests: int) -> dict[str, int]:
    kinds = zip(("style_sheets", "images", "requests"), WHOLE, strict=True)
    found = (style_sheets, images, requests)
    return {
        k: v for (k, n), f in zip(kinds, found, strict=True) for k, v in ((k, n), (f"{k}_found", f))
    }


def _row(folder: Path, resources: Sequence[dict[str, int]] = ()) -> Row:
    """The change of a page that was rendered twice, with these resources."""
    old, new = harbour("2014", lighthouse()), harbour("2015", lighthouse("a note"))
    out = run(folder, old, new)
    write_looks(out, [laid_out(one, "a story", "its end") for one in (old, new)], resources)
    (row,) = changes(out, "--mode", "hybrid")
    return row


@pytest.mark.parametrize(
    ("before", "after", "damage"),
    [
        (WHOLE, (1, 20, 15), "no-resources"),
        (WHOLE, (0, 20, 29), "no-style"),
        (WHOLE, (1, 10, 20), "no-pictures"),
        (WHOLE, (0, 0, 0), "no-style"),
        (WHOLE, (1, 18, 27), None),
        ((0, 10, 15), (0, 10, 15), None),
        ((0, 0, 0), WHOLE, None),
    ],
)
def test_a_page_that_found_much_less_of_its_sheets_and_images_is_damaged(
    tmp_path: Path,
    before: tuple[int, int, int],
    after: tuple[int, int, int],
    damage: str | None,
) -> None:
    row = _row(tmp_path, [_found(*before), _found(*after)])
    assert (row["mode"], row["damage"]) == ("hybrid", damage)
    assert (row["images_found_before"], row["images_found"]) == (before[1] / 20, after[1] / 20)
    assert (row["style_sheets_found"], row["resources"]) == (after[0], after[2] / 30)


def test_what_an_older_version_rendered_has_no_numbers_of_each_kind(tmp_path: Path) -> None:
    row = _row(tmp_path)
    assert (row["damage"], row["style_sheets_found"]) == (None, 1)


def test_a_page_that_asks_for_more_than_was_archived_has_lost_nothing(tmp_path: Path) -> None:
    row = _row(tmp_path, [{"style_sheets": n, "style_sheets_found": 1} for n in (1, 5)])
    assert (row["style_sheets_found"], row["damage"]) == (0.2, None)
