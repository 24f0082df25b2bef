"""A page as HTML5: the whole way of one page, from its text and its blocks to its new text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.visual.migrate.attributes import replace_attributes
from dbce.visual.migrate.elements import replace_elements, replace_frames
from dbce.visual.migrate.head import mode, renew_head
from dbce.visual.migrate.losses import differences, inventory
from dbce.visual.migrate.moved import MOVES
from dbce.visual.migrate.nonstandard import rename_strangers, spoken_of
from dbce.visual.migrate.obsolete import replace_names
from dbce.visual.migrate.quirks import compensate
from dbce.visual.migrate.roles import ROLES, How, Roles
from dbce.visual.migrate.selectors import matches, selectors_of, sheets_in
from dbce.visual.migrate.sheet import Sheet
from dbce.visual.migrate.tables import replace_for_others
from dbce.visual.migrate.tree import parse, serialise
from dbce.visual.migrate.value_repairs import mend_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dbce.visual.migrate.head import Mode
    from dbce.visual.migrate.roles import Given, LabelledBlock
    from dbce.visual.migrate.tree import DomDocument


@dataclass(frozen=True, slots=True)
class PageLooks:
    """Facts about a page as it was laid out.

    `colour` is the body's, "" if it is not known; `sheets` and `scripts` are those that it asks for, and
    `charset` what its bytes were read in.
    """

    colour: str = ""
    sheets: Sequence[str] = ()
    scripts: Sequence[str] = ()
    charset: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Migrated:
    """A page as HTML5, and what was done.

    `way` says how roles were given, "rename" or "wrap", and `changed` how many matches of selectors
    changed by all that was done, by each way. `elements` and `attributes` count what was obsolete, `mended`
    what was wrong in other ways.
    `losses` is what is on one side alone, by kind. `stable` says that the text is parsed as the tree
    that it was written from. `styled` are the roles for whose elements the page has rules of its own.
    """

    html: str
    mode: Mode
    way: str
    changed: Mapping[str, int]
    given: tuple[Given, ...]
    elements: Counter[str]
    attributes: Counter[str]
    mended: Counter[str]
    losses: Mapping[str, int]
    stable: bool
    styled: frozenset[str]

    @property
    def refusal(self) -> str:
        """Why it may not take the place of the page; "" if it may."""
        if not self.stable:
            return "unwritable"
        return "loss" if self.losses else ""


@dataclass(slots=True)
class _Changed:
    """A page that was changed in one way."""

    page: DomDocument
    given: tuple[Given, ...]
    elements: Counter[str]
    attributes: Counter[str]
    mended: Counter[str]
    matches: int = 0

    @property
    def has_renamed(self) -> bool:
        return any(role.how is How.RENAMED and role.role != "main" for role in self.given)


def migrate(
    html: str,
    blocks: Sequence[LabelledBlock] = (),
    looks: PageLooks | None = None,
    leave: frozenset[str] = frozenset(),
    moves: int = len(MOVES),
) -> Migrated:
    """A page as HTML5: of renaming and wrapping its blocks that which changes less.

    Roles to `leave` are given to no block. Of `MOVES` no more than the first ones are made.
    """
    looks = looks or PageLooks()
    page = parse(html)
    selectors = selectors_of([*sheets_in(page.root), *looks.sheets])
    before = inventory(page.root, looks.charset)
    fitting = matches(page.root, selectors)

    def made(way: str, moves: int) -> _Changed:
        changed = _changed(html, blocks, looks, rename=way == "rename", leave=leave, moves=moves)
        changed.matches = len(fitting ^ matches(changed.page.root, selectors))
        return changed

    ways = {"rename": made("rename", 0)}
    ways["wrap"] = made("wrap", 0) if ways["rename"].has_renamed else ways["rename"]
    way = min(ways, key=lambda name: (ways[name].matches, name))
    best = _moved(ways[way], lambda moves: made(way, moves), moves)
    written = serialise(best.page)
    again = parse(written)
    return Migrated(
        html=written,
        mode=mode(page.doctype),
        way=way,
        changed={name: item.matches for name, item in ways.items()},
        given=best.given,
        elements=best.elements,
        attributes=best.attributes,
        mended=best.mended,
        losses=differences(before, inventory(again.root)),
        stable=serialise(again) == written,
        styled=frozenset(str(item.lower_local_name) for item in selectors) & ROLES,
    )


def _moved(still: _Changed, made: Callable[[int], _Changed], most: int) -> _Changed:
    """The page with as many moves as change no match of a selector that stood without them."""
    for moves in range(most, 0, -1):
        moved = made(moves)
        if moved.mended == still.mended:
            return still
        if moved.matches <= still.matches and _is_stable(serialise(moved.page)):
            return moved
    return still


def _is_stable(html: str) -> bool:
    """Return whether a page's HTML is parsed as the tree that it was written from."""
    return serialise(parse(html)) == html


def _changed(
    html: str,
    blocks: Sequence[LabelledBlock],
    looks: PageLooks,
    *,
    rename: bool,
    leave: frozenset[str],
    moves: int,
) -> _Changed:
    page = parse(html)
    root, sheet = page.root, Sheet()
    roles = Roles(root, sheet)
    sheets = [*sheets_in(root), *looks.sheets]
    spoken = spoken_of(root, looks.scripts, looks.sheets)
    compensate(root, mode(page.doctype), sheet, colour=looks.colour, sheets=sheets)
    given = roles.give(blocks, rename=rename, leave=leave)
    elements = Counter({"frame": frames} if (frames := replace_frames(root, sheet)) else {})
    attributes = replace_for_others(root, sheet)
    elements += replace_elements(root, sheet)
    attributes += replace_attributes(root, sheet)
    attributes += replace_names(root)
    renew_head(page)
    mended: Counter[str] = Counter()
    mend_values(root, sheet, spoken, looks.charset, mended)
    rename_strangers(root, sheet, spoken, mended)
    for move in MOVES[:moves]:
        move(root, sheet, mended)
    sheet.add("h1", "font-size:2em;margin-top:.67em;margin-bottom:.67em")
    if (style := sheet.element()) is not None and (head := root.find("head")) is not None:
        head.insert(1, style)
    return _Changed(page, tuple(given), elements, attributes, +mended)
