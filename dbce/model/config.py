"""All tunables, each declared once (`dbce.model.setting`), and the file of them."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any, Literal, Self

from dbce.model.errors import UsageError
from dbce.model.setting import (
    EXPERT,
    GROUPS,
    MAIN,
    PAPER,
    check_settings,
    declare,
    digest_of,
    results_of,
    settings_in,
)

FormatName = Literal["jsonl", "txt", "markdown", "html", "csv", "tei", "blocks", "chunks"]
"""Text formats of pages; `dbce.formats` writes them."""

OPTIONAL_OUTPUTS = ("wet", "wacz")  # optional outputs of a run; none by default
LARGEST = 1 << 62  # bytes that no file has


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond one of these a page is rejected with its reason, never shortened."""

    payload_bytes: int = declare(
        20_000_000, "bytes of the decoded body", "A page of prose has 50 KB."
    )
    depth: int = declare(2_000, "nested elements", "The parser stops silently at 2,048.")
    elements: int = declare(500_000, "elements of the parsed document")
    texts: int = declare(
        80_000,
        "text nodes",
        "A table of 1.5 MB has about as many; comparing three such pages takes up to 490 MB of memory, libraries aside.",
    )
    words: int = declare(1_000_000, "words of all its text")
    truncated_bytes: int = declare(
        1_024,
        "least decoded bytes of a page that breaks off: less is rejected as truncated",
        "The head of a page takes about as much.",
    )

    def __post_init__(self) -> None:
        check_settings(self)


