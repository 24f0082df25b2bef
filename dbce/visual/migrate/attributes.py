"""Obsolete attributes: those that say how something looks, as rules (HTML Standard 15 and 16.2), and all others.

What attributes of tables say of their cells, and those of a body of links, are rules as well. Others name, link and
describe, or HTML knows them no more. Last comes what is left of all that is obsolete.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from dbce.visual.migrate.elements import CHANGES
from dbce.visual.migrate.tree import DomElement, Sheet, colour, length, pixels, url

Look = Callable[[DomElement, str], str]


CELLS = frozenset({"td", "th"})
ROWS = frozenset({"tr", "thead", "tbody", "tfoot", "col", "colgroup"})
DIVISIONS = frozenset("div header nav article aside footer section".split())
"""A `div`, and what it may have become."""

TEXTS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
"""Elements whose `align` needs no prefix, unlike in TEXT_ALIGN: they hold no blocks."""

SPACED = frozenset({"img", "object", "iframe", "embed", "input", "video"})
"""Elements that stand in a line with a size of their own."""

TEXT_ALIGN = {
    "left": "-webkit-left",
    "right": "-webkit-right",
    "center": "-webkit-center",
    "middle": "-webkit-center",
    "justify": "justify",
}
"""With the prefix blocks in it are aligned too, as such attributes had it; all browsers know these."""

VERTICAL = {"top": "top", "middle": "middle", "center": "middle", "bottom": "bottom"}
VERTICAL["baseline"] = "baseline"

IN_LINE = {
    "left": "float:left",
    "right": "float:right",
    "top": "vertical-align:top",
    "middle": "vertical-align:-webkit-baseline-middle",
    "center": "vertical-align:-webkit-baseline-middle",
    "absmiddle": "vertical-align:middle",
    "abscenter": "vertical-align:middle",
    "bottom": "vertical-align:baseline",
    "baseline": "vertical-align:baseline",
    "absbottom": "vertical-align:bottom",
    "texttop": "vertical-align:text-top",
}


def replace_attributes(root: DomElement, sheet: Sheet) -> Counter[str]:
    """Make rules of all attributes of a page that say how something looks; how many of each."""
    counts: Counter[str] = Counter()
    for element in root.elements():
        for name in list(element.attributes):
            look = look_of(element.tag, name)
            if look is None:
                continue
            declarations = look(element, element.attributes[name])
            if declarations:
                sheet.style(element, declarations)
            counts[name] += 1
        for name in list(element.attributes):
            if look_of(element.tag, name) is not None:
                del element.attributes[name]
    return counts


def look_of(tag: str, name: str) -> Look | None:
    """Return the look that replaces an attribute on an element; None if the attribute may stay."""
    own = LOOKS.get(name)
    return own(tag) if own is not None else None


def _look_of_tags(tags: frozenset[str] | set[str], look: Look) -> Callable[[str], Look | None]:
    return lambda tag: look if tag in tags else None


def _align(tag: str) -> Look | None:
    if tag == "table":
        return _table_align
    if tag == "hr":
        return _hr_align
    if tag == "caption":
        return lambda _, raw: "caption-side:bottom" if raw.lower() == "bottom" else ""
    if tag == "legend":
        return lambda _, raw: _word(
            raw, {"left": "start", "right": "end", "center": "center"}, "justify-self"
        )
    if tag in SPACED:
        return lambda _, raw: IN_LINE.get(raw.strip().lower(), "")
    if tag in TEXTS:
        plain = {"left": "left", "right": "right", "center": "center", "justify": "justify"}
        return lambda _, raw: _word(raw, plain, "text-align")
    if tag in CELLS | ROWS | DIVISIONS:
        return lambda _, raw: _word(raw, TEXT_ALIGN, "text-align")
    return None


def _word(raw: str, known: dict[str, str], name: str) -> str:
    value = known.get(raw.strip().lower())
    return f"{name}:{value}" if value else ""


def _table_align(_: DomElement, raw: str) -> str:
    if raw.lower() in ("left", "right"):
        return f"float:{raw.lower()}"
    return "margin-left:auto;margin-right:auto" if raw.lower() == "center" else ""


def _hr_align(_: DomElement, raw: str) -> str:
    sides = {"left": ("0", "auto"), "right": ("auto", "0"), "center": ("auto", "auto")}
    margins = sides.get(raw.lower())
    return f"margin-left:{margins[0]};margin-right:{margins[1]}" if margins else ""


def _colour(name: str) -> Look:
    def look(_: DomElement, raw: str) -> str:
        shade = colour(raw)
        return f"{name}:{shade}" if shade else ""

    return look


def _picture(_: DomElement, raw: str) -> str:
    return f"background-image:{url(raw)}" if raw.strip() else ""


def _size(name: str) -> Callable[[str], Look | None]:
    """Width or height: obsolete in tables; what stands in a line keeps a plain number."""

    def look_for(tag: str) -> Look | None:
        if tag in {"table", "td", "th", "tr", "thead", "tbody", "tfoot", "col", "colgroup"}:
            return lambda element, raw: _long(element, name, raw)
        if tag == "hr":
            return lambda _, raw: f"{name}:{length(raw)}" if length(raw) else ""
        if tag in {"pre", "ul", "ol", "li", "div", "p", "span", "body"}:
            return lambda *_: ""
        return None

    return look_for


def _long(element: DomElement, name: str, raw: str) -> str:
    size = length(raw, zero=element.tag in ROWS and name == "height")
    return f"{name}:{size}" if size else ""


def _border(tag: str) -> Look | None:
    if tag == "table":
        return _table_border
    if tag in SPACED - {"iframe", "embed"}:
        return lambda _, raw: f"border:{pixels(raw)}px solid" if pixels(raw) else ""
    return None


def _table_border(element: DomElement, raw: str) -> str:
    width = pixels(raw)
    width = 1 if width is None else width
    return f"border:{width}px outset" if width and "frame" not in element.attributes else ""


FRAMES = {
    "void": "hidden",
    "above": "outset hidden hidden hidden",
    "below": "hidden hidden outset hidden",
    "hsides": "outset hidden",
    "lhs": "hidden hidden hidden outset",
    "rhs": "hidden outset hidden hidden",
    "vsides": "hidden outset",
    "box": "outset",
    "border": "outset",
}


def _frame(element: DomElement, raw: str) -> str:
    style = FRAMES.get(raw.lower())
    if style is None:
        return ""
    width = pixels(element.attributes.get("border")) or 1
    return f"border-style:{style};border-width:{width}px"


def _spacing(_: DomElement, raw: str) -> str:
    width = pixels(raw)
    return f"border-spacing:{width}px" if width is not None else ""


def _space(sides: tuple[str, str]) -> Look:
    def look(_: DomElement, raw: str) -> str:
        space = length(raw)
        return ";".join(f"margin-{side}:{space}" for side in sides) if space else ""

    return look


def _margin(*sides: str) -> Look:
    def look(_: DomElement, raw: str) -> str:
        width = pixels(raw)
        return ";".join(f"margin-{side}:{width}px" for side in sides) if width is not None else ""

    return look


def _clear(_: DomElement, raw: str) -> str:
    both = {"left": "left", "right": "right", "all": "both", "both": "both"}
    return _word(raw, both, "clear")


def _list_type(_: DomElement, raw: str) -> str:
    numbers = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman"}
    known = {**numbers, "I": "upper-roman"}
    value = known.get(raw.strip()) or raw.strip().lower()
    shapes = {"disc", "circle", "square", "none", *known.values()}
    return f"list-style-type:{value}" if value in shapes else ""


def _hr_size(element: DomElement, raw: str) -> str:
    thick = pixels(raw) or 0
    if "noshade" in element.attributes or "color" in element.attributes:
        return f"border-width:{thick / 2:g}px" if thick > 1 else "border-width:1px 0 0 0"
    return f"height:{thick - 2}px" if thick > 1 else "border-bottom-width:0"


def _hr_colour(_: DomElement, raw: str) -> str:
    shade = colour(raw)
    return (
        f"color:{shade};border-style:solid;border-color:{shade};background-color:{shade}"
        if shade
        else ""
    )


def _no_look(*_: object) -> str:
    return ""


BODY = frozenset({"body"})
LOOKS: dict[str, Callable[[str], Look | None]] = {
    "align": _align,
    "valign": _look_of_tags(CELLS | ROWS, lambda _, raw: _word(raw, VERTICAL, "vertical-align")),
    "bgcolor": _look_of_tags(CELLS | ROWS | BODY | {"table"}, _colour("background-color")),
    "background": _look_of_tags(CELLS | ROWS | BODY | {"table"}, _picture),
    "text": _look_of_tags(BODY, _colour("color")),
    "width": _size("width"),
    "height": _size("height"),
    "border": _border,
    "frame": _look_of_tags({"table"}, _frame),
    "bordercolor": _look_of_tags({"table", *CELLS, *ROWS}, _colour("border-color")),
    "cellspacing": _look_of_tags({"table"}, _spacing),
    "hspace": _look_of_tags(SPACED, _space(("left", "right"))),
    "vspace": _look_of_tags(SPACED, _space(("top", "bottom"))),
    "nowrap": _look_of_tags(
        CELLS | {"div", "body", "table", "tr"},
        lambda e, _: "white-space:nowrap" if e.tag in CELLS else "",
    ),
    "clear": _look_of_tags({"br"}, _clear),
    "noshade": _look_of_tags(
        {"hr"}, lambda *_: "border-style:solid;border-color:gray;background-color:gray"
    ),
    "color": _look_of_tags({"hr"}, _hr_colour),
    "size": _look_of_tags({"hr"}, _hr_size),
    "type": _look_of_tags({"ul", "li"}, _list_type),
    "compact": _look_of_tags({"ul", "ol", "dl", "menu"}, _no_look),
    "frameborder": _look_of_tags(
        {"iframe"}, lambda _, raw: "border:0" if raw.lower() in ("0", "no") else ""
    ),
    "marginwidth": _look_of_tags(BODY, _margin("left", "right")),
    "leftmargin": _look_of_tags(BODY, _margin("left", "right")),
    "rightmargin": _look_of_tags(BODY, _margin("right")),
    "marginheight": _look_of_tags(BODY, _margin("top", "bottom")),
    "topmargin": _look_of_tags(BODY, _margin("top", "bottom")),
    "bottommargin": _look_of_tags(BODY, _margin("bottom")),
}
"""For each attribute by tag what it is made of; those of tables that concern others are in `tables`."""


OF_TABLES = ("cellpadding", "rules")
"""Attributes of tables that are about their cells."""

LINKS = {"link": "a:link", "vlink": "a:visited", "alink": "a:active"}


def replace_for_others(root: DomElement, sheet: Sheet) -> Counter[str]:
    """Make rules of attributes that say how other elements look; how many there were of each."""
    counts: Counter[str] = Counter()
    for table in root.elements("table"):
        _style_table(table, sheet, counts)
    body = root.find("body") or DomElement("body")
    for name, selector in LINKS.items():
        shade = colour(body.attributes.get(name))
        if shade:
            sheet.add(selector, f"color:{shade}")
        if body.attributes.pop(name, None) is not None:
            counts[name] += 1
    return counts


def _style_table(table: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    padding = pixels(table.attributes.get("cellpadding"))
    border = table.attributes.get("border")
    rules = table.attributes.get("rules", "").lower()
    framed = border is not None and pixels(border) != 0
    for cell in cells(table):
        if padding is not None:
            sheet.style(cell, f"padding:{padding}px")
        if rules in RULES:
            sheet.style(cell, RULES[rules])
        elif framed:
            sheet.style(cell, "border:1px inset")
    if rules in RULES:
        sheet.style(table, "border-collapse:collapse;border-style:hidden")
    for name in OF_TABLES:
        if table.attributes.pop(name, None) is not None:
            counts[name] += 1


RULES = {
    "none": "border:1px none",
    "rows": "border:1px none",
    "groups": "border:1px none",
    "cols": "border:1px none;border-left-style:solid;border-right-style:solid",
    "all": "border:1px solid",
}
"""Borders of cells for each value of `rules` (HTML Standard 15.3.9)."""


def cells(table: DomElement) -> Iterator[DomElement]:
    """Yield the cells of a table, without those of tables in it."""
    for part in table:
        if part.tag in ("thead", "tbody", "tfoot", "tr"):
            yield from cells(part)
        elif part.tag in ("td", "th"):
            yield part


DATA: Mapping[str, frozenset[str]] = {
    "a": frozenset("charset coords shape methods rev urn datafld datasrc".split()),
    "area": frozenset({"nohref", "hreflang", "type"}),
    "body": frozenset({"bgproperties"}),
    "button": frozenset({"datafld", "dataformatas", "datasrc"}),
    "col": frozenset({"char", "charoff"}),
    "embed": frozenset({"name", "hspace", "vspace"}),
    "form": frozenset({"accept"}),
    "head": frozenset({"profile"}),
    "html": frozenset({"version", "manifest"}),
    "iframe": frozenset(
        "allowtransparency datafld datasrc framespacing hspace longdesc marginheight marginwidth "
        "scrolling vspace".split()
    ),
    "img": frozenset({"lowsrc", "datafld", "datasrc"}),
    "input": frozenset({"datafld", "dataformatas", "datasrc", "ismap", "usemap"}),
    "li": frozenset({"compact"}),
    "link": frozenset({"charset", "methods", "rev", "target", "urn"}),
    "menu": frozenset({"type"}),
    "meta": frozenset({"scheme"}),
    "object": frozenset(
        "archive classid code codebase codetype datafld dataformatas datasrc declare standby".split()
    ),
    "option": frozenset({"name", "dataformatas", "datasrc"}),
    "param": frozenset({"type", "valuetype", "datafld"}),
    "pre": frozenset({"width"}),
    "script": frozenset({"charset", "event", "for"}),
    "select": frozenset({"datafld", "dataformatas", "datasrc"}),
    "table": frozenset(
        "bordercolordark bordercolorlight dataformatas datapagesize datasrc layout".split()
    ),
    "td": frozenset({"abbr", "axis", "char", "charoff", "scope"}),
    "th": frozenset({"axis", "char", "charoff"}),
    "tr": frozenset({"char", "charoff"}),
    "textarea": frozenset({"datafld", "datasrc"}),
}
"""Obsolete attributes that say nothing of the look: each is kept as `data-` and its name."""

DESCRIBED: Mapping[str, tuple[str, ...]] = {
    "a": ("name",),
    "img": ("name", "longdesc"),
    "script": ("language",),
    "table": ("summary",),
}
"""Obsolete attributes that something else stands for."""

JAVASCRIPT = ("javascript", "jscript", "ecmascript", "livescript")
"""Beginnings of the names of JavaScript; scripts in it need no `type`, as it is the default."""


def replace_names(root: DomElement) -> Counter[str]:
    """Replace all such attributes of a page; how many there were of each."""
    counts: Counter[str] = Counter()
    ids = {holder.attributes["id"] for holder in root.elements() if "id" in holder.attributes}
    for element in list(root.elements()):
        for name in sorted(DATA.get(element.tag, ())):
            if name in element.attributes:
                element.attributes[f"data-{name}"] = element.attributes.pop(name)
                counts[name] += 1
        if element.tag in ("a", "img") and "name" in element.attributes:
            _name(element, ids)
            counts["name"] += 1
        if element.tag == "script" and "language" in element.attributes:
            _language(element)
            counts["language"] += 1
        if element.tag == "table" and "summary" in element.attributes:
            _summary(element)
            counts["summary"] += 1
        if element.tag == "img" and "longdesc" in element.attributes:
            _description(element)
            counts["longdesc"] += 1
    return counts


def _name(element: DomElement, ids: set[str]) -> None:
    """A name becomes the id; else that of an empty link before it, if nothing else has it."""
    name = element.attributes.pop("name")
    own = element.attributes.get("id")
    if name in ids or not name or any(letter.isspace() for letter in name):
        if name != own:
            element.attributes["data-name"] = name
        return
    ids.add(name)
    if own is None:
        element.attributes["id"] = name
    elif element.parent is not None:
        in_link = any(above.tag == "a" for above in element.ancestors())
        anchor = DomElement("span" if in_link else "a", {"id": name})
        element.parent.insert(element.parent.children.index(element), anchor)


def _language(script: DomElement) -> None:
    language = script.attributes.pop("language").strip().lower()
    if language and not language.startswith(JAVASCRIPT):
        script.attributes.setdefault("type", f"text/{language}")


def _summary(table: DomElement) -> None:
    summary = table.attributes.pop("summary")
    if summary.strip():
        table.attributes.setdefault("aria-description", summary)


def _description(image: DomElement) -> None:
    """A link that is not shown, behind the picture, or behind the link that the picture is in."""
    link = DomElement("a", {"href": image.attributes.pop("longdesc"), "hidden": ""})
    behind = image
    for above in image.ancestors():
        if above.tag == "a":
            behind = above
    if behind.parent is not None:
        behind.parent.insert(behind.parent.children.index(behind) + 1, link)


FRAME_TAGS = ("frame", "frameset")


def obsolete_in(root: DomElement) -> set[str]:
    """Return the obsolete elements and attributes of a page, by name: `font`, `td@bgcolor`."""
    names = set()
    for element in root.elements():
        tag = element.tag
        if tag in CHANGES or tag in FRAME_TAGS:
            names.add(tag)
        names.update(f"{tag}@{name}" for name in element.attributes if _is_obsolete(tag, name))
    return names


def _is_obsolete(tag: str, name: str) -> bool:
    return (
        look_of(tag, name) is not None
        or name in DATA.get(tag, ())
        or name in DESCRIBED.get(tag, ())
        or (tag == "table" and name in OF_TABLES)
        or (tag == "body" and name in LINKS)
    )
