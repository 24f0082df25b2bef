"""Stage 3 of the thesis: the annotations of an entry from all its buckets are merged, and written (section 2.4)."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html import unescape
from itertools import islice
from typing import NamedTuple

import numpy as np
from bs4 import BeautifulSoup, Tag

from dbce import model
from dbce.model import LABELS, ROLES, Annotation, Config, Cross, Label
from dbce.thesis import classification
from dbce.thesis.annotation import annotate, crosses, merged_crosses
from dbce.thesis.classification import BOILERPLATE, CONTENT, INVALID, class_of, set_class, set_name
from dbce.thesis.grouping import Entry, buckets

_WORD = re.compile(r"\S+\s*")


def compare(
    entries: Sequence[Entry], body_of: Callable[[str], str], config: Config
) -> Iterator[tuple[str, Annotation | model.Repeat]]:
    """Yield the annotation of every entry that has *up* in a bucket, by record id, or its failure."""
    for record_id, entry_crosses in crosses_by_entry(entries, config).items():
        members = {member for cross in entry_crosses for member in cross.members if member}
        bodies = {member: body_of(member) for member in sorted(members)}
        yield record_id, _merge_crosses(record_id, bodies, entry_crosses, config)


def crosses_by_entry(entries: Sequence[Entry], config: Config) -> dict[str, list[Cross]]:
    """Return the distinct crosses to merge of each entry with *up*, the strongest first."""
    distinct: defaultdict[str, set[Cross]] = defaultdict(set)
    for bucket in buckets(entries, config):
        for cross in crosses(bucket):
            distinct[cross.cur].add(cross)
    return {cur: merged_crosses(entry_crosses, config) for cur, entry_crosses in distinct.items()}


def _merge_crosses(
    record_id: str, bodies: Mapping[str, str], distinct: Iterable[Cross], config: Config
) -> Annotation | model.Repeat:
    try:
        return merge_annotations(((c, annotate_cross(bodies, c, config)) for c in distinct), config)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return model.Repeat(model.Reason.FAULT, model.fault_detail(e, record_id))


def annotate_cross(bodies: Mapping[str, str], cross: Cross, config: Config) -> str:
    body = annotate(bodies, cross)
    return classification.classify(body, cross.bits, config.classifier, config.seed)


def merge_annotations(annotations: Iterable[tuple[Cross, str]], config: Config) -> Annotation:
    """Return the annotation of an entry (stage 3), given a body for each of its crosses, perhaps repeatedly."""
    by_cross = dict(annotations)
    crosses = tuple(merged_crosses(by_cross, config))
    return Annotation(
        record_id=crosses[0].cur,
        crosses=crosses,
        shared={},
        circle=np.empty((0, len(model.CIRCLE)), np.float32),
        history=np.empty((0, len(model.HISTORY)), np.float32),
        body=merge([by_cross[cross] for cross in crosses], config.seed, config.merge),
    )


def merge(bodies: Sequence[str], seed: int, resolution: str) -> str:
    """Return one body merged from several that differ in classes and in boundaries of `<dbce>` elements.

    Equal classes are inherited, and *invalid* is no class. `resolution` names the rule for conflicts
    (Config.merge). The first body's bits stay.
    """
    soup, *others = [classification.parse_body(body) for body in bodies]
    votes = _split(soup, [_classes_by_word(other) for other in others])
    elements = soup.find_all("dbce")
    conflicts = []
    for number, (element, kinds) in enumerate(zip(elements, votes, strict=True)):
        distinct = {*kinds} - {INVALID}
        if len(distinct) > 1:
            conflicts.append(number)
        _decide(element, min(distinct) if len(distinct) == 1 else INVALID, _share(kinds))
    if conflicts and resolution != "inherit":
        is_forest = resolution == "forest"
        decisions = _forest_decisions(soup, elements, conflicts, seed) if is_forest else []
        decisions = decisions or [_majority_decision(votes[number]) for number in conflicts]
        for number, decision in zip(conflicts, decisions, strict=True):
            _decide(elements[number], *decision)
    classification.propagate(soup)
    return classification.serialise_body(soup)


def _classes_by_word(soup: BeautifulSoup) -> list[tuple[int, str]]:
    """Return for each word, and each image, the number and the class of its `<dbce>`."""
    return [
        (number, class_of(element) or INVALID)
        for number, element in enumerate(soup.find_all("dbce"))
        for _ in range(_size(element))
    ]


def _size(element: Tag) -> int:
    """Return the number of words of a `<dbce>`; 1 for an image."""
    return len(element.get_text().split()) or 1


def _split(soup: BeautifulSoup, others: Sequence[Sequence[tuple[int, str]]]) -> list[list[str]]:
    """Split `<dbce>` elements where another annotation does; return the classes of each in all annotations."""
    votes = []
    classes_of_words = zip(*others, strict=True) if others else None
    for element in soup.find_all("dbce"):
        own_class = class_of(element) or INVALID
        size = _size(element)
        by_word = list(islice(classes_of_words, size)) if classes_of_words else [()] * size
        starts = [n for n in range(size) if n == 0 or by_word[n] != by_word[n - 1]]
        votes += [[own_class, *(kind for _, kind in by_word[start])] for start in starts]
        if len(starts) > 1:
            _part(soup, element, starts)
    return votes


def _part(soup: BeautifulSoup, element: Tag, starts: Sequence[int]) -> None:
    words = _WORD.findall(element.get_text())
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        piece = soup.new_tag("dbce", attrs={"class": classification.class_names(element)})
        piece.string = "".join(words[start:end])
        element.insert_before(piece)
    element.decompose()


Decision = tuple[str, float, str]  # A class, the probability of content, and the rule that decided


def _forest_decisions(
    soup: BeautifulSoup, elements: Sequence[Tag], conflicts: Sequence[int], seed: int
) -> list[Decision]:
    """Return decisions on conflicting elements by a forest trained on the others; none if these are too few."""
    rows = classification.features(soup, elements, classification.LAYERS["T006"])
    forest = classification.train(rows, [class_of(element) for element in elements], "T006", seed)
    chances = [] if forest is None else classification.chances(forest, rows[conflicts])
    return [(CONTENT if chance > 0.5 else BOILERPLATE, chance, "forest") for chance in chances]


def _majority_decision(kinds: Sequence[str]) -> Decision:
    classes = [kind for kind in kinds if kind != INVALID]
    content = 2 * classes.count(CONTENT)
    if content == len(classes):
        return classes[0], _share(kinds), "strongest-cross"
    kind = CONTENT if content > len(classes) else BOILERPLATE
    return kind, _share(kinds), "majority"


def _share(kinds: Sequence[str]) -> float:
    """Return the share of votes for content, with one undecided vote added."""
    content, boilerplate = kinds.count(CONTENT), kinds.count(BOILERPLATE)
    return (content + 0.5) / (content + boilerplate + 1)


PROBABILITY = "dbce-p-"  # prefix of the class name with the probability of content, in percent


def _decide(element: Tag, kind: str, probability: float, rule: str = "") -> None:
    set_class(element, kind)
    set_name(element, PROBABILITY, str(round(100 * probability)))
    if rule:
        set_name(element, classification.RULE, rule)


# Postprocess: the document of *cur* (section 2.4), and its verdicts for tables.

_CLASSED = f"dbce.{classification.CLASS}"
STYLE = (
    f"<style>{_CLASSED}{CONTENT}{{background:#cfe5f7}}"
    f"{_CLASSED}{BOILERPLATE}{{background:#fbe3b5}}{_CLASSED}{INVALID}{{background:#ddd}}</style>"
)

_BODY = re.compile(r"<body\b[^<>]*>", re.IGNORECASE)
_RAW = re.compile(rf"<({'|'.join(classification.RAW)})\b[^<>]*>.*?</\1>", re.DOTALL)
_MARK = re.compile(r"</?dbce\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")


def document(page: str, body: str) -> str:
    """Return the annotated document: a body with `<dbce>` elements, and the original `<head>` of its page put back."""
    # Browsers show tags in form fields as text.
    body = _RAW.sub(lambda raw: _MARK.sub("", raw[0]), body)
    start = _BODY.search(page)
    if start is None:
        return f"<html><head>{STYLE}</head><body>{body}</body></html>"
    head = page[: start.start()].replace("</head>", f"{STYLE}</head>", 1)
    return f"{head}{start[0]}{body}</body></html>"


class WordVerdict(NamedTuple):
    """The verdict on a word: its label (a place in LABELS), probability of content, bits, and the rule that decided."""

    label: int
    probability: float
    bits: int
    rule: str


UNKNOWN = WordVerdict(LABELS.index(Label.INVALID), 0.5, 0b10000, "pattern")
"""Verdict on a word outside of any `<dbce>`, such as in a form field."""

_LABELS = {name: LABELS.index(label) for label, name in classification.CLASSES.items()}


def word_verdicts(words: Sequence[str], body: str) -> list[WordVerdict]:
    """Return the verdicts on the words of a page by its merged body, which has nearly the same words."""
    texts, verdicts = _verdicts_in_body(body)
    if texts == words:
        return verdicts
    aligned = [UNKNOWN] * len(words)
    for block in SequenceMatcher(None, texts, words, autojunk=False).get_matching_blocks():
        aligned[block.b : block.b + block.size] = verdicts[block.a : block.a + block.size]
    return aligned


def _verdicts_in_body(body: str) -> tuple[list[str], list[WordVerdict]]:
    texts, verdicts = [], []
    for names, inner in classification.DBCE.findall(body):
        # The name `dbce-class-bp` is the class "bp".
        parts = (name.removeprefix("dbce-").partition("-") for name in names.split())
        values = {key: value for key, _, value in parts}
        bits = sum(16 >> n for n, role in enumerate(ROLES) if role in values)
        rule = values.get("by", UNKNOWN.rule)
        verdict = WordVerdict(_LABELS[values["class"]], int(values["p"]) / 100, bits, rule)
        words = unescape(_TAG.sub("", inner)).split()
        texts += words
        verdicts += [verdict] * len(words)
    return texts, verdicts
