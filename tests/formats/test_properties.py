"""What holds of any page in every format: neighbours do not touch, and lines of code stay lines."""

import re
from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.formats import FORMATS
from tests.formats.build import extract

BLOCKS = (
    "<p>{} {}</p>",
    "<div>{} {}</div>",
    "<h2>{} {}</h2>",
    "<ul><li>{}</li><li>{}</li></ul>",
    "<ol><li>{}<li>{}</ol>",
    "<dl><dt>{}<dd>{}</dl>",
    "<table><tr><td>{}<td>{}</table>",
    "<table><thead><tr><th>{}</table><p>{}</p>",
    "<blockquote>{}<p>{}</p></blockquote>",
    "<p>{}<br>{}</p>",
    "<p>{}<span style='display:block'>{}</span></p>",
    "<details><summary>{}</summary>{}</details>",
    "<pre>{}\n{}</pre>",
    "<figure>{}<figcaption>{}</figcaption></figure>",
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8))
def test_words_of_neighbouring_blocks_never_touch(blocks) -> None:
    words = [f"word{number}x" for number in range(2 * len(blocks))]
    html = "".join(block.format(*words[2 * n : 2 * n + 2]) for n, block in enumerate(blocks))
    page = extract(html)
    for name, form in FORMATS.items():
        text = form.alone(page)
        assert not re.search(r"word\d+xword", text), name
        assert {*re.findall(r"word\d+x", text)} == {*words}, name


LINES = st.lists(
    st.text(alphabet="ab(){}=+#<&\"' ", max_size=12).map(lambda line: f"{line}z"),
    min_size=2,
    max_size=6,
)


@settings(deadline=None, max_examples=60)
@given(LINES, st.sampled_from(["<pre>{}</pre>", "<pre><code>{}</code></pre>"]))
def test_no_format_joins_lines_of_code(lines, html) -> None:
    code = "\n".join(lines)
    page = extract(f"<p>before</p>{html.format(escape(code))}<p>behind</p>")
    assert f"\n{code}\n" in page.text
    assert f"\n{code}\n" in FORMATS["markdown"].alone(page)
    assert f"\n{code}\n" in FORMATS["txt"].alone(page)
