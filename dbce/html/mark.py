"""Verdicts written into the page, as attributes or spans, and taken out of it again."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import NamedTuple

from lxml.etree import _Element as Element

from dbce.html.parse import CONTROLS
from dbce.html.skeleton import NAME, Skeleton, escape_text, skeleton
from dbce.html.walk import Handle, ancestors
from dbce.kernel import compiled
from dbce.model import Label, Page, TextNode, TextRun

# The marks are plain text put into the serialised page, always in the same spelling, and whatever
# the page itself says of `data-dbce` is respelled first. So `dbce.html.strip` takes them out
# again by their spelling alone, without parsing: what it returns is the page, byte for byte.

# Inside these a browser shows no element of ours: raw text, form controls, drawings, formulas.
NO_SPAN_WITHIN = frozenset(
    "math noembed noframes optgroup option plaintext select svg textarea title".split()
)
# A browser moves a span that stands directly in one of these out of the table.
NO_SPAN_IN = frozenset({"colgroup", "table", "tbody", "tfoot", "thead", "tr"})

_OF_STRUCTURE = f"{NAME}-structure"


class PlacedMarks(NamedTuple):
    """The mark of every run, those of elements, and the runs with marks of elements that need spans for them."""

    of_runs: Sequence[str]
    attributes: dict[int, str]
    spanned: list[list[tuple[TextRun, str]]]


def annotated_html(
    bare: Skeleton, page: Page, runs: Sequence[TextRun], placed_marks: PlacedMarks | None = None
) -> bytes:
    """The page as UTF-8 HTML with the verdicts of all its text; `runs` are in the order of the nodes.

    An element all of whose own text has one verdict gets the attributes `data-dbce` (the label),
    `data-dbce-p` (the probability of content) and `data-dbce-bits`. Elsewhere each run is in a
    `<span>` with these and `data-dbce-run=""`; where HTML allows no span, the element gets the
    verdict of most of its characters. The element of a structure says what it is, its number, label and
    probability: `data-dbce-structure`, `data-dbce-structure-number`, `-label` and `-p`.
    """
    return _fill(bare, page, placed_marks or place_marks(page, runs), _structure_marks(runs))


class RunPart(NamedTuple):
    """A text run or a part of it, the run's place among those of its page, and other attributes, as they stand in HTML."""

    run: TextRun
    place: int
    attributes: str = ""


def number_runs(
    root: Element, page: Page, handles: Sequence[Handle], parts: Sequence[RunPart]
) -> str:
    """The document with the number and label of every run, for programs that point at runs.

    As `annotated_html`, but the marks are `data-dbce-at`, the run's place, `data-dbce`, and the attributes of the part; each
    part has its own mark where HTML allows it, and nothing is put into `<head>`. A part may be empty.
    """
    marks = [
        f'{NAME}="{run.verdict.label}" {NAME}-at="{place}"{attributes}'
        for run, place, attributes in parts
    ]
    bare = skeleton(root, page, handles, with_head=False)
    return _fill(bare, page, place_marks(page, [part.run for part in parts], marks), {}).decode()


def _fill(
    bare: Skeleton, page: Page, placed_marks: PlacedMarks, of_structures: Mapping[int, str]
) -> bytes:
    """The page with the mark of every run, and of every structure by its element."""
    attributes = {**placed_marks.attributes}
    texts = {
        node: "".join(
            f'<span {mark} {NAME}-run="">{escape_text(page.nodes[node].text[run.start : run.end])}</span>'
            for run, mark in of_node
        )
        for own in placed_marks.spanned
        for node, of_node in groupby(own, key=lambda run_and_mark: run_and_mark[0].node)
    }
    for element, mark in of_structures.items():
        attributes[element] = f"{attributes[element]} {mark}" if element in attributes else mark
    return bare.fill(attributes, texts)


def place_marks(
    page: Page, runs: Sequence[TextRun], marks: Sequence[str] | None = None
) -> PlacedMarks:
    """The places of the marks of runs, by default those of their verdicts."""
    marks = spell_marks(runs) if marks is None else marks
    element_of = [node.element for node in page.nodes]
    attributes: dict[int, str] = {}
    differ: dict[int, list[tuple[TextRun, str]]] = {}
    for run, mark in zip(runs, marks, strict=True):
        element = element_of[run.node]
        if attributes.setdefault(element, mark) != mark:
            differ[element] = []
    for run, mark in zip(runs, marks, strict=True) if differ else ():
        if (own := differ.get(element_of[run.node])) is not None:
            own.append((run, mark))
    spanned = []
    for element, own in differ.items():
        if allows_spans(page, element):
            del attributes[element]
            spanned.append(own)
        else:
            attributes[element] = _commonest_mark(own)
    return PlacedMarks(marks, attributes, spanned)


class Mark(NamedTuple):
    """The mark of a text node of an annotated page: whether it is content, its probability, and whether a span has it."""

    is_content: bool = False
    probability: float = 0.0
    is_span: bool = False


def marks(handles: Sequence[Handle]) -> list[Mark]:
    owners = (place.getparent() if is_tail else place for place, is_tail in handles)
    return [
        Mark()
        if owner is None
        else Mark(
            owner.get(NAME) == Label.CONTENT,
            float(owner.get(f"{NAME}-p") or 0),
            owner.get(f"{NAME}-run") is not None,
        )
        for owner in owners
    ]


