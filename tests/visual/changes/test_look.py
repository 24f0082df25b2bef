"""Pages that were rendered: what the crawl lost, what a change weighs, how two pictures differ; and two snapshots as Pagelyzer compares them."""

import pytest

pytest.importorskip("skimage", reason="pip install 'dbce[render]'")

from io import BytesIO

import numpy as np
from PIL import Image

from dbce.visual.changes import pagelyzer
from dbce.visual.changes.boxes import ChangedBlocks
from dbce.visual.changes.history import PAGELYZER, ChangeModel
from dbce.visual.changes.look import compare_pictures
from dbce.visual.segment.vixml import BlockContent, NamedAddress
from tests.site import png
from tests.visual.changes.build import (
    changes,
    harbour,
    laid_out,
    lighthouse,
    linked,
    run,
    write_looks,
)

OLD, NEW = harbour("2014", lighthouse("a note")), harbour("2015", lighthouse("a note "))
WHOLE = (1, 20, 30)
"""Style sheets, images and all that a page asked for."""


def _found(*found):
    kinds = ("style_sheets", "images", "requests")
    names = (*kinds, *(f"{kind}_found" for kind in kinds))
    return dict(zip(names, (*WHOLE, *found), strict=True))


def _row(folder, resources=()):
    """The change of a page that was rendered twice, with these resources."""
    return _change(folder, [laid_out(one, "a story", "its end") for one in (OLD, NEW)], resources)


def _change(folder, pages, resources=(), mode="hybrid"):
    out = run(folder, OLD, NEW)
    write_looks(out, pages, resources)
    (row,) = changes(out, "--mode", mode)
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
def test_a_page_that_found_much_less_of_its_resources_is_damaged(tmp_path, before, after, damage):
    row = _row(tmp_path, [_found(*before), _found(*after)])
    assert (row["mode"], row["damage"]) == ("hybrid", damage)
    assert (row["images_found_before"], row["images_found"]) == (before[1] / 20, after[1] / 20)
    assert (row["style_sheets_found"], row["resources"]) == (after[0], after[2] / 30)


def test_what_an_older_version_rendered_has_no_numbers_of_each_kind(tmp_path):
    row = _row(tmp_path)
    assert (row["damage"], row["style_sheets_found"]) == (None, 1)


def test_a_page_that_asks_for_more_than_was_archived_has_lost_nothing(tmp_path):
    row = _row(tmp_path, [{"style_sheets": n, "style_sheets_found": 1} for n in (1, 5)])
    assert (row["style_sheets_found"], row["damage"]) == (0.2, None)


PLAYED = "/web/2013im_/http://harbour.example/map.png"


def row_of(folder, old, new):
    return _change(folder, [linked(OLD, old), linked(NEW, new)])


def test_links_and_images_weigh_as_words_of_their_block(tmp_path):
    one = row_of(tmp_path / "one", {"a": "/ferry"}, {"a": "/clocks"})
    old, new = {"a": "/ferry", "img": "/ferry"}, {"a": "/clocks", "img": "/clocks"}
    two = row_of(tmp_path / "two", old, new)
    assert (one["boxes_changed"], one["boxes_kept"]) == (1, 1)
    # Beside two words that stay one address of one changed, then two of two.
    assert one["weight"] / (1 / 3) == pytest.approx(two["weight"] / (2 / 4))
    assert one["weight"] > 0


def test_another_image_weighs_as_another_link(tmp_path):
    link = row_of(tmp_path / "link", {"a": "/ferry"}, {"a": "/clocks"})
    image = row_of(tmp_path / "image", {"img": "/ferry"}, {"img": "/clocks"})
    assert link["weight"] == image["weight"] > 0


def test_the_same_addresses_weigh_nothing_whoever_played_them(tmp_path):
    row = row_of(tmp_path, {"img": "http://harbour.example/map.png"}, {"img": PLAYED})
    assert (row["boxes_changed"], row["boxes_kept"], row["weight"]) == (0, 2, 0)


def drawn(rows):
    stream = BytesIO()
    Image.fromarray(rows).save(stream, "PNG")
    return stream.getvalue()


def noise(height, seed):
    return np.random.default_rng(seed).integers(0, 256, (height, 120, 3), np.uint8)


def test_a_picture_is_like_itself():
    found = compare_pictures(drawn(noise(200, 1)), drawn(noise(200, 1)))
    assert found == (1, 1, 1, 0, 0, 0)


def test_a_new_line_above_changes_its_own_rows_only():
    old = noise(400, 1)
    found = compare_pictures(drawn(old), drawn(np.vstack([noise(40, 2), old])))
    assert found.rows_kept == pytest.approx(2 * 400 / 840)
    assert found.pixels == pytest.approx(40 / 440, abs=0.001)
    assert found.ssim > 0.85
    assert found.pixels_top > 0.3  # not aligned


def test_other_pictures_differ_everywhere():
    found = compare_pictures(drawn(noise(200, 1)), drawn(noise(300, 2)))
    assert found.rows_kept == 0
    assert found.pixels > 0.9
    assert found.ssim < 0.5
    assert found.difference_hash > 8


