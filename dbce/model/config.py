"""All tunables, once: unit, reason and source of each."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dbce.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("joint", "T001", "T002", "T003", "T004", "T005", "T006", "majority", "self"),
    "signature": ("paths", "layers"),
    "diff_engine": ("fast", "lxml"),
    "site_by": ("host", "domain"),
    "comments": ("drop", "keep"),
    "record_type": ("conversion", "response"),
    "keep_pages": ("yes", "no"),
}

ALSO = ("wet", "wacz")
"""What a run writes only when it is asked for."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond one of these a page is rejected with its reason, never shortened."""

    payload_bytes: int = 20_000_000  # decoded body; a page of prose has 50 KB
    depth: int = 500  # nested elements; the parser gives up at 2,048 and says nothing
    elements: int = 500_000
    texts: int = 500_000  # text nodes
    words: int = 1_000_000
    # Least of a page that breaks off, decoded; what is shorter is rejected as truncated. That much is
    # the head of a page, and what follows is worth comparing.
    truncated_bytes: int = 1_024


@dataclass(frozen=True, slots=True)
class Rendering:
    """How pages are laid out (dbce.visual.render), and beyond what a page is rejected."""

    scripts: bool = False  # whether the pages' own scripts run; offline all the same
    width: int = 1366  # CSS pixels of the window: the usual screen of the thesis' years
    height: int = 768
    seconds: float = 30.0  # that a page may take, all in all; usual ones take less than one
    page_height: int = 30_000  # CSS pixels; a picture of it takes 4 * 1366 * 30,000 bytes: 164 MB
    requests: int = 2_000  # that a page may make, those of its frames too
    frames: int = 100  # below the page itself
    # As in Config, but smaller: a page costs half a second and not a hundredth.
    split_bytes: int = 1 << 25
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name, low, high in (
            ("width", 100, 10_000),
            ("height", 100, 10_000),
            ("seconds", 1, 3_600),
            ("page_height", 100, 100_000),
            ("requests", 1, 1_000_000),
            ("frames", 0, 10_000),
            ("split_bytes", 0, 1 << 62),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; it must lie between {low} and {high}")

    def also(self) -> tuple[str, ...]:
        """What is written only if asked for: nothing is."""
        return ()

    def digest(self) -> str:
        """Twelve hexadecimal digits that tell two configurations apart."""
        canonical = json.dumps(dataclasses.asdict(self), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that changes a result, and what a run may reject. The defaults are `conf/dbce.toml`."""

    method: str = "joint"
    model: str = ""  # path of a model file for the joint method; "" is the one in the package
    # Recipe of the template signature. The thesis' tokens ("layers") carry positions and leave a
    # third to a half of real pages without a partner; docs/method.md has the figures.
    signature: str = "paths"
    threshold: float = 0.6  # Jaccard similarity of two pages of one template; thesis, section 2.2
    num_perm: int = 128  # permutations of the MinHash; more is slower and sharper
    seed: int = 2047226289  # the thesis' random seed
    site_by: str = "host"  # what a site is: host name without www., or registered domain
    across_sites: bool = False  # let pages of other sites be neighbours
    # Neighbours are chosen among this many captures of a bucket at most, so that a bucket of any
    # size costs linear work.
    candidates: int = 64
    # A capture is compared in this many crosses at most, the strongest: bands bring nearly the same
    # neighbours together again and again.
    crosses: int = 4
    # Other pages that are asked, text by text and place by place, whether they share it.
    circle: int = 8
    comments: str = "drop"  # whether comments of users are content; only the joint method asks
    diff_engine: str = "fast"
    # Aligning n words with m costs n x m bit operations; a pair of pages that needs more is
    # compared by whole text nodes only. 4e8 is 20,000 words against 20,000: 50 MB in the aligner.
    alignment_cells: int = 400_000_000
    verify: bool = False  # reject captures with wrong digests; reads every record through
    record_type: str = "conversion"
    # An archive file is read in pieces of about so many bytes, each a task with outputs of its own; 0:
    # never. As long as crawlers make their files: these stay whole, and larger ones use all cores.
    split_bytes: int = 1 << 30
    # Keep what stage 1 has parsed, 5 to 13 KB a page, until stage 3 has judged it; without, the archive
    # is read and parsed twice. The results are the same.
    keep_pages: str = "yes"
    wet: bool = False  # also write the main texts as WET
    wacz: bool = False  # also pack what is annotated, with its index and texts
    max_reject_ratio: float = 0.5  # above it the exit code says that the input is bad
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                raise UsageError(f"{name} is {value!r}; choose one of {', '.join(allowed)}")
        for name, low, high in (
            ("threshold", 0.05, 1.0),
            ("num_perm", 16, 1024),
            ("candidates", 2, 10_000),
            ("crosses", 1, 64),
            ("circle", 2, 64),
            ("max_reject_ratio", 0.0, 1.0),
            ("split_bytes", 0, 1 << 62),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; it must lie between {low} and {high}")

    def also(self) -> tuple[str, ...]:
        """What of ALSO is asked for."""
        return tuple(name for name in ALSO if getattr(self, name))

    def digest(self) -> str:
        """Twelve hexadecimal digits that tell two configurations apart."""
        values = dataclasses.asdict(self)
        # The exit code, the way to the result, and more of the same result.
        for name in ("max_reject_ratio", "keep_pages", *ALSO):
            del values[name]
        if self.model:  # its content counts, not where it lies
            values["model"] = hashlib.sha256(Path(self.model).read_bytes()).hexdigest()
        canonical = json.dumps(values, sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]


Settings = TypeVar("Settings", Config, Rendering)


def load_config(path: Path) -> Config:
    """The configuration in a TOML file; what it leaves out has its default.

    Raises:
        UsageError: the file is missing, is not TOML, or has an unknown key or a wrong type.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise UsageError(f"cannot read the configuration {path}: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"{path} is not TOML: {e}") from e
    limits = table.pop("limits", {})
    if not isinstance(limits, dict):
        raise UsageError(f"{path}: limits must be a table: [limits], then one limit a line")
    return Config(**_checked(Config, table, path), limits=Limits(**_checked(Limits, limits, path)))


def override(base: Settings, options: Mapping[str, Any]) -> Settings:
    """The configuration with those of the options that it knows and that are not None."""
    names = {f.name for f in dataclasses.fields(base)}
    given = {k: v for k, v in options.items() if k in names and v is not None}
    return dataclasses.replace(base, **given)


def _checked(kind: type, table: dict[str, Any], path: Path) -> dict[str, Any]:
    known = {f.name: type(getattr(kind(), f.name)) for f in dataclasses.fields(kind)}
    for key, value in table.items():
        if key not in known:
            raise UsageError(f"{path}: unknown key {key!r}; known are {', '.join(sorted(known))}")
        expected = known[key]
        number = expected is float and type(value) is int
        if type(value) is not expected and not number:
            raise UsageError(f"{path}: {key} must be of type {expected.__name__}, not {value!r}")
    return table
