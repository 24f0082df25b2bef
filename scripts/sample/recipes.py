"""The recipe site: ingredient lines that recur on many pages, in tag soup of its time."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from scripts.sample.layout import fill, lines, links, others, turn
from scripts.sample.marks import content
from scripts.sample.prose import furniture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from scripts.sample.prose import Story

# What the page declares in its <meta>: first nothing, then the charset it has, then UTF-8.
_META = ("", "windows-1250", "utf-8", "utf-8", "utf-8")
_MONTHS = (
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia"
).split()


def render(piece: Story, crawl: int, pieces: Sequence[Story]) -> str:
    """The marked page of a recipe as that crawl finds it."""
    beat = 2 * crawl + 3 * [p.path for p in pieces].index(piece.path)
    comments = piece.of("comment")[: crawl + 1]
    paragraphs = piece.of("paragraph")
    charset = _META[crawl]
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">\n'
    return fill(
        "recipes",
        meta=meta if charset else "",
        title=piece.title,
        title_plain=piece.title,
        headline=content(piece.title),
        section=piece.section,
        author=piece.author,
        date=f"{piece.date.day} {_MONTHS[piece.date.month - 1]} {piece.date.year}",
        portions=piece.portions,
        time=piece.time,
        level=piece.level,
        image=piece.path.rsplit("/", 1)[1],
        caption=lines("{}", [content(text) for text in piece.of("caption")]),
        intro=lines("<p>{}", [content(text) for text in paragraphs[:-1]]),
        ingredients_label="Składniki",
        ingredients=_ingredients(piece),
        steps_label="Przygotowanie",
        steps=lines("<li>{}", [content(text) for text in piece.of("step")]),
        # The site's own wish follows the author's last sentence in the same text node.
        outro=f"<p>{content(paragraphs[-1])} Smacznego życzy Kuchnia pod Lipą!",
        tags=", ".join(f'<a href="/tag/{t}">{t}</a>' for t in piece.tags.split(", ")),
        related=_related(piece, pieces, beat),
        popular=links(turn(pieces, 2 * crawl, 5), "<li>{}"),
        cloud=" ".join(
            f'<a href="/skladnik/{n}">{name}</a>'
            for n, (name,) in enumerate(turn(furniture("recipes-cloud"), beat, 7))
        ),
        total=412 + 97 * crawl,
        ad_inline=_ad(beat),
        ad_side=_ad(beat + 3),
        comments=_comments(comments),
        comment_count=len(comments),
        year=(2013, 2013, 2015, 2016, 2017)[crawl],
    )


def _ingredients(piece: Story) -> str:
    out: list[str] = []
    for block in piece.blocks:
        if block.kind == "heading":
            closed = ["</ul>"] if out else []
            out += [*closed, f"<h3>{content(block.text)}</h3>", "<ul>"]
        elif block.kind == "item":
            out.append(f"<li>{content(block.text)}")
    return "\n".join([*out, "</ul>"])


def _related(piece: Story, pieces: Sequence[Story], beat: int) -> str:
    related = links(others(pieces, piece)[:2], "<li>{}")
    more = turn(furniture("recipes-related"), beat, 3)
    return related + "\n" + lines('<li><a href="#">{}</a>', [name for (name,) in more])


def _ad(beat: int) -> str:
    ads = furniture("recipes-ads")
    head, text, action = ads[beat % len(ads)]
    return f'<b>{head}</b><br>{text} <a href="/klik?r={beat}">{action}</a>'


def _comments(comments: Sequence[str]) -> str:
    pairs = (html.escape(c, quote=False).split(": ", 1) for c in comments)
    form = "<div class=komentarz><b>{}</b> napisał(a):<p>{}</div>"
    return "\n".join(form.format(name, text) for name, text in pairs)


def glossary(piece: Story) -> str:
    """The marked page of a glossary: another, much smaller template of the same site."""
    pairs = (text.split(": ", 1) for text in piece.of("paragraph"))
    return fill(
        "glossary",
        title_plain=piece.title,
        headline=content(piece.title),
        body="\n".join(f"<dt>{content(t)}</dt>\n<dd>{content(d)}</dd>" for t, d in pairs),
        date=_numeric(piece.date),
    )


def _numeric(day: date) -> str:
    return day.strftime("%d.%m.%Y")
