"""Stage 2 of the thesis, first half: crosses, and what of a page occurs in which of their members (section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any

from lxml.html.diff import (
    compress_tokens,
    html_annotate_merge_annotations,
    markup_serialize_tokens,
    tokenize_annotated,
)

from dbce.model import ROLES, Cross
from dbce.thesis.grouping import Entry, similarities

# Cross Construction.


def crosses(bucket: Sequence[Entry]) -> Iterator[Cross]:
    """The cross of every entry of a bucket that has *up*; the others cannot be compared there."""
    for entry in bucket:
        similar = sorted(
            zip(similarities(entry, bucket), bucket, strict=True),
            key=lambda pair: (
                *(-pair[0], abs(pair[1].timestamp - entry.timestamp)),
                pair[1].place,
            ),
        )
        vertical = [(alike, other) for alike, other in similar if other.surt != entry.surt]
        if vertical:
            yield _cross(entry, vertical, [other for _, other in similar])


def _cross(
    entry: Entry, vertical: Sequence[tuple[float, Entry]], similar: Iterable[Entry]
) -> Cross:
    """The two most similar entries of other URL paths, and the snapshots just before and after."""
    series = sorted(
        (other for other in similar if other.surt == entry.surt), key=lambda other: other.place
    )
    now = series.index(entry)
    (similarity_up, up), *others = vertical
    similarity_down, down = others[0] if others else (0.0, None)
    return Cross(
        cur=entry.record_id,
        up=up.record_id,
        down=down.record_id if down else None,
        prev=series[now - 1].record_id if now else None,
        next=series[now + 1].record_id if series[now + 1 :] else None,
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


# Annotation Process.


def annotate(bodies: Mapping[str, str], cross: Cross) -> str:
    """The body of *cur*, every run of words in a `<dbce>` that names all members in which it occurs.

    It is `lxml.html.diff.html_annotate`, but that a token keeps all its occurrences (listing 2.9).
    """
    own = _tokens(bodies[cross.cur])
    occurrences = [[role] for role in ROLES[:1] * len(own)]
    for role, member in zip(ROLES[1:], cross.members[1:], strict=True):
        if member is not None:
            shared = _shared(bodies[cross.cur], bodies[member])
            for roles in compress(occurrences, shared):
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
def _shared(body: str, other: str) -> list[bool]:
    """For each token of a body whether it occurs in another body."""
    own, others = _tokens(body), _tokens(other)
    for token in own:
        token.annotation = False
    for token in others:
        token.annotation = True
    html_annotate_merge_annotations(others, own)
    return [token.annotation for token in own]
