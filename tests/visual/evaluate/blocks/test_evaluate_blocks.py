"""`dbce evaluate-blocks`: what it prints and writes, and its report in Chromium."""

import csv
from io import BytesIO
from types import SimpleNamespace

import pytest
from PIL import Image, ImageDraw

from dbce.cli import main
from dbce.visual.evaluate.blocks import report
from dbce.visual.evaluate.blocks.report import render, short_names, worst
from dbce.visual.render import Picture
from tests.browser import suits_everybody
from tests.runs import refusal
from tests.test_docs import section, table
from tests.visual.evaluate.blocks.test_evaluation import counted, run, scored
from tests.visual.measure.worked import (
    GOLD,
    RECORD,
    URL,
    computed_file,
    gold_file,
    marked,
    worked_page,
    write_lines,
)

HOSTILE = 'http://a.example/"><script>alert(1)</script>'


@pytest.fixture
def rendered(monkeypatch):
    """A folder of rendered pages that holds the worked page and its screenshot."""
    monkeypatch.setattr(report, "read_rendered", lambda folder: iter([worked_page()]))
    shot = Picture(b"a picture", "image/png")
    folder = SimpleNamespace(picture=lambda record_id: shot)
    monkeypatch.setattr(report, "RenderedFolder", lambda uri: folder)
    return "rendered"


def call(folder, *options):
    return main(["evaluate-blocks", computed_file(folder), "--gold", gold_file(folder), *options])


@pytest.mark.parametrize(
    ("tolerances", "counts"),
    [
        ([], "1.000 | 1.000 | 1.000 | 0.000 | 1.000"),
        (["--t-r", "0.2", "--t-t", "0"], "2.000 | 1.000 | 0.000 | 1.000 | 1.000"),
    ],
)
def test_it_prints_the_tables(tmp_path, rendered, capsys, tolerances, counts):
    assert call(tmp_path, "--rendered", rendered, *tolerances) == 0
    printed = capsys.readouterr().out
    assert f"| ours      |     1 | {counts} | 3.000 | 5.000 | 4.000 |  0.750 |" in printed
    assert " 0.848 |        0.975 |        0.907 |" in printed


def test_it_writes_a_row_for_each_page_and_algorithm_and_one_for_each_algorithm(tmp_path, rendered):
    scores, summary = tmp_path / "scores.csv", tmp_path / "summary.csv"
    call(tmp_path, "--rendered", rendered, "--csv", str(scores), "--summary", str(summary))
    (row,) = csv.DictReader(scores.open(encoding="utf-8"))
    assert (row["url"], row["algorithm"], row["cq"], row["copied"]) == (URL, "ours", "3", "False")
    (row,) = csv.DictReader(summary.open(encoding="utf-8"))
    assert (row["algorithm"], row["pages"], row["Cq/GTB"]) == ("ours", "1", "0.75")


@pytest.fixture
def drawn(rendered, monkeypatch):
    """The same folder with a true screenshot: the upper half of the header alone has something in it."""
    picture = Image.new("L", (200, 400), 255)
    ImageDraw.Draw(picture).rectangle((20, 8, 180, 20), fill=0)
    stream = BytesIO()
    picture.save(stream, "PNG")
    folder = SimpleNamespace(screenshot=lambda record_id: stream.getvalue())
    monkeypatch.setattr(report, "RenderedFolder", lambda uri: folder)
    return rendered


def test_edges_are_scored_if_asked_for_and_every_column_is_described(tmp_path, drawn, capsys):
    scores = tmp_path / "scores.csv"
    call(tmp_path, "--rendered", drawn, "--edges", "--csv", str(scores))
    assert "coarse edges F" in capsys.readouterr().out
    (row,) = csv.DictReader(scores.open(encoding="utf-8"))
    assert (row["bcubed_edges_fine_f"], row["bcubed_edges_coarse_f"]) == ("1.0", "1.0")
    assert float(row["bcubed_area_f"]) < 0.9, "all other blocks are cut otherwise"
    described = table(section("docs/segmentation-measures.md", "Columns"), columns=2)[1:]
    names = [name for names, _ in described for name in names.replace("`", "").split(", ")]
    assert sorted(names) == sorted(row)


def test_edges_need_screenshots(tmp_path, capsys):
    assert call(tmp_path, "--edges") == 2
    assert "--edges looks at screenshots: name the folder" in capsys.readouterr().err


def test_the_report_draws_both_segmentations_over_the_screenshot(tmp_path, rendered):
    report = tmp_path / "report.html"
    call(tmp_path, "--rendered", rendered, "--html", str(report))
    html = report.read_text(encoding="utf-8")
    assert html.count('<rect class="gold"') == 4
    assert html.count('<rect class="computed"') == 5
    assert '<rect class="gold" x="0.0" y="40.0" width="50.0" height="320.0">' in html
    assert html.count('<image id="picture-0" href="data:image/png;base64,YSBwaWN0dXJl"/>') == 1
    assert '<use href="#picture-0" width="200"/>' in html
    assert '<svg viewBox="0 0 200 400"' in html


