"""What people saw of a capture, with blocks, roles and verdicts over it, of two what changed framed; and runs without that."""

import re
import shutil
from dataclasses import replace

import pytest

from dbce.cli import main
from dbce.view.run import open_view
from dbce.view.server import start
from dbce.visual import Rect
from dbce.visual.view.layers import content_of, outlines, visual_diff
from tests.browser import suits_everybody
from tests.gate import first
from tests.site import png
from tests.view.conftest import client_of, serve_to
from tests.view.harbour import record_id
from tests.visual.pages import box, numbered, page, words, write_rendered

FERRY, CLOCK = record_id(2015, "ferry"), record_id(2015, "clocks")
PNG = png((240, 240, 255), 1000, 2000)


def ferry():
    story = words("Story", (10, 200, 500, 20), (10, 230, 300.25, 20))
    header = box("header", (0, 0, 1000, 100), words("Menu", (10, 10, 80, 20)))
    shown = page(header, box("main", (0, 100, 1000, 1800), story))
    return replace(numbered(shown), record_id=FERRY)


@pytest.fixture(scope="module")
def seen(harbour, tmp_path_factory):
    """The folder of a run of which one page is rendered and cut in two ways."""
    folder = tmp_path_factory.mktemp("seen") / "out"
    shutil.copytree(harbour, folder)
    write_rendered(folder, [ferry()], [PNG])
    for algorithm in ("dbce", "html5"):
        assert main(["segment", str(folder), "--algorithm", algorithm, "--master", "none"]) == 0
    return folder


@pytest.fixture
def copied(seen, tmp_path):
    shutil.copytree(seen, tmp_path / "out")
    return tmp_path / "out"


def asking(folder):
    return client_of(open_view(str(folder), {}))


def test_texts_are_outlined_by_what_most_of_their_words_are():
    said = (0, "Menu", "boilerplate"), (1, "Unabridged", "boilerplate"), (1, "a b c", "content")
    runs = [{"node": node, "text": text, "label": label} for node, text, label in said]
    assert outlines(ferry(), runs) == {
        "boilerplate": "M10 10h80v20h-80z",
        "content": "M10 200h500v20h-500zM10 230h300.2v20h-300.2z",
    }
    assert outlines(ferry(), []) == {}


def test_the_blocks_of_each_algorithm_lie_over_the_screenshot_with_their_roles(seen):
    client = asking(seen)
    text = client.get(f"/layers?id={FERRY}").text
    assert client.get(f"/screenshot?id={FERRY}").data == PNG
    assert "blocks by dbce" in text
    assert "blocks by html5" in text
    html5 = text.partition('<g id="blocks-2"')[2].partition("</svg>")[0]
    assert re.findall(r'class="block (\w+)', html5) == ["header", "article"]
    assert '<rect x="0.0" y="0.0" width="1000.0" height="100.0"/>' in html5
    assert '<path class="verdict' in text
    assert re.search(r"\d+.% content</small>", text)


def test_without_a_picture_there_is_a_sketch_and_how_to_get_one(seen, copied):
    shutil.rmtree(copied / "rendered")
    write_rendered(copied, [ferry()])
    client = asking(copied)
    how = f"dbce render INPUT --out {copied} --overwrite --pictures"
    assert how in client.get(f"/layers?id={FERRY}").text
    answer = client.get(f"/screenshot?id={FERRY}")
    assert answer.content_type == "image/svg+xml"
    assert ">Story</text>" in answer.text
    assert "no picture was taken" not in asking(seen).get(f"/layers?id={FERRY}").text


def test_of_each_block_it_is_told_what_share_is_content():
    runs = [
        {"node": 0, "text": "Home", "label": "boilerplate"},
        {"node": 1, "text": "two words", "label": "content"},
        {"node": 1, "text": "and three incomprehensible", "label": "comment"},
        {"node": 2, "text": "*", "label": "content"},
    ]
    assert content_of(runs) == {0: 0.0, 1: 0.4}


def test_what_is_not_rendered_says_so_and_only_what_is_leads_to_a_screenshot(seen, harbour):
    client = asking(harbour)
    answer = client.get(f"/layers?id={FERRY}")
    assert f"dbce render INPUT --out {harbour}" in answer.text
    assert "<svg id=" not in answer.text
    assert client.get(f"/screenshot?id={FERRY}").status_code == 404
    assert "could not be rendered" in asking(seen).get(f"/layers?id={CLOCK}").text
    pages = [(seen, FERRY), (seen, CLOCK), (harbour, FERRY)]
    texts = [asking(folder).get(f"/capture?id={page}").text for folder, page in pages]
    assert [">Screenshot<" in text for text in texts] == [True, False, False]


def test_without_blocks_there_is_the_screenshot_with_verdicts_alone(copied):
    shutil.rmtree(copied / "blocks")
    text = asking(copied).get(f"/layers?id={FERRY}").text
    assert f"dbce segment {copied}" in text
    assert '<path class="verdict' in text
    assert 'class="block' not in text


def test_a_table_of_blocks_that_cannot_be_read_costs_its_layer_alone(copied):
    (copied / "blocks" / "blocks" / "html5.parquet").write_bytes(b"PAR1 no table")
    text = asking(copied).get(f"/layers?id={FERRY}").text
    assert "blocks by dbce" in text
    assert "blocks by html5" not in text


