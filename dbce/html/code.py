"""Code as a page shows it: its text with white space, its language, and what is set beside it."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from textwrap import dedent

from lxml import etree
from lxml.etree import _Element as Element

from dbce.html import walk
from dbce.model import Page

VERBATIM = frozenset({"pre", "listing", "xmp", "plaintext"})  # elements whose white space counts
INLINE_CODE = frozenset({"code", "samp", "kbd", "tt"})
CODE = VERBATIM | INLINE_CODE
# As highlighters name them: Pygments, Rouge, Chroma, Prism, highlight.js, SyntaxHighlighter, GitHub, Crayon.
GUTTERS = frozenset(walk.WORDS["gutters"].split())
LINE_NUMBERS = re.compile(r"[\s.:|]*\d[\s\d.:|]*")
NOT_SELECTED = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
# Beginning of a line whose number is text: `1. One`.
AFTER_NUMBER = re.compile(r"\s*[.:)\]]")
COPY_BUTTONS = frozenset(walk.WORDS["copy buttons"].split())
COPY = re.compile(
    r"\?|\W*(copy|copied|run|复制(代码)?|コピー|kopieren|copier|copiar)(\W+(code|snippet|text|link|to clipboard|copied))?\W*",
    re.IGNORECASE,
)
# Classes of elements that hold the lines of code as blocks: SyntaxHighlighter, Crayon, GitHub, CodeMirror.
CONTAINERS = frozenset(walk.WORDS["containers of code"].split())
# Classes of fields that hold the code once more, to copy it.
COPIES = frozenset({"crayon-plain", "urvanov-syntax-highlighter-plain"})
# Class of a `<code>` that is a block.
SET_AS_BLOCK = re.compile(r"(?:^|[\s_-])(?:code)?block(?:$|\s)|(?:^|\s)whitespace-pre(?:$|\s)")
_NAME = (
    r"(?!(?:default|none|nohighlight|plain|wrapper|table|container|block|box)\b)([\w+#][\w+#-]*)"
)
# The language of a class, the plainest first: Prism, SyntaxHighlighter, MediaWiki, Sphinx, GitHub, Org, Pandoc, highlight.js.
LANGUAGES_IN_CLASSES = tuple(
    re.compile(pattern + _NAME)
    for pattern in (
        r"(?:^|\s)(?:(?:mw-highlight-)?lang(?:uage)?|brush)-?:?\s*",
        r"(?:^|\s)highlight-(?:source-|text-)?",
        r"(?:^|\s)src\s+src-",
        r"(?:^|\s)(?:sourceCode|hljs|syntaxhighlighter)\s+",
    )
)
LANGUAGE = re.compile(r"[\w+#-]+")
LABEL_CLASS = re.compile(r"(?:^|[\s_-])lang(?:uage)?(?:$|[\s_-])")  # of what names a language
FIGURE = re.compile(rf"(?:^|\s)highlight\s+{_NAME}")  # the same of a figure of Hexo
# Attributes that name a programming language.
LANGUAGE_NAMES = "data-lang data-language data-enlighter-language data-code-wrap language".split()
# Names of programming languages that stand beside code on pages of which no class names one.
NAMES = frozenset(walk.WORDS["programming languages"].split())
AROUND = 8  # elements around code at most that may name its language: so many are in a table
LABELS = 4  # texts beside code at most that name its language or copy it
LONGEST_NUMBER = 100  # characters of the number of a line at most, white space included
SEVERAL = 2  # numbers in a row that are line numbers, at least
# Elements in which a text beside code is that of a row, and no label of the code.
ROWS = frozenset("tr tbody table dl ul ol".split())
TITLES = frozenset({*walk.HEADINGS, "dt", "th"})
LINE_FEED = re.compile(r"(?<![ \t\r])[ \t\r]*\n\s*")
ROW = re.compile(r"(?:^|[\s_-]|listing)line(?:\s|$)")  # class of a block that is a line of code


def read_code(
    page: Page, elements: Sequence[Element], attrs: walk.Attributes, preformatted: Collection[int]
) -> dict[int, dict[str, str]]:
    """Text and language of each outermost piece of code, by element; what is set beside one has `beside`, "".

    Code is an element of VERBATIM, or another one that sets its lines apart. In the elements `preformatted` style sheets
    keep white space and break no line.
    """
    controls = code_controls(page, attrs)
    of_languages = attrs.elements_with(walk.LANGUAGES)
    may_have = preformatted or of_languages or not CODE.isdisjoint(page.tags)
    if not may_have and not walk.elements_of_classes(page, CONTAINERS):  # as in most pages
        return {control: {"beside": ""} for control in controls}
    reader = _CodeReader(page, elements, attrs, controls)
    pieces = reader.pieces(preformatted, of_languages)
    details = {piece: reader.read(piece) for piece in pieces}
    for pair in pairwise(pieces):  # of light and dark themes
        is_dark = any("dark" in value for n in pair for value in elements[n].attrib.values())
        if is_dark and details[pair[0]]["text"] == details[pair[1]]["text"]:
            reader.controls.add(pair[1])
    for control in reader.controls:
        details[control] = {**details.get(control, {}), "beside": ""}
    return details


def code_controls(page: Page, attrs: walk.Attributes) -> set[int]:
    """Line numbers of code and buttons to copy it that say so, by the index of their elements."""
    numbers = walk.elements_of_classes(page, GUTTERS) | attrs.elements_with({walk.LINE_NUMBER})
    numbers |= {n for n, style in attrs.styles("user-select") if NOT_SELECTED.search(style)}
    buttons = walk.elements_of_classes(page, COPY_BUTTONS) | walk.elements_of_tags(page, "button")
    copies = walk.elements_of_classes(page, COPIES)
    if not numbers and not buttons:
        return copies
    control_of = walk.enclosing_elements(page, numbers | buttons)
    texts: dict[int, list[str]] = defaultdict(list)
    for n in walk.texts_within(page, numbers | buttons):
        texts[control_of[page.nodes[n].element]].append(page.nodes[n].text)
    return copies | {
        control
        for control in numbers | buttons
        if (LINE_NUMBERS if control in numbers else COPY).fullmatch("".join(texts[control]))
    }


class _CodeReader:
    """The code of a page, and the elements beside it, which grow as it is read."""

    def __init__(
        self, page: Page, elements: Sequence[Element], attrs: walk.Attributes, controls: set[int]
    ) -> None:
        self._page = page
        self._elements = elements
        self._code_lines = attrs.elements_with({walk.CODE_LINE})
        self._held: Counter[int] = Counter()
        self.controls: set[int] = set()
        self._read = ((-1, -1), "")
        self._of_controls: set[int] = set()
        self._headers: dict[int, range] = {}
        self._leave_out(controls)

    def pieces(self, preformatted: Collection[int], of_languages: Collection[int]) -> list[int]:
        """The outermost elements that set code as a block, in order; `of_languages` say themselves what they are written in."""
        page = self._page
        pieces = walk.elements_of_classes(page, CONTAINERS) - self.controls
        names = page.classes  # Doxygen's fragments begin with a line, those of slides do not
        pieces = {n for n in pieces if names[n] != "fragment" or names[n + 1 : n + 2] == ("line",)}
        code = walk.elements_of_tags(page, *CODE)
        outer = walk.enclosing_elements(page, code)
        pieces |= {n for n in code if outer[page.parents[n]] < 0 and self._is_code(n)}
        pieces |= {n for n in code if page.tags[n] in VERBATIM}
        pieces |= {*filter(self._is_code_in_lines, {page.parents[n] for n in code})}
        around, inside = walk.elements_around(page, pieces), walk.subtree_mask(page, pieces)
        likely = (n for n in {*preformatted, *of_languages} if not around[n] and not inside[n])
        pieces |= {n for n in likely if self._has_lines(n, n in preformatted)}
        outermost = sorted({*walk.outermost_elements(page, pieces)} - {-1})
        self._held.update(outer for n in outermost for outer in self._ancestors(n))
        return outermost

    def read(self, piece: int) -> dict[str, str]:
        """Text and language of a piece, without blanks at its ends and those of its lines; numbers of lines and labels beside it are controls from now on."""
        numbers = self._row_numbers(piece)
        self._leave_out(numbers)
        self._leave_out(self._gutter(piece, self._text(piece).strip("\n").count("\n") + 1))
        language = self._language(piece, ())
        wrappers, labels = self._labels(piece, language)
        self._leave_out({self._page.nodes[n].element for n in labels})
        spelled = (self._spelling(n) for n in labels if not self._is_of_button(n))
        names = (language or self._language(piece, wrappers), *spelled)
        language = next(filter(LANGUAGE.fullmatch, names), "")
        text = self._text(piece).replace("\xa0", " ")
        text = dedent(text) if numbers else text  # a blank parts numbers from the code
        begins = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
        text = "\n".join(line.rstrip(" \t\r") for line in text[begins:].split("\n"))
        return {"text": text[: len(text.rstrip()) + 1], "language": language}

    def _is_code(self, element: int) -> bool:
        """True of an element of INLINE_CODE with several lines that is a block or alone in one."""
        page, code = self._page, self._elements[element]
        if not len(code) and "\n" not in (code.text or ""):  # as nearly all
            return False
        inside = page.tags[element : walk.subtree_end(page.parents, element)]
        if not VERBATIM.isdisjoint(inside):
            return False
        line_feeds = walk.text_content(code).strip().count("\n")
        breaks = [tag for tag in inside if tag == "br" or tag not in walk.INLINE]
        if not breaks and not line_feeds:
            return False
        if SET_AS_BLOCK.search(page.classes[element]) or "block" in code.get("style", ""):
            return True
        outermost, above = element, page.parents[element]
        while above > 0 and page.tags[above] in walk.INLINE:
            outermost, above = above, page.parents[above]
        own_texts = self._nodes(element)
        is_alone = above >= 0 and (
            self._nodes(above) == own_texts
            or (
                self._nodes(outermost) == own_texts
                and _is_between_blocks(self._elements[outermost])
            )
        )
        return is_alone and page.tags[above] not in TITLES and (bool(breaks) or line_feeds > 1)

    def _is_code_in_lines(self, element: int) -> bool:
        """True of an element that holds lines of code, an element each, and nothing else."""
        holder = self._elements[element]
        if holder[0].tag not in ("br", "code"):  # as of nearly all
            return False
        tags = [each.tag for each in holder]
        texts = filter(None, (holder.text, *(each.tail for each in holder)))
        return {*tags} == {"br", "code"} and tags.count("code") > 1 and not "".join(texts).strip()

    def _has_lines(self, element: int, is_preformatted: bool) -> bool:
        """True of an element with several lines that keeps white space, or names a programming language."""
        code = self._elements[element]
        named = (code.get(name, "").lower() for name in LANGUAGE_NAMES)
        if not is_preformatted and NAMES.isdisjoint(named):
            return False
        return "\n" in verbatim_text(code, (), is_pre=is_preformatted).strip()

    def _nodes(self, element: int) -> range:
        return walk.nodes_within(self._page, element)

    def _leave_out(self, controls: Collection[int]) -> None:
        self.controls.update(controls)
        self._of_controls.update(n for element in controls for n in self._nodes(element))

    def _text(self, piece: int, more: Collection[int] = ()) -> str:
        """Text of a piece without what is left out; read anew only where more is left out than the last time."""
        inside = range(piece, walk.subtree_end(self._page.parents, piece))
        left_out = self.controls.intersection(inside).union(more)
        key = piece, len(left_out)  # what is left out only grows
        if key != self._read[0]:
            code, is_pre = self._elements[piece], self._page.tags[piece] in VERBATIM
            if not left_out and self._is_plain(piece, inside.stop):
                text = walk.text_content(code)
            else:
                text = verbatim_text(code, {self._elements[n] for n in left_out}, is_pre=is_pre)
            self._read = key, text
        return self._read[1]

    def _is_plain(self, piece: int, end: int) -> bool:
        """True of a piece in which no element begins a line: its text is all that it holds."""
        page = self._page
        return (
            walk.INLINE.issuperset(page.tags[piece + 1 : end])
            and page.tags[piece + 1 : end].count("code") < 2
            and "line" not in " ".join(page.classes[piece + 1 : end]).lower()
            and self._code_lines.isdisjoint(range(piece, end))
            and next(self._elements[piece].iter(*walk.DROPPED), None) is None
        )

    def _spelling(self, n: int) -> str:
        return " ".join(self._page.nodes[n].text.split()).rstrip(":").lower()

    def _ancestors(self, index: int) -> Iterator[int]:
        return walk.ancestors(self._page.parents, index)

    def _row_numbers(self, piece: int) -> set[int]:
        """Elements that begin the lines of a piece and count them, whatever they are called."""
        page = self._page
        inside = self._nodes(piece)
        numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        for n in inside:
            element, text = page.nodes[n].element, page.nodes[n].text
            if text.strip().isdecimal() and element != piece and n not in self._of_controls:
                begins = n == inside.start or page.nodes[n - 1].text.endswith("\n")
                if begins or page.nodes[n].spaced or self._nodes(page.parents[element]).start == n:
                    numbers[page.tags[element], page.classes[element]].append(n)
        for row in numbers.values():
            of_numbers = {page.nodes[n].element for n in row}
            if not _counts([page.nodes[n].text for n in row]) or len(row) == len(inside):
                continue
            behind = [page.nodes[n + 1].text for n in row if n + 1 in inside]
            lines = self._text(piece, of_numbers).strip("\n").count("\n") + 1
            if abs(lines - len(row)) <= 1 and not any(map(AFTER_NUMBER.match, behind)):
                return of_numbers
        return set()

    def _gutter(self, piece: int, lines: int) -> set[int]:
        """Elements just before a piece of code that number its lines."""
        nodes = self._page.nodes
        around = {*self._ancestors(piece)}
        numbers, elements = list[str](), set[int]()
        start = self._nodes(piece).start
        while start > 0 and len(numbers) <= lines:
            start -= 1
            written = nodes[start].text[: LONGEST_NUMBER * (lines + 2)].split()
            if not all(map(str.isdecimal, written)) or nodes[start].element in around:
                break
            numbers[:0] = written
            elements.add(nodes[start].element)
        is_gutter = abs(len(numbers) - lines) <= 1 and _counts(numbers)
        return elements - self.controls if is_gutter else set()

    def _labels(self, piece: int, language: str) -> tuple[list[int], list[int]]:
        """The elements that hold nothing but a piece of code and its labels, and the text nodes of these."""
        tags, end = self._page.tags, walk.subtree_end(self._page.parents, piece)
        is_around_code = tags[piece] in VERBATIM and tags[piece + 1 : end].count("code") == 1
        code = tags.index("code", piece + 1) if is_around_code else piece
        around = {*self._ancestors(code)}
        wrappers, labels = list[int](), list[int]()
        start, stop = self._nodes(code).start, self._nodes(code).stop
        for above in islice(self._ancestors(code), 1, AROUND + 1):
            tag = self._page.tags[above]
            if tag == "body" or self._held[above] > 1:
                break
            inside = self._nodes(above)
            outside = chain(range(start - 1, inside.start - 1, -1), range(stop, inside.stop))
            texts = [*islice((n for n in outside if n not in self._of_controls), LABELS + 1)]
            is_beside = len(texts) <= LABELS and (tag not in ROWS or not texts)
            is_of_code = is_beside and all(self._is_label(n, around, language) for n in texts)
            labels += [n for n in texts if is_of_code or (is_beside and self._is_of_button(n))]
            if not is_of_code:
                break
            wrappers.append(above)
            start, stop = inside.start, inside.stop
        return wrappers, [*labels, *self._header(start, around, language)]

    def _header(self, start: int, around: Collection[int], language: str) -> list[int]:
        """The text nodes of the element just before code, if it holds nothing but labels, and a button."""
        last = self._page.nodes[start - 1].element if start else 0
        above = next((e for e in self._ancestors(last) if self._page.parents[e] in around), 0)
        if above not in self._headers:
            inside = self._nodes(above)
            has_labels = len(inside) <= LABELS and not self._held[above]
            is_header = has_labels and self._elements[above].find(".//button") is not None
            self._headers[above] = inside if is_header else range(0)
        texts = [n for n in self._headers[above] if n not in self._of_controls]
        return texts if all(self._is_label(n, around, language) for n in texts) else []

    def _is_label(self, n: int, around: Collection[int], language: str) -> bool:
        """True of a text that names the language, or any that many know, or is called so, or a button's."""
        element = self._page.nodes[n].element
        if element in around or walk.nearest_of_tags(self._page, element, TITLES) >= 0:
            return False
        names = (spelling := self._spelling(n)) in NAMES or spelling == language.lower()
        is_called_so = LABEL_CLASS.search(self._page.classes[element]) is not None
        return names or is_called_so or self._is_of_button(n)

    def _is_of_button(self, n: int) -> bool:
        node = self._page.nodes[n]
        button = walk.nearest_of_tags(self._page, node.element, {"button"})
        return button >= 0 or COPY.fullmatch(node.text) is not None

    def _language(self, piece: int, wrappers: Collection[int]) -> str:
        tags, end = self._page.tags, walk.subtree_end(self._page.parents, piece)
        inner = [tags.index("code", piece + 1)] if "code" in tags[piece + 1 : end] else []
        for near in (piece, *inner):
            if language := _language_name(self._elements[near]):
                return language
        for above in islice(self._ancestors(piece), 1, AROUND + 1):
            # Line numbers may stand in a second one; what holds more does not speak of this alone.
            if self._held[above] > 2:
                return ""
            language = _language_name(self._elements[above])
            is_own = above in wrappers or "highlight" in self._page.classes[above]
            if language and (is_own or (self._held[above] == 1 and language.lower() in NAMES)):
                return language
        return ""