def test_names_of_pages_are_text_in_the_report(tmp_path):
    hostile = {"record_id": "", "url": HOSTILE, "width": 9, "height": 9}
    blocks = [{"id": "b", "rect": list(GOLD[0]), "elements": 1, "words": 1}]
    path = write_lines(tmp_path / "<b>.jsonl", marked([]) | hostile | {"blocks": blocks})
    report = tmp_path / "report.html"
    assert main(["evaluate-blocks", path, "--gold", path, "--html", str(report)]) == 0
    html = report.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "<b>" not in html
    assert "<image" not in html


def test_the_worst_pages_come_first(tmp_path):
    pages = [{"record_id": "", "url": f"http://{n}.example/"} for n in range(7)]
    cut = [counted(GOLD[: n % 4 + 1], **page) for n, page in enumerate(pages)]
    found = scored(tmp_path, [counted(GOLD, **page) for page in pages], cut, None)
    shown = list(worst(found, "ours"))
    scores = [page.score for page in shown]
    assert len(shown) == 5
    assert scores == sorted(scores)
    assert shown[0].score == found.table["bcubed_area_f"].min()
    assert "Worst pages" in render(found, "gold.jsonl", lambda page: "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["x.jsonl", "--gold", "missing.jsonl"], "cannot read the gold labels missing.jsonl"),
        (["x.jsonl", "--gold", "{gold}"], "cannot read the segmentations x.jsonl"),
        (["{gold}", "--gold", "{gold}", "--rendered", "{folder}"], "holds no rendered pages"),
        (["{folder}", "--gold", "{gold}"], "has no table of blocks: make one with dbce segment"),
        (["{gold}", "--gold", "{empty}"], "holds no gold; write one JSON object a line"),
        (["{gold}", "--gold", "{gold}", "--t-r", "most"], "argument --t-r: invalid float value"),
    ],
)
def test_wrong_use_is_one_sentence(tmp_path, capsys, options, sentence):
    empty = write_lines(tmp_path / "empty.jsonl")
    names = {"gold": gold_file(tmp_path), "folder": str(tmp_path), "empty": empty}
    words = (option.format(**names) for option in options)
    assert sentence in refusal(capsys, "evaluate-blocks", *words)


def test_stored_rows_of_gosh_are_compared_with_its_own_gold_alone(tmp_path, rendered, capsys):
    n = {"n": [0, 0, 50, 50], "elements": 1, "words": 1, "importance": 1}
    one = {"width": 200, "height": 400, "page_words": 9, "blocks": [n], "stored": {}}
    page = {"url": URL, "category": "blog", "segmentations": {"GT": one, "BOM": one}}
    page["capture"] = {"record_id": f"<{RECORD}>"}
    path = write_lines(tmp_path / "gosh.jsonl", page)
    ours = gold_file(tmp_path)
    assert main(["evaluate-blocks", path, "--gold", ours, "--rendered", rendered]) == 2
    assert "compare them with its gold, without --rendered" in capsys.readouterr().err
    assert main(["evaluate-blocks", path, "--gold", path]) == 0
    assert "| BoM       |     1 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("algorithms", "names"),
    [
        (["bom(pA=5, pD=50)", "vips(pdoc=5)", "page()", "ours"], ["bom", "vips", "page", "ours"]),
        (["bom(pA=5, pD=50)", "bom(pA=.5, pD=50)"], ["bom(pA=5)", "bom(pA=.5)"]),
    ],
)
def test_parameters_that_tell_nothing_apart_are_left_out(algorithms, names):
    found = short_names([*algorithms, *algorithms])
    assert [*found.items()] == [*zip(algorithms, names, strict=True)]


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


@pytest.fixture
def drawn_report(tmp_path, browser):
    """A report with a screenshot of 200 x 400 pixels."""
    blank = browser.new_page(viewport={"width": 200, "height": 400})
    picture = Picture(blank.screenshot(), "image/png")
    blank.close()
    found = run(gold_file(tmp_path), computed_file(tmp_path), rendered=[worked_page()])
    return render(found, "gold.jsonl", lambda page: picture.uri)


@pytest.mark.browser
def test_the_screenshot_is_as_large_as_the_page_and_below_the_blocks(page, drawn_report):
    page.set_content(drawn_report)
    assert page.locator("svg use").evaluate(
        "use => { const b = use.getBBox(); return [b.width, b.height]; }"
    ) == [200, 400]
    shown = page.locator("svg rect.gold").first
    drawn = page.locator("svg[role=img]").bounding_box()
    header = shown.bounding_box()
    assert header["y"] - drawn["y"] < 4
    assert header["height"] / drawn["height"] == pytest.approx(40 / 400, abs=0.02)


@pytest.mark.browser
def test_it_is_accessible_and_fits_a_phone(page, drawn_report):
    page.set_content(drawn_report)
    suits_everybody(page)