def test_a_link_that_leads_out_of_the_folder_is_not_followed(copied):
    own, elsewhere = copied / "rendered/screenshots/site.dbce.warc.gz", copied.with_name("moved")
    own.rename(elsewhere)
    own.symlink_to(elsewhere)
    answer = asking(copied).get(f"/screenshot?id={FERRY}")
    assert answer.status_code == 500
    assert "leads out of the run&#39;s folder" in answer.text


@pytest.fixture(scope="module")
def address(seen, windows):
    with serve_to(start(str(seen), {}, "127.0.0.1", 0), windows) as address:
        yield address


@pytest.mark.browser
def test_layers_are_switched_by_mouse_and_keys(page, address):
    page.goto(f"{address}/layers?id={FERRY}")
    page.locator("#shot").evaluate("shot => shot.decode()")
    names = ("blocks-1", "blocks-2", "verdicts")
    dbce, html5, verdicts = (page.locator(f"#{name}") for name in names)
    assert [one.is_visible() for one in (dbce, html5, verdicts)] == [True, False, True]
    page.get_by_role("checkbox", name="blocks by html5").check()
    page.keyboard.press("1")
    page.keyboard.press("v")
    assert [one.is_visible() for one in (dbce, html5, verdicts)] == [False, True, False]
    assert page.locator("#list-2").is_visible()
    name = html5.locator("text").first
    assert name.is_visible()
    page.keyboard.press("r")
    assert not name.is_visible()
    page.keyboard.press("w")
    page.locator("#list-2 a").last.click()
    assert page.locator("#list-2 a[aria-current]").count() == 1


@pytest.mark.browser
@pytest.mark.parametrize("name", first([FERRY, CLOCK]))
def test_the_layers_are_accessible_and_fit_a_phone(page, address, name):
    page.goto(f"{address}/layers?id={name}")
    suits_everybody(page)


OLD, NEW = record_id(2013, "ferry"), FERRY
SIZE = (1000, 800)
CHANGED, MENU, NOTE = (0, 100, 1000, 80), (0, 0, 1000, 80), (0, 500, 1000, 80)
RUNS = [
    {"node": n, "text": "some words", "start": 0, "end": 9, "label": label}
    for n, label in enumerate(("boilerplate", "content", "boilerplate"))
]


def laid_out(name, *texts):
    boxes = (box("div", rect, words(text, (10, rect[1], 900, 20))) for text, rect in texts)
    return replace(numbered(page(*boxes, size=SIZE)), record_id=name)


HOME, OFFICE = ("home letters", MENU), ("by our office", NOTE)
BEFORE = laid_out(OLD, HOME, ("the ferry sails at noon", CHANGED))
AFTER = laid_out(NEW, HOME, ("the ferry sails at seven", CHANGED), OFFICE)


def test_blocks_that_changed_came_or_went_are_told_from_above_with_their_verdicts():
    changed, added = visual_diff(BEFORE, AFTER, RUNS[:2], RUNS)
    place = Rect(*CHANGED)
    assert changed == ("changed", place, place, True)
    assert added == ("added", None, Rect(*NOTE), False)
    kinds = [one.kind for one in visual_diff(AFTER, BEFORE, RUNS, RUNS[:2])]
    assert kinds == ["changed", "removed"]
    assert visual_diff(BEFORE, BEFORE, RUNS[:2], RUNS[:2]) == []


@pytest.fixture(scope="module")
def rendered(harbour, tmp_path_factory):
    """A run of which both snapshots of a page are rendered."""
    folder = tmp_path_factory.mktemp("rendered") / "out"
    shutil.copytree(harbour, folder)
    pictures = [png(colour, *SIZE) for colour in ((240, 240, 255), (255, 240, 240))]
    write_rendered(folder, [BEFORE, AFTER], pictures)
    return folder


def test_frames_lie_over_both_screenshots(rendered):
    client = asking(rendered)
    text = client.get("/seen", query_string={"id": NEW, "with": OLD}).text
    frames = re.findall(r'<g id="(\w+-\d)" class="differs (\w+)', text)
    assert frames == [("old-1", "changed"), ("new-1", "changed"), ("new-2", "added")]
    assert '<rect x="0.0" y="500.0" width="1000.0" height="80.0"/>' in text
    for name in (OLD, NEW):
        assert f'src="/screenshot?id={name}"' in text


def test_the_timeline_leads_to_them_where_both_are_rendered(rendered, harbour):
    client = asking(rendered)
    address = f'href="/seen?id={NEW}&amp;with={OLD}"'
    assert address in client.get("/timeline", query_string={"id": NEW}).text
    assert "/seen" not in client.get("/timeline", query_string={"id": CLOCK}).text
    some = client.get("/seen", query_string={"id": CLOCK}).text
    assert "One of the two could not be rendered" in some
    assert f'href="/compare?id={CLOCK}&amp;with=' in some
    assert "dbce render INPUT" in asking(harbour).get("/seen", query_string={"id": NEW}).text


@pytest.mark.browser
def test_two_screenshots_are_accessible_and_fit_a_phone(page, rendered):
    with serve_to(start(str(rendered), {}, "127.0.0.1", 0), page.context) as address:
        page.goto(f"{address}/seen?id={NEW}&with={OLD}")
        suits_everybody(page)
