"""Elements of a page that are none of its matter: those that nobody sees, and those that run the site.

Hidden text is none of the page's, unless opening it is the page's way of showing it: tabs, accordions, "read more".
What opens an element is told by a control beside it or one that names it, or by the names around it. Scripts are not
run, so doubt is in favour of an element: it is then judged as all others are. `aria-hidden` alone hides from screen
readers, not from eyes: slides, repeated links and panels that are open have it.

Consent layers, dialogs, forms to sign in or to subscribe, and messages such as that JavaScript is missing belong to the
site, in whatever page they stand. Some are known by what they are, a dialog or a form with a password, others by
names that mean nothing else: a "cookie" alone is a recipe, too.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from dbce.html.stylesheet import HIDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.walk import Attributes, Walk
    from dbce.model import TextNode

OPENED = re.compile(
    r"tab(?!le)|accord|collaps|expan[ds]|fold|toggle|faq|question|answer|panel|drawer|spoiler|read-?more|more-?|less"
    r"|trunc|excerpt|slide|carousel|swiper|gallery|^[SB]:\w+$",
    re.IGNORECASE,
)
"""Names of what opens, on a hidden element or around it. React sends a page in hidden parts, `S:0`, `S:1`, ..."""

AROUND = 3
"""Elements up from a hidden one that such names, and controls beside them, count on: a panel has a wrapper or two."""

BEGINNING = 12
"""Elements of what stands beside a hidden one that may be a control: a heading around a button, a list of tabs."""

CONTROLS = frozenset({"button", "summary"})

REFERENCES = ("aria-controls", "data-target", "data-bs-target", "data-toggle", "href", "onclick")
"""Attributes by which a control names what it opens."""

LAYER = re.compile(
    r"\bonetrust-(?:consent|banner|pc)|\bCybotCookiebotDialog|\bdidomi-(?:host|popup|notice)|\bqc-cmp|\bsp_message_"
    r"|\b(?:uc|usercentrics)-(?:banner|root|cmp|default)|\btruste[-_]|\biubenda-cs|\bcc-(?:window|banner)|\bcmplz-cookie"
    r"|\bborlabs-?cookie|\bklaro\b|\bcmpbox|\bfc-consent-root|\btarteaucitron(?:Root|Alert)|\b(?:tp|piano)-modal"
    r"|\b(?:cookie|gdpr|ccpa|dsgvo|rgpd|consent)s?[-_]?(?:law|eu)?[-_]?(?:consent|notice)?[-_]?(?:banner|bar|notice|popup"
    r"|message|overlay|layer|modal|dialog|wall|window|warning|hinweis)\b"
    r"|(?<![\w-])(?:alertdialog|dialog|modal)(?![\w-])",
    re.IGNORECASE,
)
"""Names of what lies on top of a page, on its classes, ids and roles: layers that ask for consent, and dialogs."""

MESSAGE = re.compile(
    r"\bno-?(?:js|script)[-_](?:warning|message|msg|notice|alert)|\b(?:js|javascript)[-_]?(?:disabled|warning|required)"
    r"|\bbrowser-?(?:upgrade|warning|happy)|\b(?:old|outdated|unsupported)-?browser"
    r"|\b(?:loading|error|fail(?:ure)?|stream-(?:fail|end))[-_]?(?:message|msg|container|placeholder|indicator)"
    r"|(?:Blocked|Protected)\w*Timeline\b|WarningTimeline\b"
    r"|\b(?:pay|reg)-?wall[-_](?:message|prompt|banner|overlay|notice|offer|box|barrier|gate|cta)"
    r"|\b(?:newsletter|subscri(?:be|ption))[-_](?:sign-?up|form|box|widget|cta|prompt|banner|promo)"
    r"|\b(?:sharedaddy|addtoany|addthis_toolbox|shariff|(?:social|article|post)-(?:share|sharing))\b"
    r"|\bshar(?:e|ing)-(?:bar|buttons?|links|tools|icons)\b",
    re.IGNORECASE,
)
"""Names of messages and small boxes of a site, on classes alone: headings have ids that are made of their words."""

FIELDS = frozenset({"password", "email"})
"""Types of fields to sign in, or to subscribe."""

SMALL = 120
"""Words of a message or a form at most. A form may hold the whole page (ASP.NET), a class name another thing."""

BESIDE = 60
"""Words at most of the element around a form for its text to be of the form: "Get our letter"."""

OF_THE_PAGE = frozenset("html body main article h1".split())
"""Elements that no layer, message or form is or holds."""


class Asides(NamedTuple):
    """Outermost elements, with all in them, that are none of a page's matter.

    `unseen` are hidden, and nothing on the page opens them; `of_site` are layers, messages and forms.
    """

    unseen: frozenset[int]
    of_site: frozenset[int]


def asides(tree: Walk, own: Attributes, hides: Sequence[bool], nodes: Sequence[TextNode]) -> Asides:
    """The asides of a page; `hides` says which elements hide themselves."""
    return Asides(frozenset(_unseen(tree, own, hides)), frozenset(_of_site(tree, own, nodes)))


def _unseen(tree: Walk, own: Attributes, hides: Sequence[bool]) -> Iterator[int]:
    references: str | None = None
    for index, hidden in enumerate(hides):
        element = tree.elements[index]
        if not hidden or _is_for_eyes(element) or element.get("hidden") == "until-found":
            continue
        if any(_opens(tree, own, i) for i in _up(tree, index)) or _is_formula(element):
            continue
        if own.ids[index]:
            if references is None:
                references = _references(tree.elements)
            if own.ids[index] in references:
                continue
        yield index


def _is_for_eyes(element: Element) -> bool:
    """Return whether nothing but `aria-hidden` tells that an element is hidden, as far as its attributes say."""
    return (
        element.get("aria-hidden") == "true"
        and element.get("hidden") is None
        and HIDING.search(element.get("style", "")) is None
    )


def _is_formula(element: Element) -> bool:
    """Return whether an element holds MathML, which stands behind the picture of a formula."""
    return next(element.iter("math"), None) is not None


def _up(tree: Walk, index: int) -> Iterator[int]:
    """An element and those around it, as far as AROUND goes."""
    for _ in range(AROUND):
        if index < 0 or tree.tags[index] in OF_THE_PAGE:
            return
        yield index
        index = tree.parents[index]


def _opens(tree: Walk, own: Attributes, index: int) -> bool:
    """Return whether names or a control beside it say that an element opens."""
    names = (own.classes[index], own.ids[index], own.roles[index])
    if any(OPENED.search(name) for name in names):
        return True
    element = tree.elements[index]
    beside = (element.getprevious(), element.getnext())
    return any(each is not None and _is_control(each) for each in beside)


def _is_control(element: Element) -> bool:
    """Return whether one clicks on an element, or on something at its beginning, to see more of the page."""
    return element.tag != "p" and any(
        each.tag in CONTROLS
        or each.get("aria-expanded") is not None
        or each.get("onclick") is not None
        or (each.tag == "a" and each.get("href", "#").startswith(("#", "javascript:")))
        for each in islice(element.iter(), BEGINNING)
    )


def _references(elements: Iterable[Element]) -> str:
    values = (
        value
        for element in elements
        for name, value in element.items()
        if name in REFERENCES and (name != "href" or value.startswith(("#", "javascript:")))
    )
    return "\n".join(map(str, values))


def _of_site(tree: Walk, own: Attributes, nodes: Sequence[TextNode]) -> Iterator[int]:
    layers = [
        *_named(own.classes, LAYER),
        *_named(own.ids, LAYER),
        *_named(own.roles, LAYER),
    ]
    messages = _named(own.classes, MESSAGE)
    forms = _forms(tree)
    if not (layers or messages or forms):
        return
    words, holds_page = _sums(tree, nodes)
    yield from (i for i in layers if not holds_page[i])
    yield from (i for i in messages if not holds_page[i] and words[i] <= SMALL)
    for form in forms:
        if not holds_page[form] and words[form] <= SMALL:
            around = tree.parents[form]
            is_box = not holds_page[around] and words[around] <= min(BESIDE, words[0] / 4)
            yield around if is_box else form


def _named(names: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    """The elements that have a name."""
    if pattern.search("\n".join(names)) is None:  # one search for all: most pages have none
        return []
    wanted = {name for name in set(names) if pattern.search(name)}
    return [index for index, name in enumerate(names) if name in wanted]


def _forms(tree: Walk) -> list[int]:
    """Forms with a field for a password or an address, and none to write in: these are for comments and letters."""
    forms = []
    for index, tag in enumerate(tree.tags):
        if tag == "form":
            fields = [each.get("type", "").lower() for each in tree.elements[index].iter("input")]
            if not FIELDS.isdisjoint(fields) and tree.elements[index].find(".//textarea") is None:
                forms.append(index)
    return forms


def _sums(tree: Walk, nodes: Sequence[TextNode]) -> tuple[list[int], list[bool]]:
    """Of each element the number of words, and whether it is or holds something OF_THE_PAGE."""
    words = [0] * len(tree.tags)
    for node in nodes:
        words[node.element] += len(node.text.split())
    holds = [tag in OF_THE_PAGE for tag in tree.tags]
    for index in range(len(words) - 1, 0, -1):
        parent = tree.parents[index]
        words[parent] += words[index]
        holds[parent] |= holds[index]
    return words, holds
