"""One page after the other: migrated, laid out again, and measured; never one that stops the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from dbce.html import decode
from dbce.model import Dropped, InputError, fault_detail
from dbce.visual.migrate.layout_check import Side, alike
from dbce.visual.migrate.obsolete import obsolete_in
from dbce.visual.migrate.page import Looks, migrate
from dbce.visual.migrate.schema import Account, Refusal
from dbce.visual.migrate.tree import parse
from dbce.visual.migrate.unit_inputs import FINER
from dbce.visual.segment import DEFAULT, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.html import Decoded
    from dbce.model import Capture
    from dbce.output import Row
    from dbce.visual import RenderedPage, Segmentation
    from dbce.visual.migrate.page import Migrated
    from dbce.visual.migrate.tree import Element
    from dbce.visual.migrate.unit_inputs import Known
    from dbce.visual.render import Answers, Renderer

MEDIA = "text/html; charset=utf-8"


def measured(
    capture: Capture | Dropped | None,
    row: Row,
    known: Known,
    laid_out: tuple[RenderedPage, bytes],
    renderer: Renderer,
) -> Account:
    """The account of a page; with `laid_out`, the page and its picture as they were before."""
    account = Account(row)
    if capture is None:
        return account.refuse(Refusal.NOT_FOUND, "no archive that is named has its record")
    if isinstance(capture, Dropped):
        return account.refuse(Refusal.UNREADABLE, f"{capture.reason}: {capture.detail}")
    try:
        return _measured(account, capture, known, laid_out, renderer)
    except InputError as e:
        return account.refuse(Refusal.UNREADABLE, f"{e.reason}: {e.detail}")
    except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
        return account.refuse(Refusal.FAULT, fault_detail(e, capture.origin))


def _measured(
    account: Account,
    capture: Capture,
    known: Known,
    laid_out: tuple[RenderedPage, bytes],
    renderer: Renderer,
) -> Account:
    page, picture = laid_out
    decoded = decode(capture.payload, capture.content_type)
    found = known.segmentation(page)
    looks = _looks(page, capture, decoded, renderer.answers)
    blocks, before = known.labelled(page, found), Side(page, found, picture)
    account.original = decoded.text
    migrated = migrate(decoded.text, blocks, looks)
    account = _judged(account, capture, migrated, before, renderer)
    if account.reason == Refusal.LAYOUT and (migrated.styled or migrated.mended):
        migrated = migrate(decoded.text, blocks, looks, leave=migrated.styled, moves=0)
        account = _judged(account, capture, migrated, before, renderer)
    return account


def _judged(
    account: Account, capture: Capture, migrated: Migrated, before: Side, renderer: Renderer
) -> Account:
    """The account with a new form of the page, which is refused or not."""
    account.migrated, account.reason, account.detail = migrated, "", ""
    if not migrated.stable:
        return account.refuse(Refusal.UNWRITABLE, "written, it would be parsed otherwise")
    if migrated.losses:
        said = ", ".join(f"{count} {kind}" for kind, count in migrated.losses.items())
        return account.refuse(Refusal.LOSS, f"on one side alone: {said}")
    if left := obsolete_in(parse(migrated.html).root):
        return account.refuse(Refusal.OBSOLETE, f"still there: {', '.join(sorted(left))}")
    return _laid_out(account, capture, migrated.html, before, renderer)


def _laid_out(
    account: Account, capture: Capture, html: str, before: Side, renderer: Renderer
) -> Account:
    """The account with what the new page looks like, laid over the archive in the place of the old one."""
    payload = html.encode("utf-8", "replace")
    again = renderer.render(replace(capture, payload=payload, content_type=MEDIA))
    if isinstance(again, Dropped):
        return account.refuse(Refusal.NOT_LAID_OUT, f"{again.reason}: {again.detail}")
    after = Side(again.page, _alike_cut(again.page, before.segmentation), again.laid_out.screenshot)
    account.alike = alike(before, after)
    if account.alike.is_good:
        return account
    counts = account.alike.blocks
    return account.refuse(
        Refusal.LAYOUT,
        f"Cq {counts.quality} of {counts.gold} blocks, Cf {counts.false_alarms}",
    )


def _alike_cut(page: RenderedPage, before: Segmentation) -> Segmentation:
    """The page in blocks, by the algorithm that cut it before."""
    is_finer = "level=2" in before.algorithm
    return segment(page, DEFAULT, FINER if is_finer else None)


def _looks(page: RenderedPage, capture: Capture, decoded: Decoded, answers: Answers) -> Looks:
    body = page.styles[page.elements[0].style].color if page.elements else ""
    root = parse(decoded.text).root
    base = next(
        (one.attributes["href"] for one in root.elements("base") if "href" in one.attributes), ""
    )

    def answered(asked: Iterable[str]) -> tuple[str, ...]:
        """The texts of addresses, so far as the archive has them."""
        urls = (_joined(capture.url, base, said) for said in asked)
        replies = (answers.answer(url, capture.timestamp) for url in urls if url)
        return tuple(
            reply.payload.decode("utf-8", "replace")
            for reply in replies
            if reply is not None and reply.status < 400
        )

    return Looks(body, answered(_sheets(root)), answered(_scripts(root)), decoded.charset)


def _joined(url: str, base: str, said: str) -> str:
    """An address on a page; "" if it is none."""
    try:
        return urljoin(urljoin(url, base), said)
    except ValueError:  # of a host in brackets that is none
        return ""


def _sheets(root: Element) -> Iterator[str]:
    for link in root.elements("link"):
        if "stylesheet" in link.attributes.get("rel", "").lower().split():
            yield link.attributes.get("href", "")


def _scripts(root: Element) -> Iterator[str]:
    return (one.attributes["src"] for one in root.elements("script") if "src" in one.attributes)
