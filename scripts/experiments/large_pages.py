"""Pages of invented sites, made from numbers: about 50 KB each, built as pages of news sites are.

The sizes follow pages of 35 to 70 KB in labelled data sets, in the median: 550 elements, 100 links,
20 paragraphs, 1,000 words of which 550 differ, 4 to 16 KB of scripts and styles.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from scripts.sample.prose import shelf

WORDS = 1 << 16
"""Length of the table that words are drawn from, as often as the sample's essays use them."""

SITES_KEPT = 512
"""Templates in memory, some 20 KB each; small sites beyond it are made again."""


@dataclass(frozen=True, slots=True)
class Template:
    """Common parts of all pages of a site."""

    name: str  # prefix of its classes
    head: str
    top: str
    wrappers: tuple[str, ...]  # elements around article and sidebar
    teasers: int
    bottom: str


def page(seed: int, site: int, number: int, crawl: int) -> str:
    """The page of a site as a crawl finds it: its article stays, what is around it moves on."""
    template = _template(seed, site)
    name = template.name
    rng = Random(f"{seed} {site} {number}")
    title = heading(seed, site, number)
    author, day = _words(rng, 2), f"{1 + number % 28} May 20{10 + number % 6}"
    others = range(number + 1 + 7 * crawl, number + 1 + 7 * crawl + template.teasers)
    parts = [
        f"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{title}</title>",
        f'<link rel=canonical href="{address(seed, site, number)}">{template.head}{template.top}',
        *(f'<{tag} class="{name}-{tag}">' for tag in template.wrappers),
        f'<article class="{name}-article" id="article-{number}"><h1>{title}</h1>',
        f'<p class="{name}-byline">By <a href="/authors/{number % 40}">{author}</a>, {day}</p>',
        *_share(name, address(seed, site, number)),
        *_article(rng, name, later=crawl if rng.random() < 0.2 else 0),
        f'</article><section class="{name}-comments"><h3>Comments</h3>',
        *_comments(rng, name, crawl),
        f'</section><aside class="{name}-side"><h4>More of this</h4>',
        *(_teaser(seed, site, name, other) for other in others),
        "</aside>",
        *(f"</{tag}>" for tag in reversed(template.wrappers)),
        template.bottom.replace("YEAR", str(2013 + crawl)),
    ]
    return "\n".join(parts)


def address(seed: int, site: int, number: int) -> str:
    """The URL of a page."""
    slug = re.sub(r"\W+", "-", heading(seed, site, number).lower())
    return f"http://www.site{site}.example/{2010 + number % 6}/05/{slug}-{number}.html"


def _article(rng: Random, name: str, later: int) -> list[str]:
    """Ten to 26 paragraphs with what stands between them; `later` ones were added since."""
    blocks = []
    for n in range(rng.randint(10, 26) + later):
        if n % 7 == 5:
            blocks.append(f"<h2>{_words(rng, 5)}</h2>")
        if n % 11 == 3:
            blocks.append(
                f'<figure class="{name}-figure"><img src="/images/{rng.getrandbits(32):08x}.jpg" '
                f'alt="" width=640 height=427><figcaption>{_words(rng, 12)}</figcaption></figure>'
            )
        link = f'<a href="/topics/{rng.getrandbits(10)}">{_words(rng, 2)}</a>'
        text = _words(rng, 8 + rng.getrandbits(5))
        blocks.append(f'<p class="{name}-text">{text} {link} {_words(rng, 6)}</p>')
    return blocks


def _share(name: str, url: str) -> list[str]:
    return [
        f'<div class="{name}-share {name}-share-{n}"><a href="http://share{n}.example/?u={url}" '
        f'target="_blank" data-track="share,{n}"><i class="{name}-icon"></i></a></div>'
        for n in range(8)
    ]


