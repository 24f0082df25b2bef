"""Links: where they lead, what they say, and whether that is content."""

from dbce.formats import page_links
from dbce.formats.links import PageLink
from dbce.model import Label
from tests.formats.build import annotated_page


def links(body: str, head: str = "") -> list[PageLink]:
    """The links of a page at http://a.example/x/; text in `<s>` is boilerplate."""
    annotated = annotated_page(body, f"<head>{head}</head>")
    return [*page_links(annotated, "http://a.example/x/")]


def test_a_link_has_the_verdict_on_most_of_its_text():
    menu, story, mixed = links(
        "<a href=/menu><s>Menu</s></a> <a href=tide.html>The <b>tide</b></a><a href=?q>Read <s>more</s> here now</a>"
    )
    assert menu == ("http://a.example/menu", "Menu", None, Label.BOILERPLATE, 0.1)
    assert story == ("http://a.example/x/tide.html", "The tide", None, Label.CONTENT, 0.9)
    assert (mixed.text, mixed.label) == ("Read more here now", Label.CONTENT)
    assert 0.1 < mixed.probability < 0.9


def test_a_link_around_a_picture_was_not_judged():
    assert links("<p>Sea</p><a href=/sea.jpg><img src=s.gif></a><map><area href=/bay></map>") == [
        ("http://a.example/sea.jpg", "", None, None, None),
        ("http://a.example/bay", "", None, None, None),
    ]


def test_links_go_by_the_base_of_the_page_and_keep_their_rel():
    (link,) = links(
        "<a href=fares rel='NoFollow  ugc'>Fares</a>", "<base href='http://b.example/y/'>"
    )
    assert link[:3] == ("http://b.example/y/fares", "Fares", "nofollow ugc")


def test_what_runs_a_script_or_leads_nowhere_is_no_link():
    assert not links(
        "<a href='javascript:go()'>Go</a> <a name=x>Here</a> <a href='http://['>Odd</a>"
    )
