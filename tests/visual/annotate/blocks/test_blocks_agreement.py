"""How far two people agree on blocks: by characters, and by the roles of blocks that correspond."""

from dataclasses import replace

import pandas as pd
import pytest

from dbce.cli import main
from dbce.visual.annotate.blocks.agreement import BlockAgreement, on_page
from dbce.visual.annotate.blocks.desk import BlockDesk
from dbce.visual.annotate.blocks.pages import block_gold, sheet_of
from dbce.visual.measure import MarkedPage, block_fields
from tests.annotate.core.notes import opened
from tests.runs import refusal
from tests.visual.annotate.blocks.conftest import HIGH, OTHER, PAGE, WIDE, block, shown

HEADER = block("h", 0, 0, WIDE, 100, label="header")
MAIN = block("m", 0, 120, 700, 1700, label="section")
ASIDE = block("a", 720, 120, 280, 1700, label="aside")
SHEET = sheet_of(shown())


def drawn(*blocks):
    return MarkedPage(PAGE, "http://harbour.example/1", blocks, size=(WIDE, HIGH))


ALL = drawn(HEADER, MAIN, ASIDE)


def test_who_draws_the_same_agrees_wholly():
    found = BlockAgreement("A", "B", (on_page(ALL, ALL, SHEET),))
    assert found.segments == (1, 1, 1)
    assert (found.corresponding, found.role_agreement, found.kappa) == (3, 1, 1)


def test_who_merges_more_has_low_precision():
    body = block("b", 0, 120, 1000, 1700)
    found = on_page(ALL, drawn(HEADER, body), SHEET)
    # Characters: header 15; main 18 and 20; aside 8, which the second has with main.
    precision = (15 + (38 * 38 + 8 * 8) / 46) / 61
    assert found.segments[:2] == pytest.approx((precision, 1.0))
    assert found.corresponding == 1  # main and aside lie in one block
    assert found.roles == {("header", "header"): 1}


def test_kappa_counts_the_roles_of_blocks_that_correspond():
    other = drawn(HEADER, replace(MAIN, label="article"), replace(ASIDE, label=""))
    found = BlockAgreement("A", "B", (on_page(ALL, other, SHEET),))
    assert found.corresponding == 3
    assert found.roles.total() == 2  # a block without a role is not asked
    assert found.role_agreement == 0.5
    # Both say header once; the first says section, the other article: pe = 1/4.
    assert found.kappa == pytest.approx((0.5 - 0.25) / 0.75)


def test_what_holds_others_is_not_compared():
    around = block("x", 0, 110, 1000, 1720)
    inside = [replace(one, parent="x") for one in (MAIN, ASIDE)]
    found = on_page(ALL, drawn(HEADER, around, *inside), SHEET)
    assert found.segments == (1, 1, 1)


def test_who_draws_round_no_text_gives_no_number():
    nothing = drawn(block("n", 0, 1990, 5, 5))
    found = BlockAgreement("A", "B", (on_page(nothing, drawn(HEADER), SHEET),))
    assert found.segments.f1 != found.segments.f1
    assert (found.corresponding, found.role_agreement, found.kappa) == (0, None, None)


def write(path, pages, *said):
    with opened(path, block_gold(pages)) as store:
        desk = BlockDesk(pages, store, [])
        for by, record_id, one in said:
            desk.do(by, record_id, op={"kind": "insert", "block": block_fields(one)})


def test_the_command_says_it_of_a_journal(gold, pages, rendered, capsys):
    both = [("Anna", PAGE, HEADER), ("Ben", PAGE, HEADER), ("Ben", OTHER, MAIN)]
    write(gold, pages, *both, ("Anna", PAGE, MAIN), ("Ben", PAGE, MAIN))
    table = gold.with_name("agreement.csv")
    assert main(["agree", str(rendered), "--blocks", str(gold), "--csv", str(table)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "Anna, Ben" in line]
    values = [cell.strip() for cell in row.strip("|").split("|")]
    assert values == ["Anna, Ben", "1", "1.000", "1.000", "1.000", "2", "2", "1.000", "1.000"]
    (of_page,) = pd.read_csv(table).to_dict("records")
    assert (of_page["url"], of_page["f1"]) == ("http://harbour.example/1", 1)


def test_the_command_takes_a_file_of_each_with_or_without_journals(
    tmp_path, pages, rendered, capsys
):
    files = [tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"]
    write(files[0], pages, ("Anna", PAGE, HEADER))
    write(files[1], pages, ("Ben", PAGE, MAIN))
    files[1].with_name("ben.jsonl.journal").unlink()
    assert main(["agree", str(rendered), "--blocks", *map(str, files)]) == 0
    assert "Anna, Ben" in capsys.readouterr().out


def test_what_cannot_be_compared_is_one_sentence(gold, pages, rendered, capsys):
    write(gold, pages, ("Anna", PAGE, HEADER), ("Ben", OTHER, HEADER))
    for given, sentence in (
        ([gold], "was drawn on by two people; drawn on by Anna, Ben"),
        ([gold, gold], "Anna has drawn on http://harbour.example/1 in two of the files"),
        ([gold.with_name("none.jsonl")], "none.jsonl"),
    ):
        assert sentence in refusal(capsys, "agree", rendered, "--blocks", *given)
