"""Damage of captures: sound pages that were made broken in each way, and sound pages as they are.

    python -m scripts.experiments.capture_quality [--pages N] [--sound N]

Pages of `wcxb`, one a domain, are made broken: something else stands in their place or in the place of their content, the
source is cut, its charset goes wrong; they are judged anew, as `dbce run` does. Sites of `dragnet-sites` and of six other sets lose the content
of a page, URLs of `timelines` and `flink` that of a capture, captures of `gosh` and `kreuzer` what they embed. Sound pages are of other domains, with at least 50 words of gold.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from lxml import html as lxml_html

from dbce import html
from dbce.archive import host, surt
from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.results import table
from dbce.model import Capture, Config, Reason, Reject, digest64
from dbce.output.rows import page_row
from dbce.pipeline import annotate
from dbce.quality import (
    COLLAPSED_WORDS,
    Damage,
    DamageKind,
    damage_of,
    damage_of_reject,
    missing_resources,
)
from scripts.experiments import broken_pages
from scripts.experiments.compared_damage import damage_among
from scripts.experiments.sets import DATA, add_title, call, captures_of, present

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.html import HtmlElement

    from dbce.boilerplate import Annotated
    from dbce.output import Row

    Break = Callable[[Annotated, int], bytes | None]
    """Makes a page broken; the number says in which of several ways; None if it cannot be."""

SOUND = ("wcxb", "sites", "timelines", "cleaneval", "dragnet-sites", "fundus", "misinfo")

SITES = ("dragnet-sites", "sites", "wcxb", "misinfo")
"""Sets with sites of which a page loses its content, that were looked at when the rules were written."""

NEW_SITES = ("cleaneval", "cleanportaleval", "dragnet")
"""Such sets that were not."""

LETTERS = ("timelines", "sites", "fundus", "recipes", "misinfo", "chinese", "cleaneval", "flink")
"""Sets of which pages have question marks for letters: those of `wcxb` are in English for the most part."""

LEAST = 50
"""Words of the gold text of a sound page, at least."""

UTF_8 = "text/html; charset=utf-8"

ALL = 0.9
"""Share of the content that is gone with an element that something else stands in."""

FRESH = 3
"""Messages of each kind, the last ones, that nobody looked at when the phrases were written."""

BESIDE = 3
"""Other captures of a URL, and pages of other URLs of its site, that a capture is seen beside."""

TEMPLATE = 150
"""Words of a template at least that is there when the content has gone."""

A_SITE = 16
"""URLs of a site that lose their content in one capture."""

LOOKED_AT = {"timelines": 8, "flink": 0}
"""Sets with captures through time, and the URLs of a site that were looked at when the rules were written."""

COMPARED = 12
"""Captures of a site, of which a page loses its content, that are judged together."""

FOREIGN = 10
"""Letters beyond ASCII of a page whose charset goes wrong, at least."""


class BrokenCapture(NamedTuple):
    """A capture that was judged: the kind that it was made, "" of a sound one, and the damage that was found."""

    way: str
    made: str
    url: str
    damage: Damage | None
    is_held_out: bool = False

    @property
    def found(self) -> str:
        """The kind that was found, "" for none."""
        return str(self.damage.kind) if self.damage else ""


def main(arguments: Sequence[str] = ()) -> None:
    """Prints precision and recall by kind, and each false alarm."""
    parser = ArgumentParser(prog="python -m scripts.experiments.capture_quality")
    parser.add_argument("--pages", type=int, default=100, help="pages that are broken in each way")
    parser.add_argument("--sound", type=int, default=1000, help="sound pages")
    options = parser.parse_args(arguments)
    sound = list(sound_pages(options.sound))
    broken = [
        *broken_alone(options.pages),
        *question_marks(options.pages),
        *broken_on_sites(options.pages),
        *broken_in_time(options.pages),
    ]
    kinds = [kind for kind in DamageKind if any(seen.made == kind for seen in broken)]
    print(add_title("By kind:", table(KINDS, [_row(kind, broken, sound) for kind in kinds])))
    ways = dict.fromkeys((seen.way, seen.made) for seen in broken)
    print(add_title("By way:", table(WAYS, [_way_row(way, broken) for way in ways])))
    alarms = [
        [seen.found, seen.damage and seen.damage.evidence, seen.url]
        for seen in sound
        if seen.damage
    ]
    title = f"Alarms on {len(sound)} sound pages:"
    print(add_title(title, table(("damage", "reason", "URL"), alarms or [["none", "", ""]])))
    print(add_title("Embedded:", table(EMBEDDED, list(alarm_rows()))))


KINDS = ("damage", "pages", "found", "recall", "precision")
WAYS = (
    "made broken",
    "damage",
    "pages",
    "found",
    "recall",
    "of those not looked at",
    "called otherwise",
)
EMBEDDED = ("set", "captures", "damage", "before", "after")


def _row(
    kind: str, broken: Sequence[BrokenCapture], sound: Sequence[BrokenCapture]
) -> list[object]:
    made = [seen for seen in broken if seen.made == kind]
    called = [seen for seen in (*broken, *sound) if seen.found == kind]
    right = sum(seen.found == kind for seen in made)
    return [kind, len(made), right, _share(right, len(made)), _share(right, len(called))]


def _way_row(way: tuple[str, str], broken: Sequence[BrokenCapture]) -> list[object]:
    name, kind = way
    made = [seen for seen in broken if (seen.way, seen.made) == way]
    right = [seen for seen in made if seen.found == kind]
    held = [seen for seen in made if seen.is_held_out]
    held_right = sum(seen.found == kind for seen in held)
    others = sorted({seen.found or "nothing" for seen in made} - {kind})
    held_out_share = _share(held_right, len(held)) if held else ""
    return [
        name,
        kind,
        len(made),
        len(right),
        _share(len(right), len(made)),
        held_out_share,
        ", ".join(others),
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


def _captures(name: str) -> list[tuple[Capture, int]]:
    """The captures of a set with the words of their gold, in an order by chance that is always the same."""
    for _, archive, gold_path in present([name]):
        gold = {page.page: page.text or "" for page in by_kind(read_gold(str(gold_path)))[0]}
        every = [
            (capture, len(gold.get(capture.record_id, "").split()))
            for capture in captures_of(str(archive), Config())
            if isinstance(capture, Capture)
        ]
        return sorted(every, key=lambda one: digest64(one[0].record_id.encode()))
    return []


def _one_of_a_domain(name: str) -> list[Capture]:
    by_host = {host(capture.url): capture for capture, words in _captures(name) if words >= LEAST}
    return list(by_host.values())


def _damage(result: Annotated | Reject) -> Damage | None:
    if isinstance(result, Reject):
        return damage_of_reject(result.reason, result.detail)
    return damage_of(result.signs)


def sound_pages(number: int) -> Iterator[BrokenCapture]:
    """Yield the captures of sound pages, judged set by set; those of `wcxb` are not those that are broken."""
    for name in SOUND:
        chosen = [capture for capture, words in _captures(name) if words >= LEAST]
        if name == "wcxb":
            chosen = _one_of_a_domain(name)[::-1]
        for result in annotate(chosen[: -(-number // len(SOUND))], Config()):
            of = result if isinstance(result, Reject) else result.capture
            yield BrokenCapture("", "", of.url, _damage(result))


def broken_alone(number: int) -> Iterator[BrokenCapture]:
    """Yield pages of `wcxb` that were made broken in each way."""
    pages = _one_of_a_domain("wcxb")
    whole = [
        page
        for page in annotate(pages[: 4 * number], Config())
        if not isinstance(page, Reject) and not damage_of(page.signs)
    ]
    for way, kind, make, messages in WAYS_TO_BREAK:
        made: list[tuple[Capture, bool]] = []
        for page, turn in zip(whole, count(), strict=False):
            if len(made) < number and (source := make(page, turn)) is not None:
                capture = replace(page.capture, payload=source, content_type=UTF_8)
                made.append((capture, bool(messages) and turn % messages >= messages - FRESH))
        results = annotate([capture for capture, _ in made], Config())
        for (capture, is_held_out), result in zip(made, results, strict=True):
            yield BrokenCapture(way, kind, capture.url, _damage(result), is_held_out)


def _in_its_place(messages: Sequence[tuple[str, str]], _page: Annotated, turn: int) -> bytes:
    title, body = messages[turn % len(messages)]
    source = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return source.encode()


def _in_its_template(
    messages: Sequence[tuple[str, str]], page: Annotated, turn: int
) -> bytes | None:
    title, body = messages[turn % len(messages)]
    return without_content(page, title, body)


def without_content(page: Annotated, title: str, body: str) -> bytes | None:
    """Return a page whose content is another; None if its content has no place of its own."""
    tree = lxml_html.document_fromstring(page.html.decode("utf-8", "replace").replace("\0", ""))
    holders: list[HtmlElement] = tree.xpath("//body//*[@data-dbce='content']")  # type: ignore[assignment]
    if not holders:
        return None
    holder = _content_element(holders)
    for child in list(holder):
        holder.remove(child)
    holder.text = " "
    holder.append(lxml_html.fragment_fromstring(body, create_parent="div"))
    for element in tree.iter("title"):
        element.text = title
    return html.strip(lxml_html.tostring(tree, encoding="utf-8", doctype="<!DOCTYPE html>"))


def _content_element(holders: Sequence[HtmlElement]) -> HtmlElement:
    """Return the innermost element with nine tenths of the content."""
    sizes: Counter[HtmlElement] = Counter()
    for holder in holders:
        size = len(holder.text_content())
        for element in (holder, *holder.iterancestors()):
            sizes[element] += size
    whole = sizes[holders[0].getroottree().getroot()]
    return max(
        (e for e in sizes if sizes[e] >= ALL * whole), key=lambda e: len(list(e.iterancestors()))
    )


def _cut(page: Annotated, turn: int) -> bytes:
    payload = html.strip(page.html)
    return payload[: len(payload) * (30 + turn * 7 % 60) // 100]


def _foreign(page: Annotated) -> str | None:
    """Return the source of a page with enough letters beyond ASCII in its content, as text."""
    if sum(not c.isascii() for c in page.text) < FOREIGN:
        return None
    return page.html.decode("utf-8", "replace")


def _misread(charset: str, page: Annotated, _turn: int) -> bytes | None:
    source = _foreign(page)
    if source is None:
        return None
    again = "".join(c if c.isascii() else c.encode().decode(charset, "ignore") for c in source)
    return html.strip(again.encode())


def _replaced(sign: str, page: Annotated, _turn: int) -> bytes | None:
    source = _foreign(page)
    if source is None or sum(c.isalpha() and not c.isascii() for c in page.text) < FOREIGN:
        return None
    return html.strip(re.sub(r"[^\x00-\x7f]", sign, source).encode())


def _templated(messages: Sequence[tuple[str, str]]) -> tuple[Break, int]:
    return partial(_in_its_template, messages), len(messages)


def _bare(messages: Sequence[tuple[str, str]]) -> tuple[Break, int]:
    return partial(_in_its_place, messages), len(messages)


WAYS_TO_BREAK: tuple[tuple[str, str, Break, int], ...] = (
    ("error alone", DamageKind.ERROR, *_bare(broken_pages.ERRORS)),
    ("error in the template", DamageKind.ERROR, *_templated(broken_pages.ERRORS)),
    ("maintenance alone", DamageKind.MAINTENANCE, *_bare(broken_pages.MAINTENANCE)),
    ("maintenance in the template", DamageKind.MAINTENANCE, *_templated(broken_pages.MAINTENANCE)),
    ("parked", DamageKind.PARKED, *_bare(broken_pages.PARKED)),
    ("consent alone", DamageKind.CONSENT, *_bare(broken_pages.CONSENT)),
    ("log-in alone", DamageKind.LOGIN, *_bare(broken_pages.LOGIN)),
    ("log-in in the template", DamageKind.LOGIN, *_templated(broken_pages.LOGIN)),
    ("proof of a human", DamageKind.BOT_CHECK, *_bare(broken_pages.BOT_CHECKS)),
    ("shell", DamageKind.EMPTY_SHELL, *_bare(broken_pages.SHELLS)),
    ("source cut at 30 to 90 %", DamageKind.CUT_SHORT, _cut, 0),
    ("UTF-8 read as Windows-1252", DamageKind.CHARSET, partial(_misread, "cp1252"), 0),
    ("UTF-8 read as Latin-1", DamageKind.CHARSET, partial(_misread, "latin-1"), 0),
    ("replacement characters", DamageKind.CHARSET, partial(_replaced, "\ufffd"), 0),
    ("question marks for letters", DamageKind.CHARSET, partial(_replaced, "?"), 0),
)
"""Name, damage, function, and number of messages, of which the last were not looked at."""


def question_marks(number: int) -> Iterator[BrokenCapture]:
    """Yield pages of other sets than `wcxb`, one a domain, with question marks for all letters beyond ASCII."""
    for name in LETTERS:
        pages = annotate(_one_of_a_domain(name)[:number], Config())
        sources = (
            (page.capture, _replaced("?", page, 0))
            for page in pages
            if not isinstance(page, Reject) and not damage_of(page.signs)
        )
        captures = [
            replace(capture, payload=source, content_type=UTF_8)
            for capture, source in sources
            if source is not None
        ]
        for capture, result in zip(captures, annotate(captures, Config()), strict=True):
            way = "question marks, of other sets"
            yield BrokenCapture(way, DamageKind.CHARSET, capture.url, _damage(result))


def broken_on_sites(number: int) -> Iterator[BrokenCapture]:
    """Yield pages of SITES that lost their content, in their template and beside three others of their site."""
    for name in (*SITES, *NEW_SITES):
        for pages in list(_sites_of(name))[:number]:
            for place, page in enumerate(pages):
                nearby = [other.signs for other in (*pages[place + 1 :], *pages[:place])]
                damage = damage_among(page.signs, nearby)
                yield BrokenCapture("whole, beside others", "", page.capture.url, damage)
            yield from _broken_beside(*pages, is_held_out=name in NEW_SITES)


def _sites_of(name: str) -> Iterator[list[Annotated]]:
    """Yield four sound pages of each site of a set, with content enough."""
    captures: dict[str, list[Capture]] = {}
    for capture, words in _captures(name):
        if words >= 2 * LEAST:
            captures.setdefault(host(capture.url), []).append(capture)
    for of_site in captures.values():
        if len(of_site) > BESIDE:
            pages = annotate(of_site[:COMPARED], Config())
            sound = [p for p in pages if not isinstance(p, Reject) and not damage_of(p.signs)]
            if len(sound) > BESIDE:
                yield sound[: BESIDE + 1]


def _broken_beside(
    first: Annotated, *others: Annotated, is_held_out: bool
) -> Iterator[BrokenCapture]:
    """Yield a page of a site without its content, beside three others."""
    nearby = [page.signs for page in others]
    for way, kind, source in (
        ("content gone from the template", DamageKind.CONTENT_FELL, without_content(first, first.page.title, "<p></p>")),
        ("a few words left", DamageKind.COLLAPSED, b"<html><body><p>Welcome to our new site. More follows.</p></body></html>"),
    ):  # fmt: skip
        if source is None or (kind == DamageKind.CONTENT_FELL and not _has_template(first)):
            continue
        capture = replace(first.capture, payload=source, content_type=UTF_8)
        copies = (
            replace(page.capture, payload=html.strip(page.html), content_type=UTF_8)
            for page in others
        )
        result = next(annotate([capture, *copies], Config()))
        damage = _damage(result)
        if not isinstance(result, Reject):
            known = nearby if way.startswith("content") else [first.signs]
            damage = damage_among(result.signs, known)
        yield BrokenCapture(way, _left(result), capture.url, damage, is_held_out)


def _left(result: Annotated | Reject) -> DamageKind:
    """Return the damage of a page whose content was taken, by the words that a reader is left with."""
    words = 0 if isinstance(result, Reject) else result.signs.words
    if not words:
        return DamageKind.EMPTY_SHELL
    return DamageKind.COLLAPSED if words < COLLAPSED_WORDS else DamageKind.CONTENT_FELL


def _has_template(page: Annotated) -> bool:
    """Return whether a page has a template that is left without its content; else it collapses with that."""
    return page.signs.words - page.signs.content_words >= TEMPLATE


def broken_in_time(number: int) -> Iterator[BrokenCapture]:
    """Yield captures that lost their content, beside the others of their URL, as `dbce quality` sees them."""
    for name, looked_at in LOOKED_AT.items():
        yield from _broken_captures(name, looked_at, number)


def _broken_captures(name: str, looked_at: int, number: int) -> Iterator[BrokenCapture]:
    by_site: dict[str, dict[str, list[Capture]]] = {}
    for capture, words in _captures(name):
        if words >= 2 * LEAST:
            by_site.setdefault(host(capture.url), {}).setdefault(capture.surt, []).append(capture)
    chosen = [
        (url, urls, place >= looked_at)
        for urls in by_site.values()
        for place, url in enumerate(
            [key for key, of_url in urls.items() if len(of_url) > BESIDE][:A_SITE]
        )
    ]
    for url, urls, is_held_out in chosen[: A_SITE * number]:
        first, *others = urls[url][: BESIDE + 1]
        around = [of_url[0] for other, of_url in urls.items() if other != url][:BESIDE]
        pages = {
            page.capture.record_id: page
            for page in annotate([first, *others, *around], Config())
            if not isinstance(page, Reject)
        }
        whole = pages.get(first.record_id)
        nearby = [pages[one.record_id].signs for one in others if one.record_id in pages]
        if whole is None or len(nearby) < BESIDE or damage_of(whole.signs):
            continue
        if not _has_template(whole):
            continue
        yield BrokenCapture("whole, through time", "", first.url, damage_among(whole.signs, nearby))
        source = without_content(whole, whole.page.title, "<p></p>")
        if source is None:
            continue
        broken = replace(first, payload=source, content_type=UTF_8)
        result = next(annotate([broken, *others, *around], Config()))
        damage = _damage(result)
        if not isinstance(result, Reject):
            damage = damage_among(result.signs, nearby)
        yield BrokenCapture(
            "content gone, through time", _left(result), first.url, damage, is_held_out
        )


def alarm_rows() -> Iterator[list[object]]:
    """Yield a row for each archive with all that its pages embed: alarms as it is, and without style sheets or pictures."""
    for name in ("gosh", "kreuzer"):
        path = DATA / name / f"{name}.warc.gz"
        if not path.exists():
            continue
        every = list(captures_of(str(path), Config()))
        there = {c.surt for c in every if isinstance(c, Reject) and c.reason is Reason.NOT_HTML}
        captures = [c for c in every if isinstance(c, Capture)]
        rows = [page_row(page, "host") for page in annotate(captures, Config())]
        for kind, column in (
            (DamageKind.NO_STYLE, "style_sheets"),
            (DamageKind.NO_PICTURES, "pictures"),
        ):
            having = [row for row in rows if len(row.get(column) or ()) >= 3]
            before = sum(_missing(row, there) == kind for row in having)
            lost = [there - {surt(url) for url in row[column]} for row in having]
            after = sum(_missing(row, left) == kind for row, left in zip(having, lost, strict=True))
            yield [name, len(having), kind, before, after]


def _missing(row: Row, there: set[str]) -> str:
    sheets, pictures = row["style_sheets"], row["pictures"]
    damage = missing_resources(sheets, pictures, lambda url: surt(url) in there)
    return str(damage.kind) if damage else ""


if __name__ == "__main__":
    call(main)