LITERAL_COST = "130 to 650 ms of CPU a page, the default 7 to 19"  # (docs/the-sentence.md)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that changes a result, and what a run may reject. The defaults are `conf/dbce.toml`."""

    method: str = declare(
        "joint",
        "the method: our own, `joint`; or to compare it with, the bit patterns of the thesis, `T001` or `T002`, or all "
        f"of the `thesis`, [to the letter](the-sentence.md): {LITERAL_COST}",
        "`joint` weighs the evidence of other pages, other times and the page itself by a trained model. `T001` asks the "
        "patterns alone, and `T002` takes for boilerplate [what they leave open](method.md#stage-3-annotations-become-verdicts).",
        unit="NAME",
        group=PAPER,
        choices=("joint", "T001", "T002", "thesis"),
    )
    classifier: str = declare(
        "T006",
        "the thesis' test case that the method `thesis` classifies by",
        "Each page learns anew in each of its crosses with `T003` to `T006`.",
        unit="NAME",
        group=PAPER,
        choices=("T001", "T002", "T003", "T004", "T005", "T006"),
    )
    merge: str = declare(
        "forest",
        "what decides, with the method `thesis`, where the buckets of a page disagree: a `forest` that the rest of "
        "the page teaches, the `majority`, nothing (`inherit`), or the `strongest` cross, everywhere",
        group=PAPER,
        choices=("forest", "majority", "inherit", "strongest"),
    )
    marks: str = declare(
        "attributes",
        "marks of the method `thesis`: `attributes`, as all methods have them, or `dbce`, the thesis' own elements "
        "in its sanitised page",
        group=PAPER,
        choices=("attributes", "dbce"),
    )
    model: str = declare(
        "",
        "your own model file for the method `joint`; by default the model that ships with dbce",
        "`dbce train` [makes one](#training-a-model). On Spark it must be at the same path on every machine.",
        unit="FILE",
    )
    signature: str = declare(
        "paths",
        "template tokens: `paths`, without positions, or `layers`, as in the thesis",
        "`layers` repeats its results; its tokens carry positions and leave a fifth to a third of real captures "
        "without a second partner.",
        group=PAPER,
        choices=("paths", "layers"),
    )
    template_similarity: float = declare(
        0.6,
        "minimum Jaccard similarity for two pages to share a template",
        "The default is that of the thesis, section 2.2. Low partner recall: try 0.5 or 0.3. Pages compared with pages of "
        "another kind: try 0.8.",
        unit="SHARE",
        between=(0.05, 1.0),
        also="--threshold",
    )
    num_perm: int = declare(
        128,
        "permutations of the MinHash of a template",
        "More distinguish templates better, and cost time and space.",
        group=EXPERT,
        between=(16, 1024),
    )
    seed: int = declare(
        2047226289,
        "seed of these permutations; the thesis' own",
        "Signatures of two seeds cannot be compared.",
        group=EXPERT,
    )
    site_by: str = declare(
        "host",
        "what counts as a site: the `host` name without www., or the registered `domain`",
        "Choose `domain` where one site uses several hosts (`news.`, `sport.`) with one template.",
        choices=("host", "domain"),
    )
    across_sites: bool = declare(
        False,
        "allow pages of other sites as neighbours",
        "For a family of sites with shared texts; sites that share only a theme have too little text in common.",
    )
    candidates: int = declare(
        64,
        "URLs of a bucket among which the neighbours of a capture are chosen",
        "It keeps the work linear in the size of a bucket.",
        group=EXPERT,
        between=(2, 10_000),
    )
    crosses: int = declare(
        4,
        "maximum number of comparisons per page, strongest first",
        "1 is fastest. Most bands bring nearly the same neighbours together.",
        group=EXPERT,
        between=(1, 64),
    )
    circle: int = declare(
        8,
        "other pages in which the method `joint` looks up each text and place of a page",
        "More costs time, and memory on Spark.",
        group=EXPERT,
        between=(2, 64),
    )
    decide: str = declare(
        "auto",
        "unit of decision: `lines`, one by one, or `structures`: tables, lists and items as a whole, headings with "
        "their sections; the headline is always content, hidden text, consent layers and sign-in forms never; `auto`: structures "
        "with the method `joint`, else lines",
        "The other methods repeat papers, which judge texts one by one.",
        choices=("auto", "structures", "lines"),
    )
    comments: str = declare(
        "drop",
        "comments of users below an article: `drop` them as boilerplate, or `keep` them as content",
        "Only the method `joint` tells them from the article; the others judge them as any text.",
        choices=("drop", "keep"),
    )
    min_probability: float = declare(
        0.0,
        "minimum probability for a passage to count as content; 0 chooses the cut per page",
        "The cut of a page is where its F1 is expected to be best. Higher values leave out more and are surer of "
        "what stays ([curve](evaluation.md#the-dial)).",
        unit="SHARE",
        between=(0.0, 1.0),
    )
    prefer: str = declare(
        "balance",
        "favour `precision` (less noise) or `recall` (less content lost)",
        "The cut of each page is then where F0.5 or F2 is expected to be best.",
        choices=("balance", "precision", "recall"),
    )
    diff_engine: str = declare(
        "fast",
        "aligner of the words of two pages: `fast`, or `lxml`, the literal matcher of lxml.html.diff",
        "`lxml` is slow, for comparison.",
        group=PAPER,
        choices=("fast", "lxml"),
    )
    alignment_cells: int = declare(
        400_000_000,
        "largest product of two pages' word counts that is aligned; larger pairs are compared by whole text nodes only",
        "400,000,000 is 20,000 words against 20,000 and takes 50 MB.",
        group=EXPERT,
    )
    verify: bool = declare(
        False,
        "reject captures whose declared digests do not match the stored bytes",
        "WARC-Block-Digest and WARC-Payload-Digest; every record is read in full for it.",
    )
    record_type: str = declare(
        "conversion",
        "WARC type of the annotated pages",
        "`response` is for players that ignore conversion records.",
        choices=("conversion", "response"),
    )
    # as long as crawlers make their files: these stay whole
    split_bytes: int = declare(
        1 << 30,
        "piece size for reading archive files of more than one and a half times this size; 0 never splits",
        "The [pieces](operations.md#large-files) are tasks with outputs of their own, and all cores share them.",
        unit="BYTES",
        group=EXPERT,
        between=(0, LARGEST),
    )
    keep_pages: str = declare(
        "yes",
        "`yes`: pages parsed in stage 1 are kept until stage 3 has judged them; `no`: the archive is read and parsed twice",
        "It takes 5 to 13 KB a page in DIR/work. The results are the same.",
        group=EXPERT,
        choices=("yes", "no"),
        is_result=False,
    )
    wet: bool = declare(
        False,
        "also write the main texts as [WET](formats.md#wet), the form of Common Crawl's plain text, to DIR/wet",
        is_result=False,
    )
    wacz: bool = declare(
        False,
        "also pack the annotated pages of every input as [WACZ](formats.md#wacz), to DIR/wacz",
        "It takes their space a second time. Players of WACZ ignore conversion records: choose the record "
        "type `response` for them.",
        is_result=False,
    )
    max_reject_ratio: float = declare(
        0.5,
        "exit with code 3 if more than this share of captures is rejected",
        "0 for archives that must be sound.",
        unit="SHARE",
        between=(0.0, 1.0),
        is_result=False,
    )
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_settings(self)

    @classmethod
    def or_default(cls, config: object) -> Self:
        """Return the configuration, the default one for None; TypeError if it is none."""
        if not isinstance(config, (cls, NoneType)):
            raise TypeError(
                f"config is of type {type(config).__name__}; give a Config of dbce.model"
            )
        return config or cls()

    @property
    def by_structures(self) -> bool:
        """Return whether structures are decided on, not lines one by one."""
        return self.decide == "structures" or (self.decide == "auto" and self.method == "joint")

    @property
    def is_literal(self) -> bool:
        """Return whether all stages are those of the thesis."""
        return self.method == "thesis"

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

    def optional_outputs(self) -> tuple[str, ...]:
        return tuple(name for name in OPTIONAL_OUTPUTS if getattr(self, name))

    def digest(self) -> str:
        """Twelve hexadecimal digits that tell two configurations apart."""
        values = results_of(self)
        # How a run decides counts, not how that was asked for.
        values["decide"] = "structures" if self.by_structures else "lines"
        if not self.is_literal:
            del values["classifier"], values["merge"], values["marks"]
        if self.model:  # its content counts, not where it lies
            import fsspec  # which no command needs that takes the default model

            with fsspec.open(self.model, "rb") as stream:
                values["model"] = hashlib.file_digest(stream, "sha256").hexdigest()
        return digest_of(values)


