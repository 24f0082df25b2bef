"""Elements of a page that are none of its matter: those that nobody sees, and those that run the site.

Hidden text is none of the page's, unless opening it is the page's way of showing it: tabs,
accordions, "read more". What opens an element is told by a control beside it or one that names
it, or by the names around it. Scripts are not run, so doubt is in favour of an element: it is
then judged as all others are. `aria-hidden` alone hides from screen readers, not from eyes:
slides, repeated links and panels that are open have it.

Consent layers, dialogs, forms to sign in or to subscribe, and messages such as that JavaScript
is missing belong to the site, in whatever page they stand. Some are known by what they are, a
dialog or a form with a password, others by names that mean nothing else: a "cookie" alone is a
recipe, too.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import compress, count, islice, takewhile
from typing import cast

from lxml.etree import XPath
from lxml.etree import _Element as Element

from dbce.html import walk
from dbce.model import Page, TextNode

# Declarations of a `style` attribute that hide.
HIDING = walk.NamePattern(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|clip\s*:\s*rect\(\s*([01](?:px)?)(?:[\s,]+\1){3}",
    "none hidden collapse rect",
)
NEVER_HIDDEN = frozenset({"html", "body"})
# Elements whose text is there for browsers that do not know them.
FALLBACKS = frozenset("applet audio canvas datalist meter object progress video".split())
# Those that may hold the whole text of an old page; in others more words than SMALL are what an open element took in.
PLUG_INS = frozenset({"applet", "object"})
# Elements whose texts describe a drawing to those who do not see it.
DESCRIPTIONS = frozenset({"title", "desc"})
DRAWINGS = frozenset({"svg", "symbol", "g"})
# Attributes of what stands in an element of AMP until that is loaded, or if it fails.
PLACEHOLDERS = frozenset({"placeholder", "fallback"})
# Names, in lower case, of what opens, on a hidden element or around it.
OPENING_NAMES = re.compile(
    r"tab(?!le)|(?:foot|side|margin|end)-?_?note|accord|collaps|expan[ds]|fold|toggle|faq|question|answer|panel|drawer|spoiler|more|less"
    r"|trunc|excerpt|slide|carousel|swiper|gallery"
)
# Elements up from a hidden one, itself included, that such names and controls beside them count on: a panel may have a
# wrapper or two.
LEVELS_UP = 3
# Elements of what stands beside a hidden one that may be a control: a heading around a button, a list of tabs.
BEGINNING = 12
CONTROLS = frozenset({"button", "summary"})
# Attribute by which a field names its help, which comes and goes, and the mark of a note the note, which opens.
DESCRIBED = "aria-describedby"
NAMED = 2_000  # hidden elements with an id that are looked for in all references, at most
LONGEST_MARK = 8  # characters, white space included
# `//@` looks at texts, too.
REFERENCES_OF = XPath(" | ".join(map("descendant-or-self::*/@{}".format, walk.REFERENCES)))
# Texts of controls beside headings, in lower case.
CONTROL_TEXT = re.compile("|".join(walk.WORDS["texts of controls"].splitlines()))
CONTROL_HEADS = frozenset("copy|shar|link|copi|dire|perm|anch|sect|back|retu|get |url ".split("|"))
# Signs beside the words of a heading: of its address, and of links that fold or unfold what is below or lead to the top.
ADDRESS_SIGNS = re.compile(r"[\s¶🔗⚓⛓\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]+")
FOLDING_SIGNS = re.compile(
    r"(?:[\s()\[\]+▲▼△▽▴▾►▶▸⌃⌄↑⇑\N{MINUS SIGN}\N{EN DASH}-]|\btop\b)+", re.IGNORECASE
)
# Classes of fonts whose signs are written by their names.
ICON_FONTS = frozenset(walk.WORDS["icon fonts"].split())
ICON_NAME = re.compile(r"\s*[a-z0-9_]+\s*")
CONTROL_TAGS = frozenset("a button div em i label output small span strong sup".split())
LONGEST_CONTROL = 100
# Names, in lower case, of what lies on top of a page: layers that ask for consent, and dialogs; as class, id or role.
LAYER = walk.NamePattern("|".join(walk.WORDS["layers"].splitlines()), walk.WORDS["stems of layers"])
# Answers to a request for consent, in lower case.
ANSWERS = frozenset(walk.WORDS["answers"].splitlines())
LONGEST_ANSWER = 32
AROUND_ANSWERS = " \n\t.!✓✕"
# Words of one of which each request has some.
CONSENT = re.compile("|".join(walk.WORDS["consent"].splitlines()), re.IGNORECASE)
# Words of a request for consent at most, and of what else is in the box around it.
CONSENT_WORDS = 200
CONSENT_LEVELS = 16  # elements from an answer to the box around it, at most
FEW_OF_CONSENT = 8
# Names of messages and small boxes of a site, as class alone: headings have ids that are made of their words.
MESSAGE = walk.NamePattern(
    "|".join(walk.WORDS["messages"].splitlines()), walk.WORDS["stems of messages"]
)
# Of a poster, as class, and what stands around one.
SIGNATURE = walk.NamePattern(walk.WORDS["signatures"].strip(), "sig")
POSTS = "post message msg reply comment thread forum"
POST = walk.NamePattern(POSTS.replace(" ", "|"), POSTS)
FIELDS = frozenset({"password", "email"})  # types of fields to sign in, or to subscribe
INPUT_TEXTS = frozenset({"option", "textarea"})  # elements whose text is input or a choice of it
# Words of a message or a form at most. A form may hold the whole page (ASP.NET), and a class name another thing.
SMALL = 120
# Words at most of the element around a form whose text is of the form, "Get our letter", and part of a page's words
# that they are at most: a fourth.
FORM_BOX = 60
# Elements of anything small at most, so that nested ones cost no more than their number.
ELEMENTS = 1_000
# Elements that no layer, message or form is or holds.
PAGE_ELEMENTS = frozenset("html body main article h1".split())


def hidden(tags: Sequence[str], attrs: walk.Attributes) -> tuple[bool, ...]:
    """Flags of all elements of a page, its `<html>` first: true of those that an attribute of their own hides.

    Rules of style sheets have no say: those of `<style>`, resolved as a browser does, changed the text of 30 of 5,700
    pages of twelve sets, and the F1 of none by more than .0002. Scripts show a page that hides itself whole (against
    frames of others, or until a font has come): `<html>` and `<body>` are never hidden.
    """
    flags = [False] * len(tags)
    hiding = walk.elements_like(tuple(value for _, _, value in attrs.hiders), HIDING)
    for number, (element, name, value) in enumerate(attrs.hiders):
        hides = number in hiding if name == "style" else name == "hidden" or value == "true"
        flags[element] |= hides and tags[element] not in NEVER_HIDDEN
    return tuple(flags)


class Elements:
    """The elements of a page: those that nobody sees, and those of the site."""

    def __init__(self, page: Page, tree: Sequence[Element], attrs: walk.Attributes) -> None:
        self._page, self._tree, self._own = page, tree, attrs

    def unseen(self) -> Iterator[int]:
        """Elements that hide themselves and that nothing on the page opens."""
        end = named = 0
        for index in compress(count(), self._page.hidden):
            element = self._tree[index]
            if index < end or _is_for_eyes(element) or element.get("hidden") == "until-found":
                continue
            # What hides in what opens is left to the model, too.
            end = walk.subtree_end(self._page.parents, index)
            if not walk.nodes_within(self._page, index) or "math" in self._page.tags[index:end]:
                continue  # MathML stands hidden behind the picture of a formula
            near = islice(walk.ancestors(self._page.parents, index), LEVELS_UP)
            parts = takewhile(lambda n: self._page.tags[n] not in PAGE_ELEMENTS, near)
            if any(map(self._opens, parts)):
                continue
            own_id = self._page.ids[index]
            named += bool(own_id)
            if own_id and own_id in self._references and self._is_shown_by_one(own_id):
                continue
            if named > NAMED:
                break
            yield index

    @cached_property
    def _references(self) -> str:
        """Names of what controls open, and addresses of links that are controls or stay on the page, a line each."""
        stay = (link.get("href", "") for link in self._tree[0].iter("a") if _stays(link))
        return "\n".join([*self._names(), *stay, "", ""])

    def _is_shown_by_one(self, own_id: str) -> bool:
        """Return whether a name is in more references than those of elements that it describes, or one of these is the mark of a note."""
        described = [pair for pair in self._elements_described if own_id in pair[0]]
        count = sum(names.count(own_id) for names, _ in described)
        is_shown = self._references.count(own_id) > count
        return is_shown or any(_is_mark(element) for _, element in described)

    @cached_property
    def _elements_described(self) -> list[tuple[str, Element]]:
        described = self._tree[0].findall(f".//*[@{DESCRIBED}]")
        return [(element.get(DESCRIBED, ""), element) for element in described]

    def _names(self) -> list[str]:
        if (known := self._own.references) is not None:
            return [name for _, name in known]
        return cast("list[str]", REFERENCES_OF(self._tree[0]))

    def jumps(self) -> Sequence[tuple[int, str]]:
        """Links to places of the page, and elements of few characters that name a hidden one by another attribute: marks of notes that a click shows."""
        page = self._page
        hidden = {*compress(page.ids, page.hidden)} - {""}
        if not hidden or hidden.isdisjoint(name.removeprefix("#") for name in self._names()):
            return page.jumps
        near = above = {node.element for node in page.nodes if len(node.text) <= LONGEST_MARK}
        for _ in range(LEVELS_UP - 1):
            above = {page.parents[n] for n in above if n > 0}
            near = near | above
        if (known := self._own.references) is not None:
            near &= {n for n, name in known if name.removeprefix("#") in hidden}
        naming = [
            (index, name)
            for index in near
            for attribute in walk.REFERENCES
            if (name := self._tree[index].get(attribute, "").removeprefix("#")) in hidden
            if attribute != DESCRIBED or _is_mark(self._tree[index])
        ]
        return sorted([*page.jumps, *naming])

    def fallbacks(self) -> Iterator[int]:
        """Elements that a browser shows nothing of, since it shows the video, the drawing or the like that they stand for."""
        page = self._page
        different = {*page.tags}
        for index in walk.elements_of_tags(page, *DESCRIPTIONS) if "svg" in different else ():
            if page.tags[page.parents[index]] in DRAWINGS:
                yield index
        for index in walk.elements_of_tags(page, *FALLBACKS):
            if page.tags[index] in PLUG_INS or self._is_small(index, SMALL):
                yield index
        of_amp = {tag for tag in different if tag.startswith("amp-")}
        held = (n for n, above in enumerate(page.parents) if n and page.tags[above] in of_amp)
        for index in held if of_amp else ():
            is_placeholder = not PLACEHOLDERS.isdisjoint(self._tree[index].keys())
            if is_placeholder and page.tags[index] not in FALLBACKS:
                yield index

    def icons(self) -> Iterator[int]:
        """Elements that hold the name of a sign, which their font shows in its place."""
        for index in walk.elements_of_classes(self._page, ICON_FONTS):
            if all(ICON_NAME.fullmatch(node.text) for node in self._nodes(index)):
                yield index

    def link_controls(self) -> Iterator[int]:
        """Controls at a heading that copy its address, with what they say once they have: for the ear, or until it is wanted."""
        for n in walk.nodes_that_may_begin(self._page, CONTROL_HEADS):
            text, element = self._page.nodes[n].text.strip().lower(), self._page.nodes[n].element
            if len(text) > LONGEST_CONTROL or text[:4] not in CONTROL_HEADS:
                continue
            if self._page.tags[element] in CONTROL_TAGS and CONTROL_TEXT.fullmatch(text):
                yield element
        for heading in sorted(walk.elements_of_tags(self._page, *walk.HEADINGS)):
            inside = walk.nodes_within(self._page, heading)
            if len(inside) > 1:  # of what is one text nothing is beside it
                yield from self._beside_words(heading, inside)

    def _beside_words(self, heading: int, inside: range) -> Iterator[int]:
        """Elements of a heading that hold one text which is a sign or the label of a button."""
        page = self._page
        for n in inside:
            text, element = page.nodes[n].text, page.nodes[n].element
            around = [*takewhile(lambda e: e != heading, walk.ancestors(page.parents, element))]
            is_button = any(
                page.tags[e] == "button" and walk.nodes_within(page, e) != inside for e in around
            )
            folds = any(page.tags[e] == "button" or _stays(self._tree[e]) for e in around)
            is_sign = ADDRESS_SIGNS.fullmatch(text) or (folds and FOLDING_SIGNS.fullmatch(text))
            if around and (is_button or is_sign) and len(walk.nodes_within(page, element)) == 1:
                yield element

    def of_site(self) -> Iterator[int]:
        """Layers, requests for consent, messages, forms, and what a reader chooses from or writes over."""
        page = self._page
        named = page.classes, page.ids, page.roles
        layers = {n for names in named for n in walk.elements_like(names, LAYER)}
        layers |= walk.elements_of_tags(page, "dialog")
        messages = walk.elements_of_tags(page, *INPUT_TEXTS)
        messages |= walk.elements_like(page.classes, MESSAGE)
        if signatures := walk.elements_like(page.classes, SIGNATURE):
            posts = {n for names in named for n in walk.elements_like(names, POST)}
            inside = walk.subtree_mask(page, posts)
            messages.update(n for n in signatures if inside[n])
        holders = walk.elements_around(page, walk.elements_of_tags(page, *PAGE_ELEMENTS))
        words_of_element = cache(self._consent_words)  # thousands of answers may stand in the same
        boxes = (self._consent_box(n, holders, words_of_element) for n in self._answers())
        layers.update(box for box in boxes if box >= 0)
        end = 0
        for index in sorted(n for n in layers.union(messages, self._forms()) if not holders[n]):
            if index >= end and (index in layers or self._is_small(index, SMALL)):
                yield self._box(index, holders) if self._page.tags[index] == "form" else index
                end = walk.subtree_end(self._page.parents, index)

    def _nodes(self, index: int) -> Sequence[TextNode]:
        inside = walk.nodes_within(self._page, index)
        return self._page.nodes[inside.start : inside.stop]

    def _is_small(self, index: int, words: int) -> bool:
        """Return whether an element has so many words at most, and not too many elements to look at."""
        end = walk.subtree_end(self._page.parents, index, ELEMENTS)
        return end - index < ELEMENTS and words_of(self._nodes(index), words) <= words

    def _opens(self, index: int) -> bool:
        """Return whether its names, or those of a neighbour that may be its control, say that an element opens."""
        page, element = self._page, self._tree[index]
        if _tells_to_open(f"{page.classes[index]} {page.ids[index]} {page.roles[index]}"):
            return True
        before = next(element.itersiblings("*", preceding=True), None)
        behind = next(element.itersiblings("*"), None)
        return any(
            _tells_to_open(each.get("class", ""))
            or _is_control(each)
            or (each.tag == "sup" and _is_mark(each) and not (first.tail or "").strip())
            for each, first in ((before, before), (behind, element))
            if each is not None and first is not None
        )

    def _answers(self) -> list[int]:
        """Elements of answers to a request for consent: beside another one, a button, or no word in a sentence."""
        nodes = self._page.nodes
        likely = walk.nodes_that_may_begin(self._page, ANSWERS, AROUND_ANSWERS)
        short = [n for n in likely if len(nodes[n].text) < LONGEST_ANSWER]
        numbers = {n for n in short if nodes[n].text.strip(AROUND_ANSWERS).lower() in ANSWERS}
        return [
            nodes[n].element
            for n in sorted(numbers)
            if not {n - 1, n + 1}.isdisjoint(numbers) or self._stands_alone(nodes[n].element)
        ]

    def _stands_alone(self, answer: int) -> bool:
        page = self._page
        while page.tags[answer] in walk.INLINE and answer > 0:
            names = f"{page.tags[answer]} {page.classes[answer]} {page.roles[answer]}".lower()
            is_control = page.tags[answer] == "a" and _stays(self._tree[answer])
            if is_control or "button" in names or "btn" in names:
                return True
            answer = page.parents[answer]
        return self._is_small(answer, FEW_OF_CONSENT)

    def _consent_box(
        self, answer: int, holders: bytearray, words_of_element: Callable[[int], tuple[int, bool]]
    ) -> int:
        """The element around an answer that asks for consent, with what else there is little of; -1 if none does."""
        box = words = -1
        for index in islice(walk.ancestors(self._page.parents, answer), CONSENT_LEVELS):
            its_words, asks = (0, False) if holders[index] else words_of_element(index)
            if not its_words:
                break
            if box < 0 and asks:
                box, words = index, its_words
            elif box >= 0 and its_words <= words + FEW_OF_CONSENT:
                box = index
        return box

    def _consent_words(self, index: int) -> tuple[int, bool]:
        """How many words an element has, 0 for too many, and whether they ask for consent."""
        if not self._is_small(index, CONSENT_WORDS):
            return 0, False
        text = " ".join(node.text for node in self._nodes(index))
        words = len(text.split())
        return words, words > FEW_OF_CONSENT and CONSENT.search(text) is not None

    def _forms(self) -> Iterator[int]:
        """Forms with a field for a password or an address, and none to write in: these are for comments and letters."""
        for index in walk.elements_of_tags(self._page, "form"):
            element = self._tree[index]
            fields = {field.get("type", "").lower() for field in element.iter("input")}
            if not FIELDS.isdisjoint(fields) and next(element.iter("textarea"), None) is None:
                yield index

    def _box(self, form: int, holders: bytearray) -> int:
        """The element around a form, if that holds little else, else the form."""
        around = self._page.parents[form]
        if holders[around] or not self._is_small(around, FORM_BOX):
            return form
        words = words_of(self._nodes(around), FORM_BOX)
        of_page = words_of(self._page.nodes, 4 * FORM_BOX)
        return around if 4 * words <= of_page else form


def words_of(nodes: Sequence[TextNode], most: int) -> int:
    """The number of words; of more than `most` that is known without counting all."""
    words = 0
    for node in nodes:
        words += len(node.text.split(maxsplit=most))  # no list is longer than it must be
        if words > most:
            break
    return words


def _stays(link: Element) -> bool:
    """Return whether a link is a control or leads to a place of the page."""
    return link.get("href", "").startswith(("#", "javascript:"))


def _is_for_eyes(element: Element) -> bool:
    """Return whether nothing but `aria-hidden` hides an element, as far as its attributes say."""
    is_set = HIDING.pattern.search(element.get("style", "")) is not None
    return element.get("aria-hidden") == "true" and not is_set and element.get("hidden") is None


@lru_cache(maxsize=5_000)
def _tells_to_open(names: str) -> bool:
    return OPENING_NAMES.search(names.lower()) is not None


def _is_mark(element: Element) -> bool:
    return walk.is_note_mark("".join(map(str, islice(element.itertext(), BEGINNING))))


def _is_control(element: Element) -> bool:
    """Return whether one clicks on an element, or on something at its beginning, to see more of the page."""
    return element.tag != "p" and any(
        (
            each.tag in CONTROLS
            or each.get("aria-expanded") is not None
            or each.get("onclick") is not None
            or (each.tag == "a" and each.get("href", "#").startswith(("#", "javascript:")))
        )
        and next(each.iterancestors()).tag != "sup"  # of notes to what is beside
        for each in islice(element.iter("*"), BEGINNING)
    )
