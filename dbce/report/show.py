"""One capture in the terminal: its cross, its text runs, and the reason of each verdict."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from dbce.archive import timestamp14
from dbce.boilerplate.classify import in_words, value_in_words
from dbce.model import ROLES, TextSource, count_of, count_words
from dbce.output import Row
from dbce.run import Explanation

WIDTH = 100  # maximum characters of a line

SIGNS = {"content": "+", "boilerplate": "-", "invalid": "?"}

STRONGEST = 8  # features named in an explanation; the others are summed up
SHOWN = 40  # lines shown of a text that the crawler stored

WHY = {
    "pattern": "the bit pattern says so in every comparison",
    "majority": "most of {} comparisons say so",
    "strongest-cross": "{} comparisons are split; the strongest decides",
    "invalid-is-boilerplate": "the patterns do not decide that, which counts as boilerplate",
    "reclassified": "learned from the texts of this page that the bit patterns decide",
    "joint": "the model weighs this with length, links, place and names around it",
    "comment": "the model takes it for a comment of a user",
    "structure": "it goes with the list, table or section that it stands in, or is the headline",
    "unseen": "it is hidden, and nothing on the page opens it",
    "of-site": "it stands in a layer, a form or a message of the site, or is one",
    "forest": "{} comparisons conflict; a forest that the rest of the page taught decides",
    "dial": "content is cut off elsewhere than at this page's own cut",
}
"""Why a text run of a compared page has its label, by the deciding rule and the comparisons."""

WHY_ALONE = {
    "density": "classified by length and link density",
    "joint": "the model weighs length, links, place and names around it",
    "comment": WHY["comment"],
    **{rule: WHY[rule] for rule in ("structure", "unseen", "of-site", "dial")},
}
"""The same for a page that was compared with no other page, at most with its own snapshots."""


def show(page: Row, members: Mapping[str, Row], nodes: Sequence[Row]) -> Iterator[str]:
    """Yield lines on a capture, by its rows; `members` are those of its cross and its variant, by record id."""
    yield f"{page['url']}  {timestamp14(page['fetch_time'])}  {page['status']}"
    if page["reason"]:
        yield f"reason: {page['reason']}{_unchanged_since(page)}"
    if page["title"]:
        yield f"title:  {page['title']}"
    if page.get("kind"):
        yield f"kind:   {_kind(page)}"
    if page.get("text_record"):
        yield from _stored_text(page)
    yield from _cross(page, members)
    if nodes:
        counts = ", ".join(f"{page[f'runs_{label}']} {label}" for label in SIGNS)
        yield f"\n{count_of(len(nodes), 'text run')}: {counts}; confidence {page['confidence']:.2f}"
        yield "  (+ content, - boilerplate, ? invalid; probability of content, bits, text node, text)"
    previous = None
    for node in nodes:
        reason = reason_of(node)
        if reason != previous:
            previous = reason
            yield f"\n  {previous}"
        yield _line(node)


def _kind(page: Row) -> str:
    kind = f"{page['kind']} ({page['kind_probability']:.2f})"
    expected = page["expected_f1"]
    return kind if expected is None else f"{kind}, expected F1 of its text {expected:.2f}"


def _stored_text(page: Row) -> Iterator[str]:
    lines = page["text"].split("\n")
    note = TextSource.of_record(page["text_record"]).note
    yield f"\n{note}: {count_words(page['text'])} words, {page['text_record']}"
    for line in lines[:SHOWN]:
        yield f"  {textwrap.shorten(line, WIDTH - 2, placeholder=' ...')}"
    if len(lines) > SHOWN:
        yield f"  ... {len(lines) - SHOWN} more lines: dbce text"


def _line(node: Row) -> str:
    text = textwrap.shorten(node["text"], WIDTH - 22, placeholder=" ...")
    sign = SIGNS[node["label"]]
    return f"{sign} {node['probability']:4.2f} {node['bits']} {node['node']:3} {text}"


def show_node(page: Row, members: Mapping[str, Row], runs: Sequence[Row]) -> Iterator[str]:
    """Yield lines on a text node; `runs` are its rows of `nodes`."""
    yield f"{page['url']}  {timestamp14(page['fetch_time'])}  {page['status']}"
    yield f"{runs[0]['xpath']}"
    for run in runs:
        yield f"\n  {reason_of(run)}"
        yield _line(run)
        for role, bit in zip(ROLES[1:], run["bits"][1:], strict=True):
            if bit == "1" and (member := members.get(page[role])):
                yield f"         {role:5} {member['url']}  {timestamp14(member['fetch_time'])}"


def show_pushes(explanation: Explanation) -> Iterator[str]:
    """Yield the features that pushed the verdict of a line, the strongest first."""
    pushes = explanation.pushes
    yield "\n  what pushed it, in log-odds of content; the model classifies lines, and this one is"
    yield f"  {textwrap.shorten(explanation.line, WIDTH - 2, placeholder=' ...')}"
    for push in pushes.pushes[:STRONGEST]:
        value = value_in_words(push.feature, push.value)
        yield f"{push.weight:+8.2f}  {in_words(push.feature)}{f': {value}' if value else ''}"
    yield f"{sum(push.weight for push in pushes.pushes[STRONGEST:]):+8.2f}  all other features"
    yield f"{pushes.start:+8.2f}  where every line begins"
    yield f"  together {pushes.probability:.2f}; from {pushes.cut:.2f} on a line is content"


def _cross(page: Row, members: Mapping[str, Row]) -> Iterator[str]:
    if page["cross_bits"] is not None:
        yield f"\ncross {page['cross_bits']}"
        yield from _members(page, members)
    if page["variant_of"] is not None:
        known = members.get(page["variant_of"])
        name = (
            f"{known['url']}  {timestamp14(known['fetch_time'])}" if known else page["variant_of"]
        )
        yield f"\nvariant of {name}: the same document, so not compared with it"


def _members(page: Row, members: Mapping[str, Row]) -> Iterator[str]:
    for role in ROLES[1:]:
        member = members.get(page[role])
        if member is None:
            yield f"  {role:5} {page[role] or '(none)'}"
        else:
            similar = f"similarity_{role}"
            similarity = f"  template similarity {page[similar]:.2f}" if similar in page else ""
            time = f"{timestamp14(member['fetch_time'])}{_unchanged_since(member)}"
            yield f"  {role:5} {member['url']}  {time}{similarity}"


def _unchanged_since(page: Row) -> str:
    """Return when the original of a resolved revisit was captured, "" for other captures."""
    when = page.get("original_time")
    if when is None:
        return ""
    # The capture with the same digest may be later.
    phrase = "unchanged since" if when <= page["fetch_time"] else "as it was at"
    return f" ({phrase} {timestamp14(when)})"


def reason_of(node: Row) -> str:
    """Return the reason of a text run's label, in words; `node` is its row of `nodes`."""
    rule, comparisons = node["decided_by"], node["comparisons"]
    shared = [r for r, bit in zip(ROLES[1:], node["bits"][1:], strict=True) if bit == "1"]
    also = "also on " + ", ".join(shared)
    if not comparisons:
        where = f"{also}, but no" if shared else "no"
        return f"{node['label']}: {where} other page to compare with; {WHY_ALONE[rule]}"
    where = also if shared else "on this page only"
    return f"{node['label']}: {where}; {WHY[rule].format(comparisons)}"
