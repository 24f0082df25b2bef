"""Code of pages, read from their trees."""

from unittest.mock import patch

from hypothesis import example, given

from dbce.html.code import _CodeReader, read_code
from dbce.html.document import load
from dbce.model import InputError, Limits
from tests.html.soup import soup


@given(soup)
@example("a<!-- b --><span class=x>c\n</span>d")
@example("<span class=line>a</span><span class=line>b</span>")
@example("<span data-line=1>a</span><span data-line=2>b</span>")
@example("a<script>b</script>c<br>d<button>Copy</button><i>1</i>\n<i>2</i>\n")
def test_plain_code_has_the_text_that_its_nodes_have(inside: str) -> None:
    try:
        document = load(f"<pre>{inside}</pre>".encode("utf-8", "replace"), "", Limits())
    except InputError:
        return
    given_page = document.page, document.elements, document.attributes, ()
    with patch.object(_CodeReader, "_is_plain", return_value=False):
        by_nodes = read_code(*given_page)
    assert read_code(*given_page) == by_nodes
