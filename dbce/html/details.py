"""Formulas and attributes of elements that the plain page does not keep, and its formats need."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote, unquote_plus

from lxml import etree
from lxml.etree import _Element as Element

from dbce.html.code import read_code
from dbce.html.css import white_space
from dbce.html.walk import (
    DROPPED,
    INLINE,
    ancestors,
    first_node,
    nodes_within,
    subtree_end,
    sums_below,
)
from dbce.model import Page

# The attributes of some elements of a page, by their index.
Details = Mapping[int, Mapping[str, str]]


# Formulas of a page, and the TeX that they were written in.
#
# Pages have them as MathML, as KaTeX and MathJax set them (spans that spell every sign, beside
# MathML or the source, or signs that only names of classes tell), as the source of MathJax before
# it runs (`<script type="math/tex">`) or of other programs (`data-tex`), and as pictures, whose
# alternative text or address is TeX.

# As the programs name what they set; what stands in one of these is the same formula.
SET_BY_SCRIPTS = frozenset(
    "katex katex-display mwe-math-element MathJax MathJax_Preview MathJax_Display MathJax_SVG "
    "MathJax_SVG_Display MathJax_CHTML MJXc-display mathjax-exps".split()
)
PICTURES = frozenset(
    "tex latex mwe-math-fallback-image-inline mwe-math-fallback-image-display ltx_Math "
    "ql-img-inline-formula ql-img-displayed-equation".split()
)
# Attributes that hold TeX.
SOURCES = ("data-tex", "data-latex", "data-math", "data-formula", "data-equation")
# Classes of GitLab and GitHub for elements whose text is TeX.
TEX_ELEMENTS = frozenset("js-render-math js-inline-math js-display-math".split())
# Addresses of pictures that services make of TeX: CodeCogs, mimeTeX, WordPress, Zhihu, GitHub, Google, Upmath.
SERVICES = re.compile(
    r"(?:codecogs\.com/[\w./]*|(?:mathtex|mimetex)[\w.]*)\?(?!\w+=)(?P<query>[^#]+)"
    r"|(?:math\.now\.sh/?|render/math/?|latex\.php|/equation)\?"
    r"(?:[^#]*&)?(?:latex|tex|math|from|val)=(?P<value>[^&#]+)"
    r"|chart\?(?=[^#]*cht=tx)[^#]*\bchl=(?P<chart>[^&#]+)|upmath\.me/(?:svg|png)/(?P<path>[^?#]+)"
)
# What CodeCogs takes for its own.
OF_SERVICE = re.compile(r"\\(?:inline|(?:dpi|fn|bg|fg)_?(?:\{[^{}]*\}|\w*))\s*")
DISPLAYED = frozenset(
    "katex-display MathJax_Display MathJax_SVG_Display MJXc-display mwe-math-fallback-image-display "
    "mwe-math-mathml-display js-display-math ql-img-displayed-equation math-block".split()
)
SOURCE = "math/tex"
# In a `<math>` that nobody closed stands the rest of the page.
NOT_IN_FORMULAS = frozenset(
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl table section article main pre blockquote form".split()
)
LONGEST = 10_000  # characters of a formula at most; what is longer is text of the page
MOST = 10_000  # formulas of a page at most; what is more is text of the page
# Elements within each other in a formula that is read without TeX; what is deeper is taken as it stands.
DEEPEST = 40
SIGN_CLASS = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,5})(?:$|\s)")
OF_FORMULAS = "math mjx-container math-renderer script img span div code pre".split()
STYLE = re.compile(r"\\(?:displaystyle|textstyle|scriptstyle)\b\s*")
WRAPPED = re.compile(r"\{\s*\\(?:displaystyle|textstyle|scriptstyle)\b(.*)\}", re.DOTALL)
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
    root: Element, page: Page, elements: Sequence[Element], written: str | None
) -> list[Formula]:
    """The formulas of a page, in document order; none is in another. `written` is the page in HTML, where it is known."""
    if not _may_have(root, page, written):
        return []
    places = _Places(page, elements)
    formulas: list[Formula] = []
    start = end = 0
    for element in root.iter(*OF_FORMULAS):
        if len(formulas) == MOST:
            break
        if not _is_formula(element) or places.is_in(element, end):
            continue
        if (own := places.place_of(element)) is None:
            continue
        parent, texts, of_page = own
        if start <= parent < end:
            continue
        source, is_tex = _source(element)
        if _repeats(element):
            source = ""
        elif not source or len(source) > LONGEST:
            continue
        start, end = of_page
        formulas.append(Formula(parent, texts, of_page, source, is_tex, _is_displayed(element)))
    return formulas


def _may_have(root: Element, page: Page, written: str | None) -> bool:
    # Of all classes at once: to look at them one by one costs more than all else here.
    classes = " ".join(set(page.classes)).split()
    return (
        not {"math", "mjx-container"}.isdisjoint(page.tags)
        or not SET_BY_SCRIPTS.union(PICTURES, TEX_ELEMENTS).isdisjoint(classes)
        or any(map(_is_source, root.iter("script")))
        or written is None
        or any(name in written for name in SOURCES)
        or any(SERVICES.search(picture.get("src", "")) for picture in root.iter("img"))
    )


class _Places:
    """The places of elements among those of a page and its text nodes."""

    def __init__(self, page: Page, elements: Sequence[Element]) -> None:
        self._page = page
        self._index = {element: n for n, element in enumerate(elements)}
        self._blocks = sums_below(page.parents, [tag in NOT_IN_FORMULAS for tag in page.tags])
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
        inside, end = nodes_within(self._page, first), subtree_end(self._page.parents, first)
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
                element = subtree_end(self._page.parents, index)
            position += child.tail is not None
        return before


def _classes(element: Element) -> frozenset[str]:
    return frozenset(str(element.get("class", "")).split())


def _is_formula(element: Element) -> bool:
    if element.tag == "script":
        return _is_source(element)
    if element.tag in ("math", "mjx-container") or any(map(element.get, SOURCES)):
        return True
    if element.tag == "img":
        is_picture = not PICTURES.isdisjoint(_classes(element))
        return is_picture or SERVICES.search(element.get("src", "")) is not None
    return not SET_BY_SCRIPTS.union(TEX_ELEMENTS).isdisjoint(_classes(element))


def _is_source(script: Element) -> bool:
    return str(script.get("type", "")).lower().startswith(SOURCE)


def _repeats(element: Element) -> bool:
    """True if the source of a formula that MathJax has set follows it."""
    if not any(name.startswith(("MathJax", "MJX")) for name in _classes(element)):
        return False
    behind = element.getnext()
    while behind is not None and not _is_source(behind):
        if _classes(behind).isdisjoint(SET_BY_SCRIPTS) or (element.tail or "").strip():
            return False
        element, behind = behind, behind.getnext()
    return behind is not None


def _is_displayed(element: Element) -> bool:
    if element.tag == "script":
        return "mode=display" in str(element.get("type", "")).replace(" ", "")
    if element.get("display") == "block" or element.get("data-math-style") == "display":
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
        yield from filter(None, map(below.get, SOURCES))
    if not TEX_ELEMENTS.isdisjoint(_classes(element)):
        yield _tex_of_element(element)
    for annotation in element.iter("annotation"):
        if "tex" in str(annotation.get("encoding", "")).lower():
            yield "".join(map(str, annotation.itertext()))
    for math in element.iter("math"):
        yield str(math.get("alttext", ""))
    for image in element.iter("img"):
        if address := SERVICES.search(image.get("src", "")):
            tex = address["query"] or unquote_plus(next(filter(None, address.groups())))
            yield OF_SERVICE.sub("", unquote(tex.replace("&space;", " ").replace("&plus;", "+")))
        yield str(image.get("alt", ""))


def _tex_of_element(element: Element) -> str:
    is_tex = not TEX_ELEMENTS.isdisjoint(_classes(element))
    return "".join(map(str, element.itertext())).strip() if is_tex else ""


def _stored_mathml(element: Element) -> Iterator[Element]:
    for below in element.iter():
        if mathml := below.get("data-mathml", ""):
            root = etree.fromstring(mathml, etree.HTMLParser())
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
    tag = element.tag
    return (
        isinstance(tag, str)
        and tag not in DROPPED
        and tag != "mjx-assistive-mml"
        and not tag.startswith("annotation")
    )


def _texts(element: Element) -> Iterator[str]:
    dropped = 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        begins = event == "start"
        if node.tag in DROPPED:
            dropped += 1 if begins else -1
        text = node.text if begins else node.tail if node is not element else ""
        if text and not dropped:
            yield text.strip()


def _parenthesise(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


# Attributes to read, by element.
WANTED = {
    "a": ("href",),
    "base": ("href",),
    "img": ("src", "alt"),
    "li": ("value",),
    "ol": ("start", "reversed"),
    "table": ("role",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
}
RAISED = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.IGNORECASE)
# Attributes with the address of an image that a script loads when it is seen.
LOADED_LATER = ("data-src", "data-lazy-src", "data-original", "data-srcset", "srcset")
BOX_LEVELS = 3  # elements from a check box up to its item at most
# Classes of pictures that stand for signs, in the software of blogs and forums.
SIGN_CLASSES = frozenset(
    "emoji emojione emoticon smilie smilies smiley mcesmilie wp-smiley twemoji joypixels".split()
)
# Categories of the characters of an emoji, with what changes or joins them.
EMOJI_KINDS = frozenset({"So", "Sk", "Cf", "Mn", "Me"})
LONGEST_SIGN = 20  # characters: `:stuck_out_tongue:`
# Text of a link that is only the address of the place where it stands, or leads back to where one was.
ANCHOR_SIGNS = re.compile(
    r"[\s¶#§⚓🔗∞☍⛓⎘❡^↩↪↑⇑⤴⮌⏎↵⬆↥\N{ZERO WIDTH SPACE}\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]*"
)
LINKS = frozenset({"href", "src"})
# Signs that libxml2 leaves as they stand in a link that it writes (`htmlAttrDumpOutput`), beside letters and digits.
NOT_ESCAPED = "\"#$%&+,/:;<=>?@[\\]^`{|}!*'()"
PLAIN_LINK = re.compile(r"[!-~]*")


class Markup(NamedTuple):
    """The attributes of some elements of a page, as `read_details` gives them, and its formulas."""

    details: Details
    formulas: list[Formula]


def read_markup(
    root: Element,
    page: Page,
    elements: Sequence[Element],
    written: str | None = None,
    *,
    to_format: bool = True,
) -> Markup:
    """The markup of a page, whose `elements` in the tree of `root` are in the order of theirs.

    `written` is the page in HTML, where it is known; details are there `to_format` its content, or as plain text needs them.
    """
    details = read_details(page, elements, written, to_format=to_format)
    return Markup(details, read_formulas(root, page, elements, written))


def read_details(
    page: Page, elements: Sequence[Element], written: str | None = None, *, to_format: bool = True
) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node;
    and the programming `language` that it is in. What is set beside code, line numbers and buttons to
    copy it, is not in the text and has `beside`, "". A picture that stands for a sign has it as `sign`. Unless it is
    `to_format` its content, attributes are those of `sign_links` alone.
    """
    wanted = enumerate(page.tags) if to_format else ((link, "a") for link in sign_links(page))
    details: dict[int, Mapping[str, str]] = {
        index: _attributes(elements[index], WANTED[tag]) for index, tag in wanted if tag in WANTED
    }
    inputs = (index for index, tag in enumerate(page.tags) if tag == "input")
    boxes = ((index, _check_box(page, elements, index)) for index in inputs)
    spaces = white_space(elements, page.classes, written)
    preformatted = [index for index, value in spaces.items() if value == "pre"]
    for index, own in chain(
        ((index, {"checked": box}) for index, box in boxes if box),
        ((index, {"raised": tag}) for index, tag in _raised_elements(page, elements, written)),
        ((index, {"white-space": value}) for index, value in spaces.items()),
        read_code(page, elements, written, preformatted).items(),
        ((index, {"sign": sign}) for index, sign in _signs(page, elements).items()),
    ):
        details[index] = {**details.get(index, {}), **own}
    return details


