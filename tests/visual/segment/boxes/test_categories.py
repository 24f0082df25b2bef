"""Condition C and categories, by the table of appendix A."""

from __future__ import annotations

import pytest

from dbce.visual.segment.boxes import can_be_block, category, smallest_common


@pytest.mark.parametrize(
    ("tags", "is_block", "kind"),
    [
        ("address div dl form hr ol p pre table ul blockquote td", True, "flow"),
        ("h1 h2 h3 h4 h5 h6", True, "heading"),
        ("li dt dd th tr tbody thead tfoot caption center dir menu legend", True, "flow"),
        ("frameset noframes listing xmp plaintext marquee x-unknown", True, "flow"),
        ("article aside nav section", True, "sectioning"),
        ("header footer main figure details dialog figcaption hgroup summary", True, "flow"),
        ("fieldset", False, "flow"),
        ("a button select textarea label isindex option optgroup input", False, "interactive"),
        ("iframe img object applet picture audio video svg math canvas", False, "embedded"),
        ("abbr b big cite em font i span strike tt nobr blink u var wbr", False, "phrasing"),
        ("del ins map noscript", False, "phrasing"),
    ],
)
def test_elements_fall_out_as_the_table_has_it(tags: str, is_block: bool, kind: str) -> None:
    found = {tag: (can_be_block(tag), category(tag, {})) for tag in tags.split()}
    assert found == dict.fromkeys(tags.split(), (is_block, kind))


def test_a_hidden_input_is_not_interactive() -> None:
    assert category("input", {"type": "HIDDEN"}) == "phrasing"
    assert category("input", {"type": "text"}) == "interactive"


@pytest.mark.parametrize(
    ("first", "second", "common"),
    [
        ("heading", "heading", "heading"),
        ("embedded", "phrasing", "phrasing"),
        ("interactive", "phrasing", "phrasing"),
        ("embedded", "interactive", "phrasing"),
        ("embedded", "heading", "flow"),
        ("sectioning", "flow", "flow"),
    ],
)
def test_a_label_is_the_smallest_category_that_holds_both(
    first: str, second: str, common: str
) -> None:
    assert smallest_common(first, second) == smallest_common(second, first) == common