def _comments(rng: Random, name: str, crawl: int) -> list[str]:
    """Return the readers' comments until that crawl: none on every other page, more on the rest."""
    return [
        f'<div class="{name}-comment" id="comment-{rng.getrandbits(24)}">'
        f'<div class="{name}-who"><b>{_words(rng, 1)}</b> <i>{1 + n} days later</i></div>'
        f"<p>{_words(rng, 8 + rng.getrandbits(5))}</p>"
        f'<ul class="{name}-tools"><li><a href="#reply">Reply</a></li>'
        f'<li><a href="#report">Report</a></li></ul></div>'
        for n in range(min(rng.randint(-8, 8), 4 + 2 * crawl))
    ]


def _teaser(seed: int, site: int, name: str, number: int) -> str:
    title, url = heading(seed, site, number), address(seed, site, number)
    return f"""\
    <div class="{name}-teaser {name}-teaser-{number % 3}" data-track="teaser,side,{number}">
      <a class="{name}-thumb" href="{url}" title="{title}">
        <img src="http://static.site{site}.example/thumbs/120x80/{number}.jpg" width=120 height=80>
      </a>
      <div class="{name}-teaser-text"><h5 class="{name}-teaser-title"><a href="{url}">{title}</a></h5>
        <span class="{name}-when">{number % 12 + 1} hours ago</span> <em>{number % 9}</em></div>
    </div>"""


def heading(seed: int, site: int, number: int) -> str:
    """The title of a page."""
    at = (seed * 31 + site * 7919 + number * 104_729) % (WORDS - 7)
    return " ".join(_table()[at : at + 7]).capitalize()


def _words(rng: Random, count: int) -> str:
    table = _table()
    return " ".join([table[n] for n in memoryview(rng.randbytes(2 * count)).cast("H")])


@lru_cache(maxsize=1)
def _table() -> list[str]:
    """Words drawn from the sample's texts, so that few are frequent and many are rare."""
    pieces = [piece for name in ("essays", "letters", "news") for piece in shelf(name)]
    text = " ".join(block.text for piece in pieces for block in piece.blocks)
    words = re.findall(r"(?<!\S)[^\W\d_]+[,.;]?(?!\S)", text)
    return Random(0).choices(words, k=WORDS)


@lru_cache(maxsize=SITES_KEPT)
def _template(seed: int, site: int) -> Template:
    """The template of a site: other elements, other classes, menus of other lengths than others."""
    rng = Random(f"{seed} {site}")
    name = f"{rng.choice('abcdefghijklmnop')}{rng.getrandbits(12):03x}"
    kind = rng.choice(("div", "section", "main"))
    wrappers = ("div", kind, rng.choice(("div", "section")))[: rng.randint(1, 3)]
    menus = "".join(
        _menu(rng, site, name, part, rng.randint(4, 16)) for part in ("news", "life", "more")
    )
    rules = "\n".join(
        f".{name}-{_slug(rng)} {{ margin: {n}px; color: #{rng.getrandbits(24):06x} }}"
        for n in range(rng.randint(20, 50))
    )
    counts = ",".join(str(rng.getrandbits(20)) for _ in range(rng.randint(400, 1400)))
    return Template(
        name,
        head=f"<style>{rules}</style><script>var counted = [{counts}];</script></head>",
        top=f'<body class="{name}"><header class="{name}-top"><a href="/" class="{name}-logo">'
        f"{_words(rng, 2)}</a><nav>{menus}</nav></header>",
        wrappers=wrappers,
        teasers=rng.randint(32, 46),
        bottom=f'<footer class="{name}-foot">{_menu(rng, site, name, "foot", rng.randint(12, 24))}'
        f"<p>Copyright YEAR {_words(rng, 3)}. {_words(rng, 25)}</p></footer></body></html>",
    )


def _menu(rng: Random, site: int, name: str, part: str, count: int) -> str:
    entries = "\n".join(
        f'      <li class="{name}-entry {name}-entry-{n}" data-track="menu,{part},{n}">'
        f'<a href="http://www.site{site}.example/{part}/{_slug(rng)}"><span>{_words(rng, 1)}</span>'
        "</a></li>"
        for n in range(count)
    )
    return f'<ul class="{name}-menu {name}-{part}">\n{entries}\n</ul>'


def _slug(rng: Random) -> str:
    return f"{rng.getrandbits(30):x}"
