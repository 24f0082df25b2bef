"""Markdown that others read as it was meant: asked of markdown-it-py, which follows CommonMark."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from dbce.formats import FORMATS, format_of, write_pages
from dbce.formats.emphasis import DELIMITERS, Atom, atoms_of, emphasise
from dbce.formats.markdown import as_markdown
from dbce.formats.part import Part, numbers_of, parts_of, text_of
from dbce.formats.write import as_html
from dbce.model import UsageError
from tests.formats.build import blocks, extract

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<h2>One</h2><p>two</p>", "## One\n\ntwo"),
        ("<h1>In C#</h1>", "# In C\\#"),
        ("<h2>#</h2>", "## \\#"),
        ("<h2>1. Ferry</h2><h2># 2</h2><h2>- 3</h2>", "## 1. Ferry\n\n## # 2\n\n## - 3"),
        ("<h2>a\\#</h2>", "## a\\\\\\#"),
        ("<b>One</b> and <i>two</i>", "**One** and *two*"),
        ("<b>W</b>ord", "**W**ord"),
        ("<b>One</b><i>two</i>", "**One***two*"),
        ("<b>“One”</b>", "**“One”**"),
        ("a<b>“One”</b>b", "a“**One**”b"),
        ("<b>One.</b><i>two</i>", "**One**.*two*"),
        ("<b><i>One</i></b> <i>two <b>three</b></i>", "***One*** *two **three***"),
        ("<b>One <i>two</i></b><i>three</i>", "**One two**three"),
        ("a<b><a href=/b>b</a></b>c", "a[**b**](http://a.example/b)c"),
        ("a<i><code>b</code></i>c", "a`b`c"),
        ("a<i>!</i>b", "a!b"),
        ("H<sub><i>2</i></sub>O, <del>ice</del>d", "H<sub>*2*</sub>O, ~~ice~~d"),
        ("<h2>One<a class=headerlink href='#one'>¶</a></h2><h2><a href='#x'>#</a></h2><h3><button>two <i>[+]</i></button></h3>", "## One\n\n### two"),
        ("<h2>One<a class=headerlink href='#a'>\uf0c1</a></h2><p><i>\uf0ad</i> two", "## One\n\ntwo"),
        ("<h2>One <i>[<a href=#>hide</a>]</i> <a href=/e>[edit source]</a></h2><p>a <a href=/b>[b]</a></p>", "## One\n\na [\\[b\\]](http://a.example/b)"), ("<dl><dt>a <a href=/s>[source]</a></dt><dt>b</dt></dl>", "**a**\n\n**b**"),
        ("<h2><a href=/v>[Video]</a> One <a href=/e>[12]</a></h2>", "## [\\[Video\\]](http://a.example/v) One [\\[12\\]](http://a.example/e)"),
        ("<h2>One <a class=anchor href='#one'>Permalink to this heading</a></h2>", "## One"),
        ("<h2><a class=anchor href='#one'>One</a></h2>", "## [One](http://a.example/#one)"),
        ("<h2>&#8203;</h2><p>One</p>", "One"),
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
        ("<ol start=3><li>One</li><li>2. two</li></ol><ul><li>• One • two</li></ul>", "3. One\n4. 2\\. two\n\n- One • two"),
        ("<ol><li>One</li><li><s>ad</s></li><li>three</li></ol><ol start=4><li>four</li></ol><ol start=4><li>or</li></ol>", "1. One\n3) three\n\n4) four\n\n4. or"),
        ("<ol reversed><li>One</li><li>two</li></ol>", "2. One\n1) two"),
        ("<ol><li value=7>7. One</li><li>two</li></ol>", "7. One\n8. two"),
        ("<ol start=-3><li>One</li></ol>", "1. One"),
        (f"<ol start={'9' * 5000}><li value={'9' * 10}>One</li></ol>", "1. One"),
        ("<ul><li>One</li></ul><ul><li>two</li></ul>", "- One\n\n* two"),
        ("<ul><li>One<ol start=3><li>two</li></ol></li></ul>", "- One\n\n  3. two"),
        ("<dl><dt>“One”</dt><dt>a <i>b</i></dt></dl>", "**“One”**\n\n**a *b***"),
        ("<dl><dt>One</dt><dd>two</dd></dl>", "**One**\n\ntwo"),
        ("<blockquote><p>One</p><p>two</p></blockquote>", "> One\n>\n> two"),
        ("<pre><code class=language-py>a \n  b```c\n</code></pre>", "````py\na\n  b```c\n````"), ("<div><code>a</code><br><code>&nbsp;b</code></div>", "```\na\n b\n```"),
        (("<table><tr><th>a|b</th><th>c</th></tr><tr><td>d<br>e</td><td></td></tr>"
         "<tr><td></td><td>f</td></tr></table>"),
         "| a\\|b | c |\n| --- | --- |\n| d<br>e |  |\n|  | f |"),
        ("<table><caption>Ferries</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
         "Ferries\n\n| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>Adults<td>$455/hour<tr><td>Children<td>$25.50/hour</table>",
         "|  |  |\n| --- | --- |\n| Adults | $455/hour |\n| Children | $25.50/hour |"),
        ("<table><tr><td><td>2012<td>2013<tr><td>Rain<td>1990<td>1</table>",
         "|  | 2012 | 2013 |\n| --- | --- | --- |\n| Rain | 1990 | 1 |"),
        ("<table><tr><th colspan=2>Ferry<tr><th>Built<td>1990<tr><th>Ports<td><ul><li>a<li>b</ul></table>",
         "| Ferry |  |\n| --- | --- |\n| Built | 1990 |\n| Ports | - a<br>- b |"),
        ("<table><tr><th><th>Gives<tr><td rowspan=2><pre>f(1)\n\nf(2)</pre><td>1<tr><td>2</table>",
         "|  | Gives |\n| --- | --- |\n| `f(1)`<br><br>`f(2)` | 1 |\n|  | 2 |"),
        (("<table><tr><th>Built</th><td>1990</td></tr><tr><th>Persons</th><td>12</td></tr></table>"),
         "|  |  |\n| --- | --- |\n| Built | 1990 |\n| Persons | 12 |"),
    ],
)  # fmt: skip
def test_how_content_is_written(body, markdown):
    assert as_markdown(blocks(body, "http://a.example/")) == markdown


LINKS = "<p><a href='/a'>One</a> <a href='/b'>two</a></p><ul><li><a href='/a'>three</a></li></ul>"


def test_links_as_references_are_counted_by_address_and_told_apart_by_page():
    form = format_of("markdown", "end")
    assert form.alone(extract(LINKS, "http://a.example/")) == (
        "[One][1] [two][2]\n\n- [three][1]\n\n[1]: http://a.example/a\n[2]: http://a.example/b"
    )
    pages = [extract("<a href=/a>One</a>", f"http://{host}.example/") for host in "ab"]
    shown = READER.render("".join(write_pages(pages, form)))
    assert 'href="http://a.example/a"' in shown
    assert 'href="http://b.example/a"' in shown


@pytest.mark.parametrize("name", ["markdown", "html", "tei"])
def test_of_links_their_texts_alone_are_kept_on_request(name):
    page = extract("<p>One <a href='/a'>two <b>three</b></a></p>", "http://a.example/")
    plain = extract("<p>One two <b>three</b></p>", "http://a.example/")
    assert format_of(name, "text").alone(page) == FORMATS[name].alone(plain)


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("txt", {"links": "text"}, "txt"),
        ("html", {"links": "end"}, "html"),
        ("poem", {"links": "keep"}, "poem"),
        ("tei", {"front_matter": True}, "tei has no front matter; markdown has"),
    ],
)
def test_a_format_without_such_links_or_front_matter_says_so(name, more, said):
    with pytest.raises(UsageError, match=said):
        format_of(name, **more)


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
    read = READER.render(as_markdown(blocks(body))).replace("s>", "del>")
    assert read.replace("\n", "") == as_html(blocks(body)).replace("\n", "")


# Signs of Markdown in any order, between letters and spaces.
text = st.text(
    st.sampled_from("ab1 *_`#[]()<>!|~^&;-+=.\\\"'/:“€→"), min_size=1, max_size=12
).filter(lambda signs: signs.strip())
inline = st.recursive(
    text.map(lambda signs: " ".join(signs.split())),
    lambda inner: st.builds(
        lambda tag, children: Part(tag, tuple(children), "http://a.example/" if tag == "a" else ""),
        st.sampled_from(["em", "strong", "del", "a", "code", "sub"]),
        st.lists(inner, min_size=1, max_size=2),
    ),
    max_leaves=4,
)


def plain(parts: Iterable[Part | str], within: tuple[str, ...] = ()) -> Iterator[Part | str]:
    """The inline parts as a page gives them: no markup twice, and none within code."""
    for part in parts:
        if isinstance(part, str):
            yield part
        elif part.tag in within or "code" in within:
            yield from plain(part.children, within)
        else:
            yield replace(part, children=tuple(plain(part.children, (*within, part.tag))))


lines = st.lists(inline, min_size=1, max_size=4).map(lambda parts: tuple(plain(parts)))


def styled(root: lxml_html.HtmlElement, tag: str, is_within: bool = False) -> str:
    """The letters that stand in elements of a name."""
    is_within = is_within or root.tag == tag
    text = (root.text or "") if is_within else ""
    for child in root:
        text += styled(child, tag, is_within) + ((child.tail or "") if is_within else "")
    return "".join(filter(str.isalnum, text))


def stands_in(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


@settings(max_examples=150)
@given(lines, st.sampled_from(["p", "h2", "li", "td"]))
def test_no_sign_of_the_text_is_lost_or_becomes_markup(line, tag):
    text = Part("p", line)
    row = Part("tr", (Part("td", (text,)), Part("td", (Part("p", ("x",)),))))
    block = {
        "p": text,
        "h2": Part("h2", line),
        "li": Part("ul", (Part("li", (text,)),)),
        "td": Part("table", (row, row)),
    }[tag]
    read = lxml_html.fromstring(f"<div>{READER.render(as_markdown([block]))}</div>")
    written_html = lxml_html.fromstring(f"<div>{as_html([block])}</div>")
    assert "".join(read.text_content().split()) == "".join(written_html.text_content().split())
    # Nothing is emphasised that is not in the page.
    for style, tag_of_reader in (("strong", "strong"), ("em", "em"), ("del", "s")):
        assert stands_in(styled(read, tag_of_reader), styled(written_html, style))


words = st.text(st.sampled_from("ab1*_`#[]<|“"), min_size=1, max_size=6)
paragraphs = st.lists(words, min_size=1, max_size=4).map(lambda row: Part("p", (" ".join(row),)))
headings = st.builds(
    lambda level, line: Part(f"h{level}", line.children), st.integers(1, 6), paragraphs
)
code = st.builds(
    lambda language, rows: Part("pre", ("\n".join(rows),), language),
    st.sampled_from(["", "py", "c++"]),
    st.lists(words, min_size=1, max_size=3),
)
tables = st.builds(
    lambda tag, cells: Part(
        "table",
        tuple(
            Part("tr", tuple(Part(tag if n == 0 else "td", (cell,)) for cell in row))
            for n, row in enumerate(cells)
        ),
    ),
    st.sampled_from(["th", "td"]),
    st.lists(st.lists(paragraphs, min_size=2, max_size=2), min_size=2, max_size=4),
)


def lists_of(inner: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    items = st.builds(
        lambda parts, number: Part("li", tuple(parts), number=number),
        st.lists(inner, min_size=1, max_size=3),
        st.none() | st.integers(0, 12),
    )
    several = st.lists(items, min_size=1, max_size=3)
    return (
        st.builds(lambda of: Part("ol", tuple(of)), several)
        | st.builds(lambda of: Part("ul", tuple(replace(one, number=None) for one in of)), several)
        | st.builds(
            lambda of: Part("blockquote", tuple(of)), st.lists(inner, min_size=1, max_size=3)
        )
    )


structures = st.recursive(paragraphs | headings | code, lists_of, max_leaves=6) | tables


def meant(parts: Iterable[Part]) -> Iterator[tuple[object, ...]]:
    """What a reader is to see of blocks: kinds, levels, numbers and texts, one after the other."""
    for part in parts:
        children = parts_of(part)
        if part.tag == "ol":
            for item, number in zip(children, numbers_of(children), strict=True):
                yield "item", number, *meant(parts_of(item))
        elif part.tag == "ul":
            yield "ul", *(("item", *meant(parts_of(item))) for item in children)
        elif part.tag == "blockquote":
            yield "blockquote", *meant(children)
        elif part.tag == "table":
            for row in children:
                yield "row", *(text_of(cell.children[0].children) for cell in parts_of(row))
        elif part.tag == "pre":
            yield "pre", part.link, text_of(part.children)
        else:
            yield part.tag, text_of(part.children)


def seen(nodes: Iterable[SyntaxTreeNode]) -> Iterator[tuple[object, ...]]:
    for node in nodes:
        if node.type == "ordered_list":
            for number, item in enumerate(node.children, start=int(node.attrs.get("start", 1))):
                yield "item", number, *seen(item.children)
        elif node.type == "bullet_list":
            yield "ul", *(("item", *seen(item.children)) for item in node.children)
        elif node.type == "blockquote":
            yield "blockquote", *seen(node.children)
        elif node.type == "tr":
            cells = [shown(cell) for cell in node.children]
            if any(cells):  # Markdown cannot do without a header
                yield "row", *cells
        elif node.type == "fence":
            yield "pre", node.info, node.content.removesuffix("\n")
        elif node.type in ("heading", "paragraph"):
            yield node.tag, shown(node)
        else:
            yield from seen(node.children)


def shown(node: SyntaxTreeNode) -> str:
    return lxml_html.fromstring(
        f"<p>{READER.renderInline(node.children[0].content)}"
    ).text_content()


@settings(max_examples=150)
@given(st.lists(structures, min_size=1, max_size=4))
def test_a_reader_finds_the_structures_of_the_page(parts):
    tree = SyntaxTreeNode(READER.parse(as_markdown(parts)))
    assert list(seen(tree.children)) == list(meant(parts))


styled_texts = st.tuples(
    st.text("ab .,(", min_size=1, max_size=8), st.frozensets(st.sampled_from([*DELIMITERS]))
)


@settings(max_examples=300)
@given(st.lists(styled_texts, min_size=1, max_size=5))
def test_texts_are_emphasised_like_their_words(line: list[tuple[str, frozenset[str]]]) -> None:
    whole = [atom for text, styles in line for atom in atoms_of(text, styles)]
    pieces = [
        Atom(piece, styles)
        for text, styles in line
        for piece in re.findall(r"[ab]+|[.,(]+| +", text)
    ]
    assert emphasise(whole, str) == emphasise(pieces, str)


@pytest.mark.parametrize(
    ("text", "atoms"),
    [(" (a, b and c.) ", [" ", "(", "a, b and c", ".)", " "]), ("... ", ["...", " "]), ("", [])],
)
def test_a_text_is_taken_apart_before_its_first_word_and_behind_its_last(text, atoms) -> None:
    assert [atom.text for atom in atoms_of(text)] == atoms


def test_styles_of_one_length_open_in_one_order() -> None:
    # Sets of names have another order in every process.
    assert emphasise([Atom("all", frozenset(("strong", "em", "del")))], str) == "~~***all***~~"