def _counts(numbers: Sequence[str]) -> bool:
    is_row = len(numbers) >= SEVERAL and max(map(len, numbers)) <= len("999999")
    return is_row and all(int(n) + 1 == int(following) for n, following in pairwise(numbers))


def _language_name(element: Element) -> str:
    for name in LANGUAGE_NAMES:
        if (value := element.get(name)) and LANGUAGE.fullmatch(value):
            return value
    if (name := str(element.get("lang", "")).lower()) in NAMES and element.tag in CODE:
        return name
    return _language_in_classes(element.get("class", ""), element.tag)


@lru_cache(maxsize=1000)
def _language_in_classes(classes: str, tag: str) -> str:
    patterns = (*LANGUAGES_IN_CLASSES, FIGURE) if tag == "figure" else LANGUAGES_IN_CLASSES
    names = (match[1] for pattern in patterns if (match := pattern.search(classes)))
    bare = NAMES.intersection(classes.lower().split()) if tag in CODE else ()
    return next(names, "") or (next(iter(bare)) if len(bare) == 1 else "")


def verbatim_text(element: Element, left_out: Collection[Element], *, is_pre: bool = True) -> str:
    """The text of an element with its white space; what is set on a line of its own stands on one.

    Where not `is_pre`, but the element has blocks or `<br>` in it, line feeds of the source are none of the text.
    """
    below = element.iterdescendants()
    is_source = is_pre or not any(e.tag in walk.BLOCKS - walk.DROPPED for e in below)
    pieces: list[str] = []
    last, dropped, breaks, row = "\n", 0, False, 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        begins, tag = event == "start", node.tag
        text = (node.text if begins else node.tail if node is not element else "") or ""
        if not is_source:
            text = LINE_FEED.sub("", text) if text.isspace() else LINE_FEED.sub(" ", text)
        is_span = tag == "span"  # as most of what code has in it
        if (left_out and node in left_out) or (not is_span and tag in walk.DROPPED):
            dropped += 1 if begins else -1
        elif not is_span and not dropped:
            if (begins and tag == "br") or (last[-1] != "\n" and _begins_line(node, element)):
                text = f"\n{text}"
            elif tag == "tr" or (
                tag != "td" and tag in walk.BLOCKS and ROW.search(node.get("class", ""))
            ):
                text = text if begins or len(pieces) > row else f"\n{text}"  # a line without code
                row = len(pieces)
        if is_span and not breaks:
            breaks = node.get(walk.CODE_LINE) is not None or _is_code_line(node.get("class", ""))
        if text and not dropped:
            if breaks and not last.endswith("\n") and not text.startswith("\n"):
                text = f"\n{text}"
            pieces.append(text)
            last, breaks = text, False
    return "".join(pieces)


def _begins_line(node: Element, code: Element) -> bool:
    """Return whether a node in code is a block, or code just behind another: editors set each line as one."""
    if node.tag != "code":
        return node is not code and node.tag in walk.BLOCKS
    before = node.getprevious()
    is_behind = before is not None and before.tag == "code" and not before.tail
    return is_behind and next(node.iterancestors()).tag in VERBATIM


@lru_cache(maxsize=1000)
def _is_code_line(classes: str) -> bool:
    """Return whether a span is a line of code by its name: highlighters set such spans as blocks, some without a line break.

    TextMate's names call a comment of one line so, and Prism's the text of a changed line.
    """
    names = classes.lower().split()
    is_called_so = any(name == "line" or name.endswith("-line") for name in names)
    return is_called_so and not any("comment" in name or name == "token" for name in names)


def _is_between_blocks(element: Element) -> bool:
    """Return whether there is a block, and no text, on each side of an element, or nothing."""
    before, behind, above = element.getprevious(), element.getnext(), element.getparent()
    text = (above.text if above is not None else "") if before is None else before.tail
    tags = {each.tag for each in (before, behind) if each is not None}
    return not f"{text or ''}{element.tail or ''}".strip() and tags <= walk.BLOCKS - {"br"}
