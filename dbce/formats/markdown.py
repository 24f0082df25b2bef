"""Content as Markdown: CommonMark, with the tables of GitHub, and emphasis where its readers see it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from dbce.formats.emphasis import DELIMITERS, Atom, atoms_of, emphasise
from dbce.formats.part import CELLS, Part, lone_line, numbers_of, parts_of, text_of
from dbce.html import HEADINGS
from dbce.model import LETTER_RUN

# An underscore within a word means nothing in CommonMark, nor does an ampersand that begins no entity.
# One set in front: the places where a sign may be are then looked for three times as fast.
MARKUP_SIGNS = re.compile(
    r"[\\`*\[\]<~_&](?:(?<![_&])|(?<=_)(?:(?<![^\W_]_)|(?![^\W_]))|(?<=&)(?=#?\w+;))"
)
CLOSING = re.compile(r"(?<!\\)((?:\\\\)*)#$")  # a sign that would end a heading and is not escaped
START = re.compile(r"^(?:[0-9]{1,9}(?=[.)](?:\s|$))|(?=[#>+=-]))", re.MULTILINE)
OWN_MARK = re.compile(r"\A[•‣▪◦●○■]\s+(?=\S)")  # of an item whose list shows none
REFERENCE = re.compile(r"&(?=#?\w+;)")  # to a character, which readers resolve in links too
TEX = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[])|`")
"""Signs of a formula that readers without formulas would take for HTML, a character, a link or code."""
BREAK = "\\\n"
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
YEAR = re.compile(r"\W*(?:1[5-9]|20)\d\d\W*")
NUMBERS = range(1_000_000_000)
"""Numbers that items can have: CommonMark takes nine digits, and no sign."""


def as_markdown(blocks: Iterable[Part], references: str | None = None) -> str:
    """The blocks, parted by empty lines.

    With `references` links are such, and their addresses stand at the end, numbered; it stands before each
    number, so that texts can stand in one document.
    """
    writing = _Writing(references)
    return "\n\n".join(filter(None, (writing.blocks(blocks), writing.references())))


class _Writing:
    """The writing of a text, and the addresses that it refers to so far."""

    def __init__(self, prefix: str | None) -> None:
        self._prefix = prefix
        self._numbers: dict[str, int] = {}

    def references(self) -> str:
        return "\n".join(
            f"[{self._prefix}{number}]: {link}" for link, number in self._numbers.items()
        )

    def blocks(self, blocks: Iterable[Part]) -> str:
        texts = []
        mark = ""
        for block in blocks:
            # A list that has the marks of the one before would be more of that.
            if block.tag in ("ul", "ol"):
                text, mark = self._list(block, mark)
            else:
                text, mark = self._block(block), ""
            texts.append(text)
        return "\n\n".join(filter(None, texts))

    def _block(self, part: Part) -> str:
        match part.tag:
            case "p":  # as most
                return self._line(part.children)
            case "dl":
                return self._terms(part)
            case "table":
                return self._table(part)
            case "pre":
                text = "".join(map(str, part.children)).strip("\n")
                fence = "`" * max(3, 1 + _longest(text))
                return f"{fence}{part.link}\n{text}\n{fence}"
            case "blockquote":
                return _indent(self.blocks(parts_of(part)), "> ", "> ")
            case tag if tag in HEADINGS:
                # No other block begins within a heading: nothing there is escaped but a sign of headings.
                text = self._inline(part.children).replace(BREAK, " ")
                closed = CLOSING.sub(r"\1\\#", text)
                return f"{'#' * int(tag[1])} {closed}"
        return self._line(part.children)

    def _list(self, part: Part, before: str) -> tuple[str, str]:
        """A list, and the mark of its last item; `before` is that of a list just before it."""
        items = parts_of(part)
        tight = all(lone_line(item.children) is not None or _is_nested(item) for item in items)
        texts = []
        mark = before
        for item, mark in zip(items, _marks(part, before), strict=True):
            inside = OWN_MARK.sub("", self.blocks(parts_of(item)))
            inside = inside.removeprefix(f"{mark[:-1]}\\. ")  # a number that the page sets itself
            if _is_nested(item):
                inside = inside.replace("\n\n", "\n", 1)
            texts.append(_indent(inside, f"{mark} ", " " * (len(mark) + 1)))
        return ("\n" if tight else "\n\n").join(texts), mark

    def _terms(self, part: Part) -> str:
        """A list of terms: each strong, its definitions below, for Markdown has no other."""
        texts = []
        for item in parts_of(part):
            if item.tag == "dt" and (line := lone_line(item.children)):
                texts.append(self._line(line, frozenset({"strong"})))
            else:
                texts.append(self.blocks(parts_of(item)))
        return "\n\n".join(filter(None, texts))

    def _table(self, part: Part) -> str:
        caption = [each for each in parts_of(part) if each.tag == "caption"]
        parts = parts_of(part)[len(caption) :]
        rows = [[self._cell(cell) for cell in parts_of(row)] for row in parts]
        header = rows.pop(0) if _has_header(parts) else [""] * len(rows[0])
        rule = ["---"] * len(header)
        table = "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))
        return "\n\n".join([*(self.blocks(parts_of(each)) for each in caption), table])

    def _cell(self, cell: Part) -> str:
        lines = "<br>".join(self._cell_lines(cell))
        return lines.replace(BREAK, "<br>").replace("|", "\\|")

    def _cell_lines(self, part: Part) -> Iterator[str]:
        """The lines of a cell, which holds no blocks: items have their marks, code its signs."""
        for block in parts_of(part):
            if block.tag in ("ul", "ol"):
                for item, mark in zip(parts_of(block), _marks(block, ""), strict=True):
                    first, *others = self._cell_lines(item)
                    yield from (f"{mark} {first}", *others)
            elif block.tag == "table":
                for row in parts_of(block):
                    yield " ".join(filter(None, self._cell_lines(row)))
            elif block.tag in ("dl", "dt", "dd", "blockquote", "caption", *CELLS):
                yield from self._cell_lines(block)
            elif block.tag == "pre":
                code = "".join(map(str, block.children)).split("\n")
                yield from (_code(row) if row.strip() else "" for row in code)
            else:
                yield self._line(block.children)

    def _line(self, parts: Sequence[Part | str], styles: frozenset[str] = frozenset()) -> str:
        """The text of a paragraph; what would begin a block at the start of a line is escaped."""
        return START.sub(lambda start: f"{start[0]}\\", self._inline(parts, styles))

    def _inline(self, parts: Sequence[Part | str], styles: frozenset[str] = frozenset()) -> str:
        if len(parts) == 1 and isinstance(text := parts[0], str) and not styles:  # as most lines
            return _escape(text)
        tags = _tags_in(parts)
        # Where formulas stand, a dollar would begin one.
        escaped = _escape_beside_formulas if "math" in tags else _escape
        # Most lines have no emphasis, and their texts need not be taken apart.
        is_plain = not styles and tags.isdisjoint(DELIMITERS)
        return emphasise(_join_code(self._atoms(parts, styles, is_plain=is_plain)), escaped)

    def _atoms(
        self, parts: Sequence[Part | str], styles: frozenset[str], *, is_plain: bool
    ) -> Iterator[Atom]:
        for part in parts:
            if isinstance(part, str):
                yield from (Atom(part),) if is_plain else atoms_of(part, styles)
            elif part.tag == "br":
                yield Atom("\n", styles)
            elif part.tag in DELIMITERS:
                yield from self._atoms(part.children, styles | {part.tag}, is_plain=is_plain)
            elif part.tag == "code":
                yield Atom(text_of(part.children), styles, _code)
            elif part.tag == "math":
                formula = partial(_formula, "$$" if part.link else "$")
                yield Atom(text_of(part.children), styles, formula)
            else:
                yield Atom("", styles, partial(self._solid, part))

    def _solid(self, part: Part, _: str, within: frozenset[str]) -> str:
        """An image, a link or HTML, as they are written whatever stands beside them."""
        if part.tag == "a":
            return f"[{self._inline(part.children, within)}]{self._target(part.link)}"
        if part.tag == "input":
            return text_of(part.children)
        if part.tag == "img":
            return f"![{self._inline(part.children)}]({_address(part.link)})"
        # Neither CommonMark nor GitHub has signs for what stands higher or lower.
        return f"<{part.tag}>{self._inline(part.children)}</{part.tag}>"

    def _target(self, link: str) -> str:
        if self._prefix is None:
            return f"({_address(link)})"
        number = self._numbers.setdefault(_address(link), len(self._numbers) + 1)
        return f"[{self._prefix}{number}]"


def _join_code(atoms: Iterable[Atom]) -> list[Atom]:
    """The atoms, codes beside each other as one: their signs would be those of another."""
    joined: list[Atom] = []
    for atom in atoms:
        if atom.solid is _code and joined and (before := joined[-1]).solid is _code:
            joined[-1] = Atom(before.text + atom.text, before.styles & atom.styles, _code)
        else:
            joined.append(atom)
    return joined


def _marks(part: Part, before: str) -> Iterator[str]:
    """The mark of each item.

    Readers number from the first item on and begin anew where the sign behind the number is another: so
    numbers that do not follow each other, or the list before, stay what they are.
    """
    items = parts_of(part)
    if part.tag == "ul":
        yield from ("*" if before == "-" else "-" for _ in items)
        return
    numbers = list(numbers_of(items))
    if not all(number in NUMBERS for number in numbers):
        numbers = list(range(1, len(items) + 1))
    sign, last = (before[-1], int(before[:-1])) if before[:-1] else (")", numbers[0])
    for number in numbers:
        if number != last + 1:
            sign = ")" if sign == "." else "."
        yield f"{number}{sign}"
        last = number


def _is_nested(item: Part) -> bool:
    """True if an item is a line with a list below it that may follow without an empty line."""
    parts = parts_of(item)
    if [part.tag for part in parts] not in (["p", "ul"], ["p", "ol"]):
        return False
    return parts[1].tag == "ul" or next(_marks(parts[1], "")) == "1."


def _has_header(rows: Sequence[Part]) -> bool:
    """True if the first row is the header: all of its cells are, or none of the table and it looks like none below it."""
    first, *others = parts_of(rows[0])
    if any(cell.tag == "th" for row in rows for cell in parts_of(row)):
        is_wide = first.span[0] > 1 or any(cell.children for cell in others)
        return is_wide and all(cell.tag == "th" for cell in (first, *others) if cell.children)
    return not any(map(_is_alike, (first, *others), parts_of(rows[1])))


def _is_alike(cell: Part, below: Part) -> bool:
    """True if two cells have numbers of one form, such as "$455/hour" and "$250/hour"; years are headers."""
    first, second = (
        " ".join(text_of(block.children) for block in parts_of(each)) for each in (cell, below)
    )
    forms = {DIGITS.sub("0", LETTER_RUN.sub("a", text)) for text in (first, second)}
    return len(forms) == 1 and "0" in forms.pop() and YEAR.fullmatch(first) is None


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _indent(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}" if line else others.rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _escape(text: str) -> str:
    # With a function, which is called where a sign is: a template would be looked up for each text.
    return MARKUP_SIGNS.sub(lambda sign: f"\\{sign[0]}", text).replace("\n", BREAK)


def _escape_beside_formulas(text: str) -> str:
    return _escape(text).replace("$", "\\$")


def _tags_in(parts: Iterable[Part | str]) -> set[str]:
    inner = [part for part in parts if isinstance(part, Part)]
    return {part.tag for part in inner}.union(*(_tags_in(part.children) for part in inner))


def _formula(sign: str, tex: str, _: frozenset[str]) -> str:
    return f"{sign}{TEX.sub(_inert_sign, tex)}{sign}"


def _inert_sign(sign: re.Match[str]) -> str:
    """A sign of TEX that is none in Markdown and the same in TeX: programs that take formulas out first see no escape."""
    return "\\lq " if sign[0] == "`" else f"{sign[0]} "


def _code(text: str, _: frozenset[str] = frozenset()) -> str:
    fence = "`" * (1 + _longest(text))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _address(link: str) -> str:
    quoted = re.sub(r"[()<>\\]", lambda m: f"%{ord(m[0]):02X}", link)
    return REFERENCE.sub(lambda _: "\\&", quoted)
