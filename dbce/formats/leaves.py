"""Lines with their markup: the leaves of the tree."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from dbce import html
from dbce.formats.lines import CHECK_BOX, ContentNodes, Line, Token, content_lines
from dbce.formats.part import CHECKED, NOTE_MARK, UNCHECKED, Part, number_in_common, text_of
from dbce.formats.places import NO_ELEMENT, Places, absolute, base_of
from dbce.model import Page, printable

Children = list[Part | str]
Markup = tuple[tuple[str, int], ...]

WITHIN = ("\u2018", "\u2019")  # signs of a quotation within another
LINE_BREAK = "\v"  # in the place of a `<br>`; no text of a leaf has one
TEX_SIGN = re.compile(r"[\\^_={}]")
VARIABLE = re.compile(r"[A-Za-z]['*]?(?:\([A-Za-z0-9]\))?")

# Of characters without width alone nothing is seen.
SEEN = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff]")

CAPTION = html.NamePattern("caption", "caption")
CREDIT = re.compile(
    r"(?<=[.!?…”\"')])\s+[(\[]?(?:(?:photo(?:graph(?:er)?)?s?|foto(?:graf\w*)?s?|images?|pictures?|illustrations?|bild(?:er)?"
    r"|(?:photo |image )?cr[eé]dits?)(?:\s+cr[eé]dits?)?\s*(?:[:/©|]|by\b|courtesy\b|von\b|par\b)|©|\(c\))"
    r"(?:\s*\S+){1,8}\s*$",
    re.IGNORECASE,
)
"""Credit behind the sentences of a caption."""

# Scripts that are written without spaces, and their punctuation: CSS Text Module Level 3, 4.1.3.
_WIDE = "[\u2e80-\u318f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
WIDE = re.compile(_WIDE)
BREAK = re.compile(f"(?<={_WIDE})[^\\S\n]*\n\\s*(?={_WIDE})")

SHORTCODE = re.compile(
    r"\[[a-z][\w-]*(?:\s+[\w-]+\s*=\s*(?:\"[^\"\[\]]*\"|'[^'\[\]]*'|[“”″][^“”″\[\]]*[“”″]|’[^’\[\]]*’))+\s*/?\]"
    r"|\[/?(?:vc|et_pb|fusion|av|mk|su|ux|tve|nectar|dt|cs|wpb)_\w+\s*/?\]|\[/(?:caption|gallery|embed|playlist|\w+_\w+)\]"
)
"""Shortcodes of WordPress as they stand in a page whose plugin is gone."""


def in_one_line(text: str) -> str:
    """A text with its white space collapsed; a line feed between two signs of Chinese or Japanese is none."""
    if "\n" in text and not text.isascii():
        text = BREAK.sub("", text)
    return " ".join(text.split())


def is_break(before: str, behind: str) -> bool:
    """True if the white space between two texts is a line feed that no browser shows."""
    end, start = before.rstrip(), behind.lstrip()
    white = before[len(end) :] + behind[: len(behind) - len(start)]
    return "\n" in white and bool(WIDE.match(end[-1:]) and WIDE.match(start))


def captions_of(page: Page) -> set[int]:
    """The captions of pictures, by their tag or their class."""
    called = html.elements_like(page.classes, CAPTION)
    return called | html.elements_of_tags(page, "figcaption")


def captions_around(page: Page) -> list[int]:
    """For each element the caption that it is or is in, -1 of none; no element of a page without captions."""
    captions = captions_of(page)
    return html.enclosing_elements(page, captions) if captions else []


def is_whole(page: Page, code: int, texts: int, left_out: Collection[int]) -> bool:
    """True if so many text nodes are all that a piece of code has in any format."""
    inside = html.nodes_within(page, code)
    return texts == len(inside) - sum(n in left_out for n in inside)


def code_line(text: str) -> str:
    """Code as plain text, "" where nothing is seen of it."""
    text = printable(text)
    if not SEEN.search(text):
        return ""
    return "\n".join([line.rstrip() for line in text.split("\n")]).strip("\n")


class _Ruby:
    """Ruby of a page: words, and how they are read, which stands in brackets where all is in one line."""

    def __init__(self, page: Page) -> None:
        self._tags = page.tags
        ruby = html.elements_of_tags(page, "ruby")
        parts = html.elements_of_tags(page, "rt", "rtc", "rp")
        self._part = html.enclosing_elements(page, ruby | parts)
        self._whole = html.enclosing_elements(page, ruby)

    def with_readings(self, tokens: Sequence[Token]) -> list[Token]:
        row: list[Token] = []
        was_ruby = False
        for ruby, group in groupby(tokens, key=lambda token: self._whole[token.element]):
            part = list(group)
            part = [self._token(part)] if ruby >= 0 else part
            is_beside = row and (was_ruby or ruby >= 0)
            before = row[-1].text.rstrip(" \n)") if is_beside else ""
            if WIDE.match(before[-1:]) and WIDE.match(part[0].text.lstrip()):
                row[-1] = row[-1]._replace(text=row[-1].text.rstrip())
                part[0] = part[0]._replace(text=part[0].text.lstrip(), spaced=False)
            row += part
            was_ruby = ruby >= 0
        return row

    def _token(self, tokens: Sequence[Token]) -> Token:
        groups = [[*members] for _, members in groupby(tokens, key=self._kind)]
        text = ""
        for n, members in enumerate(groups):
            kind, _ = self._kind(members[0])
            words = "".join(f" {token.text}" if token.spaced else token.text for token in members)
            words = in_one_line(printable(words))
            is_wide = WIDE.match(text or words)
            words = words.replace(" ", "") if is_wide else words
            if kind == "ruby":
                text += words
            elif kind != "rp":
                brackets = [
                    self._bracket(groups[k]) for k in (n - 1, n + 1) if 0 <= k < len(groups)
                ]
                opening, closing = brackets if len(brackets) == 2 and all(brackets) else "()"
                text += f"{opening}{words}{closing}" if is_wide else f" {opening}{words}{closing}"
        return tokens[0]._replace(text=text)

    def _kind(self, token: Token) -> tuple[str, int]:
        """The tag of the part that a token is in, of readings one for all; brackets of the page are each their own."""
        part = self._part[token.element]
        tag = self._tags[part]
        return (tag, part) if tag == "rp" else ("ruby" if tag == "ruby" else "rt", NO_ELEMENT)

    def _bracket(self, tokens: Sequence[Token]) -> str:
        is_bracket = self._kind(tokens[0])[0] == "rp"
        return "".join(token.text for token in tokens).strip() if is_bracket else ""


def leaves_of(nodes: ContentNodes, left_out: Collection[int]) -> list[tuple[Line, Part | None]]:
    """Lines of the content, each with its paragraph, heading or code; None where nothing is seen of it."""
    place = Places(nodes.page, nodes.markup.details, nodes.having)
    leaves = _Leaves(nodes, place, left_out)
    return [(line, leaves.leaf(line)) for line in content_lines(nodes, place, left_out)]


class _Leaves:
    """Maker of leaves, of the lines of a page's content without the text nodes `left_out`."""

    def __init__(self, nodes: ContentNodes, place: Places, left_out: Collection[int]) -> None:
        page, details = nodes.page, nodes.markup.details
        self._page = page
        self._place = place
        self._details = details
        self._base = base_of(page, details, nodes.url)
        self._caption_of = captions_around(page)
        self._ruby = _Ruby(page) if "ruby" in page.tags else None
        self._left_out = left_out

    def leaf(self, line: Line) -> Part | None:
        """A paragraph, a heading or a `<pre>`; None where nothing would be seen."""
        if line.place.verbatim >= 0:
            language = self._details.get(line.place.verbatim, {}).get("language", "")
            text = printable(self._verbatim(line))
            return Part("pre", (text,), language) if SEEN.search(text) else None
        children: Children = []
        for tokens in line.rows:
            row = self._row(tokens)
            if children and row:
                children.append(Part("br"))
            children += row
        if len(line.rows) > 1:
            children = _with_parted_formulas(children)
        if not SEEN.search(text_of(children)):
            return None
        is_caption = self._caption_of and self._caption_of[line.rows[0][0].element] >= 0
        if is_caption and isinstance(last := children[-1], str):
            children[-1] = CREDIT.sub("", last)
        return Part(line.place.heading or "p", tuple(children))

    def _verbatim(self, line: Line) -> str:
        """The text as it stands there; where only a part is content, that part, row by row."""
        pre = line.place.verbatim
        if is_whole(self._page, pre, sum(map(len, line.rows)), self._left_out):
            return self._details[pre]["text"]
        rows = ("".join(f" {t.text}" if t.spaced else t.text for t in row) for row in line.rows)
        return "\n".join(row.strip() for row in rows)

    def _row(self, tokens: Sequence[Token]) -> Children:
        """White space is collapsed, and stands outside of markup, where all formats can have it."""
        own_tokens = self._ruby.with_readings(tokens) if self._ruby else tokens
        pieces = list(self._joined_pieces(own_tokens))
        first, around = pieces[0]
        if len(pieces) == 1 and not around and first.node >= 0:  # as most
            return list(raw_formulas(in_one_line(SHORTCODE.sub(" ", printable(first.text)))))
        opened: list[tuple[tuple[str, int], Children]] = [(("", -1), [])]
        spaced = False
        before = ""
        for token, markup in pieces:
            written = printable(token.text)
            spaced = spaced or token.spaced or written[:1].isspace()
            is_code = ("code", NO_ELEMENT) in markup
            if "[" in written and not is_code:
                written = SHORTCODE.sub(" ", written)
            text = in_one_line(written)
            if not text:
                continue
            same = number_in_common([element for element, _ in opened[1:]], markup)
            if spaced and not token.spaced and is_break(before, written):
                spaced = False
            self._close(opened, same)
            if spaced and (opened[0][1] or same):
                opened[-1][1].append(" ")
            opened += [(around, []) for around in markup[same:]]
            is_text = not token.formula and token.image is None and not is_code
            opened[-1][1].extend(raw_formulas(text) if is_text else (self._child(token, text),))
            before = written
            spaced = before[-1:].isspace() or token.image == CHECK_BOX
        self._close(opened, 0)
        return _join_texts(opened[0][1])

    def _joined_pieces(self, tokens: Sequence[Token]) -> Iterator[tuple[Token, Markup]]:
        """The tokens with their markup, texts of one as one: a formula may be in several."""
        before, texts = tokens[0], [tokens[0].text]
        around = self._place[before.element].markup
        for token in tokens[1:]:
            markup = self._place[token.element].markup
            if markup == around and token.node >= 0 and before.node >= 0:
                texts.append(f"{' ' * token.spaced}{token.text}")
            else:
                yield (before._replace(text="".join(texts)) if texts[1:] else before), around
                before, around, texts = token, markup, [token.text]
        yield (before._replace(text="".join(texts)) if texts[1:] else before), around

    def _child(self, token: Token, text: str) -> Part | str:
        if token.formula:
            return Part("math", (text,), "display" if token.formula == "displayed" else "")
        if token.image is None:
            return text
        if token.image == CHECK_BOX:
            return Part("input", (CHECKED if text == CHECKED else UNCHECKED,))
        return Part("img", (text,), absolute(self._base, token.image) or "#")

    def _close(self, opened: list[tuple[tuple[str, int], Children]], until: int) -> None:
        """Closes markup; a link that leads nowhere is only its text."""
        while len(opened) > until + 1:
            (name, element), children = opened.pop()
            link = NOTE_MARK if name == "sup" and element >= 0 else ""
            if name == "a":
                link = absolute(self._base, self._details.get(element, {}).get("href", ""))
            if name == "q" and text_of(children).removeprefix(WITHIN[0])[:1].isalnum():
                is_within = any(outer == "q" for (outer, _), _ in opened)
                before, behind = WITHIN if is_within else ("“", "”")
                children = [before, *children, behind]
            is_text = name == "q" or (name == "a" and not link)
            part = children if is_text else [Part(name, tuple(_join_texts(children)), link)]
            opened[-1][1].extend(part)


