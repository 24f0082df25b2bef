"""Recipe of the sketches of an index; sketches of two recipes cannot be compared."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.model import Config

FORMAT = 4
"""Changes whenever an index of an earlier one cannot be used."""

KEY = b"dbce"
"""Where a file of the index says by which recipe it was made."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Recipe by which sketches are made; every file of an index carries its own."""

    format: int
    signature: str
    num_perm: int
    seed: int
    site_by: str

    @classmethod
    def of(cls, config: Config) -> Self:
        """The recipe of a configuration."""
        return cls(FORMAT, config.signature, config.num_perm, config.seed, config.site_by)

    def metadata(self) -> dict[bytes, bytes]:
        """As the metadata of a Parquet file."""
        return {KEY: json.dumps(asdict(self)).encode()}

    def differences(self, metadata: Mapping[bytes, bytes] | None) -> str:
        """In what a file's metadata differs, in words; "" if in nothing."""
        try:
            stored = json.loads((metadata or {})[KEY])
        except (KeyError, ValueError):
            return "it is no file of an index"
        own = asdict(self)
        return ", ".join(
            f"its {name} is {stored.get(name)!r} and the run's is {own[name]!r}"
            for name in own
            if stored.get(name) != own[name]
        )
