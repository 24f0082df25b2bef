"""Markdown that others read as it was meant: asked of markdown-it-py, which follows CommonMark."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from dbce.formats.markdown import as_markdown
from dbce.formats.part import Part
from dbce.formats.write import as_html
from tests.formats.build import blocks

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<h2>One</h2><p>two</p>", "## One\n\ntwo"),
        ("<h1>In C#</h1>", "# In C\\#"),
        ("<h2>#</h2>", "## \\#"),
        ("<h2>a\\#</h2>", "## a\\\\\\#"),
        ("<b>One</b> and <i>two</i>", "**One** and *two*"),
        ("<b>W</b>ord", "<strong>W</strong>ord"),
        ("<b>One</b><i>two</i>", "<strong>One</strong>*two*"),
        ("<b>“One”</b>", "<strong>“One”</strong>"),
        ("<a href='/a(b)'>One</a>", "[One](http://a.example/a%28b%29)"),
        ("Look!<a href=/a>One</a>", "Look\\![One](http://a.example/a)"),
        ("<code>a`b</code>", "``a`b``"),
        ("One<br>1. two", "One\\\n1\\. two"),
        ("a*b [c] `d` <p>&lt;e&gt; snake_case _f_ &amp;amp;</p>",
         "a\\*b \\[c\\] \\`d\\`\n\n\\<e> snake_case \\_f\\_ \\&amp;"),
        ("<p># a</p><p>- b</p><p>> c</p><p>12) d</p><p>1990</p>",
         "\\# a\n\n\\- b\n\n\\> c\n\n12\\) d\n\n1990"),
        ("<ul><li>One</li><li>two<ol><li>three</li></ol></li></ul>",
         "- One\n- two\n  1. three"),
        ("<ol><li><p>One</p><p>two</p></li><li>three</li></ol>",
         "1. One\n\n   two\n\n2. three"),
        ("<dl><dt>One</dt><dd>two</dd></dl>", "**One**\n\ntwo"),
        ("<blockquote><p>One</p><p>two</p></blockquote>", "> One\n>\n> two"),
        ("<pre><code class=language-py>a\n  b```c\n</code></pre>", "````py\na\n  b```c\n````"),
        (("<table><tr><th>a|b</th><th>c</th></tr><tr><td>d<br>e</td><td></td></tr>"
         "<tr><td></td><td>f</td></tr></table>"),
         "| a\\|b | c |\n| --- | --- |\n| d<br>e |  |\n|  | f |"),
    ],
)  # fmt: skip
def test_how_content_is_written(body, markdown):
    assert as_markdown(blocks(body, "http://a.example/")) == markdown


def test_images_by_their_alternative_text():
    body = "<p>One <img src='g h.png' alt='A [goat]'> two</p>"
    markdown = as_markdown(blocks(body, "http://a.example/", images=True))
    assert markdown == "One ![A \\[goat\\]](http://a.example/g%20h.png) two"


@pytest.mark.parametrize(
    "body",
    [
        "<h2>One <i>two</i></h2><p>three <b>four</b> <a href='http://a.example/'>five</a></p>",
        "<ul><li>One</li><li>two</li></ul><ol><li>three</li><li>four</li></ol>",
        "<blockquote><p>One</p><p>two</p></blockquote>",
        "<p>One <code>*two*</code> <del>three</del></p>",
        "<p>H<sub>2</sub>O, W<b>or</b>d</p>",
    ],
)
def test_a_reader_gets_the_same_html_back(body):
    assert READER.render(as_markdown(blocks(body))).replace("<s>", "<del>").replace(
        "</s>", "</del>"
    ).replace("\n", "") == as_html(blocks(body)).replace("\n", "")


# Signs of Markdown in any order, between letters and spaces.
text = st.text(st.sampled_from("ab1 *_`#[]()<>!|~^&;-+=.\\\"'/:"), min_size=1, max_size=12).filter(
    lambda one: one.strip()
)
inline = st.recursive(
    text.map(lambda one: " ".join(one.split())),
    lambda inner: st.builds(
        lambda tag, one: Part(tag, (one,), "http://a.example/" if tag == "a" else ""),
        st.sampled_from(["em", "strong", "a", "code", "sub"]),
        inner.filter(lambda one: isinstance(one, str)),
    ),
    max_leaves=2,
)


@settings(max_examples=300)
@given(st.lists(inline, min_size=1, max_size=3), st.sampled_from(["p", "h2", "li", "td"]))
def test_no_sign_of_the_text_is_lost_or_becomes_markup(parts, tag):
    line = tuple(one for part in parts for one in (part, " "))[:-1]
    block = Part("p", line)
    if tag == "h2":
        block = Part("h2", line)
    elif tag == "li":
        block = Part("ul", (Part("li", (block,)),))
    elif tag == "td":
        row = Part("tr", (Part("td", (block,)), Part("td", (Part("p", ("x",)),))))
        block = Part("table", (row, row))
    read = lxml_html.fromstring(f"<div>{READER.render(as_markdown([block]))}</div>")
    written = lxml_html.fromstring(f"<div>{as_html([block])}</div>")
    assert "".join(read.text_content().split()) == "".join(written.text_content().split())
