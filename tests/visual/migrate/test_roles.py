"""Blocks become elements by the rules for each: renamed, wrapped, wrapped together, or left."""

from dbce.visual.migrate import RoleOutcome, migrate
from tests.visual.migrate.build import PAGE, block, body_of, looks, migrated


def hows(found):
    return [one.how for one in found.given]


def test_a_block_of_one_div_is_renamed():
    found = migrated("<div id=a>x</div>", block("nav", "/div[1]"))
    assert body_of(found) == '<nav id="a">x</nav>'
    assert hows(found) == [RoleOutcome.RENAMED]


def test_any_other_element_is_wrapped_and_the_new_one_has_no_box():
    found = migrated("<ul><li>x</ul>", block("nav", "/ul[1]"))
    assert "<ul><li>x</li></ul></nav>" in body_of(found)
    assert looks(found, "nav") == {"display:contents"}


def test_in_a_cell_what_it_holds_is_wrapped():
    found = migrated("<table><tr><td>x</table>", block("aside", "/table[1]/tbody[1]/tr[1]/td[1]"))
    assert "<td><aside" in body_of(found)
    assert hows(found) == [RoleOutcome.INSIDE]


def test_siblings_are_wrapped_together_with_what_stands_between():
    found = migrated("<h1>a</h1> b <p>c</p><p>d</p>", block("header", "/h1[1]", "/p[1]"))
    assert "<h1>a</h1> b <p>c</p></header><p>d</p>" in body_of(found)
    assert hows(found) == [RoleOutcome.TOGETHER]


def test_siblings_with_another_block_between_are_left():
    blocks = block("aside", "/p[1]", "/p[2]"), block("nav", "/ul[1]")
    found = migrated("<p>a</p><ul><li>x</ul><p>b</p>", *blocks)
    assert hows(found) == [RoleOutcome.APART, RoleOutcome.WRAPPED]


def test_elements_apart_are_said_by_what_holds_them_if_it_holds_no_other_block():
    body = "<div><div><p>a</p></div><p>b</p></div><p>c</p>"
    paths = "/div[1]/div[1]/p[1]", "/div[1]/p[1]"
    assert hows(migrated(body, block("article", *paths))) == [RoleOutcome.RENAMED]
    both = block("article", *paths), block("nav", "/p[1]")
    assert hows(migrated(body, *both)) == [RoleOutcome.RENAMED, RoleOutcome.WRAPPED]
    inner = block("article", "/div[1]/div[1]/p[1]", "/p[1]"), block("nav", "/div[1]/p[1]")
    assert hows(migrated(body, *inner))[0] is RoleOutcome.APART


def test_elements_apart_that_nothing_holds_alone_are_said_by_most_of_them():
    body = "<div><p>x</p><div>a<b>c</b></div><div>d</div></div><p>e</p>"
    footer = block("footer", "/div[1]/div[1]", "/div[1]/div[2]", "/p[1]")
    found = migrated(body, block("nav", "/div[1]/p[1]"), footer)
    assert hows(found) == [RoleOutcome.WRAPPED, RoleOutcome.TOGETHER]
    assert "<div>a<b>c</b></div><div>d</div></footer></div><p>e</p>" in body_of(found)


def test_where_html_forbids_an_element_none_is():
    row = migrated("<table><tr><td>x<td>y</table>", block("nav", "/table[1]/tbody[1]/tr[1]"))
    assert hows(row) == [RoleOutcome.FORBIDDEN]
    one_cell = migrated("<table><tr><td>x</table>", block("nav", "/table[1]/tbody[1]/tr[1]"))
    assert "<td><nav" in body_of(one_cell)
    item = migrated("<ul><li>x</ul>", block("nav", "/ul[1]/li[1]"))
    assert body_of(item).startswith("<ul><li><nav")
    span = migrated("<p><span>x</span></p>", block("nav", "/p[1]/span[1]"))
    assert hows(span) == [RoleOutcome.FORBIDDEN]
    inner = block("header", "/div[1]/div[1]", parent=1)
    twice = migrated("<div><div>x</div></div>", block("header", "/div[1]"), inner)
    assert hows(twice) == [RoleOutcome.RENAMED, RoleOutcome.FORBIDDEN]


def test_an_element_that_says_a_role_stays():
    assert hows(migrated("<nav>x</nav>", block("header", "/nav[1]"))) == [RoleOutcome.KEPT]


def test_an_element_that_is_not_in_the_page_as_it_was_stored_is_told():
    assert hows(migrated("x", block("nav", "/div[9]"))) == [RoleOutcome.NOT_FOUND]


def test_one_main_stands_round_the_block_with_most_content():
    blocks = [block("article", f"/div[{n}]", content=n % 3) for n in (1, 2, 3)]
    found = migrated("<div>a</div><div>b</div><div>c</div>", *blocks)
    assert body_of(found).count("<main") == 1
    assert "<article>b</article></main>" in body_of(found)


def test_in_a_table_where_no_main_may_stand_the_role_says_so():
    paths = "/table[1]/tbody[1]/tr[1]/td[1]"
    found = migrated("<table><tr><td>x</table>", block("article", paths, content=9))
    assert "<main" not in found.html
    assert 'role="main"' in body_of(found)


def test_the_way_that_changes_fewer_matches_of_selectors_is_taken():
    menu = block("nav", "/div[1]")
    styled = migrated("<div>x</div>", menu, head="<style>div{color:red}</style>")
    assert (styled.way, styled.changed) == ("wrap", {"rename": 1, "wrap": 0})
    child = migrated("<div id=a>x</div>", menu, head="<style>body>#a{color:red}</style>")
    assert (child.way, child.changed) == ("rename", {"rename": 0, "wrap": 1})


def test_roles_can_be_left_out_whose_elements_the_page_styles():
    page = "<html><head><style>footer{color:red}</style></head><body><div>x</div></body></html>"
    found = migrate(page, [PAGE, block("footer", "/div[1]")])
    assert found.styled == {"footer"}
    again = migrate(page, [PAGE, block("footer", "/div[1]")], leave=found.styled)
    assert hows(again) == [RoleOutcome.STYLED]
    assert "<footer" not in again.html
