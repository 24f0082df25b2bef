"""Verdicts written into the page, as attributes or spans, and taken out of it again."""

import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from dbce.html.parse import CONTROLS
from dbce.html.skeleton import NAME, Skeleton, escape_text, skeleton
from dbce.html.walk import Handle, ancestors
from dbce.kernel import compiled
from dbce.model import Label, Page, TextNode, TextRun, Verdict

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


def annotated_html(bare: Skeleton, page: Page, runs: Sequence[TextRun]) -> bytes:
    """The page as UTF-8 HTML with the verdicts of all its text; `runs` are in the order of the nodes.

    An element all of whose own text has one verdict gets the attributes `data-dbce` (the label),
    `data-dbce-p` (the probability of content) and `data-dbce-bits`. Elsewhere each run is in a
    `<span>` with these and `data-dbce-run=""`; where HTML allows no span, the element gets the
    verdict of most of its characters. The element of a structure says what it is, its number, label and
    probability: `data-dbce-structure`, `data-dbce-structure-number`, `-label` and `-p`.
    """
    marks = [_spell(*run.verdict[:3]) for run in runs]
    return _fill(bare, page, runs, marks, _structure_marks(runs))


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
    return _fill(bare, page, [part.run for part in parts], marks, {}).decode()


def _fill(
    bare: Skeleton,
    page: Page,
    runs: Sequence[TextRun],
    marks: list[str],
    of_structures: Mapping[int, str],
) -> bytes:
    """The page with the mark of every run, and of every structure by its element."""
    nodes = page.nodes
    attributes = {nodes[run.node].element: mark for run, mark in zip(runs, marks, strict=True)}
    spans: dict[int, list[str]] = {}
    for element, pairs in compiled.differing(nodes, tuple(runs), marks, len(page.tags)).items():
        if not allows_spans(page, element):
            attributes[element] = _commonest_mark(pairs)
            continue
        del attributes[element]
        for run, mark in pairs:
            text = escape_text(nodes[run.node].text[run.start : run.end])
            spans.setdefault(run.node, []).append(f'<span {mark} {NAME}-run="">{text}</span>')
    for element, mark in of_structures.items():
        attributes[element] = f"{attributes[element]} {mark}" if element in attributes else mark
    return bare.fill(attributes, {node: "".join(parts) for node, parts in spans.items()})


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


def _commonest_mark(marked: Iterable[tuple[TextRun, Any]]) -> Any:
    characters: Counter[Any] = Counter()
    for run, mark in marked:
        characters[mark] += run.end - run.start
    return max(characters, key=characters.__getitem__)


def allows_spans(page: Page, element: int) -> bool:
    """Return whether browsers leave a span where it stands in an element."""
    around = {page.tags[each] for each in ancestors(page.parents, element)}
    return page.tags[element] not in NO_SPAN_IN and NO_SPAN_WITHIN.isdisjoint(around)


# Probabilities have four digits: pages have the same again and again, and spelling takes ten times as long as this.
@lru_cache(maxsize=20_000)
def _spell(label: Label, probability: float, bits: str) -> str:
    return f'{NAME}="{label}" {NAME}-p="{probability:.2f}" {NAME}-bits="{bits}"'


def _structure_marks(runs: Iterable[TextRun]) -> dict[int, str]:
    # By their identity: many runs share theirs.
    structures = {id(s): s for run in runs if (s := run.structure) is not None}
    return {
        s.element: f'{_OF_STRUCTURE}="{s.kind}" {_OF_STRUCTURE}-number="{s.number}" '
        f'{_OF_STRUCTURE}-label="{s.label}" {_OF_STRUCTURE}-p="{s.probability:.2f}"'
        for s in structures.values()
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


def pieces(
    page: Page, runs: tuple[TextRun, ...]
) -> tuple[Page, Sequence[Verdict | None], Sequence[int]]:
    """The page as it reads once `annotated_html` has marked it, a text node for each span, with the verdict of each.

    `runs` are in the order of the nodes. The numbers behind are that of the first piece of each text node
    and, last, how many pieces there are.
    """
    parted, instead = _parted_nodes(page, runs)
    nodes, verdicts, first = compiled.part_texts(
        page.nodes, runs, parted, TextNode._make, _without_controls
    )
    for node, verdict in instead.items():
        verdicts[first[node]] = verdict
    return replace(page, nodes=tuple(nodes)), verdicts, first


# Character references bring control characters into a page, and writing takes them out of it.
_without_controls = operator.methodcaller("translate", dict.fromkeys(CONTROLS))


def _parted_nodes(page: Page, runs: tuple[TextRun, ...]) -> tuple[set[int], dict[int, Verdict]]:
    """The text nodes that have a span for each run, and the verdicts of those that have that of most of their element."""
    parted: set[int] = set()
    instead: dict[int, Verdict] = {}
    verdicts = [run.verdict for run in runs]
    for element, pairs in compiled.differing(page.nodes, runs, verdicts, len(page.tags)).items():
        marked = [(run, _spell(*verdict[:3])) for run, verdict in pairs]
        of_marks = {mark: run.verdict for run, mark in marked}
        nodes = {run.node for run, _ in pairs} if len(of_marks) > 1 else set()
        if nodes and not allows_spans(page, element):
            instead |= dict.fromkeys(nodes, of_marks[_commonest_mark(marked)])
        else:
            parted |= nodes
    return parted, instead
