"""What a change in a block weighs, where it is known which links and images are in it."""

import pytest

pytest.importorskip("skimage", reason="pip install 'dbce[render]'")

from pathlib import Path

from tests.visual.changes.build import changes, harbour, lighthouse, run
from tests.visual.changes.rendered import linked, write_looks

OLD, NEW = harbour("2014", lighthouse("a note")), harbour("2015", lighthouse("a note "))
PLAYED = "/web/2013im_/http://harbour.example/map.png"


def row_of(folder: Path, old: dict[str, str], new: dict[str, str]) -> dict:
    out = run(folder, OLD, NEW)
    write_looks(out, [linked(OLD, old), linked(NEW, new)])
    return changes(out, "--mode", "hybrid")[0]


def test_links_and_images_weigh_as_words_of_their_block(tmp_path: Path) -> None:
    one = row_of(tmp_path / "one", {"a": "/ferry"}, {"a": "/clocks"})
    old, new = {"a": "/ferry", "img": "/ferry"}, {"a": "/clocks", "img": "/clocks"}
    two = row_of(tmp_path / "two", old, new)
    assert (one["boxes_changed"], one["boxes_kept"]) == (1, 1)
    # Beside two words that stay one address of one changed, then two of two.
    assert one["weight"] / (1 / 3) == pytest.approx(two["weight"] / (2 / 4))
    assert one["weight"] > 0


def test_another_image_weighs_as_another_link(tmp_path: Path) -> None:
    link = row_of(tmp_path / "link", {"a": "/ferry"}, {"a": "/clocks"})
    image = row_of(tmp_path / "image", {"img": "/ferry"}, {"img": "/clocks"})
    assert link["weight"] == image["weight"] > 0


def test_the_same_addresses_weigh_nothing_whoever_played_them(tmp_path: Path) -> None:
    row = row_of(tmp_path, {"img": "http://harbour.example/map.png"}, {"img": PLAYED})
    assert (row["boxes_changed"], row["boxes_kept"], row["weight"]) == (0, 2, 0)