@dataclass(frozen=True, slots=True)
class Rendering:
    """Settings of page layout (dbce.visual.render), and limits beyond which a page is rejected."""

    scripts: bool = declare(False, "run the pages' own scripts, offline")
    # the usual screen of the thesis' years
    width: int = declare(1366, "width of the window", unit="PIXELS", between=(100, 10_000))
    height: int = declare(768, "height of the window", unit="PIXELS", between=(100, 10_000))
    # usual pages take less than one
    seconds: float = declare(
        30.0, "total time that a page may take", unit="SECONDS", between=(1, 3_600)
    )
    # a picture of it takes 4 * 1366 * 30,000 bytes: 164 MB
    page_height: int = declare(
        30_000, "height that a page may have", unit="PIXELS", between=(100, 100_000)
    )
    requests: int = declare(
        2_000, "requests that a page and its frames may make", between=(1, 1_000_000)
    )
    frames: int = declare(100, "frames that a page may have below itself", between=(0, 10_000))
    # a usual page takes 400 MB, a picture of 20,000 x 20,000 pixels 2,400
    memory: int = declare(
        2_000,
        "memory that a browser with all its processes may take",
        "On Linux; for each of `--jobs`.",
        unit="MB",
        between=(500, 1_000_000),
        is_result=False,
    )
    pictures: bool = declare(
        False,
        "take a picture of each page",
        "It is more than a third of the cost of a page, and .3 to .7 MB; `changes --mode image`, `label "
        "--blocks` and `evaluate-blocks --edges` need it.",
    )
    # As in Config, but smaller: a page costs half a second and not a hundredth.
    split_bytes: int = declare(
        1 << 25,
        "size of the pieces of a file, each with outputs of its own; 0: never cut",
        unit="BYTES",
        group=EXPERT,
        between=(0, LARGEST),
    )
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check_settings(self)

    def optional_outputs(self) -> tuple[str, ...]:
        return ()

    def digest(self) -> str:
        return digest_of(results_of(self))


# The configuration as a TOML file: settings of every day stand at the top, the others in a table of their group, the
# limits of a page in `[limits]`. A file with all but the limits at the top is read as well.

LIMITS = "limits"


def load_config(name: Path | str, content: bytes | None = None) -> Config:
    """Configuration in a TOML file; what it leaves out has its default. `content` is that of a file on another store.

    Raises:
        UsageError: the file is missing, is not TOML, or has an unknown key or a wrong type.
    """
    import tomllib  # no command needs it that has no file

    try:
        read = Path(name).read_bytes() if content is None else content
        table = tomllib.loads(read.decode("utf-8-sig"))
    except OSError as e:
        raise UsageError(f"cannot read the configuration {name}: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"{name} is not TOML: {e}") from e
    try:
        limits = Limits(**_values_of(Limits, _table(table, LIMITS)))
        return Config(**_values_of(Config, _flat(table)), limits=limits)
    except UsageError as e:
        raise UsageError(f"{name}: {e}") from e


def _table(table: dict[str, Any], name: str) -> dict[str, Any]:
    inner = table.pop(name, {})
    if not isinstance(inner, dict):
        raise UsageError(f"{name} must be a table: [{name}], then one key a line")
    return inner


def _flat(table: dict[str, Any]) -> dict[str, Any]:
    """All keys of a file but its limits, whether they stand at the top or in the table of their group."""
    flat = dict(table)
    for group in GROUPS[1:]:
        for key, value in _table(flat, group).items():
            if key in flat:
                raise UsageError(f"{key} is there twice; leave one out")
            setting = settings_in(Config).get(key)
            if setting and setting.group != group:
                right = "at the top" if setting.group == MAIN else f"in [{setting.group}]"
                raise UsageError(f"{key} stands in [{group}]; its place is {right}")
            flat[key] = value
    return flat


def _values_of(kind: type, table: dict[str, Any]) -> dict[str, Any]:
    known = sorted(settings_in(kind))
    if unknown := [key for key in table if key not in known]:
        raise UsageError(f"unknown key {unknown[0]!r}; known are {', '.join(known)}")
    return table
