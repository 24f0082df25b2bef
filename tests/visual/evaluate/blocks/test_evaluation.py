"""Gold finds its pages and segmentations, what cannot be used is told in one sentence; measures of others, on the examples that define them."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import wasserstein_distance

from dbce.model import UsageError
from dbce.visual import Rect
from dbce.visual.evaluate.blocks import BlockEvaluationSettings, evaluate, evaluation
from dbce.visual.evaluate.blocks.sides import read_blocks
from dbce.visual.evaluate.results import Half, half
from dbce.visual.measure import CONVENTIONS, Contents, Flat
from dbce.visual.measure.measures import NormalBlock, atoms
from tests.data import shared
from tests.visual.measure.worked import (
    COMPUTED,
    GOLD,
    RECORD,
    SIZE,
    URL,
    computed_file,
    flat,
    gold_file,
    marked,
    worked_page,
    write_lines,
)


def run(gold, *computed, rendered=None, **more):
    return evaluate(BlockEvaluationSettings(gold, computed, CONVENTIONS["dbce"], **more), rendered)


OURS, SHOWN = [marked(COMPUTED)], [worked_page()]


def scored(folder, gold, ours=OURS, pages=SHOWN):
    """Run on lines of gold and of a segmentation, of the worked page unless others are given."""
    names = {"gold": gold, "ours": ours}
    paths = [write_lines(folder / f"{name}.jsonl", *lines) for name, lines in names.items()]
    return run(*paths, rendered=pages)


def test_a_rendered_page_is_measured_by_what_is_on_it(tmp_path):
    found = scored(tmp_path, [marked(GOLD)])
    (row,) = found.table.to_dict("records")
    assert (row["url"], row["record_id"], row["algorithm"]) == (URL, RECORD, "ours")
    assert [row[f"c{letter}"] for letter in "coumfq"] == [1, 1, 1, 0, 1, 3]
    assert row["bcubed_characters_f"] == pytest.approx(0.907354, abs=5e-7)
    assert (row["tc"], row["words"]) == (1, 120)
    assert row["adjusted_rand"] < row["nmi"] < 1
    assert found.notes == ()


def counted(rects, **more):
    blocks = [
        {"id": f"b{n}", "rect": list(rect), "elements": block.elements, "words": block.words}
        for n, (rect, block) in enumerate(zip(rects, flat(rects).blocks, strict=True))
    ]
    page = {"width": SIZE[0], "height": SIZE[1], "viewport": [200, 200], "words": 120}
    return marked(rects) | page | {"blocks": blocks} | more


def test_counts_that_are_stored_do_where_no_page_is_rendered(tmp_path):
    found = scored(tmp_path, [counted(GOLD)], [counted(COMPUTED)], None)
    (row,) = found.table.to_dict("records")
    assert [row[f"c{letter}"] for letter in "coumfq"] == [1, 1, 1, 0, 1, 3]
    assert [row[f"ic{letter}"] for letter in "coumfq"] == [0, 0, 1, 0, 0, 1]
    assert row["bcubed_area_f"] == pytest.approx(0.8053, abs=5e-5)
    assert "bcubed_characters_f" not in row


def test_several_segmentations_of_a_page_are_a_row_each(tmp_path):
    # The page is found by its URL where the record id is not known.
    gold = write_lines(tmp_path / "unnamed.jsonl", marked(GOLD, record_id=""))
    segmentations = computed_file(tmp_path), gold_file(tmp_path)
    found = run(gold, *segmentations, rendered=[worked_page()])
    assert found.table["algorithm"].tolist() == ["ours", "gold"]
    assert found.table["cc"].tolist() == [1, 4]
    assert found.table["exact_f"].iloc[1] == found.table["bcubed_elements_f"].iloc[1] == 1


def other(name, rects=GOLD):
    return marked(rects, record_id="", url=f"http://{name}.example/")


def named(name):
    url = f"http://{name}.example/"
    return replace(worked_page(), record_id=url, url=url)


def test_what_lacks_a_partner_is_left_out_and_named(tmp_path):
    gold = [marked(GOLD), other("not-rendered"), other("not-cut"), other("empty", [])]
    ours = marked(COMPUTED), other("empty")
    found = scored(tmp_path, gold, ours, [worked_page(), named("not-cut"), named("empty")])
    assert len(found.table) == 1
    left_out = "left out, since there is no"
    assert found.notes == (
        f"{left_out} rendered page: 1 page of the gold, http://not-rendered.example/",
        f"{left_out} segmentation: 1 page of the gold, http://not-cut.example/",
        f"{left_out} block in the gold: 1 page of the gold, http://empty.example/",
    )


def test_a_page_with_paths_that_are_not_found_is_set_aside(tmp_path):
    paths = ["/html[1]/body[1]/div[2]", "/html[1]/body[1]/ul[1]"]
    blocks = [{"xpath": path, "level": 1, "type": "Menu", "text": ""} for path in paths]
    lines = [
        {"url": "http://kreuzer.example/", "dom_url": URL, "blocks": blocks},
        {"url": URL, "dom_url": "http://b.example/", "blocks": blocks[:1]},
    ]
    ours = marked(COMPUTED), other("b")
    found = scored(tmp_path, lines, ours, [worked_page(), named("b")])
    assert found.table["url"].tolist() == ["http://b.example/"]
    why = "1 of 2 XPaths of its gold are not found on it (/html[1]/body[1]/ul[1])"
    assert found.notes == (f"left out, since {why}: 1 page of the gold, {URL}",)


def test_gold_of_other_pages_is_wrong_use(tmp_path):
    sentence = rf"^no page of {tmp_path}/gold.jsonl can be compared with {tmp_path}.* no rendered page: 1 page of the gold, http://other"
    with pytest.raises(UsageError, match=sentence):
        scored(tmp_path, [other("other")])


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (marked(GOLD), "its width and height are not known"),
        (marked(GOLD, width=200, height=400), "block b0 has no numbers of elements and words"),
        (
            marked([], width=9, height=9) | {"blocks": [{"id": "b0", "xpaths": ["/html/body"]}]},
            "block b0 has no rectangle",
        ),
    ],
)
def test_what_only_a_rendered_page_can_say_is_asked_for(tmp_path, page, sentence):
    with pytest.raises(UsageError, match=rf"{sentence} \(--rendered DIR would say\): 1 page"):
        scored(tmp_path, [page], pages=None)


def test_one_half_is_looked_at_alone(tmp_path):
    urls = [f"http://site-{n}.example/" for n in range(9)]
    lines = (counted(GOLD, record_id="", url=url) for url in urls)
    path = write_lines(tmp_path / "gold.jsonl", *lines)
    found = {each: run(path, path, half=each).table["url"].tolist() for each in Half}
    assert sorted(found[Half.DEVELOPMENT] + found[Half.HELD_OUT]) == urls
    assert all(half(url) == each for each, of_half in found.items() for url in of_half)


def test_two_segmentations_of_a_page_by_one_algorithm_are_wrong_use(tmp_path):
    ours = computed_file(tmp_path)
    with pytest.raises(UsageError, match=f"{RECORD} has two segmentations by ours: name one"):
        run(gold_file(tmp_path), ours, ours, rendered=[worked_page()])


LATER = "urn:uuid:later"
SNAPSHOTS = replace(worked_page(), record_id=LATER), worked_page()


def test_another_snapshot_of_the_url_is_another_page(tmp_path):
    ours = marked(COMPUTED, record_id=LATER), marked(COMPUTED)
    found = scored(tmp_path, [marked(GOLD)], ours, SNAPSHOTS)
    assert found.table["record_id"].tolist() == [RECORD]
    with pytest.raises(UsageError, match="there is no segmentation: 1 page"):
        scored(tmp_path, [marked(GOLD)], ours[:1], SNAPSHOTS)


def test_two_snapshots_of_a_url_have_gold_each(tmp_path):
    gold = marked(GOLD), marked(GOLD[:2], record_id=LATER)
    ours = marked(COMPUTED), marked(COMPUTED, record_id=LATER)
    found = scored(tmp_path, gold, ours, SNAPSHOTS[::-1])
    assert found.table[["record_id", "gtb"]].to_numpy().tolist() == [[RECORD, 4], [LATER, 2]]
    assert found.notes == ()


def test_of_two_renderings_of_a_page_that_in_the_window_of_the_gold_counts(tmp_path):
    wider = replace(worked_page(), viewport=(300, 200), size=(300, 400))
    gold = [marked(GOLD, viewport=[200, 200])]
    found = scored(tmp_path, gold, pages=[wider, worked_page(), worked_page()])
    assert [page.gold.size for page in found.pages] == [SIZE]


def gosh_page(number, name, rect):
    url = f"http://{name}.example/"
    left, top, width, height = rect
    block = {"left": left, "top": top, "right": left + width, "bottom": top + height}
    gold = {"width": 200, "height": 400, "page_words": 9, "blocks": [block]}
    page = {"page": number, "url": f"{url}then", "category": "blog"}
    return page | {"capture": {"record_id": f"<{url}>"}, "segmentations": {"GT": gold}}


def test_gold_of_gosh_is_laid_over_captures_where_it_fits_today(tmp_path):
    names = ("fitting", "wide", "bad")
    pages = (gosh_page(n, name, (-7, 0, 200, 40)) for n, name in enumerate(names))
    gold = write_lines(tmp_path / "gosh.blocks.jsonl", *pages)
    fit = {"window": 200, "dx": 7, "fit": 1, "blocks": 2}
    rows = [fit, fit | {"window": 1117}, fit | {"fit": 0}]
    write_lines(tmp_path / "gosh.fit.jsonl", *(row | {"page": n} for n, row in enumerate(rows)))
    ours = write_lines(tmp_path / "ours.jsonl", *map(other, names))
    found = run(gold, ours, rendered=map(named, names))
    (row,) = found.table.to_dict("records")
    assert (row["group"], row["cc"], row["gtb"]) == ("blog", 1, 1)
    assert row["url"] == "http://fitting.example/"
    wide = (
        "left out, since it is not rendered in a window as wide as the gold's: 1 page of the gold"
    )
    assert found.notes == (f"{wide}, http://wide.example/then",)


def test_without_knowing_how_it_fits_gold_of_gosh_is_not_laid_over_captures(tmp_path):
    gold = write_lines(tmp_path / "gosh.blocks.jsonl", gosh_page(1, "a", GOLD[0]))
    with pytest.raises(UsageError, match=r"cannot read the fit of the gold .*gosh\.fit\.jsonl"):
        run(gold, computed_file(tmp_path), rendered=[worked_page()])
    write_lines(tmp_path / "gosh.fit.jsonl", {"page": 1})
    with pytest.raises(UsageError, match="is no fit of gold: KeyError"):
        run(gold, computed_file(tmp_path), rendered=[worked_page()])


ROWS = [
    ("r1", "a", -1, 0, "header"),
    ("r1", "a", 0, 1, ""),
    ("r1", "b", -1, 2, None),
    ("<r2>", "a", -1, 3, ""),
]


def write(path, rows=ROWS, without=()):
    names = ("record_id", "algorithm", "parent", "x", "role")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    columns |= dict.fromkeys("ywh", [9.0] * len(rows))
    kept = {name: values for name, values in columns.items() if name not in without}
    path.parent.mkdir(exist_ok=True, parents=True)
    pq.write_table(pa.table(kept), path)


def test_blocks_come_by_page_and_algorithm(tmp_path):
    write(tmp_path / "blocks/blocks/one.parquet")
    pages = list(read_blocks(str(tmp_path)))
    told = [(page.record_id, page.algorithm, len(page.blocks)) for page in pages]
    assert told == [("r1", "a", 2), ("r1", "b", 1), ("r2", "a", 1)]
    first, second = pages[0].blocks
    assert (first.rect, first.label) == (Rect(0, 9, 9, 9), "header")
    assert second.parent == first.id
    assert list(read_blocks(str(tmp_path / "blocks/blocks/one.parquet"))) == pages


def test_what_is_no_table_of_blocks_is_wrong_use(tmp_path):
    with pytest.raises(UsageError, match="no table of blocks: make one with dbce segment"):
        list(read_blocks(str(tmp_path)))
    path = tmp_path / "one.parquet"
    write(path, without=("parent", "x"))
    with pytest.raises(UsageError, match="no column parent, x"):
        list(read_blocks(str(path)))
    path.write_text("record_id,x,y,w,h")
    with pytest.raises(UsageError, match="cannot read the table of blocks"):
        list(read_blocks(str(path)))


def test_clusters_of_texts_are_compared():
    # A text a letter: aaabbb by the gold, aabbcc by the other.
    texts = atoms([(10 * n + 5, 5, 1) for n in range(6)])
    sides = (tuple(NormalBlock(x, 0, x + w, 10, 1, 1) for x in range(0, 60, w)) for w in (30, 20))
    gold, computed = (Flat("", (100, 10), 0, blocks, ()) for blocks in sides)
    contents = Contents(texts, texts.weights, texts)
    found = evaluation.score(gold, computed, CONVENTIONS["dbce"], contents)
    assert found["rand"] == pytest.approx(10 / 15)
    assert round(found["adjusted_rand"], 4) == 0.2424
    assert round(found["nmi"], 4) == 0.5295, "by the geometric mean of the entropies"
    assert found["dunn"] == pytest.approx(2)


def test_dunn_is_the_least_distance_by_the_largest_diameter():
    points = np.array([(0, 0), (0, 2), (6, 0), (6, 2), (0, 10), (2, 10)], float)
    assert evaluation.dunn(points, np.array([0, 0, 1, 1, 2, 2])) == pytest.approx(3)
    assert np.isnan(evaluation.dunn(points, np.zeros(6, int)))
    assert evaluation.dunn(points, np.arange(6)) == float("inf")


def test_earth_is_moved_the_shortest_way_and_no_more_than_is_asked_for():
    def moved(*masses_and_distances):
        return evaluation.earth_movers(*(np.array(one, float) for one in masses_and_distances))

    assert moved([0.4, 0.6], [0.5, 0.5], [[0, 10], [10, 0]]) == pytest.approx(1)
    assert moved([2, 2], [1], [[3], [1]]) == 1


def test_the_distance_of_two_blocks_is_that_of_their_extents():
    one, other = NormalBlock(10, 0, 40, 100, 0, 0), NormalBlock(20, 0, 25, 100, 0, 0)
    quantiles = (np.arange(2000) + 0.5) / 2000
    expected = wasserstein_distance(0.1 + 0.3 * quantiles, 0.2 + 0.05 * quantiles)
    assert evaluation.nested_earth_movers([one], [other]) == pytest.approx(expected, rel=1e-5)


def test_a_segmentation_is_nowhere_from_itself_and_as_far_from_another_as_that_from_it():
    gold, computed = flat(GOLD).blocks, flat(COMPUTED).blocks
    assert evaluation.nested_earth_movers(gold, gold) == pytest.approx(0)
    there = evaluation.nested_earth_movers(gold, computed)
    assert there > 0.1
    assert there == pytest.approx(evaluation.nested_earth_movers(computed, gold))
    assert np.isnan(evaluation.nested_earth_movers(gold, ()))


def test_atoms_are_in_the_smallest_block_and_alone_outside_of_all():
    blocks = [NormalBlock(0, 0, 50, 50, 0, 0), NormalBlock(0, 0, 10, 10, 0, 0)]
    places = [(5, 5, 1), (20, 20, 1), (30, 30, 1), (80, 80, 1), (90, 90, 1)]
    first, second, third, *outside = evaluation.partition(atoms(places), blocks)
    assert (first, second, third) == (1, 0, 0)
    assert len({0, 1, *outside}) == 4
    assert len(set(evaluation.partition(atoms(places), []))) == 5


def test_blocks_are_found_exactly_once_each():
    header, *_ = gold = flat(GOLD).blocks
    found = evaluation.exact_scores(gold, flat(COMPUTED).blocks, 0)
    assert found == pytest.approx((1 / 5, 1 / 4, 2 / 9))
    assert evaluation.exact_scores([header], [header, header], 0).precision == 0.5
    assert evaluation.exact_scores(gold, (), 0).recall == 0


def test_all_pages_of_a_domain_are_in_one_half():
    urls = ["http://www.wikipedia.org", "https://de.wikipedia.org/wiki/Fähre"]
    assert {half(url) for url in urls} == {half("http://wikipedia.org/")}


@pytest.mark.data
@pytest.mark.parametrize(("name", "held_out", "pages"), [("kreuzer", 13, 25), ("gosh", 32, 68)])
def test_the_halves_of_the_sets(name, held_out, pages):
    lines = shared(f"{name}/{name}.blocks.jsonl").read_text(encoding="utf-8").splitlines()
    halves = [half(json.loads(line)["url"]) for line in lines]
    assert len(halves) == pages
    assert halves.count(Half.HELD_OUT) == held_out
