"""Stage 2 of the thesis, first half: crosses, and what of a page occurs in which of their members (section 2.3)."""

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
    """The cross of every entry of a bucket that has *up*; the others cannot be compared there."""
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
    """The two most similar entries of other URL paths; of equally similar ones those nearest in time."""
    nearest: list[tuple[float, Entry]] = []
    for similarity in np.unique(similar)[::-1].tolist():
        equals = [bucket[n] for n in np.flatnonzero(similar == similarity).tolist()]
        others = sorted(
            (other for other in equals if other.surt != entry.surt),
            key=lambda other: (abs(other.timestamp - entry.timestamp), other.place),
        )
        nearest += [(similarity, other) for other in others]
        if len(nearest) > 1:
            break
    return nearest[:2]


def _cross(entry: Entry, vertical: Sequence[tuple[float, Entry]], series: list[Entry]) -> Cross:
    place = series.index(entry)
    (similarity_up, up), *others = vertical
    similarity_down, down = others[0] if others else (0.0, None)
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
    """The order of a capture's crosses, the strongest first, by similarity and number of members; the rest breaks ties."""
    members = cross.members
    return (
        *(-cross.similarity_up, -cross.similarity_down, members.count(None)),
        *(member or "" for member in members),
    )


def merged_crosses(distinct: Iterable[Cross], config: Config) -> list[Cross]:
    """The crosses of a capture that count, the strongest first."""
    ordered = sorted(distinct, key=strength)
    return ordered[:1] if config.merge == "strongest" else ordered


# Annotation Process.


def annotate(bodies: Mapping[str, str], cross: Cross) -> str:
    """The body of *cur*, every run of words in a `<dbce>` that names all members in which it occurs.

    It is `lxml.html.diff.html_annotate`, but that a token keeps all its occurrences (listing 2.9).
    """
    own = _tokens(bodies[cross.cur])
    occurrences = [[role] for role in ROLES[:1] * len(own)]
    for role, member in zip(ROLES[1:], cross.members[1:], strict=True):
        if member is not None:
            is_shared = find_shared_tokens(bodies[cross.cur], bodies[member])
            for roles in compress(occurrences, is_shared):
                roles.append(role)
    for token, roles in zip(own, occurrences, strict=True):
        token.annotation = roles
    return "".join(markup_serialize_tokens(compress_tokens(own), _element)).strip()


def _element(text: str, roles: Sequence[str]) -> str:
    if not text:  # of a page whose only token stands for no word
        return ""
    return f'<dbce class="{" ".join(f"dbce-{role}" for role in roles)}">{text}</dbce>'


@lru_cache(maxsize=64)
def _tokens(body: str) -> list[Any]:
    """The words of a body, each with its markup, as lxml has them; kept, as a page is in many crosses."""
    tokens: list[Any] = tokenize_annotated(body, ())
    return tokens


@lru_cache(maxsize=256)
def find_shared_tokens(body: str, other: str) -> list[bool]:
    """True for each token of a body that the other one, the older version, shares."""
    own, others = _tokens(body), _tokens(other)
    for token in own:
        token.annotation = False
    for token in others:
        token.annotation = True
    html_annotate_merge_annotations(others, own)
    return [token.annotation for token in own]
