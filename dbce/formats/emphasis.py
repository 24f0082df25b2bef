"""Emphasis in a line of Markdown, set where a CommonMark reader sees it.

A row of `*` opens or closes emphasis by the characters beside it (CommonMark 0.31, 6.2): within
words it does, between a letter and a sign it does not. There the sign is set outside of the
emphasis, as people do.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile
from typing import NamedTuple

Styles = frozenset[str]

DELIMITERS = {"del": "~~", "em": "*", "strong": "**"}

# Which styles stay where not all can be written; the last always can.
LADDER = tuple(map(frozenset, (DELIMITERS, ("strong", "del"), ("strong",), ())))

SPACE, WORD, SIGN = "space", "word", "sign"


class Atom(NamedTuple):
    """Text of a line that is emphasised as a whole.

    `solid` writes what is more than text, from `text` and the styles `within`: those that a link has in its
    text, since they do not fit around it.
    """

    text: str
    styles: Styles = frozenset()
    solid: Callable[[str, Styles], str] | None = None
    within: Styles = frozenset()

    @property
    def edges(self) -> tuple[str, str]:
        """Kinds of its first and last character; a solid atom begins and ends with signs."""
        if self.solid:
            return SIGN, SIGN
        return _kind(self.text[0]), _kind(self.text[-1])


class _Delimiter(str):
    """Signs that open or close a style, told from text that has the same."""

    __slots__ = ()


def atoms_of(text: str, styles: Styles = frozenset()) -> Iterator[Atom]:
    """The atoms of a text: from its first word to its last one, and its signs and spaces before and behind.

    Emphasis begins and ends at a word at the latest, so it never does between these two.
    """
    start = next((place for place, sign in enumerate(text) if _kind(sign) == WORD), len(text))
    behind = next((place for place, sign in enumerate(reversed(text)) if _kind(sign) == WORD), 0)
    end = max(start, len(text) - behind)
    yield from _by_kind(text[:start], styles)
    if start < end:
        yield Atom(text[start:end], styles)
    yield from _by_kind(text[end:], styles)


def _by_kind(text: str, styles: Styles) -> Iterator[Atom]:
    for _, characters in groupby(text, key=_kind):
        yield Atom("".join(characters), styles)


def emphasise(line: Sequence[Atom], escaped: Callable[[str], str]) -> str:
    """The line in Markdown; `escaped` writes text so that it is no markup.

    Every style that can be written is; a reader gets no other.
    """
    styles = frozenset[str]().union(*(atom.styles for atom in line))
    if not styles:
        return _text(line, escaped)
    for allowed in LADDER:
        with_allowed = (atom._replace(styles=atom.styles & allowed) for atom in line)
        fitted = _fit_styles([*(line if styles <= allowed else with_allowed)])
        tokens, meant = _tokens(fitted, escaped)
        # Of ASCII both are the same.
        kinds = (_is_sign,) if "".join(tokens).isascii() else (_is_punctuation, _is_sign)
        if all(_read(tokens, is_sign) == meant for is_sign in kinds):
            break
    return "".join(tokens)


@lru_cache(maxsize=4096)  # a page has few different ones
def _kind(character: str) -> str:
    if character.isspace():
        return SPACE
    return SIGN if _is_sign(character) else WORD


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _is_punctuation(character: str) -> bool:
    """A sign as CommonMark had it until 0.30: symbols that are not ASCII are none."""
    return unicodedata.category(character)[0] == "P" or (
        character.isascii() and _is_sign(character)
    )


def _fit_styles(line: list[Atom]) -> list[Atom]:
    """The line with each style on no more than can be written: spaces and some signs at its edges go."""
    for style in DELIMITERS:
        end = 0
        for start, atom in enumerate(line):
            if start >= end and style in atom.styles:
                end = _end(line, start, style)
                _fit(line, style, start, end)
    return line


def _fit(line: list[Atom], style: str, start: int, end: int) -> None:
    while start < end and not _opens(line, start):
        line[start] = _drop_style(line[start], style)
        start += 1
    while end > start and not _closes(line, end):
        end -= 1
        line[end] = _drop_style(line[end], style)


def _opens(line: Sequence[Atom], place: int) -> bool:
    kind = line[place].edges[0]
    return kind == WORD or (kind == SIGN and (not place or line[place - 1].edges[1] != WORD))


def _closes(line: Sequence[Atom], end: int) -> bool:
    kind = line[end - 1].edges[1]
    return kind == WORD or (kind == SIGN and (end == len(line) or line[end].edges[0] != WORD))


def _drop_style(atom: Atom, style: str) -> Atom:
    """An atom without a style around it; a link has it in its text instead."""
    within = atom.within | {style} if atom.solid else atom.within
    return atom._replace(styles=atom.styles - {style}, within=within)


def _tokens(line: Sequence[Atom], escaped: Callable[[str], str]) -> tuple[list[str], list[Styles]]:
    tokens: list[str] = []
    meant: list[Styles] = []
    opened: list[str] = []
    place = 0
    for styles, group in groupby(line, key=lambda atom: atom.styles):
        atoms = list(group)
        kept = len(list(takewhile(styles.__contains__, opened)))
        tokens += [_Delimiter(DELIMITERS[style]) for style in reversed(opened[kept:])]
        del opened[kept:]
        # What lasts longest opens first.
        new = [style for style in DELIMITERS if style in styles and style not in opened]
        opening = sorted(new, key=lambda style: -_end(line, place, style)) if new[1:] else new
        tokens += [_Delimiter(DELIMITERS[style]) for style in opening]
        opened += opening
        text = _text(atoms, escaped)
        if text.startswith("[") and tokens and not isinstance(before := tokens[-1], _Delimiter):
            tokens[-1] = _no_image(before)
        tokens.append(text)
        meant.append(styles)
        place += len(atoms)
    tokens += [_Delimiter(DELIMITERS[style]) for style in reversed(opened)]
    return tokens, meant


def _end(line: Sequence[Atom], place: int, style: str) -> int:
    while place < len(line) and style in line[place].styles:
        place += 1
    return place


def _text(atoms: Sequence[Atom], escaped: Callable[[str], str]) -> str:
    line = texts = ""
    for text, _, solid, within in atoms:
        if solid is None:
            texts += text
            continue
        line, texts = line + escaped(texts), ""
        written = solid(text, within)
        line = f"{_no_image(line) if written.startswith('[') else line}{written}"
    return line + escaped(texts)


def _no_image(text: str) -> str:
    """A text before a link: its exclamation mark would make an image of that."""
    return f"{text[:-1]}\\!" if text.endswith("!") else text


@dataclass(slots=True)
class _Run:
    """Equal delimiter characters in a row, as they are read."""

    place: int
    sign: str
    length: int
    left: int
    opens: bool
    closes: bool


def _read(tokens: Sequence[str], is_sign: Callable[[str], bool]) -> list[Styles] | None:
    """The styles of each text as a reader sees them; None if delimiters would be seen as text."""
    pairs: list[tuple[int, int, str]] = []
    stack: list[_Run] = []
    for run in _runs(tokens, is_sign):
        while run.closes and run.left and (opener := _opener(stack, run)) is not None:
            before = stack[opener]
            used = min(2, before.left, run.left)
            pairs.append((before.place, run.place, STYLE[run.sign * used]))
            before.left -= used
            run.left -= used
            del stack[opener + (before.left > 0) :]
        if run.left and not run.opens:
            return None
        if run.left:
            stack.append(run)
    if stack:
        return None
    return _styles(tokens, pairs)


STYLE: Mapping[str, str] = {sign: style for style, sign in DELIMITERS.items()} | {"~": ""}


def _styles(tokens: Sequence[str], pairs: Iterable[tuple[int, int, str]]) -> list[Styles]:
    around: list[set[str]] = [set() for _ in tokens]
    for start, end, style in pairs:
        for of_token in around[start:end]:
            of_token.add(style)
    parted = zip(tokens, around, strict=True)
    return [frozenset(of_token) for token, of_token in parted if not isinstance(token, _Delimiter)]


def _runs(tokens: Sequence[str], is_sign: Callable[[str], bool]) -> Iterator[_Run]:
    signs = [token[0] if isinstance(token, _Delimiter) else "" for token in tokens]
    for sign, group in groupby(range(len(tokens)), key=signs.__getitem__):
        places = list(group)
        start, place = places[0], places[-1] + 1
        if not sign:
            continue
        before = tokens[start - 1][-1] if start else " "
        after = tokens[place][0] if place < len(tokens) else " "
        opens = not after.isspace() and (not is_sign(after) or before.isspace() or is_sign(before))
        closes = not before.isspace() and (not is_sign(before) or after.isspace() or is_sign(after))
        length = sum(map(len, tokens[start:place]))
        yield _Run(start, sign, length, length, opens, closes)


def _opener(stack: Sequence[_Run], run: _Run) -> int | None:
    """Place of the opening run for a closing one: the nearest possible, by the rule of three."""
    for place in reversed(range(len(stack))):
        before = stack[place]
        thirds = (before.length + run.length) % 3 == 0 and (before.length % 3 or run.length % 3)
        if before.sign == run.sign and not (thirds and (before.closes or run.opens)):
            return place
    return None
