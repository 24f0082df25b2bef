"""Two snapshots as Pagelyzer compares them: blocks by their contents and numbers, pictures by their colours."""

import pytest

pytest.importorskip("PIL", reason="pip install 'dbce[render]'")


import numpy as np

from dbce.visual.changes import pagelyzer
from dbce.visual.changes.history import PAGELYZER, ChangeModel
from dbce.visual.segment.vixml import BlockContent, NamedAddress
from tests.visual.changes.build import changes, harbour, laid_out, lighthouse, run, write_looks
from tests.visual.render.build import png


def block(ref, text="", link="", *, is_leaf=True):
    links = (NamedAddress(link, "more"),) if link else ()
    return BlockContent(ref, is_leaf, links, (), (text,) if text else ())


OLD = (
    block("", is_leaf=False),
    block("1", "The ferry leaves at nine"),
    block("2", "Tickets", "/tickets"),
    block("3", "No dogs"),
)


def test_blocks_stay_move_change_come_and_go():
    new = (block("", is_leaf=False), block("1", "The ferry leaves at ten"), block("2", "No dogs"))
    assert pagelyzer.delta(OLD, new) == pagelyzer.Delta(
        kept=[(0, 0), (3, 2)], changed=[(1, 1)], removed=[2], added=[]
    )
    assert pagelyzer.delta(new, OLD).added == [2]


def test_the_delta_is_a_share_of_the_blocks_and_of_the_leaves():
    new = (*OLD[:2], block("2", "Tickets", "/fares"), *OLD[3:], block("4", "New"))
    found = pagelyzer.structure_features(OLD, new)
    assert found["delta: changed by min blocks"] == 1 / 4
    assert found["delta: changed by min leaves"] == 1 / 3
    assert found["delta: added by max blocks"] == 1 / 5
    assert found["delta: links in common"] == 0
    assert pagelyzer.structure_features(OLD, OLD)["delta: links in common"] == 1


def test_leaves_are_paired_by_their_number():
    turned = (OLD[0], *reversed(OLD[1:]))
    assert pagelyzer.content_features(OLD, OLD)["cosine: words"] == pytest.approx(1)
    assert pagelyzer.content_features(OLD, turned)["cosine: words"] == pytest.approx(1 / 3)
    one_link_less = (*OLD[:2], block("2", "Tickets"), OLD[3])
    assert pagelyzer.content_features(OLD, one_link_less)[
        "cosine: addresses of links"
    ] == pytest.approx(2 / 3)
    assert pagelyzer.content_features(OLD, OLD)[pagelyzer.OTHER_NUMBER] == 0
    assert pagelyzer.content_features(OLD, OLD[:-1])[pagelyzer.OTHER_NUMBER] == 1


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
    model = ChangeModel(
        ("x",), (0,), (1,), (-9,), 0, 1, 0, is_margin=True, rule=pagelyzer.OTHER_NUMBER
    )
    assert model.score({"x": 1, pagelyzer.OTHER_NUMBER: 0}) == 1
    assert model.score({"x": 0.05, pagelyzer.OTHER_NUMBER: 0}) == pytest.approx(0.45)
    assert model.score({"x": 1, pagelyzer.OTHER_NUMBER: 1}) == -1


@pytest.mark.parametrize("mode", PAGELYZER)
def test_a_run_is_compared_as_pagelyzer_does(mode, tmp_path):
    old, new = harbour("2014", lighthouse()), harbour("2015", lighthouse("a note"))
    out = run(tmp_path, old, new)
    write_looks(out, [laid_out(old, "a story", "its end"), laid_out(new, "a story", "another end")])
    (row,) = changes(out, "--mode", mode)
    assert row["mode"] == mode
    assert -1 <= row["score"] <= 1
    assert row["boxes_kept"] + row["boxes_changed"] + row["boxes_removed"] > 0
    assert row["boxes_changed"] == 1
