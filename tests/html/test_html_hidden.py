"""Hidden text: elements that an attribute of their own hides."""

from tests.html.soup import page


def hides(html: str) -> list[str]:
    """The ids of the elements that hide themselves, or the tag names of those without one."""
    read = page(html)
    return [
        name or tag
        for name, tag, is_hidden in zip(read.ids, read.tags, read.hidden, strict=True)
        if is_hidden
    ]


def test_an_element_hides_itself_by_attribute_or_style() -> None:
    html = (
        "<p id=a hidden>x<p id=b aria-hidden=true>x<p id=c style='color:red; DISPLAY : none'>x"
        "<p id=d style='visibility:hidden'>x<p id=e aria-hidden=false style='display:block'>x"
    )
    assert hides(html) == ["a", "b", "c", "d"]


def test_style_sheets_have_no_say() -> None:
    assert hides("<head><style>p{display:none}</style></head><p>x<p id=b hidden>x") == ["b"]


def test_a_page_that_hides_itself_whole_until_a_script_has_run_is_shown() -> None:
    assert hides("<html hidden><body style='display:none'><p>x") == []