def raw_formulas(text: str) -> Iterator[Part | str]:
    """A text, with the formulas that it has as TeX between the signs that MathJax looks for."""
    end = 0
    for raw in html.RAW_TEX.finditer(text) if "$" in text or "\\" in text else ():
        tex = next(filter(None, raw.groups()))
        is_displayed = raw[0].startswith(html.TEX_HEADS)
        if not (TEX_SIGN.search(tex) or (VARIABLE.fullmatch(tex) and not is_displayed)):
            continue
        yield from filter(None, (text[end : raw.start()],))
        yield Part("math", (tex.strip(),), "display" if is_displayed else "")
        end = raw.end()
    yield from filter(None, (text[end:],))


def _with_parted_formulas(children: Children) -> Children:
    """Text and line breaks, with the formulas that these part: editors of blogs set one for each line feed, and MathJax reads on."""
    texts = [child if isinstance(child, str) else LINE_BREAK for child in children]
    is_text = all(isinstance(child, str) or child.tag == "br" for child in children)
    if not is_text or not any(map(html.TEX_BEGINS.search, texts)):
        return children
    merged: Children = []
    for piece in raw_formulas("".join(texts)):
        if isinstance(piece, Part):
            tex = " ".join(text_of(piece.children).split())
            merged.append(Part("math", (tex,), piece.link))
            continue
        for n, text in enumerate(piece.split(LINE_BREAK)):
            merged += [Part("br")] * (n > 0) + [text] * bool(text)
    return merged


def _join_texts(children: Children) -> Children:
    """The children, texts beside each other as one."""
    if len(children) < 2:  # as of most links
        return children
    joined: Children = []
    for kind, group in groupby(children, key=type):
        members = [*group]
        joined += ["".join(map(str, members))] if kind is str else members
    return joined
