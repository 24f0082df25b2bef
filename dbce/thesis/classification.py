"""Stage 2 of the thesis, second half: `<dbce>` elements become content or boilerplate (section 2.3)."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from bs4 import BeautifulSoup, Tag
from numpy.typing import NDArray

from dbce.model import ROLES, Label
from dbce.thesis.grouping import layers
from dbce.thesis.patterns import PATTERNS

CONTENT, BOILERPLATE, INVALID = "content", "bp", "invalid"
CLASSES = {Label.CONTENT: CONTENT, Label.BOILERPLATE: BOILERPLATE, Label.INVALID: INVALID}
CLASS, RULE = "dbce-class-", "dbce-by-"
"""Prefixes of the class names of appendix B, and of ours for the rule that decided, if no pattern."""

LAYERS = {"T003": 1, "T004": 2, "T005": 3, "T006": 3}
"""The layers of neighbourhood that the test cases learn from (section 4.2)."""

NEIGHBOURS = 5
"""Number of nearest neighbours (listing 4.1), and minimum number of training examples."""

TREES = 10  # trees of the random forest (listing 4.2)

DBCE = re.compile(r'<dbce class="([^"]*)">(.*?)</dbce>', re.DOTALL)
"""A serialised `<dbce>`: its classes and its content."""

RAW = ("textarea", "title", "xmp", "noframes", "plaintext")
"""Elements whose markup is text to a parser, that of `<dbce>` too."""

LINE = 80  # characters of a line, for the text density (Kohlschütter and others, WSDM 2010)


def classify(body: str, cross_bits: str, classifier: str, seed: int) -> str:
    """Return the annotated body of one cross with a class on every `<dbce>`, and on elements that hold one class."""
    soup = parse_body(body)
    elements = soup.find_all("dbce")
    labels = PATTERNS[cross_bits]  # by the occurrence of a `<dbce>` in the cross (appendix B)
    for element in elements:
        set_class(element, CLASSES[labels.get(element_bits(element), Label.INVALID)])
    propagate(soup)
    if classifier == "T002":
        for element in elements:
            if class_of(element) == INVALID:
                set_class(element, BOILERPLATE)
                set_name(element, RULE, "invalid-is-boilerplate")
    elif classifier in LAYERS:
        reclassify(soup, elements, classifier, seed)
    propagate(soup)
    return serialise_body(soup)


def parse_body(body: str) -> BeautifulSoup:
    soup = BeautifulSoup(f"<body>{body}</body>", "lxml")
    for raw in soup(RAW):
        if "<dbce" in (text := raw.get_text()):
            raw.clear()
            raw.extend(_elements_in(text, soup))
    return soup


def _elements_in(text: str, soup: BeautifulSoup) -> Iterator[Tag | str]:
    last = 0
    for match in DBCE.finditer(text):
        element = soup.new_tag("dbce", attrs={"class": match[1].split()})
        element.string = match[2]
        yield text[last : match.start()]
        yield element
        last = match.end()
    yield text[last:]


def serialise_body(soup: BeautifulSoup) -> str:
    return (soup.body or soup).decode_contents()


# Cross Encoding and Bit-Pattern Based Pre-classification.


def element_bits(element: Tag) -> str:
    """Return the bits of a `<dbce>`: 1 for each member of the cross in which it occurs."""
    names = class_names(element)
    return "".join("01"[f"dbce-{role}" in names] for role in ROLES)


def class_names(element: Tag) -> list[str]:
    return [str(name) for name in element.get_attribute_list("class", [])]


def class_of(element: Tag) -> str | None:
    for name in class_names(element):
        if name.startswith(CLASS):
            return name.removeprefix(CLASS)
    return None


def set_class(element: Tag, kind: str | None) -> None:
    """Replace the class of an element; None removes it."""
    set_name(element, CLASS, kind)


def set_name(element: Tag, prefix: str, value: str | None) -> None:
    """Set the name in an element's class attribute that begins with a prefix; None removes it."""
    names = [name for name in class_names(element) if not name.startswith(prefix)]
    names += [f"{prefix}{value}"] if value else []
    if names:
        element["class"] = names
    elif element.has_attr("class"):
        del element["class"]


def propagate(soup: BeautifulSoup) -> None:
    """Give parents the class that all elements of a sibling group (perhaps one) share, deepest layer first."""
    for group in (group for layer in reversed(layers(soup)) for group in layer):
        parent, kinds = group[0].parent, {class_of(element) for element in group}
        if parent is not None and parent.name not in ("[document]", "dbce"):
            set_class(parent, kinds.pop() if len(kinds) == 1 else None)


# Feature Extraction (table 2.1).


@dataclass(slots=True)
class Node:
    """The measures of an element, zeros for the dummy: lengths of the words in it, how many are in links, tags."""

    nid: int = 0
    kind: int = 0
    words: list[int] = field(default_factory=list)
    linked: int = 0
    tags: int = 0

    @property
    def link_density(self) -> float:
        return self.linked / max(len(self.words), 1)

    @property
    def text_density(self) -> float:
        """Words per line; the last line counts only where it is the only one."""
        lines, in_lines, width = 0, 0, 0
        for words, length in enumerate(self.words):
            if width and width + 1 + length > LINE:
                lines, in_lines, width = lines + 1, words, 0
            width += length + (1 if width else 0)
        return in_lines / lines if lines else float(len(self.words))

    @property
    def text_length(self) -> int:
        return max(sum(self.words) + len(self.words) - 1, 0)


