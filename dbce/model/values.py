"""Values that travel between the stages.

Words used here are the project's vocabulary (docs/glossary.md): capture, snapshot, site, template,
signature, bucket, cross, bits, sketch, annotation, label, verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dbce.kernel import compiled


class TextKind(StrEnum):
    """Form in which a crawler stores the text of a page."""

    LOADED = "text"  # a record urn:text:URL, of the page when it had loaded
    FINAL = "textFinal"  # a record urn:textFinal:URL, after behaviours such as scrolling
    LISTED = "pages.jsonl"  # a line of the page list in a WACZ


class TextSource(StrEnum):
    PAGE = "page"
    CRAWLER = "crawler"
    JSON_LD = "json-ld"  # the page's own data for search engines

    @classmethod
    def of_record(cls, record: str | None) -> Self:
        """Return the source of a text by the record that it was stored in."""
        return cls(record if record == cls.JSON_LD else cls.CRAWLER if record else cls.PAGE)

    @property
    def note(self) -> str:
        """Words that stand wherever a text that was not judged is shown."""
        is_linked = self is TextSource.JSON_LD
        origin = "text of the page's JSON-LD" if is_linked else "text stored by the crawler"
        return f"{origin}; not judged"


# Sources of texts that no method has classified.
NOT_JUDGED = (TextSource.CRAWLER, TextSource.JSON_LD)


class StoredText(NamedTuple):
    """Text of a page as its crawler stored it, one line a text node of the page, or as its JSON-LD has it."""

    record: str  # id of its record, path of the page list in its WACZ, or `json-ld`
    text: str


class CrawlerText(NamedTuple):
    """Stored text as it stands in an archive: `surt` is the sort key of its page's URL, `timestamp` when it was taken."""

    surt: str
    timestamp: datetime
    kind: TextKind
    stored: StoredText


Hashes = NDArray[np.uint32]
Mask = NDArray[np.bool_]


class Label(StrEnum):
    CONTENT = "content"
    BOILERPLATE = "boilerplate"
    INVALID = "invalid"  # bits that the pattern table does not decide


LABELS = (Label.BOILERPLATE, Label.CONTENT, Label.INVALID)  # in arrays as numbers

BOILERPLATE, CONTENT, INVALID = range(len(LABELS))

ROLES = ("cur", "up", "down", "prev", "next")  # members of a cross, in the order that bits have


class Status(StrEnum):
    """Outcome of a capture; every capture has exactly one."""

    ANNOTATED = "annotated"  # compared with other pages, or with its own snapshots alone
    SINGLE = "single"  # no other page of its template and no other snapshot: judged alone
    SKIPPED = "skipped"  # not ours to judge, by a rule
    REJECTED = "rejected"  # damaged, or beyond a limit


class ValueWithMeaning(StrEnum):
    """A string of the tables, which is looked up by that alone, with its meaning in words."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "", *_: object) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member


class Reason(ValueWithMeaning):
    """Why a capture was skipped (first group) or rejected (second group)."""

    HTTP_STATUS = "http-status", "the server answered with an error"  # not a 2xx answer
    NOT_HTML = "not-html", "what was captured is no HTML page"  # neither declared nor sniffed
    REVISIT = "revisit", "it repeats a capture that is not there"
    UNCHANGED = "unchanged", "it repeats another capture"  # and is a snapshot with its text
    UNCHANGED_NO_PAGE = "unchanged-no-page", "it repeats a capture without a text"
    DUPLICATE_RECORD = "duplicate-record", "its WARC-Record-ID was seen before"
    NO_TEXT = "no-text", "the page has no text"
    TEXT_IN_SCRIPT = "text-in-script", "its text is there for scripts alone"

    NOT_AN_ARCHIVE = "not-an-archive", "the file yields no record at all"
    DAMAGED = "damaged", "a gzip member or a record header cannot be read"
    TRUNCATED = "truncated", "it breaks off, and what is there is no page"
    BAD_RECORD = "bad-record", "its record header lacks or contradicts what it must say"
    BAD_DIGEST = "bad-digest", "it has another digest than is declared"  # Config.verify
    BAD_HTTP = "bad-http", "no HTTP answer where one is declared"
    BAD_ENCODING = "bad-encoding", "a transfer or content encoding that does not decode"
    UNDECODABLE = "undecodable", "no charset turns its bytes into text"
    TOO_LARGE = "too-large", "its body is larger than the limit"  # Limits.payload_bytes
    TOO_DEEP = "too-deep", "its elements are nested too deeply"  # Limits.depth
    TOO_MANY_ELEMENTS = "too-many-elements", "it has too many elements"  # Limits.elements
    TOO_MANY_TEXTS = "too-many-texts", "it has too many texts"  # Limits.texts
    TOO_MANY_WORDS = "too-many-words", "it has too many words"  # Limits.words
    UNPARSABLE = "unparsable", "the parser gave up"
    TOO_SLOW = "too-slow", "it was not laid out in time"  # Rendering.seconds
    TOO_HIGH = "too-high", "it is too high when laid out"  # Rendering.page_height
    TOO_MANY_FRAMES = "too-many-frames", "it has too many frames"  # Rendering.frames
    TOO_MANY_REQUESTS = "too-many-requests", "it asks for too much"  # Rendering.requests
    TOO_MUCH_MEMORY = "too-much-memory", "its browser took too much memory"  # Rendering.memory
    CRASHED = "crashed", "the browser, or what lays out this page in it, ended"
    FAULT = "fault", "dbce itself fails on it, which is a bug"  # dbce.model.faults


UNREAD = (Reason.NOT_AN_ARCHIVE, Reason.DAMAGED)  # no record can be read there


class DateSource(StrEnum):
    """Source of a capture's date; the first that can be read counts."""

    RECORD = "record"  # WARC-Date, or the date of an ARC record
    DAY_OF_YEAR = "day-of-year"  # the same, where that stands for the day (2008-10-294)
    HTTP = "http"  # the Date of the HTTP answer
    WARCINFO = "warcinfo"  # the record that the file begins with


