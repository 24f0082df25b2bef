"""Stage 2 of the thesis, first half: crosses, and the occurrence of a page's words in their members (section 2.3)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any

import numpy as np
from lxml.html.diff import (
    compress_tokens,
    html_annotate_merge_annotations,
    markup_serialize_tokens,
    tokenize_annotated,
)
from numpy.typing import NDArray

from dbce.model import ROLES, Config, Cross
from dbce.thesis.grouping import Entry, similarities

# Cross Construction.


def crosses(bucket: Sequence[Entry]) -> Iterator[Cross]:
    """Yield the cross of every entry of a bucket that has *up*; others cannot be compared there."""
    signatures = np.stack([entry.signature for entry in bucket])
    snapshots: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in sorted(bucket, key=lambda entry: entry.place):
        snapshots[entry.surt].append(entry)
    for entry in bucket:
        vertical = _vertical(entry, bucket, similarities(entry, signatures))
        if vertical:
            yield _cross(entry, vertical, snapshots[entry.surt])


def _vertical(
    entry: Entry, bucket: Sequence[Entry], similar: NDArray[np.float64]
) -> list[tuple[float, Entry]]:
    """Return the two most similar entries of other URL paths; of equally similar ones those nearest in time."""
    ranked: list[tuple[float, Entry]] = []
    for similarity in np.unique(similar)[::-1].tolist():
        equals = [bucket[n] for n in np.flatnonzero(similar == similarity).tolist()]
        others = sorted(
            (other for other in equals if other.surt != entry.surt),
            key=lambda other: (abs(other.timestamp - entry.timestamp), other.place),
        )
        ranked += [(similarity, other) for other in others]
        if len(ranked) > 1:
            break
    return ranked[:2]


def _cross(entry: Entry, vertical: Sequence[tuple[float, Entry]], series: list[Entry]) -> Cross:
    place = series.index(entry)
    (similarity_up, up), *rest = vertical
    similarity_down, down = rest[0] if rest else (0.0, None)
    return Cross(
        cur=entry.record_id,
        up=up.record_id,
        down=down.record_id if down else None,
        prev=series[place - 1].record_id if place else None,
        next=series[place + 1].record_id if series[place + 1 :] else None,
        similarity_up=similarity_up,
        similarity_down=similarity_down,
    )


def strength(cross: Cross) -> tuple[Any, ...]:
    """Return the sort key of a cross: the strongest first, by similarity and number of members, then to break ties."""
    members = cross.members
    return (
        *(-cross.similarity_up, -cross.similarity_down, members.count(None)),
        *(member or "" for member in members),
    )


def merged_crosses(distinct: Iterable[Cross], config: Config) -> list[Cross]:
    """Return the crosses of a capture to merge, the strongest first."""
    ordered = sorted(distinct, key=strength)
    return ordered[:1] if config.merge == "strongest" else ordered


# Annotation Process.


def annotate(bodies: Mapping[str, str], cross: Cross) -> str:
    """Return the body of *cur*, every run of words in a `<dbce>` that names all members in which it occurs.

    It is `lxml.html.diff.html_annotate`, but that a token keeps all its occurrences (listing 2.9).
    """
    tokens = _tokens(bodies[cross.cur])
    occurrences = [[role] for role in ROLES[:1] * len(tokens)]
    for role, member in zip(ROLES[1:], cross.members[1:], strict=True):
        if member is not None:
            is_shared = find_shared_tokens(bodies[cross.cur], bodies[member])
            for roles in compress(occurrences, is_shared):
                roles.append(role)
    for token, roles in zip(tokens, occurrences, strict=True):
        token.annotation = roles
    return "".join(markup_serialize_tokens(compress_tokens(tokens), _element)).strip()


def _element(text: str, roles: Sequence[str]) -> str:
    if not text:  # of a page whose only token stands for no word
        return ""
    return f'<dbce class="{" ".join(f"dbce-{role}" for role in roles)}">{text}</dbce>'


@lru_cache(maxsize=64)
def _tokens(body: str) -> list[Any]:
    """Return the words of a body, each with its markup, as lxml has them; cached, as a page is in many crosses."""
    tokens: list[Any] = tokenize_annotated(body, ())
    return tokens


@lru_cache(maxsize=256)
def find_shared_tokens(body: str, other: str) -> list[bool]:
    """Return for each token of a body whether the other one, the older version, shares it."""
    tokens, old_tokens = _tokens(body), _tokens(other)
    for token in tokens:
        token.annotation = False
    for token in old_tokens:
        token.annotation = True
    html_annotate_merge_annotations(old_tokens, tokens)
    return [token.annotation for token in tokens]
