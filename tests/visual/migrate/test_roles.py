"""Blocks become elements by the rules for each: renamed, wrapped, wrapped together, or left."""

from functools import partial

import pytest

from dbce.visual.migrate import migrate
from tests.visual.migrate.build import PAGE, block, body_of, looks, migrated

header, nav, article = (partial(block, role) for role in ("header", "nav", "article"))

LIST = "<ul><li>{}</li></ul>"
TABLE = "<table><tbody><tr><td>{}</td></tr></tbody></table>"
X = TABLE.format("x")
ROW = "/table[1]/tbody[1]/tr[1]"
A, B, C = "/div[1]/div[1]/p[1]", "/div[1]/p[1]", "/p[1]"
INSIDE = "<div><p>a</p></div>"
APART = f"<div>{INSIDE}<p>b</p></div><p>c</p>"
TWO = "<div>a<b>c</b></div><div>d</div>"
MOST = f"<div><nav><p>x</p></nav><footer>{TWO}</footer></div><p>e</p>"
OF_TWO = block("footer", "/div[1]/div[1]", "/div[1]/div[2]", C)


@pytest.mark.parametrize(
    ("old", "blocks", "hows", "new"),
    [
        # A block of one div is renamed, any other element is wrapped.
        ("<div id=a>x</div>", [nav("/div[1]")], "renamed", '<nav id="a">x</nav>'),
        (LIST.format("x"), [nav("/ul[1]")], "wrapped", f"<nav>{LIST.format('x')}</nav>"),
        # Of what stands in a list or a table what it holds is.
        (LIST.format("x"), [nav("/ul[1]/li[1]")], "wrapped-inside", LIST.format("<nav>x</nav>")),
        (X, [nav(f"{ROW}/td[1]")], "wrapped-inside", TABLE.format("<nav>x</nav>")),
        (X, [nav(ROW)], "wrapped-inside", TABLE.format("<nav>x</nav>")),
        # Siblings are wrapped together with what stands between, if that is no other block.
        (
            "<b>a</b> b <p>c<p>d",
            [nav("/b[1]", C)],
            "wrapped-together",
            "<nav><b>a</b> b <p>c</p></nav><p>d</p>",
        ),
        ("<p>a<ul></ul><p>b", [header(C, "/p[2]"), nav("/ul[1]")], "left-apart wrapped", ""),
        # Elements apart are said by what holds them if it holds no other block,
        (APART, [article(A, B)], "renamed", f"<article>{INSIDE}<p>b</p></article><p>c</p>"),
        (APART, [article(A, B), nav(C)], "renamed wrapped", ""),
        (APART, [article(A, C), nav(B)], "left-apart wrapped", ""),
        # and else by most of them.
        (f"<div><p>x</p>{TWO}</div><p>e</p>", [nav(B), OF_TWO], "wrapped wrapped-together", MOST),
        # Where HTML forbids an element none is.
        (TABLE.format("x<td>y"), [nav(ROW)], "left-forbidden", ""),
        ("<p><span>x</span></p>", [nav("/p[1]/span[1]")], "left-forbidden", ""),
        (INSIDE, [header("/div[1]"), header(B, parent=1)], "renamed left-forbidden", ""),
        # An element that says a role stays, and one that is not in the page as it was stored is told.
        ("<nav>x</nav>", [header("/nav[1]")], "kept", "<nav>x</nav>"),
        ("x", [nav("/div[9]")], "left-not-found", "x"),
    ],
)
def test_a_block_becomes_an_element_or_is_left(old, blocks, hows, new):
    found = migrated(old, *blocks)
    assert [one.how for one in found.assignments] == hows.split()
    assert body_of(found).replace(' data-h5="r1"', "") == new or not new


def test_an_element_that_is_added_has_no_box():
    assert looks(migrated(LIST.format("x"), nav("/ul[1]")), "nav") == {"display:contents"}


def test_one_main_stands_round_the_block_with_most_content():
    blocks = [article(f"/div[{n}]", content=n % 3) for n in (1, 2, 3)]
    found = migrated("<div>a</div><div>b</div><div>c</div>", *blocks)
    assert body_of(found).count("<main") == 1
    assert "<article>b</article></main>" in body_of(found)


def test_in_a_table_where_no_main_may_stand_the_role_says_so():
    found = migrated(X, article(f"{ROW}/td[1]", content=9))
    assert "<main" not in found.html
    assert 'role="main"' in body_of(found)


def test_the_way_that_changes_fewer_matches_of_selectors_is_taken():
    menu = nav("/div[1]")
    styled = migrated("<div>x</div>", menu, head="<style>div{color:red}</style>")
    assert (styled.way, styled.changed) == ("wrap", {"rename": 1, "wrap": 0})
    child = migrated("<div id=a>x</div>", menu, head="<style>body>#a{color:red}</style>")
    assert (child.way, child.changed) == ("rename", {"rename": 0, "wrap": 1})


def test_roles_can_be_left_out_whose_elements_the_page_styles():
    page = "<html><head><style>footer{color:red}</style></head><body><div>x</div></body></html>"
    found = migrate(page, [PAGE, block("footer", "/div[1]")])
    assert found.styled == {"footer"}
    again = migrate(page, [PAGE, block("footer", "/div[1]")], leave=found.styled)
    assert [one.how for one in again.assignments] == ["left-styled"]
    assert "<footer" not in again.html