class Stage(StrEnum):
    READ = "read"
    DECODE = "decode"
    PARSE = "parse"
    COMPARE = "compare"
    JUDGE = "judge"
    RENDER = "render"


NO_TIME = datetime(9999, 12, 31, tzinfo=UTC)
"""Time of captures without a date: later than any date that a page may name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Place of a record: the input's name, byte offset and byte length in the stored file."""

    filename: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Capture:
    """One archived HTML page as bytes, transfer and content encodings removed."""

    record_id: str  # the WARC-Record-ID without angle brackets
    url: str
    surt: str  # sort key of the URL, the same for all snapshots of a page
    timestamp: datetime
    origin: Origin
    digest: str  # of the payload as declared or computed (`sha1:BASE32`)
    content_type: str  # value of the HTTP header, "" where there is none
    payload: bytes
    # How a payload that is not whole breaks off (docs/formats.md), "" where it is.
    truncated: str = ""
    dated_by: DateSource = DateSource.RECORD
    http_status: int | None = None  # None where there is no HTTP


class Resolution(ValueWithMeaning):
    """Way in which a revisit's capture was found, in the order tried, or reason why it was not."""

    RECORD_ID = "record-id", "the record that it refers to is here"  # by WARC-Refers-To
    URI_AND_DATE = "uri-and-date", "a capture of the URL and date that it refers to is here"
    KEY_AND_DIGEST = "key-and-digest", "a capture of its URL with its digest is here"
    DIGEST = "digest", "a capture with its digest is here"
    EARLIER = "earlier", "an earlier capture of the URL that it refers to is here"

    NOT_HERE = "not-here", "no capture here is what it says"
    NOTHING_TO_GO_BY = "nothing-to-go-by", "nothing to go by: no record, no URL and date, no digest"


@dataclass(frozen=True, slots=True)
class Reference:
    """Capture that a revisit says it repeats; "" or None for what it does not say."""

    record_id: str
    url: str
    timestamp: datetime | None


@dataclass(frozen=True, slots=True)
class Repeat:
    """Why a capture is not judged, as stage 2 finds out: it repeats another, or comparing it fails."""

    reason: Reason
    detail: str
    resolution: Resolution | None = None  # None of a record that was seen before
    original: str = ""  # record id of what a revisit repeats, "" where it was not found
    original_time: datetime | None = None  # when that was captured
    is_html: bool = False  # whether that is HTML


@dataclass(frozen=True, slots=True)
class Reject:
    """A capture that is skipped or rejected, with all that is known of it ("" or None where not)."""

    status: Status
    reason: Reason
    stage: Stage
    detail: str
    origin: Origin
    record_id: str = ""
    url: str = ""
    surt: str = ""
    timestamp: datetime | None = None
    digest: str = ""
    is_html: bool = False
    refers_to: Reference | None = None  # what a revisit says as it is read
    repeats: Repeat | None = None  # what came of it
    dated_by: DateSource | None = None
    stored: StoredText | None = None  # the text that the crawler stored of a page without any
    content_type: str = ""
    http_status: int | None = None


