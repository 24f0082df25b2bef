"""Template tokens, on the thesis' own example documents."""

from __future__ import annotations

import pytest

from dbce.boilerplate.signature import RECIPES, layer_tokens, layers, path_tokens
from tests.html.soup import page
from tests.site import DOC1, DOC2, article, story


def tags_by_layer(html: str) -> list[list[str]]:
    of = page(html)
    return [[of.tags[e] for group in layer for e in group] for layer in layers(of)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (DOC1, [["html"], ["head", "body"], ["span"], ["ul"], ["li", "li"]]),
        (DOC2, [["html"], ["head", "body"], ["span"], ["ul", "i"], ["li", "li"]]),
    ],
    ids=["doc1", "doc2"],
)
def test_the_layers_of_the_thesis_example(html, expected):
    assert tags_by_layer(html) == expected


def test_a_group_holds_the_elements_of_one_parent():
    of = page("<div><p>a</p><p>b</p></div><ul><li>c</li></ul><div><p>d</p></div>")
    groups = [[of.tags[e] for e in group] for group in layers(of)[3]]
    assert groups == [["p", "p"], ["li"], ["p"]]


def test_groups_of_a_layer_stand_in_the_order_of_their_parents():
    of = page("<div><b><i>1</i></b></div><p><u>2</u></p><div><b><s>3</s></b></div>")
    assert [[of.tags[e] for e in group] for group in layers(of)[3]] == [["b"], ["u"], ["b"]]
    assert [[of.tags[e] for e in group] for group in layers(of)[4]] == [["i"], ["s"]]


ABOVE_LIST = "0_0_4_ul/0_0_4_span/0_0_4_body/0_0_4_html/0_0_4_[document]"
TOKENS = {
    "0_0_0_html/0_0_0_[document]",
    "0_0_1_head/0_0_1_html/0_0_1_[document]",
    "1_0_1_body/1_0_1_html/1_0_1_[document]",
    "0_0_2_span/0_0_2_body/0_0_2_html/0_0_2_[document]",
    "0_0_3_ul/0_0_3_span/0_0_3_body/0_0_3_html/0_0_3_[document]",
    f"0_0_4_li/{ABOVE_LIST}",
    f"1_0_4_li/{ABOVE_LIST.replace('0_0_4', '1_0_4')}",
}


def test_the_tokens_of_the_thesis_example():
    assert layer_tokens(page(DOC1)) == TOKENS


def test_the_second_document_has_one_token_more():
    added = "1_0_3_i/1_0_3_span/1_0_3_body/1_0_3_html/1_0_3_[document]"
    assert layer_tokens(page(DOC2)) == TOKENS | {added}


def test_group_numbers_count_over_the_layer_and_node_numbers_start_again_in_each_group():
    tokens = layer_tokens(page("<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>"))
    starts = {token.split("/")[0] for token in tokens if "_li/" in token}
    assert starts == {"0_0_3_li", "1_0_3_li", "0_1_3_li"}


@pytest.mark.parametrize("recipe", RECIPES)
def test_texts_and_attributes_that_name_no_template_move_no_token(recipe):
    tokens = RECIPES[recipe]
    one, other = article("ferry"), article("clocks")
    assert tokens(page(one)) == tokens(page(other))
    assert tokens(page(one.replace('href="/1"', 'href="/x" id="y"'))) == tokens(page(one))


def test_one_more_paragraph_moves_no_path_token():
    one, two = article("ferry"), article("ferry", story("ferry"), story("ferry"))
    assert path_tokens(page(one)) == path_tokens(page(two))
    assert layer_tokens(page(one)) != layer_tokens(page(two))


def test_a_paragraph_in_front_moves_no_path_token_but_every_later_layer_token():
    html = "<p>a</p><div><ul><li>b</li></ul></div>"
    before, after = page(html), page(f"<p>c</p>{html}")
    assert path_tokens(before) == path_tokens(after)
    moved = layer_tokens(before) - layer_tokens(after)
    assert {token.split("/")[0] for token in moved} == {"1_0_2_div"}


def test_a_path_token_is_three_steps_of_tag_and_sorted_classes():
    tokens = path_tokens(page('<div class="b a b"><ul class=" x"><li>t</li></ul></div>'))
    assert "div.a.b>ul.x>li" in tokens
    assert "body>div.a.b>ul.x" in tokens
    assert tokens >= {"html", "html>body", "html>body>div.a.b"}


def test_the_order_of_classes_does_not_matter_but_the_classes_do():
    def tokens(classes: str) -> set[str]:
        return path_tokens(page(f'<p class="{classes}">t</p>'))

    assert tokens("lead wide") == tokens("wide  lead") != tokens("lead")