def _raised_elements(
    page: Page, elements: Sequence[Element], written: str | None
) -> Iterator[tuple[int, str]]:
    """Elements that their style raises or lowers, each with the element that does so: `sup` or `sub`."""
    if not elements or (written is not None and "vertical-align" not in written):
        return
    styled: Any = elements[0].xpath(".//*[contains(@style, 'vertical-align')]")
    tags = {each: match[1] for each in styled if (match := RAISED.search(each.get("style")))}
    for index, element in enumerate(elements) if tags else ():
        if element in tags and page.tags[index] in INLINE:
            yield index, "sup" if tags[element] == "super" else "sub"


def _check_box(page: Page, elements: Sequence[Element], index: int) -> str:
    """`[x]` or `[ ]` of a check box that begins an item; "" of all other fields, and of those that open or close what a style sheet shows."""
    own = elements[index]
    is_switch = own.get("id") is not None and own.get("disabled") is None
    if own.get("type", "").lower() != "checkbox" or is_switch:
        return ""
    item = index
    for _ in range(BOX_LEVELS):
        item = max(page.parents[item], 0)
        if page.tags[item] == "li":
            begins = first_node(page.nodes, item)
            first = page.nodes[begins].after if begins < len(page.nodes) else -1
            return "" if first < index else "[x]" if own.get("checked") is not None else "[ ]"
    return ""