class TextNode(NamedTuple):
    """A text node that is not only white space."""

    element: int  # index of its parent in the page's elements
    position: int  # the k of the XPath step `text()[k]`
    after: int  # index of the last element that begins before it
    spaced: bool  # white space alone stands before it, or the page's style parts it from the last
    text: str  # as parsed, white space included


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page as plain values, without scripts, comments and iframes.

    Elements are parallel tuples in document order. Text nodes are those below `<body>`, in document order.
    """

    tags: tuple[str, ...]
    parents: tuple[int, ...]  # indices; -1 for the root
    classes: tuple[str, ...]  # as written, like ids
    ids: tuple[str, ...]
    roles: tuple[str, ...]  # what other attributes say that it is for (`role` and the like), or ""
    hidden: tuple[bool, ...]  # it hides itself, by attribute or by the page's own style sheets
    nodes: tuple[TextNode, ...]
    title: str
    unseen: frozenset[int] = frozenset()  # elements that are hidden and that nothing opens
    of_site: frozenset[int] = frozenset()  # layers, messages and forms, with all in them
    jumps: tuple[tuple[int, str], ...] = ()  # links to another place of the page, with its id

    def __reduce__(self) -> tuple[Any, ...]:
        """Its values to pickle, text nodes as columns: a function of Python is called for each named tuple."""
        others = {name: getattr(self, name) for name in self.__slots__ if name != "nodes"}
        return page_of_columns, (others, tuple(zip(*self.nodes, strict=True)))


def page_of_columns(others: Mapping[str, Any], columns: Sequence[Sequence[Any]]) -> Page:
    """The page with these values, and the text nodes that these columns are of."""
    rows = zip(*columns, strict=True)
    return Page(nodes=tuple(compiled.named(TextNode, rows)), **others)


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Data of a page that stage 1 keeps for comparison: a few kilobytes, and never its HTML."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime
    signature: Hashes  # num_perm values
    words: Hashes  # of all words of all text nodes
    ends: Hashes  # text node i holds `words[ends[i-1]:ends[i]]`
    places: Hashes  # of the path to the element that sets the line of each text node


@dataclass(frozen=True, slots=True)
class Cross:
    """A capture and its neighbours, by record id; None where there is none.

    Without `up` it has no `down` either: the snapshots alone, of whatever template. A capture that has a variant and no
    neighbour has a cross without members.
    """

    cur: str
    up: str | None
    down: str | None
    prev: str | None
    next: str | None
    similarity_up: float  # estimated Jaccard similarities of the templates
    similarity_down: float
    further: tuple[str, ...] = ()  # the next most similar captures of other URLs: a wider circle
    variant_of: str | None = None  # a capture of another URL that is the same document, no member

    @property
    def members(self) -> tuple[str | None, str | None, str | None, str | None, str | None]:
        """Record ids in the order of the bits: cur, up, down, prev, next."""
        return (self.cur, self.up, self.down, self.prev, self.next)

    @property
    def bits(self) -> str:
        """The cross bits: 1 where a member is present, e.g. 11011."""
        return "".join("0" if member is None else "1" for member in self.members)

    @property
    def has_members(self) -> bool:
        """Return whether it has a neighbour: one without names a variant alone."""
        return any(member is not None for member in self.members[1:])


CIRCLE = (
    *("shared_by", "place_on", "place_texts", "place_words", "place_shared_by"),
    "ever_shared_by",
)
"""Counts of a wider circle of other pages on a text node (dbce.boilerplate.peer_support)."""

HISTORY = ("kept", "kept_redesign", "kept_before", "kept_after")
"""Counts of other snapshots of its page on a text node (dbce.boilerplate.peer_support)."""


@dataclass(frozen=True, slots=True, eq=False)
class Annotation:
    """Result of the comparison for one capture."""

    record_id: str
    crosses: tuple[Cross, ...]  # from all its buckets, each once, the strongest first
    shared: dict[str, Mask]  # which words of the capture each member shares (bool, one per word)
    # What a wider circle says of text nodes, shape (nodes, len(CIRCLE)).
    circle: NDArray[np.float32]
    history: NDArray[np.float32]  # what other snapshots say of them, shape (nodes, len(HISTORY))
    body: str = ""  # annotated by the method of the thesis (dbce.thesis), which has no masks

    @property
    def knows_other_pages(self) -> bool:
        """Return whether its crosses have an *up*: all do, or the only one has snapshots alone."""
        return self.crosses[0].up is not None

    @property
    def status(self) -> Status:
        """Status of the capture: one that has a variant and no neighbour is judged alone."""
        return Status.ANNOTATED if self.crosses[0].has_members else Status.SINGLE


class Verdict(NamedTuple):
    """A label, the probability that the text is content, and the evidence."""

    label: Label
    probability: float
    bits: str  # those of the capture's strongest cross ("10000" in a page without one)
    comparisons: int  # crosses that were pooled, which one of snapshots alone is not
    decided_by: str  # the deciding rule


class Structure(NamedTuple):
    """A table, a list, a paragraph or another thing that people read as one, with the label of all of it."""

    number: int  # on the page, from 0 on, in document order
    # heading, paragraph, row, item, caption, table, list, figure, code or quotation
    kind: str
    element: int  # index in the page
    label: Label
    probability: float  # mean of its words'


class TextRun(NamedTuple):
    """Neighbouring words of one text node that share one verdict; the runs of a node tile it without gaps."""

    node: int  # index of the text node in the page
    start: int  # character offsets in its text
    end: int
    verdict: Verdict
    structure: Structure | None = None  # decided on together with it; None of a line of its own
