"""The authors that a page declares or shows."""

import pytest

from tests.metadata.pages import json_ld, meta, said_by

HEADLINE = "<h1>The last hand ferry</h1>"


@pytest.mark.parametrize(
    ("body", "author"),
    [
        ("<p class=byline>By Anna Holm May 4, 2016</p>", "Anna Holm"),
        ("<div class=post-author-name>Alle Beiträge von <a>Anna Holm</a></div>", "Anna Holm"),
        ("<p class=byline>Opracowanie: <a>Anna Holm</a> and <a>Mark Wake</a> <span>Reporters</span>", "Anna Holm; Mark Wake"),
        ("<p class=byline>By Anna Holm, Mark Wake and Ida Marsh</p>", "Anna Holm; Mark Wake; Ida Marsh"),
        ("<p class=byline>Guest post by Anna Holm, Tarport</p>", "Anna Holm"),
        (f"{HEADLINE}<p>Autor: Anna Holm, data publikacji: 4 września 2015", "Anna Holm"),
        ("<p class=byline>By Anna van Holm, Head, Ferry Office, Rope</p>", None),
        ("<p class=storyByline>Anna Holm <b>Follow on Twitter</b>", "Anna Holm"),
        ("<p class=author>Added by <a>holm63</a></p>", None),
        ("<p class=byline><span class=author>anna</span></p>", "anna"),
        ("<p class=writer>文・松村 太郎 写真・佐藤</p>", "松村 太郎"),
        (f"{HEADLINE}<p>来源:新华网 作者:王小明 2026年3月15日</p>", "王小明"),
        (f"{HEADLINE}<p>[서울] 김철수 기자 kim@paper.example</p>", "김철수"),
        (f"{HEADLINE}<p>Ta\u0301c gia\u0309: An Holm</p>", "An Holm"),
        (f"{HEADLINE}<p>Автор: <b>Иван Петров</b></p>", "Иван Петров"),
        (f"{HEADLINE}<p>記者陳怡君\uff0f台北報導</p>", "陳怡君"),
        (f"{HEADLINE}<p>מאת \u200fרפי אשר\u200f</p>", "רפי אשר"),  # noqa: RUF001
        ("<p class=author-card>Anna Holm</p><p class=author-bio>About Anna Holm</p>", "Anna Holm"),
        ("<p class=author-card>Anna Holm</p><p class=author-card>Mark Wake</p>", None),
        ("<p class=byline><span>June 3, 2016</span><a>June Holm</a></p>", "June Holm"),
        ("<figure><blockquote>a</blockquote><a rel=author>Mark Wake</a></figure>", None),
        *((f"<{box}><p class=author>Mark Wake", None) for box in ("figcaption", "div class=comment")),
        (f"{HEADLINE}<p>글·사진 김철수</p>", "김철수"),
        (f"{HEADLINE}<p>ผู้เขียน: สมชาย ใจดี</p>", "สมชาย ใจดี"),
        (f"{HEADLINE}<p>By <a>Anna van Holm</a> and <a>Mark Wake</a>", "Anna van Holm; Mark Wake"),
        ("<h2>The last hand ferry</h2><p>Posted on 4 May 2016 by Anna Holm</p>", "Anna Holm"),
        (f"{HEADLINE}<li><b>To</b>: Rope Friends &lt;<a>list@xxxxxxxx</a>&gt;", None),
        ("<p>One.</p><p class=posted>posted by Anna Holm at <a>3/4/2003</a></p>", "Anna Holm"),
        *((f"{HEADLINE}<p>{line}", "Anna Holm") for line in (
            "Ferries | Écrit par Anna Holm avec AFP", "By political reporter Anna Holm", "Eine Analyse von Anna Holm",
            "Posted by Anna Holm, Harbour Safety Team", "Words by Anna Holm, pictures by Mark Wake",
            "<b>Anna Holm</b> <a>anna at rope.example</a>", "<b>Anna Holm</b> (<i>anna@rope.example</i>)",
            "<td>From:<td>Anna Holm &lt;anna at rope.example&gt;", "<b>From</b>: Anna Holm &lt;<a>anna@xxxxxxxx</a>&gt;",
        )),
        *((body, None) for body in (f"{HEADLINE}<p>By the time it was light</p>", "<p>By Anna Holm</p>")),
        ("<title>The last hand ferry</title><td>The last hand ferry<td>Written by Anna Holm", "Anna Holm"),
    ],
)  # fmt: skip
def test_author_in_a_byline(body: str, author: str | None) -> None:
    metadata = said_by(body=body)
    assert (metadata.author, metadata.author_source) == (author, author and "byline")


@pytest.mark.parametrize(
    ("head", "author"),
    [
        (meta("author", "By Anna Holm (anna_at_paper.example)"), "Anna Holm"),
        (meta("author", "Anna Holm,Mark Wake | The Paper"), "Anna Holm; Mark Wake"),
        (meta("author", "Anna Holm &lt;anna@paper.example&gt;"), "Anna Holm"),
        (meta("author", "null") + meta("author", "desk@paper.example"), None),
        (meta("twitter:label1", "Geschrieben von") + meta("twitter:data1", "Anna Holm"), "Anna Holm"),
        (meta("twitter:label1", "Est. reading time") + meta("twitter:data1", "4 minutes"), None),
        (json_ld('{"@type": "Article", "author": {"givenName": "Anna", "familyName": "Holm"}}'), "Anna Holm"),
        (json_ld('{"@type": "Article", "author": [null, {"name": "Anna Holm"}]}'), "Anna Holm"),
    ],
)  # fmt: skip
def test_declared_author(head: str, author: str | None) -> None:
    assert said_by(head).author == author


def test_the_site_is_an_author_only_where_no_byline_names_a_person() -> None:
    head = "<title>Ropes | The Paper</title>" + json_ld(
        '{"@type": "Article", "author": "The Paper"}'
    )
    assert said_by(head, "<p class=byline>News desk</p>").author == "The Paper"
    assert said_by(head, "<p class=byline>By Anna Holm</p>").author == "Anna Holm"


def test_the_archive_of_a_mailing_list_dates_a_mail() -> None:
    body = f"{HEADLINE}<b>Anna Holm</b><br><i>Tue Jan 14 10:12:33 CET 2003</i><pre>It does.</pre>"
    assert said_by(body=body).date == "2003-01-14"
