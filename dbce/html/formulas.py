"""Formulas of a page, and the TeX that they were written in.

Pages have them as MathML, as KaTeX and MathJax set them (spans that spell every sign, beside
MathML or the source, or signs that only names of classes tell), as the source of MathJax before
it runs (`<script type="math/tex">`) or of other programs (`data-tex`), and as pictures, whose
alternative text or address is TeX.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote, unquote_plus

from lxml import etree
from lxml.etree import _Element as Element

from dbce.html import walk
from dbce.kernel import compiled
from dbce.model import Page

# As the programs name what they set; what stands in one of these is the same formula.
SET_BY_SCRIPTS = frozenset(walk.WORDS["formulas set by scripts"].split())
PICTURES = frozenset(walk.WORDS["pictures of formulas"].split())
# Elements whose text is TeX: classes of GitLab and GitHub, the tag of Distill.
TEX_ELEMENTS = frozenset("js-render-math js-inline-math js-display-math d-math".split())
TEX_SIGN = re.compile(r"[\\^_]")
NAMES = SET_BY_SCRIPTS.union(PICTURES, TEX_ELEMENTS, ["math", "mjx-container"])  # tags or classes
STEMS = tuple(map(str.lower, NAMES))
TEX_ALT = re.compile(r"\$[^$]+\$|\\begin\{.+\}", re.DOTALL)  # of pictures by LaTeX2HTML
# Addresses of pictures that services make of TeX: CodeCogs, mimeTeX, WordPress, Zhihu, GitHub, Google, Upmath; any with a command in its path.
SERVICES = re.compile(
    r"(?:codecogs\.com/[\w./]{0,60}|(?:mathtex|mimetex)[\w.]{0,60})\?(?!\w+=)(?P<query>[^#]+)"
    r"|(?:math\.now\.sh/?|render/math/?|latex\.php|/equation)\?"
    r"(?:[^#?]*&)?(?:latex|tex|math|from|val)=(?P<value>[^&#]+)"
    r"|chart\?(?=[^#?]*cht=tx)[^#?]*\bchl=(?P<chart>[^&#]+)|upmath\.me/(?:svg|png)/(?P<path>[^?#]+)"
    r"|/(?P<raw>[^/?#]*%5[Cc][A-Za-z]+(?:%7B|\{)[^/?#]*)"
)
# A part of each: most pictures have none.
SERVICE_STEMS = ("codecogs", "tex", "math", "equation?", "chart?", "%5")
# What CodeCogs takes for its own.
OF_SERVICE = re.compile(r"\\(?:inline|(?:dpi|fn|bg|fg)_?(?:\{[^{}]*\}|\w*))\s*")
OF_WIRIS = str.maketrans("«»¨§", '<>"&')  # signs of MathML as it writes them
DISPLAYED = frozenset(walk.WORDS["displayed formulas"].split())
# In a `<math>` that nobody closed stands the rest of the page.
NOT_IN_FORMULAS = frozenset(walk.WORDS["not in formulas"].split())
LONGEST = 10_000  # characters of a formula at most; what is longer is text of the page
MOST = 10_000  # formulas of a page at most; what is more is text of the page
# Elements within each other in a formula that is read without TeX; what is deeper is taken as it stands.
DEEPEST = 40
REPEATED = 8  # elements between one that MathJax has set and its source, at most
NESTED = 20  # elements that are called formulas and are none, within one of them, at most
SIGN_CLASS = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,5})(?:$|\s)")
OF_FORMULAS = "math d-math mjx-container math-renderer script img span div code pre".split()
STYLE = re.compile(r"\\(?:displaystyle|textstyle|scriptstyle)\b\s*")
WRAPPED = re.compile(r"\{\s*\\(?:displaystyle|textstyle|scriptstyle)\b(.*)\}", re.DOTALL)
RAW_TEX = re.compile(
    r"(?<!\\)(?:\$\$([^$]{1,2000})\$\$|\\\[((?:(?!\\\]|(?<!\\)\\\[).){1,2000})\\\]"
    r"|\\\(((?:(?!\\\)|(?<!\\)\\\().){1,2000})\\\))"
    r"|(\\begin\{((?:equation|align|gather|multline|eqnarray|split|cases|[pbv]?matrix)\*?)\}"
    r"(?:(?!\\(?:end|begin)\{).){1,2000}\\end\{\5\})|(?<![\\$\w])\$(?![\s$])([^$]{0,1000}[^\s$\\])\$(?![\d$\w])"
)
"""TeX in a text; a single `$` begins some as Pandoc reads it: not before white space, nor behind a letter or a digit."""

TEX_HEADS = ("$$", "\\[", "\\begin{")  # of displayed formulas
TEX_BEGINS = re.compile("|".join(map(re.escape, TEX_HEADS)))
DELIMITED = re.compile(r"(?:\$\$(.+)\$\$|\$(.+)\$|\\\((.+)\\\)|\\\[(.+)\\\])", re.DOTALL)


class Formula(NamedTuple):
    """A formula: the element that it stands in, and all that is of it.

    `texts` are the first and the end of its text nodes, `elements` those of its elements. `source` is TeX
    or, if it is not `is_tex`, a line that can be read; "" where the formula stands there once more.
    """

    parent: int
    texts: tuple[int, int]
    elements: tuple[int, int]
    source: str
    is_tex: bool = True
    is_displayed: bool = False


def read_formulas(
    root: Element, page: Page, elements: Sequence[Element], attrs: walk.Attributes
) -> list[Formula]:
    """The formulas of a page, in document order; none is in another."""
    if not _may_have(page, elements, attrs):
        return []
    places = _Places(page, elements)
    formulas: list[Formula] = []
    start = end = empty_end = depth = 0
    for element in root.iter(*OF_FORMULAS):
        if len(formulas) == MOST:
            break
        if not _is_formula(element) or places.is_in(element, end):
            continue
        if (place := places.place_of(element)) is None:
            continue
        parent, texts, of_page = place
        if start <= parent < end:
            continue
        depth = depth if of_page[0] < empty_end else 0
        source, is_tex = _source(element) if depth < NESTED else ("", False)
        if _repeats(element):
            source = ""
        elif not source or len(source) > LONGEST:
            empty_end, depth = max(empty_end, of_page[1]), depth + 1
            continue
        start, end = of_page
        formulas.append(Formula(parent, texts, of_page, source, is_tex, _is_displayed(element)))
    return formulas


def _may_have(page: Page, elements: Sequence[Element], attrs: walk.Attributes) -> bool:
    likely = compiled.places_of(page.classes, STEMS, whole=True)
    return (
        attrs.has_tex
        or len(compiled.places_among(page.tags, NAMES)) > 0
        or not NAMES.isdisjoint(" ".join(likely).split())
        or len(attrs.elements_with(walk.TEX_SOURCES)) > 0
        or any(_shows_tex(elements[n]) for n in walk.elements_of_tags(page, "img"))
    )


class _Places:
    """The places of elements among those of a page and its text nodes."""

    def __init__(self, page: Page, elements: Sequence[Element]) -> None:
        self._page = page
        self._index = {element: n for n, element in enumerate(elements)}
        self._blocks = walk.sums_below(page.parents, [tag in NOT_IN_FORMULAS for tag in page.tags])
        self._before: dict[Element, dict[Element, tuple[int, int]]] = {}

    def is_in(self, element: Element, end: int) -> bool:
        """True if an element begins before the `end` of a formula."""
        return self._index.get(element, end) < end

    def place_of(self, element: Element) -> tuple[int, tuple[int, int], tuple[int, int]] | None:
        """Parent, text nodes and elements of an element; None of one that is no formula."""
        first = self._index.get(element)
        if first is None:
            return self._script_place(element)
        if self._blocks[first] > (self._page.tags[first] in NOT_IN_FORMULAS):
            return None
        inside = walk.nodes_within(self._page, first)
        end = walk.subtree_end(self._page.parents, first)
        return self._page.parents[first], (inside.start, inside.stop), (first, end)

    def _script_place(self, script: Element) -> tuple[int, tuple[int, int], tuple[int, int]] | None:
        """The place of a script, which is no element of a page: between two, and between two texts."""
        above = script.getparent()
        if above is None or (parent := self._index.get(above)) is None:
            return None
        if above not in self._before:
            self._before[above] = self._children(above, parent)
        element, position = self._before[above][script]
        # Texts behind the same tag stand in it first, then in those around it that have ended.
        place = (element - 1, -parent, position)
        start = bisect_right(
            self._page.nodes, place, key=lambda n: (n.after, -n.element, n.position)
        )
        return parent, (start, start), (element, element)

    def _children(self, above: Element, parent: int) -> dict[Element, tuple[int, int]]:
        """For each child the first element of the page behind its start, and the texts of the parent before."""
        before = {}
        element, position = parent + 1, int(above.text is not None)
        for child in above:
            before[child] = (element, position)
            if (index := self._index.get(child)) is not None:
                element = walk.subtree_end(self._page.parents, index)
            position += child.tail is not None
        return before


def _classes(element: Element) -> frozenset[str]:
    return frozenset(f"{element.tag} {element.get('class', '')}".split())


def _is_formula(element: Element) -> bool:
    if element.tag == "script":
        return walk.is_tex_script(element)
    if element.tag in ("math", "mjx-container") or any(map(element.get, walk.TEX_SOURCES)):
        return True
    if element.tag == "img":
        # Sphinx names the box of a picture.
        near = element.iterancestors("p", "div") if TEX_SIGN.search(element.get("alt", "")) else ()
        names = _classes(element).union(*map(_classes, islice(near, 2)))
        return _shows_tex(element) or not PICTURES.isdisjoint(names)
    return not SET_BY_SCRIPTS.isdisjoint(_classes(element)) or _is_tex(element)


def _shows_tex(picture: Element) -> bool:
    """True of a picture by a service, or by LaTeX2HTML, whose alternative text is the source."""
    alternative = picture.get("alt", "")
    if alternative.endswith(("$", "}")) and TEX_ALT.fullmatch(alternative):
        return True
    address = picture.get("src", "")
    is_likely = any(map(address.__contains__, SERVICE_STEMS))
    return is_likely and SERVICES.search(address) is not None


def _repeats(element: Element) -> bool:
    """True if the source of a formula that MathJax has set follows it."""
    if not any(name.startswith(("MathJax", "MJX")) for name in _classes(element)):
        return False
    for behind in islice(element.itersiblings(), REPEATED):
        if walk.is_tex_script(behind):
            return True
        if _classes(behind).isdisjoint(SET_BY_SCRIPTS) or (element.tail or "").strip():
            return False
        element = behind
    return False


def _is_displayed(element: Element) -> bool:
    if element.tag == "script":
        return "mode=display" in str(element.get("type", "")).replace(" ", "")
    values = (element.get("display"), *element.keys())
    if "block" in values or element.get("data-math-style") == "display":
        return True
    if "true" in (element.get("display"), element.get("data-display")) or _tex_of_element(
        element
    ).startswith(("$$", "\\[")):
        return True
    return any(not DISPLAYED.isdisjoint(_classes(below)) for below in element.iter()) or any(
        math.get("display") == "block" and "katex" not in _classes(element)
        for math in element.iter("math")
    )


def _source(element: Element) -> tuple[str, bool]:
    """The TeX of a formula and true, or a line that can be read and false."""
    for tex in _tex(element):
        if cleaned := _clean_tex(tex):
            return cleaned, True
    formulas = chain(element.iter("math"), _stored_mathml(element), (element,))
    lines = (" ".join(_readable(formula, 0).split()) for formula in formulas)
    return next(filter(None, lines), ""), False


def _tex(element: Element) -> Iterator[str]:
    if element.tag == "script":
        yield element.text or ""
    for below in element.iter():
        yield from filter(None, map(below.get, walk.TEX_SOURCES))
    yield _tex_of_element(element)
    for annotation in element.iter("annotation"):
        if "tex" in str(annotation.get("encoding", "")).lower():
            yield walk.text_content(annotation)
    for math in element.iter("math"):
        yield str(math.get("alttext", ""))
    for image in element.iter("img"):
        if address := SERVICES.search(image.get("src", "")):
            tex = address["query"] or unquote_plus(next(filter(None, address.groups())))
            yield OF_SERVICE.sub("", unquote(tex.replace("&space;", " ").replace("&plus;", "+")))
        if "data-mathml" not in image.attrib:
            yield str(image.get("alt", ""))


def _is_tex(element: Element) -> bool:
    """True of an element whose text is TeX, as what Pandoc writes for KaTeX."""
    classes = _classes(element)
    is_math = "math" in classes and not len(element)
    has_tex = "\\" in (element.text or "") or not classes.isdisjoint(("inline", "display"))
    return (is_math and has_tex) or not TEX_ELEMENTS.isdisjoint(classes)


def _tex_of_element(element: Element) -> str:
    return walk.text_content(element).strip() if _is_tex(element) else ""


def _stored_mathml(element: Element) -> Iterator[Element]:
    for below in element.iter():
        if mathml := below.get("data-mathml", ""):
            root = etree.fromstring(mathml.translate(OF_WIRIS), etree.HTMLParser())
            if root is not None:
                yield from root.iter("math")


def _clean_tex(tex: str) -> str:
    tex = " ".join(tex.split())
    if delimited := DELIMITED.fullmatch(tex):
        tex = next(filter(None, delimited.groups()))
    if wrapped := WRAPPED.fullmatch(tex):
        tex = wrapped[1]
    return STYLE.sub("", tex, count=1).strip() if tex.startswith("\\") else tex.strip()


def _readable(element: Element, depth: int) -> str:
    """MathML, or what MathJax sets of it, as a line of text: `x^2`, `(a + b)/c`."""
    if not _is_read(element):
        return ""
    if sign := _sign(element):
        return sign
    if depth > DEEPEST:
        return " ".join(_texts(element))
    # Of the scripts that MathJax sets above each other each is a child.
    parts = (child if child.tag == "mjx-script" else (child,) for child in element)
    children: list[Element] = list(chain.from_iterable(parts))
    lines = [_readable(child, depth + 1) for child in children]
    is_set = str(element.tag).startswith("mjx-") or element.get("data-mml-node") is not None
    read = zip(children, lines, strict=True)
    inside = [line for child, line in read if (line if is_set else _is_read(child))]
    tails = [(child.tail or "").strip() for child in children]
    # Text between elements is no MathML: it is kept, and nothing is made of what is around it.
    name = str(element.get("data-mml-node") or element.tag).removeprefix("mjx-")
    composed = "" if any(tails) else _compose(name, inside, is_set=is_set)
    if composed:
        return composed
    return "".join(chain([(element.text or "").strip()], *zip(lines, tails, strict=True)))


def _compose(name: str, inside: Sequence[str], *, is_set: bool) -> str:
    """A line of the lines inside an element of MathML; "" of one that means nothing more."""
    match name, len(inside):
        case "mfrac" | "frac", 2:
            return f"{_parenthesise(inside[0])}/{_parenthesise(inside[1])}"
        case "msup", 2:
            return f"{_parenthesise(inside[0])}^{_parenthesise(inside[1])}"
        case "msub", 2:
            return f"{_parenthesise(inside[0])}_{_parenthesise(inside[1])}"
        case "msubsup" | "munderover", 3:
            # MathJax sets what is above first.
            sub, sup = inside[2:0:-1] if is_set and name == "msubsup" else inside[1:]
            return f"{inside[0]}_{_parenthesise(sub)}^{_parenthesise(sup)}"
        case "msqrt" | "sqrt", _:
            inner = "".join(line for line in inside if line != "√")
            return inner if inner.startswith("√") else f"√{_parenthesise(inner)}"
        case "mtr", _:
            return ", ".join(inside)
        case "mtable" | "itable" | "table", _:
            return "; ".join(inside)
    return ""


def _sign(element: Element) -> str:
    """The sign that MathJax names in a class (`mjx-c1D465`) or, of a drawing, in an attribute."""
    code = str(element.get("data-c") or "")
    if element.tag == "mjx-c" and (named := SIGN_CLASS.search(str(element.get("class", "")))):
        code = named[1]
    if not re.fullmatch("[0-9A-F]{2,5}", code):
        return ""
    return normalize("NFKC", chr(int(code, 16)))


def _is_read(element: Element) -> bool:
    tag = element.tag if isinstance(element.tag, str) else "annotation"  # or a comment
    is_dropped = tag in walk.DROPPED or tag == "mjx-assistive-mml"
    return not is_dropped and not tag.startswith("annotation")


def _texts(element: Element) -> Iterator[str]:
    dropped = 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        begins = event == "start"
        if node.tag in walk.DROPPED:
            dropped += 1 if begins else -1
        text = node.text if begins else node.tail if node is not element else ""
        if text and not dropped:
            yield text.strip()


def _parenthesise(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
