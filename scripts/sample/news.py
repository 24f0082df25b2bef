"""The news site: much furniture that changes all the time, comments that grow, one redesign."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from scripts.sample.layout import fill, links, others, turn
from scripts.sample.marks import content
from scripts.sample.prose import furniture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from scripts.sample.prose import Story

REDESIGNED_AT = 2  # the first crawl that sees the new template
_MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
)
_OLD = {
    "paragraph": "<p>{}</p>",
    "heading": "<h3>{}</h3>",
    "quote": "<blockquote><p>{}</p></blockquote>",
    # Caption and credit share one text node: a run is told from its neighbour, not a node.
    "caption": '<div class="bild"><img src="/img/steg.gif" alt="" />'
    '<div class="bildtext">{} Foto: Uferbote/Archiv</div></div>',
    "item": "<ul><li>{}</li></ul>",
}
_NEW = {
    "paragraph": "<p>{}</p>",
    "heading": "<h2>{}</h2>",
    "quote": "<blockquote>{}</blockquote>",
    "caption": '<figure><div class="bild"></div><figcaption>{} <span class="quelle">'
    "Foto: Uferbote/Archiv</span></figcaption></figure>",
    "item": "<ul><li>{}</li></ul>",
}
_INSERTED_AFTER = 3  # blocks of the article above the advertisement that the new template inserts


def render(piece: Story, crawl: int, pieces: Sequence[Story]) -> str:
    """The marked page of an article as that crawl finds it."""
    new = crawl >= REDESIGNED_AT
    # What rotates does so by article and crawl, so that no two captures show the same.
    beat = 3 * crawl + 5 * [p.path for p in pieces].index(piece.path)
    comments = piece.of("comment")[: crawl + 1]
    today, tomorrow = furniture("news-weather")[crawl]
    return fill(
        "news-2015" if new else "news-2012",
        title=html.escape(piece.title, quote=False),
        title_plain=html.escape(piece.title),
        headline=content(piece.title),
        section=piece.section,
        kicker=piece.kicker,
        author=piece.author,
        date=_long(piece.date) if new else piece.date.strftime("%d.%m.%Y"),
        date_iso=piece.date.isoformat(),
        body=_body(piece, new, beat),
        tags=_tags(piece),
        tags_plain=piece.tags,
        related=links(others(pieces, piece)[crawl % 3 :][:3], "<li>{}</li>"),
        ad_inline=_ad(beat),
        ad_side=_ad(beat + 4),
        comments=_comments(comments, new),
        comment_count=len(comments),
        comment_noun="Kommentar" if len(comments) == 1 else "Kommentare",
        popular=links(turn(pieces, crawl, 5), "<li>{}</li>"),
        teasers=_teasers(beat),
        weather_today=today,
        weather_tomorrow=tomorrow,
        year=(2013, 2013, 2015, 2016, 2017)[crawl],
    )


def _long(day: date) -> str:
    return f"{day.day}. {_MONTHS[day.month - 1]} {day.year}"


def _body(piece: Story, new: bool, beat: int) -> str:
    forms = _NEW if new else _OLD
    blocks = [
        forms[block.kind].format(content(block.text))
        for block in piece.blocks
        if block.kind != "comment"
    ]
    if new:
        advertisement = f'<div class="werbung"><span>Anzeige</span>\n{_ad(beat + 7)}\n</div>'
        blocks.insert(_INSERTED_AFTER, advertisement)
    return "\n".join(blocks).replace("</ul>\n<ul>", "\n")


def _tags(piece: Story) -> str:
    return ", ".join(f'<a href="/thema/{t.lower()}">{t}</a>' for t in piece.tags.split(", "))


def _ad(beat: int) -> str:
    ads = furniture("news-ads")
    head, text, action = ads[beat % len(ads)]
    return (
        f"<p><strong>{head.replace('&', '&amp;')}</strong><br>{text.replace('&', '&amp;')}"
        f' <a href="/klick/{beat}">{action}</a></p>'
    )


def _comments(comments: Sequence[str], new: bool) -> str:
    form = (
        "<li><strong>{}</strong> schreibt: <p>{}</p></li>"
        if new
        else ('<div class="kommentar"><b>{}</b> meint:<br />{} <a href="#">Melden</a></div>')
    )
    pairs = (html.escape(c, quote=False).split(": ", 1) for c in comments)
    return "\n".join(form.format(name, text) for name, text in pairs)


def _teasers(beat: int) -> str:
    return "\n".join(
        f'<div class="teaser"><a href="/meldung/{beat}-{n}"><b>{head}</b></a><p>{text}</p></div>'
        for n, (head, text) in enumerate(turn(furniture("news-teasers"), beat, 4))
    )
