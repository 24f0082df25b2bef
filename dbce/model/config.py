"""All tunables, once: what each is, its unit, its range and the reason of its default."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from dbce.model.setting import EXPERT, PAPER, Setting, check_settings, default, plain, settings_in

if TYPE_CHECKING:
    from collections.abc import Mapping

ALSO = ("wet", "wacz")
"""What a run writes only when it is asked for."""

LARGEST = 1 << 62
"""Bytes that no file has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond one of these a page is rejected with its reason, never shortened."""

    payload_bytes: int = default(
        20_000_000, Setting("bytes of the decoded body", "A page of prose has 50 KB.")
    )
    depth: int = default(500, Setting("nested elements", "The parser stops silently at 2,048."))
    elements: int = default(500_000, Setting("elements of the parsed document"))
    texts: int = default(
        80_000,
        Setting(
            "text nodes",
            "A table of 1.5 MB has about as many; comparing three such pages takes up to 500 MB of memory.",
        ),
    )
    words: int = default(1_000_000, Setting("words of all its text"))
    truncated_bytes: int = default(
        1_024,
        Setting(
            "least decoded bytes of a page that breaks off: less is rejected as truncated",
            "The head of a page takes about as much.",
        ),
    )


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that changes a result, and what a run may reject. The defaults are `conf/dbce.toml`."""

    method: str = default(
        "joint",
        Setting(
            "the classifier: our own, `joint`, or one to compare it with: `T001` to `T006`, those of the thesis, "
            "`majority` or `self`",
            "`joint` weighs the evidence of other pages, other times and the page itself by a trained model. `T001`: bit "
            "patterns alone; `T002`: the same, with open texts as boilerplate; `T003`, `T004`, `T005`: every page "
            "[learns from what its patterns decide](method.md#stage-3-annotations-become-verdicts), by nearest "
            "neighbours that see one, two or three layers of the page; `T006`: by a random forest. `self`: without a trained model, "
            "[learns from the pages of a template](method.md#the-self-trained-method); for archives unlike "
            "anything a model was trained on. `majority`: the patterns of all crosses.",
            unit="NAME",
            group=PAPER,
            choices=(
                *("joint", "T001", "T002", "T003", "T004", "T005", "T006"),
                *("majority", "self"),
            ),
        ),
    )
    model: str = default(
        "",
        Setting(
            "your own model file for the method `joint`; by default the model that ships with dbce",
            "`dbce train` [makes one](#a-model-of-your-own). On Spark it must be at the same path on every machine.",
            unit="FILE",
        ),
    )
    signature: str = default(
        "paths",
        Setting(
            "template tokens: `paths`, without positions, or `layers`, as in the thesis",
            "`layers` repeats its results; its tokens carry positions and leave a fifth to a third of real captures "
            "without a second partner.",
            group=PAPER,
            choices=("paths", "layers"),
        ),
    )
    template_similarity: float = default(
        0.6,
        Setting(
            "minimum Jaccard similarity for two pages to share a template",
            "The default is that of the thesis, section 2.2. Low partner recall: try 0.5 or 0.3. Pages compared with pages of "
            "another kind: try 0.8.",
            unit="SHARE",
            between=(0.05, 1.0),
            stored_as="threshold",
        ),
    )
    num_perm: int = default(
        128,
        Setting(
            "permutations of the MinHash of a template",
            "More distinguish templates better, and cost time and space.",
            group=EXPERT,
            between=(16, 1024),
        ),
    )
    seed: int = default(
        2047226289,
        Setting(
            "seed of these permutations; the thesis' own",
            "Signatures of two seeds cannot be compared.",
            group=EXPERT,
        ),
    )
    site_by: str = default(
        "host",
        Setting(
            "what counts as a site: the `host` name without www., or the registered `domain`",
            "Choose `domain` where one site uses several hosts (`news.`, `sport.`) with one template.",
            choices=("host", "domain"),
        ),
    )
    across_sites: bool = default(
        False,
        Setting(
            "allow pages of other sites as neighbours",
            "For a family of sites with shared texts; sites that share only a theme have too little text in common.",
        ),
    )
    candidates: int = default(
        64,
        Setting(
            "URLs of a bucket among which the neighbours of a capture are chosen",
            "It keeps the work linear in the size of a bucket.",
            group=EXPERT,
            between=(2, 10_000),
        ),
    )
    crosses: int = default(
        4,
        Setting(
            "maximum number of comparisons per page, strongest first",
            "1 is fastest. Most bands bring nearly the same neighbours together.",
            group=EXPERT,
            between=(1, 64),
        ),
    )
    circle: int = default(
        8,
        Setting(
            "other pages in which the method `joint` looks up each text and place of a page",
            "More costs time, and memory on Spark.",
            group=EXPERT,
            between=(2, 64),
        ),
    )
    decide: str = default(
        "auto",
        Setting(
            "unit of decision: `lines`, one by one, or `structures`: tables, lists and items as a whole, headings with "
            "their sections; the headline is always content, hidden text, consent layers and sign-in forms never; `auto`: structures "
            "with the method `joint`, else lines",
            "The other methods repeat papers, which judge texts one by one.",
            choices=("auto", "structures", "lines"),
        ),
    )
    comments: str = default(
        "drop",
        Setting(
            "comments of users below an article: `drop` them as boilerplate, or `keep` them as content",
            "Only the method `joint` tells them from the article; the others judge them as any text.",
            choices=("drop", "keep"),
        ),
    )
    min_probability: float = default(
        0.0,
        Setting(
            "minimum probability for a passage to count as content; 0 chooses the cut per page",
            "The cut of a page is where its F1 is expected to be best. Higher values leave out more and are surer of "
            "what stays ([curve](evaluation.md#the-dial)).",
            unit="SHARE",
            between=(0.0, 1.0),
        ),
    )
    prefer: str = default(
        "balance",
        Setting(
            "favour `precision` (less noise) or `recall` (less content lost)",
            "The cut of each page is then where F0.5 or F2 is expected to be best.",
            choices=("balance", "precision", "recall"),
        ),
    )
    diff_engine: str = default(
        "fast",
        Setting(
            "aligner of the words of two pages: `fast`, or `lxml`, the literal matcher of lxml.html.diff",
            "`lxml` is slow, for comparison.",
            group=PAPER,
            choices=("fast", "lxml"),
        ),
    )
    alignment_cells: int = default(
        400_000_000,
        Setting(
            "largest product of two pages' word counts that is aligned; larger pairs are compared by whole text nodes only",
            "400,000,000 is 20,000 words against 20,000 and takes 50 MB.",
            group=EXPERT,
        ),
    )
    verify: bool = default(
        False,
        Setting(
            "reject captures whose declared digests do not match the stored bytes",
            "WARC-Block-Digest and WARC-Payload-Digest; every record is read in full for it.",
        ),
    )
    record_type: str = default(
        "conversion",
        Setting(
            "WARC type of the annotated pages",
            "`response` is for players that ignore conversion records.",
            choices=("conversion", "response"),
        ),
    )
    split_bytes: int = default(  # as long as crawlers make their files: these stay whole
        1 << 30,
        Setting(
            "piece size for reading archive files of more than one and a half times this size; 0 never splits",
            "The [pieces](operations.md#large-files) are tasks with outputs of their own, and all cores share them.",
            unit="BYTES",
            group=EXPERT,
            between=(0, LARGEST),
        ),
    )
    keep_pages: str = default(
        "yes",
        Setting(
            "`yes`: pages parsed in stage 1 are kept until stage 3 has judged them; `no`: the archive is read and "
            "parsed twice",
            "It takes 5 to 13 KB a page in DIR/work. The results are the same.",
            group=EXPERT,
            choices=("yes", "no"),
            is_result=False,
        ),
    )
    wet: bool = default(
        False,
        Setting(
            "also write the main texts as [WET](formats.md#wet), the form of Common Crawl's plain text, to DIR/wet",
            is_result=False,
        ),
    )
    wacz: bool = default(
        False,
        Setting(
            "also pack the annotated pages of every input as [WACZ](formats.md#wacz), to DIR/wacz",
            "It takes their space a second time. Players of WACZ ignore conversion records: choose the record "
            "type `response` for them.",
            is_result=False,
        ),
    )
    max_reject_ratio: float = default(
        0.5,
        Setting(
            "exit with code 3 if more than this share of captures is rejected",
            "0 for archives that must be sound.",
            unit="SHARE",
            between=(0.0, 1.0),
            is_result=False,
        ),
    )
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def by_structures(self) -> bool:
        """Return whether structures are decided on, not lines one by one."""
        return self.decide == "structures" or (self.decide == "auto" and self.method == "joint")

    @property
    def is_dialled(self) -> bool:
        """Return whether content is cut off elsewhere than where F1 is expected to be best."""
        return self.min_probability > 0 or self.prefer != "balance"

    @property
    def model_name(self) -> str:
        """Name of what decides: `joint/default` for the model of this version, else the method and its model file."""
        if self.method != "joint":
            return self.method
        return f"joint/{Path(self.model).name if self.model else 'default'}"

    def also(self) -> tuple[str, ...]:
        """Names of the optional outputs that are asked for."""
        return tuple(name for name in ALSO if getattr(self, name))

    def digest(self) -> str:
        """Twelve hexadecimal digits that tell two configurations apart."""
        values = results_of(self)
        # How a run decides counts, not how that was asked for; one that decides on lines is what it always was.
        del values["decide"]
        if self.by_structures:
            values["decide"] = "structures"
        if not self.is_dialled:
            del values["min_probability"], values["prefer"]
        if self.model:  # its content counts, not where it lies
            values["model"] = hashlib.sha256(Path(self.model).read_bytes()).hexdigest()
        return digest_of(values)


class Options(Protocol):
    """A dataclass whose fields are settings."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def results_of(settings: Options) -> dict[str, Any]:
    """Values of those settings that results depend on."""
    values = plain(settings)
    for setting in settings_in(type(settings)).values():
        if not setting.is_result:
            del values[setting.stored_as]
    return values


def digest_of(values: Mapping[str, Any]) -> str:
    canonical = json.dumps(values, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


Settings = TypeVar("Settings", bound=Options)


def override(base: Settings, options: Mapping[str, Any]) -> Settings:
    """The configuration with those of the options that it knows and that are not None."""
    names = {f.name for f in dataclasses.fields(base)}
    given = {k: v for k, v in options.items() if k in names and v is not None}
    return dataclasses.replace(base, **given)
