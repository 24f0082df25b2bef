"""Block gold follows from its journal; what was there is taken over, and nothing is lost."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dbce.cli import main
from dbce.model import NotInRun
from dbce.visual.annotate.blocks.desk import BlockDesk
from dbce.visual.annotate.blocks.pages import Pages, block_gold, import_file
from dbce.visual.measure import block_fields, read_block_gold
from tests.annotate.core.notes import opened, refuses_to_open
from tests.visual.annotate.blocks.conftest import OTHER, PAGE
from tests.visual.annotate.blocks.drawn import block, shown
from tests.visual.stored import write_rendered

INSERT = {"kind": "insert", "block": block_fields(block("B1", 0, 0, 1000, 100))}


def line(**fields: Any) -> str:
    own = {"record_id": PAGE, "url": "http://harbour.example/1", "viewport": [1000, 800]}
    drawn = {"id": "b1", "rect": [0, 0, 500, 500], "by": "Ben", "label": "nav", "from": "drawn"}
    return json.dumps(own | {"blocks": [drawn]} | fields) + "\n"


@contextmanager
def at_desk(gold: Path, pages: Pages, *others: Path) -> Iterator[BlockDesk]:
    with opened(gold, block_gold(pages)) as store:
        for other in others:
            import_file(store, other, pages)
        yield BlockDesk(pages, store, [])


def test_who_comes_back_finds_everything_and_no_page_is_read_for_it(gold, pages, monkeypatch):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    written = gold.read_bytes()
    monkeypatch.setattr(pages, "sheet", None)
    with at_desk(gold, pages) as again:
        assert [one.id for one in again.drawing("Anna", PAGE).tree] == ["B1"]
    assert gold.read_bytes() == written


def test_gold_that_something_else_changed_is_refused(gold: Path, pages: Pages) -> None:
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    gold.write_text(gold.read_text().replace("1000, 100]", "1000, 200]"))
    refuses_to_open(gold, "something else changed it", block_gold(pages))


def test_gold_without_a_journal_is_taken_over(gold: Path, pages: Pages) -> None:
    gold.write_text(line(category="news"))
    with at_desk(gold, pages) as desk:
        assert desk.store.people() == {"Ben": [PAGE]}
        assert json.loads(gold.read_text())["category"] == "news"  # fields of others stay
        (page,) = read_block_gold(str(gold))
        assert (page.blocks[0].label, page.blocks[0].by, page.blocks[0].words) == ("nav", "Ben", 7)
        assert desk.strays() == []


def test_blocks_of_xpaths_alone_get_the_boxes_of_their_elements(gold: Path, pages: Pages) -> None:
    main_element = {"id": "m", "xpaths": ["/html/body/div/main"]}
    empty = {"id": "e", "xpaths": ["/html/body/div[2]"]}
    gold.write_text(line(record_id="", blocks=[main_element, empty]))
    for _ in range(2):
        with at_desk(gold, pages) as desk:
            # Found by its URL; nobody says who drew it.
            assert desk.store.people() == {"gold": [PAGE]}
            assert desk.drawing("gold", PAGE).tree[0].rect == (0, 120, 700, 1700)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"record_id": "", "url": "http://elsewhere/"}, "http://elsewhere/ is not rendered in"),
        ({"viewport": [1366, 768]}, "drawn on in a window 1366 px wide.*--width 1366"),
        (
            {"blocks": [{"id": "x", "xpaths": ["/html/body/table"]}]},
            r"1 of 1 XPaths of the blocks of \S+ are not found on it \(/html/body/table\)",
        ),
    ],
)
def test_gold_that_does_not_fit_stays_as_it_is_and_is_told(gold, pages, fields, sentence):
    gold.write_text(line(**fields) + line(record_id=OTHER, url="http://harbour.example/2"))
    given = json.loads(gold.read_text().splitlines()[0])["blocks"][0]
    with at_desk(gold, pages) as desk:
        kept = json.loads(gold.read_text().splitlines()[0])["blocks"][0]
        assert {name: kept[name] for name in given} == given
        (told,) = desk.strays()
    assert re.search(sentence, told)


def test_a_page_that_its_blocks_do_not_fit_cannot_be_drawn_on(gold: Path, pages: Pages) -> None:
    gold.write_text(line(viewport=[1366, 768]))
    with at_desk(gold, pages) as desk:
        with pytest.raises(NotInRun, match=r"1366 px wide.*; it stays in the gold as it is"):
            desk.marked_page("Ben", PAGE)
        assert desk.marked_page("Anna", PAGE).blocks == ()


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (line(record_id="x", url="http://x.example/"), "is gold of other pages: none of its 1"),
        (line() * 2, "has two lines of urn:uuid:page-1"),
        ('{"record_id": "x"}\n', "line 1: no list of blocks"),
        ("nonsense\n", "line 1"),
    ],
)
def test_what_is_no_gold_of_these_pages_is_one_sentence(gold, rendered, capsys, written, sentence):
    gold.write_text(written)
    assert main(["label", str(rendered), "--blocks", str(gold), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("{}", "line 2: not what dbce label wrote"),
        ('{"by": "A", "at": "", "capture": {"record_id": "x"}, "op": {"kind": "?"}}', "line 2"),
        ('{"by": "A", "at": "", "capture": {"record_id": "x"}, "undo": true}', "nothing to undo"),
    ],
)
def test_an_event_of_something_else_is_one_sentence(gold, pages, damage, sentence):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    with gold.with_name("blocks.jsonl.journal").open("a") as journal:
        journal.write(f"{damage}\n")
    refuses_to_open(gold, sentence, block_gold(pages))


def test_blocks_are_drawn_on_pictures_alone(tmp_path: Path, capsys) -> None:
    words = ["label", str(tmp_path), "--blocks", str(tmp_path / "g"), "--port", "0"]
    assert main(words) == 2
    assert "holds no rendered pages; dbce render INPUT --out" in capsys.readouterr().err
    write_rendered(tmp_path, [shown(1)])
    assert main(words) == 2
    assert "was rendered without pictures; dbce render with --pictures" in capsys.readouterr().err


def test_what_others_drew_comes_in_once_and_is_no_gold_before_somebody_chooses(
    gold: Path, pages: Pages, tmp_path: Path
) -> None:
    given = tmp_path / "ben.jsonl"
    given.write_text(line())
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    for _ in range(2):
        with at_desk(gold, pages, given) as desk:
            assert desk.store.people() == {"Anna": [PAGE], "Ben": [PAGE]}
            assert gold.read_text() == ""
    assert len(gold.with_name("blocks.jsonl.journal").read_text().splitlines()) == 2


def test_what_is_drawn_is_gold_that_segmentations_are_scored_against(gold, pages, rendered, capsys):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    asked = ["evaluate-blocks", str(gold), "--gold", str(gold), "--rendered", str(rendered)]
    assert main(asked) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| blocks"))
    assert row.split("|")[2:4] == ["     1 ", " 1.000 "]  # pages, Cc
