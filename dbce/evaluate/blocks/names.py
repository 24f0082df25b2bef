"""Short names of algorithms: without the parameters that tell none of those compared apart."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def short_names(algorithms: Iterable[str]) -> dict[str, str]:
    """A name for each algorithm: of `bom(granularity=5, distance=50)` it is `bom` if there is no other bom.

    Of several with one name, the parameters that are not the same in all stay.
    """
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for algorithm in dict.fromkeys(algorithms):
        kinds[algorithm.partition("(")[0]].append(algorithm)
    found = {}
    for kind, of_kind in kinds.items():
        shared = set.intersection(*(set(_parameters(one)) for one in of_kind))
        for one in of_kind:
            told = [p for p in _parameters(one) if p not in shared]
            found[one] = f"{kind}({', '.join(told)})" if told else kind
    return found


def _parameters(algorithm: str) -> list[str]:
    inside = algorithm.partition("(")[2].removesuffix(")")
    return inside.split(", ") if inside else []
