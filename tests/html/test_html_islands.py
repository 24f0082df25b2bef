"""Text that stands in the data of a page's scripts."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.html import Island, parse, text_in_scripts
from dbce.html.declarations import LARGEST, PROSE_WORDS

BODY = "The ferry does not go today."
STORY = ("The ferry does not go, and nobody knows why. " * 20).strip()  # 180 words


def data(value: object, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{json.dumps(value)}</script>'


def found(*scripts: str) -> Island | None:
    return text_in_scripts(parse(f"<body><div id=root></div>{''.join(scripts)}"))


@pytest.mark.parametrize(
    "value",
    [
        {"@type": "NewsArticle", "articleBody": BODY},
        [{"@type": "WebSite"}, {"@type": "NewsArticle", "articleBody": BODY}],
        {"@graph": [{"@type": "WebPage", "mainEntity": {"articleBody": [BODY]}}]},
    ],
)
def test_an_article_body_is_found_anywhere_in_the_data(value: object) -> None:
    assert found(data(value)) == Island(6, BODY)


OTHER = {"articleBody": "Another one."}
BOTH = {"description": STORY, "articleBody": BODY}
TYPED = data({"articleBody": STORY}, "text/javascript")
MARKED = {"articleBody": "<p>One &amp; <b>two</b></p><p>three<br>four</p>"}
BROKEN = '<script type="application/ld+json">{"articleBody": "Two\nlines"}</script>'


@pytest.mark.parametrize(
    ("scripts", "expected"),
    [
        ([data(MARKED)], Island(5, "One & two\nthree\nfour")),  # a line for each paragraph
        # Several bodies count together, and one that comes twice once.
        ([data([{"articleBody": BODY}, OTHER]), data(OTHER)], Island(8, f"Another one.\n{BODY}")),
        # A body goes before other prose.
        ([data(BOTH)], Island(6, BODY)),
        ([data(BOTH, "application/json")], Island(180)),
        ([data({"articleBody": " \n", "headline": "Ferry"})], None),
        # Scripts that are no JSON are not looked at.
        ([TYPED], None),
        ([f"<script>{json.dumps({'articleBody': STORY})}</script>"], None),
        ([BROKEN], Island(2, "Two\nlines")),  # a line break within a string is forgiven
    ],
)
def test_the_text_of_scripts_is_their_bodies_or_their_prose(scripts, expected) -> None:
    assert found(*scripts) == expected


@pytest.mark.parametrize("kind", ["application/json", "Application/LD+JSON; charset=utf-8"])
def test_prose_counts_in_any_json_whatever_its_markup(kind: str) -> None:
    value = {"props": {"pageProps": [{"body": f"<p class='a b c'>{STORY}</p>"}, 1, None]}}
    assert found(data(value, kind)) == Island(180)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ".join(STORY.split()[: PROSE_WORDS - 1]),
        ".a { color: red; margin: 0 auto } " * 30,
        "if (a < 1) { b = c[2] + 'd'; } else { return null; } " * 30,
        "id name title author date " * 30,  # the fields of a query
        "https://harbour.example/a.js " * 80,
        "1.0 2.0 3.0. " * 30,
    ],
)
def test_short_strings_code_and_lists_are_no_prose(text: str) -> None:
    assert found(data({"text": text})) is None


def test_prose_may_be_quoted_hyphenated_and_in_any_script() -> None:
    for sentence in ("“Well-known,” he said (it’s «so»). ", "यह पाठ किसी को नहीं दिखता। "):
        words = sentence.split() * PROSE_WORDS
        assert found(data({"text": " ".join(words)})) == Island(len(words))


@pytest.mark.parametrize(
    "malformed",
    [
        "{'articleBody': 'x'}",
        '{"articleBody": "x"',
        '{"articleBody": "x",}',
        "[" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "1" * 10_000,
        "[NaN, Infinity, 1e999]",
        '"\\ud800"',
        " " * LARGEST + '{"articleBody": "x"}',
    ],
)
def test_malformed_data_costs_nothing_but_itself(malformed: str) -> None:
    script = f'<script type="application/ld+json">{malformed}</script>'
    assert found(script) is None
    assert found(script, data({"articleBody": BODY})) == Island(6, BODY)


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["articleBody", "@graph", "a"]), inner, max_size=3)
    ),
)


@settings(max_examples=100, deadline=None)
@given(st.one_of(values.map(json.dumps), st.text(max_size=30)), st.integers(0, 40))
def test_no_data_makes_it_raise(text: str, broken_off: int) -> None:
    written = text[: len(text) - broken_off % (len(text) + 1)]
    found(f'<script type="application/ld+json">{written}</script>')