def features(soup: BeautifulSoup, elements: Sequence[Tag], layer_count: int) -> NDArray[np.float64]:
    """Return the 20 features of each `<dbce>`, those of its parent, and of the parent's parent, by the number of layers."""
    neighbourhoods = _neighbourhoods(soup)
    rows = []
    for element in elements:
        row: list[float] = []
        node: Tag | None = element
        for _ in range(layer_count):
            row += neighbourhoods.get(id(node), NO_NEIGHBOURHOOD)
            node = node.parent if node is not None else None
        rows.append(row)
    return np.array(rows, dtype=np.float64)


def _neighbourhoods(soup: BeautifulSoup) -> dict[int, list[float]]:
    nodes = _nodes(soup)
    by_element: dict[int, list[float]] = {}
    for group in (group for layer in layers(soup) for group in layer):
        in_order = [Node(), *(nodes[id(element)] for element in group), Node()]
        for place, element in enumerate(group):
            by_element[id(element)] = _neighbourhood(in_order[place : place + 3])
    return by_element


def _neighbourhood(window: Sequence[Node]) -> list[float]:
    """Return the features of a node C, given P, C and N: its predecessor in its group, itself, and its successor."""
    current = window[1]
    return [
        *(node.nid for node in window),
        current.kind,
        *(density for node in window for density in (node.link_density, node.text_density)),
        *(len(node.words) for node in window),
        *(node.text_length for node in window),
        *(node.tags for node in window),
        current.text_length / max(current.tags, 1),
    ]


NO_NEIGHBOURHOOD = _neighbourhood([Node()] * 3)  # the features of a layer above the page


def _nodes(soup: BeautifulSoup) -> dict[int, Node]:
    """Return the measures of all elements by identity, collected from the deepest layer up; `<dbce>` are not counted as tags."""
    numbers: dict[str, int] = {"dbce": 1}
    nodes = {
        id(element): Node(numbers.setdefault(element.name, len(numbers) + 1), class_hash(element))
        for element in soup.find_all(True)
    }
    links = {id(inner) for link in soup("a") for inner in link.find_all("dbce")}
    for element in soup.find_all("dbce"):
        node = nodes[id(element)]
        node.words = [len(word) for word in element.get_text().split()]
        node.linked = len(node.words) if id(element) in links else 0
    for element in soup.find_all(True)[::-1]:  # descendants come after their ancestors
        if element.name == "dbce":
            continue
        node = nodes[id(element)]
        inner = [nodes[id(child)] for child in element.children if isinstance(child, Tag)]
        node.words = [length for child in inner for length in child.words]
        node.linked = sum(child.linked for child in inner)
        node.tags = 1 + sum(child.tags for child in inner)
    return nodes


def class_hash(element: Tag) -> int:
    """Return the hash of the sorted class attribute without our names: those of a `<dbce>` are its bits, the answer."""
    names = sorted(name for name in class_names(element) if not name.startswith("dbce-"))
    return 0 if element.name == "dbce" else crc32(" ".join(names).encode("utf-8", "replace"))


# Reclassification Process.


def reclassify(soup: BeautifulSoup, elements: Sequence[Tag], classifier: str, seed: int) -> None:
    """Reclassify all `<dbce>` elements by a model of those that the patterns decide; no change if these are too few."""
    rows = features(soup, elements, LAYERS[classifier]) if elements else np.empty((0, 0))
    model = train(rows, [class_of(element) for element in elements], classifier, seed)
    if model is not None:
        for element, chance in zip(elements, chances(model, rows), strict=True):
            set_class(element, CONTENT if chance > 0.5 else BOILERPLATE)
            set_name(element, RULE, "reclassified")


def train(
    rows: NDArray[np.float64], kinds: Sequence[str | None], classifier: str, seed: int
) -> Any:
    """Return a classifier trained on elements of two classes, without vectors that both have; None if they are too few."""
    examples = _consistent(rows, kinds)
    answers = [kinds[row] == CONTENT for row in examples]
    if len(set(answers)) < 2 or len(examples) < NEIGHBOURS:
        return None
    model = _forest(seed) if classifier == "T006" else _nearest()
    return model.fit(rows[examples], answers)


def chances(model: Any, rows: NDArray[np.float64]) -> list[float]:
    shares: list[float] = model.predict_proba(rows)[:, 1].tolist()
    return shares


def _consistent(rows: NDArray[np.float64], kinds: Sequence[str | None]) -> list[int]:
    """Return the rows of either class whose vector occurs with one class alone."""
    labelled = [row for row, kind in enumerate(kinds) if kind in (CONTENT, BOILERPLATE)]
    by_vector: defaultdict[bytes, set[str | None]] = defaultdict(set)
    for row in labelled:
        by_vector[rows[row].tobytes()].add(kinds[row])
    return [row for row in labelled if len(by_vector[rows[row].tobytes()]) == 1]


def _nearest() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    # algorithm="auto" chose this tree in 2017. Brute force, its choice today, loses small features
    # to rounding beside a class hash of ten digits.
    return KNeighborsClassifier(NEIGHBOURS, algorithm="kd_tree", p=2, weights="uniform")


def _forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=seed % 2**32)