def content_nodes(marks: Iterable[Mark]) -> list[int]:
    return [n for n, mark in enumerate(marks) if mark.is_content]


def _commonest_mark(marked: Iterable[tuple[TextRun, str]]) -> str:
    characters: dict[str, int] = {}
    for run, mark in marked:
        characters[mark] = characters.get(mark, 0) + run.end - run.start
    return max(characters, key=characters.__getitem__)


def allows_spans(page: Page, element: int) -> bool:
    """Return whether browsers leave a span where it stands in an element."""
    around = {page.tags[each] for each in ancestors(page.parents, element)}
    return page.tags[element] not in NO_SPAN_IN and NO_SPAN_WITHIN.isdisjoint(around)


def spell_marks(runs: Sequence[TextRun]) -> list[str]:
    # By the identity of verdicts: many runs share theirs.
    of_runs = [run.verdict for run in runs]
    known = {id(verdict): verdict for verdict in of_runs}
    spelled = {
        number: f'{NAME}="{of.label}" {NAME}-p="{of.probability:.2f}" {NAME}-bits="{of.bits}"'
        for number, of in known.items()
    }
    return [spelled[id(verdict)] for verdict in of_runs]


def _structure_marks(runs: Iterable[TextRun]) -> dict[int, str]:
    return {
        s.element: f'{_OF_STRUCTURE}="{s.kind}" {_OF_STRUCTURE}-number="{s.number}" '
        f'{_OF_STRUCTURE}-label="{s.label}" {_OF_STRUCTURE}-p="{s.probability:.2f}"'
        for s in {run.structure for run in runs if run.structure is not None}
    }


# In an annotated page "data-dbce" is either the page's own, and then it is spelled
# "data-dbce-source", or it stands in one of these. See dbce.html.mark.
_META = rb'<meta charset="utf-8" data-dbce="charset">'
_STYLE = rb'<style data-dbce="style">[^<]*</style>'
_HEAD = rb'<head data-dbce="head">' + _META + _STYLE + rb"</head>"
_VERDICT = rb' data-dbce="[a-z]+" data-dbce-p="[0-9.]+" data-dbce-bits="[01]*"'
_STRUCTURE = (
    rb' data-dbce-structure="[a-z]+" data-dbce-structure-number="[0-9]+"'
    rb' data-dbce-structure-label="[a-z]+" data-dbce-structure-p="[0-9.]+"'
)
_SPAN = rb"<span" + _VERDICT + rb' data-dbce-run="">([^<]*)</span>'
_OWN = rb"data-dbce-source"
_MARK = re.compile(b"|".join((_SPAN, _VERDICT, _STRUCTURE, _HEAD, _META, _STYLE, _OWN)))


def strip(html: bytes) -> bytes:
    """The page without our marks, byte for byte as it was before `annotated_html` set them."""
    return _MARK.sub(_original, html)


def _original(mark: re.Match[bytes]) -> bytes:
    if mark[1] is not None:
        return mark[1].replace(_OWN, b"data-dbce")
    return b"data-dbce" if mark[0] == _OWN else b""


# A page whose texts are parted as its marks part them, without writing and reading it.


def has_controls(nodes: Iterable[TextNode]) -> bool:
    """True if texts have control characters, which character references bring into a page, and writing takes out of it."""
    written = "".join([node.text for node in nodes]).encode("utf-8", "surrogatepass")
    return compiled.has_control(written)


def pieces(
    page: Page, runs: Sequence[TextRun], placed_marks: PlacedMarks | None = None
) -> tuple[Page, list[Mark], list[int]]:
    """The page as it reads once `annotated_html` has marked it, a text node for each span, with the mark of each.

    `runs` are in the order of the nodes. The numbers behind are that of the first piece of each text node
    and, last, how many pieces there are.
    """
    of_runs, of_elements, in_spans = placed_marks or place_marks(page, runs)
    verdicts = {mark: run.verdict for mark, run in zip(of_runs, runs, strict=True)}
    # The spans are no elements of this page.
    marks = {"": Mark()} | {
        mark: Mark(of.label == Label.CONTENT, round(of.probability, 2))
        for mark, of in verdicts.items()
    }
    by_node = groupby(chain.from_iterable(in_spans), key=lambda run_and_mark: run_and_mark[0].node)
    parted = {node: list(of_node) for node, of_node in by_node}
    nodes: list[TextNode] = []
    said: list[str] = []
    first: list[int] = []
    spaced = False  # white space alone is behind the last span: it parts what it stands between
    for number, node in enumerate(page.nodes):
        first.append(len(nodes))
        if number not in parted:  # as most
            nodes.append(node._replace(spaced=True) if spaced else node)
            said.append(of_elements.get(node.element, ""))
            spaced = False
            continue
        spaced = spaced or node.spaced
        for run, mark in parted[number]:
            text = node.text[run.start : run.end]
            if not text.isspace():
                nodes.append(node._replace(text=text, spaced=spaced))
                said.append(mark)
            spaced = text.isspace()
    first.append(len(nodes))
    if has_controls(nodes):
        without = dict.fromkeys(CONTROLS)
        nodes = [node._replace(text=node.text.translate(without)) for node in nodes]
    return replace(page, nodes=tuple(nodes)), [*map(marks.__getitem__, said)], first