def _image_address(element: Element) -> str:
    address = element.get("src", "")
    if address and not address.startswith("data:"):
        return address
    later = next(filter(None, map(element.get, LOADED_LATER)), "").strip()
    around = (
        element.getnext(),
        None if (above := element.getparent()) is None else above.getnext(),
    )
    for near in around if not later else ():
        image = near.find(".//img") if near is not None and near.tag == "noscript" else None
        later = later or ("" if image is None else image.get("src", ""))
    return later.split()[0].rstrip(",") if later else address


def _signs(page: Page, elements: Sequence[Element]) -> dict[int, str]:
    pictures = [index for index, tag in enumerate(page.tags) if tag == "img"]
    signs = {index: str(elements[index].get("alt", "")).strip() for index in pictures}
    return {
        index: sign
        for index, sign in signs.items()
        if 0 < len(sign) <= LONGEST_SIGN
        and (_is_emoji(sign) or not SIGN_CLASSES.isdisjoint(page.classes[index].lower().split()))
    }


def _is_emoji(text: str) -> bool:
    kinds = set(map(unicodedata.category, text))
    return "So" in kinds and kinds <= EMOJI_KINDS


def _attributes(element: Element, names: Sequence[str]) -> Mapping[str, str]:
    own = {}
    for name in names:
        value = _image_address(element) if name == "src" else element.get(name)
        if value is not None:
            is_plain = name not in LINKS or PLAIN_LINK.fullmatch(value)  # as nearly all are
            own[name] = value if is_plain else quote(value.lstrip(" \t\n\r"), NOT_ESCAPED)
    return own


def sign_links(page: Page) -> set[int]:
    """Links around texts of signs alone, which may be addresses of the place where they stand."""
    elements = {node.element for node in page.nodes if ANCHOR_SIGNS.fullmatch(node.text)}
    around = ((n for n in ancestors(page.parents, e) if page.tags[n] == "a") for e in elements)
    return {link for links in around for link in islice(links, 1)}


def read_attributes(elements: Sequence[Element], names: Sequence[str]) -> list[dict[str, str]]:
    """Named attributes of each element of a page, by its index in the page."""
    return [
        {name: str(value) for name in names if (value := element.get(name)) is not None}
        for element in elements
    ]
