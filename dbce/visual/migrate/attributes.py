"""Obsolete attributes: presentational ones, as rules (HTML Standard 15 and 16.2), and all others.

Attributes of tables for their cells, and those of a body for links, become rules as well. Others name, link and
describe, or no longer exist in HTML. Last comes the check for remaining obsolete features.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from dbce.html import HEADINGS
from dbce.visual.migrate.elements import CHANGES
from dbce.visual.migrate.repairs import INDEX
from dbce.visual.migrate.tree import DomElement, Sheet, colour, length, pixels, url

Look = Callable[[DomElement, str], str]

CELLS = frozenset({"td", "th"})
ROWS = frozenset({"tr", "thead", "tbody", "tfoot", "col", "colgroup"})
DIVISIONS = frozenset("div header nav article aside footer section".split())
"""A `div`, and the elements that may have replaced one."""

TEXTS = frozenset({"p", *HEADINGS})
"""Elements whose `align` needs no prefix, unlike in TEXT_ALIGN: they hold no blocks."""

SPACED = frozenset({"img", "object", "iframe", "embed", "input", "video"})
"""Inline elements with a size of their own."""

TEXT_ALIGN = {
    "left": "-webkit-left",
    "right": "-webkit-right",
    "center": "-webkit-center",
    "middle": "-webkit-center",
    "justify": "justify",
}
"""With the prefix inner blocks are aligned too, as by such attributes; all browsers support these."""

PLAIN_ALIGN = {name: name for name in ("left", "right", "center", "justify")}
TABLE_ALIGN = {
    "left": "float:left",
    "right": "float:right",
    "center": "margin-left:auto;margin-right:auto",
}
HR_ALIGN = {
    "left": "margin-left:0;margin-right:auto",
    "right": "margin-left:auto;margin-right:0",
    "center": "margin-left:auto;margin-right:auto",
}
LEGEND_ALIGN = {"left": "start", "right": "end", "center": "center"}
CLEAR = {"left": "left", "right": "right", "all": "both", "both": "both"}
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
    """Replace all presentational attributes of a page by rules; return the number of each."""
    counts: Counter[str] = Counter()
    for element in root.elements():
        names = [name for name in element.attributes if (element.tag, name) in LOOKS]
        for name in names:
            sheet.style(element, LOOKS[element.tag, name](element, element.attributes[name]))
        for name in names:  # only now, since some depend on others
            del element.attributes[name]
        counts.update(names)
    return counts


def _look(read: Callable[[str], str | None], *names: str) -> Look:
    """Return a function that sets properties to the value of an attribute, if it is valid."""

    def look(_: DomElement, raw: str) -> str:
        value = read(raw)
        return ";".join(f"{name}:{value}" for name in names) if value else ""

    return look


def _word(known: Mapping[str, str]) -> Callable[[str], str | None]:
    return lambda raw: known.get(raw.strip().lower())


def _choice(known: Mapping[str, str]) -> Look:
    return lambda _, raw: known.get(raw.lower(), "")


def _pixels(raw: str) -> str | None:
    width = pixels(raw)
    return None if width is None else f"{width}px"


def _long(raw: str) -> str | None:
    return length(raw, zero=False)


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
    width = pixels(element.attributes.get("border")) or 1
    return f"border-style:{style};border-width:{width}px" if style else ""


def _list_type(raw: str) -> str | None:
    numbers = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman"}
    known = {**numbers, "I": "upper-roman"}
    value = known.get(raw.strip()) or raw.strip().lower()
    return value if value in {"disc", "circle", "square", "none", *known.values()} else None


def _hr_size(element: DomElement, raw: str) -> str:
    thick = pixels(raw) or 0
    if "noshade" in element.attributes or "color" in element.attributes:
        return f"border-width:{thick / 2:g}px" if thick > 1 else "border-width:1px 0 0 0"
    return f"height:{thick - 2}px" if thick > 1 else "border-bottom-width:0"


def _hr_colour(_: DomElement, raw: str) -> str:
    shade = colour(raw)
    solid = f"color:{shade};border-style:solid;border-color:{shade};background-color:{shade}"
    return solid if shade else ""


NO_LOOK = _choice({})
BODY = frozenset({"body"})
TABLE = frozenset({"table"})
HR = frozenset({"hr"})
PLAIN = frozenset({"pre", "ul", "ol", "li", "div", "p", "span", "body"})

LOOKS: dict[tuple[str, str], Look] = {
    (tag, name): look
    for name, tags, look in (
        ("align", TABLE, _choice(TABLE_ALIGN)),
        ("align", HR, _choice(HR_ALIGN)),
        ("align", {"caption"}, _choice({"bottom": "caption-side:bottom"})),
        ("align", {"legend"}, _look(_word(LEGEND_ALIGN), "justify-self")),
        ("align", SPACED, lambda _, raw: IN_LINE.get(raw.strip().lower(), "")),
        ("align", TEXTS, _look(_word(PLAIN_ALIGN), "text-align")),
        ("align", CELLS | ROWS | DIVISIONS, _look(_word(TEXT_ALIGN), "text-align")),
        ("valign", CELLS | ROWS, _look(_word(VERTICAL), "vertical-align")),
        ("bgcolor", CELLS | ROWS | BODY | TABLE, _look(colour, "background-color")),
        (
            "background",
            CELLS | ROWS | BODY | TABLE,
            _look(lambda raw: url(raw) if raw.strip() else None, "background-image"),
        ),
        ("text", BODY, _look(colour, "color")),
        ("width", CELLS | ROWS | TABLE, _look(_long, "width")),
        ("width", HR, _look(length, "width")),
        ("width", PLAIN, NO_LOOK),
        ("height", CELLS | TABLE, _look(_long, "height")),
        ("height", ROWS | HR, _look(length, "height")),
        ("height", PLAIN, NO_LOOK),
        ("border", TABLE, _table_border),
        (
            "border",
            SPACED - {"iframe", "embed"},
            lambda _, raw: f"border:{pixels(raw)}px solid" if pixels(raw) else "",
        ),
        ("frame", TABLE, _frame),
        ("bordercolor", CELLS | ROWS | TABLE, _look(colour, "border-color")),
        ("cellspacing", TABLE, _look(_pixels, "border-spacing")),
        ("hspace", SPACED, _look(length, "margin-left", "margin-right")),
        ("vspace", SPACED, _look(length, "margin-top", "margin-bottom")),
        ("nowrap", CELLS, lambda *_: "white-space:nowrap"),
        ("nowrap", {"div", "body", "table", "tr"}, NO_LOOK),
        ("clear", {"br"}, _look(_word(CLEAR), "clear")),
        ("noshade", HR, lambda *_: "border-style:solid;border-color:gray;background-color:gray"),
        ("color", HR, _hr_colour),
        ("size", HR, _hr_size),
        ("type", {"ul", "li"}, _look(_list_type, "list-style-type")),
        ("compact", {"ul", "ol", "dl", "menu"}, NO_LOOK),
        ("frameborder", {"iframe"}, _choice({"0": "border:0", "no": "border:0"})),
        ("marginwidth", BODY, _look(_pixels, "margin-left", "margin-right")),
        ("leftmargin", BODY, _look(_pixels, "margin-left", "margin-right")),
        ("rightmargin", BODY, _look(_pixels, "margin-right")),
        ("marginheight", BODY, _look(_pixels, "margin-top", "margin-bottom")),
        ("topmargin", BODY, _look(_pixels, "margin-top", "margin-bottom")),
        ("bottommargin", BODY, _look(_pixels, "margin-bottom")),
    )
    for tag in tags
}
"""Rules that an attribute on an element is made of; those of tables that concern others are below."""

OF_TABLES = ("cellpadding", "rules")  # attributes of tables that are about their cells

LINKS = {"link": "a:link", "vlink": "a:visited", "alink": "a:active"}


def replace_for_others(root: DomElement, sheet: Sheet) -> Counter[str]:
    """Replace presentational attributes for other elements by rules; return the number of each."""
    counts: Counter[str] = Counter()
    for table in root.elements("table"):
        _style_table(table, sheet)
        counts += Counter(n for n in OF_TABLES if table.attributes.pop(n, None) is not None)
    body = root.find("body") or DomElement("body")
    for name, selector in LINKS.items():
        if shade := colour(body.attributes.get(name)):
            sheet.add(selector, f"color:{shade}")
    counts += Counter(name for name in LINKS if body.attributes.pop(name, None) is not None)
    return counts


def _style_table(table: DomElement, sheet: Sheet) -> None:
    padding = pixels(table.attributes.get("cellpadding"))
    border = table.attributes.get("border")
    rules = RULES.get(table.attributes.get("rules", "").lower(), "")
    framed = border is not None and pixels(border) != 0
    for cell in cells(table):
        sheet.style(cell, "" if padding is None else f"padding:{padding}px")
        sheet.style(cell, rules or ("border:1px inset" if framed else ""))
    if rules:
        sheet.style(table, "border-collapse:collapse;border-style:hidden")


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


DATA = {tag: names.split() for tag, names in INDEX["obsolete"].items()}
"""Obsolete attributes without presentation: each is kept as `data-` and its name."""

JAVASCRIPT = ("javascript", "jscript", "ecmascript", "livescript")
"""Prefixes of the names of JavaScript, which need no `type`, as it is the default."""


def replace_names(root: DomElement) -> Counter[str]:
    """Replace all attributes of a page that name, link and describe; return the number of each."""
    counts: Counter[str] = Counter()
    ids = {holder.attributes["id"] for holder in root.elements() if "id" in holder.attributes}
    for element in list(root.elements()):
        names = [name for name in DATA.get(element.tag, ()) if name in element.attributes]
        element.set_aside(names)
        counts.update(names)
        for name, replace in DESCRIBED.get(element.tag, {}).items():
            if name in element.attributes:
                replace(element, ids)
                counts[name] += 1
    return counts


def _name(element: DomElement, ids: set[str]) -> None:
    """Turn a name into the id or, if there is one, into that of an empty link before it, unless it is taken."""
    name = element.attributes.pop("name")
    own_id = element.attributes.get("id")
    if name in ids or not name or any(letter.isspace() for letter in name):
        if name != own_id:
            element.attributes["data-name"] = name
        return
    ids.add(name)
    if own_id is None:
        element.attributes["id"] = name
    elif element.parent is not None:
        in_link = any(ancestor.tag == "a" for ancestor in element.ancestors())
        anchor = DomElement("span" if in_link else "a", {"id": name})
        element.parent.insert(element.parent.children.index(element), anchor)


def _language(script: DomElement, _: set[str]) -> None:
    language = script.attributes.pop("language").strip().lower()
    if language and not language.startswith(JAVASCRIPT):
        script.attributes.setdefault("type", f"text/{language}")


def _summary(table: DomElement, _: set[str]) -> None:
    summary = table.attributes.pop("summary")
    if summary.strip():
        table.attributes.setdefault("aria-description", summary)


def _description(image: DomElement, _: set[str]) -> None:
    """Insert a hidden link to the description after the picture, or after the link around it."""
    link = DomElement("a", {"href": image.attributes.pop("longdesc"), "hidden": ""})
    anchor = [image, *(ancestor for ancestor in image.ancestors() if ancestor.tag == "a")][-1]
    if anchor.parent is not None:
        anchor.parent.insert(anchor.parent.children.index(anchor) + 1, link)


DESCRIBED: Mapping[str, Mapping[str, Callable[[DomElement, set[str]], None]]] = {
    "a": {"name": _name},
    "img": {"name": _name, "longdesc": _description},
    "script": {"language": _language},
    "table": {"summary": _summary},
}
"""Replacement of obsolete attributes that have an equivalent, by element."""

OBSOLETE = frozenset(
    {
        *LOOKS,
        *((tag, name) for tag, names in DATA.items() for name in names),
        *((tag, name) for tag, names in DESCRIBED.items() for name in names),
        *(("table", name) for name in OF_TABLES),
        *(("body", name) for name in LINKS),
    }
)


def obsolete_in(root: DomElement) -> set[str]:
    """Return the obsolete elements and attributes of a page, by name: `font`, `td@bgcolor`."""
    elements = list(root.elements())
    pairs = {(element.tag, name) for element in elements for name in element.attributes}
    tags = {element.tag for element in elements} & {*CHANGES, "frame", "frameset"}
    return tags | {f"{tag}@{name}" for tag, name in pairs & OBSOLETE}