def test_rows_that_changed_are_held_against_what_stood_there():
    old = noise(200, 1)
    new = old.copy()
    new[:, :12] = 255 - new[:, :12]
    found = compare_pictures(drawn(old), drawn(new))
    assert found.rows_kept == 0
    assert found.pixels == pytest.approx(0.1, abs=0.01)
    assert found.ssim > 0.8


def block(ref, text="", link="", *, is_leaf=True):
    links = (NamedAddress(link, "more"),) if link else ()
    return BlockContent(ref, is_leaf, links, (), (text,) if text else ())


BLOCKS = (
    block("", is_leaf=False),
    block("1", "The ferry leaves at nine"),
    block("2", "Tickets", "/tickets"),
    block("3", "No dogs"),
)


def test_blocks_stay_move_change_come_and_go():
    new = (block("", is_leaf=False), block("1", "The ferry leaves at ten"), block("2", "No dogs"))
    assert pagelyzer.delta(BLOCKS, new) == ChangedBlocks(
        kept=[(0, 0), (3, 2)], changed=[(1, 1)], removed=[2], added=[]
    )
    assert pagelyzer.delta(new, BLOCKS).added == [2]


def test_the_delta_is_a_share_of_the_blocks_and_of_the_leaves():
    new = (*BLOCKS[:2], block("2", "Tickets", "/fares"), *BLOCKS[3:], block("4", "New"))
    shares = {"changed by min blocks": 1 / 4, "changed by min leaves": 1 / 3}
    shares |= {"added by max blocks": 1 / 5, "links in common": 0}
    found = pagelyzer.structure_features(BLOCKS, new)
    assert {name: found[f"delta: {name}"] for name in shares} == shares
    assert pagelyzer.structure_features(BLOCKS, BLOCKS)["delta: links in common"] == 1


def test_leaves_are_paired_by_their_number():
    turned = (BLOCKS[0], *reversed(BLOCKS[1:]))
    features = pagelyzer.content_features
    assert features(BLOCKS, BLOCKS)["cosine: words"] == pytest.approx(1)
    assert features(BLOCKS, turned)["cosine: words"] == pytest.approx(1 / 3)
    one_link_less = (*BLOCKS[:2], block("2", "Tickets"), BLOCKS[3])
    links = features(BLOCKS, one_link_less)["cosine: addresses of links"]
    assert links == pytest.approx(2 / 3)
    assert features(BLOCKS, BLOCKS)[pagelyzer.OTHER_NUMBER] == 0
    assert features(BLOCKS, BLOCKS[:-1])[pagelyzer.OTHER_NUMBER] == 1


def test_patches_stand_as_in_a_honeycomb():
    found = pagelyzer.patches(png((255, 255, 255), 24, 24))
    assert found.shape == (3, pagelyzer.COLOURS)
    assert set(found.sum(axis=1)) == {144}
    assert pagelyzer.patches(png((0, 0, 0), 5, 5)).shape == (0, pagelyzer.COLOURS)


def test_patches_of_other_colours_have_no_colour_in_common():
    red, blue = (pagelyzer.patches(png(colour, 12, 12)) for colour in ((200, 0, 0), (0, 0, 200)))
    assert float((red @ blue.T)[0, 0]) == 0


def test_pictures_differ_by_their_words_whatever_their_size():
    white, black = png((255, 255, 255), 60, 60), png((0, 0, 0), 60, 60)
    assert set(pagelyzer.image_features(white, png((255, 255, 255), 120, 120)).values()) == {0}
    assert min(pagelyzer.image_features(white, black).values()) > 1
    assert [len(words) for words in pagelyzer.colour_words()] == [100, 200]
    assert np.isfinite(list(pagelyzer.image_features(png((0, 0, 0), 5, 5), black).values())).all()


def test_another_number_of_blocks_decides_at_once_and_margins_are_clipped():
    more = {"is_margin": True, "rule": pagelyzer.OTHER_NUMBER}
    model = ChangeModel(("x",), (0,), (1,), (-9,), 0, 1, 0, **more)
    assert model.score({"x": 1, pagelyzer.OTHER_NUMBER: 0}) == 1
    assert model.score({"x": 0.05, pagelyzer.OTHER_NUMBER: 0}) == pytest.approx(0.45)
    assert model.score({"x": 1, pagelyzer.OTHER_NUMBER: 1}) == -1


@pytest.mark.parametrize("mode", PAGELYZER)
def test_a_run_is_compared_as_pagelyzer_does(mode, tmp_path):
    pages = [laid_out(OLD, "a story", "its end"), laid_out(NEW, "a story", "another end")]
    row = _change(tmp_path, pages, mode=mode)
    assert row["mode"] == mode
    assert -1 <= row["score"] <= 1
    assert row["boxes_kept"] + row["boxes_changed"] + row["boxes_removed"] > 0
    assert row["boxes_changed"] == 1
