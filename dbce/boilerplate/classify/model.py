"""A trained model: it makes of the features of a line the probability that it is content.

A model file is a zip of plain arrays and a JSON card (numpy's `.npz`), read with pickle forbidden.
"""

from __future__ import annotations

import json
import math
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

import dbce
from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify import tokens
from dbce.boilerplate.classify.context import CONTEXT, context_rows
from dbce.boilerplate.classify.context import log_odds as odds_of
from dbce.boilerplate.classify.features import DECAY, REACH, Features, feature_names
from dbce.boilerplate.classify.formulas import Axis, Program
from dbce.boilerplate.classify.lines import Doubles, Floats
from dbce.boilerplate.classify.trees import Trees, arrays, check, expit, log_expit, raw_scores
from dbce.model import UsageError
from dbce.storage import filesystem_of, open_stored, write_file

FORMAT = 6  # changes whenever a model of an earlier one cannot be used

NAME_SCORES = (*tokens.SCORES, *(f"comment_{name}" for name in tokens.SCORES))
"""Scores of names as features: by their weights for content, then by those for comments."""

PHRASE_SCORES = (
    *("phrases", "phrases_heading", "phrases@-1", "phrases@+1", "phrases@mean-", "phrases@mean+"),
)
"""Scores of phrases as features: of the line, of the last heading, and of the lines around."""

LEARNED = (*NAME_SCORES, *PHRASE_SCORES)
"""Features that take weights of a model, in order: the last columns of its rows."""

DAMAGE = (
    *(AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError),
    *(struct.error, zipfile.BadZipFile, zlib.error),
    *(SyntaxError, tokenize.TokenError),  # an array's header is a dict as Python writes it
)
"""Errors of numpy, zipfile and json on a file that is not what it should be."""


class Weights(NamedTuple):
    """Weights of names for content and for comments of users, (2, NAME_SLOTS); of phrases, (PHRASE_SLOTS,)."""

    names: Floats
    phrases: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Weights of names and phrases, boosted trees and what calibrates them.

    `names` are the features it was trained with, in order, those LEARNED last.

    Two sets of trees vote on content: `named` sees the scores of names and phrases, `plain` does not. The
    scores say much on sites that call things as others do, and mislead on those that do not: both sets
    weigh the same on a page that is known (`familiarity`), and `named` less on others.
    The trees `comments` tell comments of users; `comment_scale`, slope and intercept, maps their log-odds
    to calibrated ones (Platt 1999). `blend` does so for content: its weights are for the vote, for the log
    of the chance to be no comment, and the intercept.

    The trees of `second` judge each line again, by what the first stage says of the lines around it; without a second
    stage the first has the last word. `card` says how the model was made.
    """

    names: tuple[str, ...]
    weights: Weights
    named: Trees
    plain: Trees
    comments: Trees
    blend: tuple[float, float, float]
    comment_scale: tuple[float, float]
    card: dict[str, Any]
    second: Second | None = None


def chances(model: Model, page: Features) -> Chances:
    first = calibrate(model, votes(model, score_lines(page, model.weights)))
    if model.second is None:
        return first
    return second_stage_chances(model.second, first, context_rows(page, *first))


def votes(model: Model, of: ScoredLines) -> Doubles:
    """Answers of the trees on lines: log-odds of content and of a comment, shape (lines, 2)."""
    named, plain, comment = raw_scores(of.rows, model.named, model.plain, model.comments)
    return np.column_stack([plain + of.known / 2 * (named - plain), comment])


def calibrate(model: Model, log_odds: Doubles) -> Chances:
    content, comment = log_odds.T
    slope, intercept = model.comment_scale
    comment = slope * comment + intercept
    of_vote, of_no_comment, intercept = model.blend
    return Chances(
        expit(of_vote * content + of_no_comment * log_expit(-comment) + intercept), expit(comment)
    )


class ScoredLines(NamedTuple):
    """Lines as the trees judge them: features of the page and those LEARNED, and how well its page is known (`familiarity`)."""

    rows: Floats
    known: Doubles


def score_lines(page: Features, weights: Weights) -> ScoredLines:
    names, comment_names = (page.tokens.sums(of, tokens.NEAR_SLOTS) for of in weights.names)
    phrases = page.phrases.sums(weights.phrases)
    arrays: dict[str, Any] = {"names": names, "comment_names": comment_names, "phrases": phrases}
    arrays |= {"heading": page.heading, "prose": page.prose}
    learned = _score_program().rows(page.lines, arrays)
    known = tokens.familiarity(names, phrases, page.lines.starts[:-1])
    return ScoredLines(np.concatenate([page.matrix.T, learned]).T, known[page.lines.page])


@cache
def _score_program() -> Program:
    of_names = *tokens.name_scores("names"), *tokens.name_scores("comment_names")
    on_line, heading = f.load("phrases", Axis.LINES).single, f.load("heading", Axis.LINES)
    phrases = {"phrases": on_line}
    of_heading = {"phrases_heading": f.where(heading >= 0, on_line.take(f.maximum(heading, 0)))}
    around = f.window(phrases, phrases, REACH) | f.running_means(phrases, DECAY)
    columns = dict(zip(NAME_SCORES, of_names, strict=True)) | phrases | of_heading | around
    return f.program({name: columns[name] for name in LEARNED})


def save(model: Model, stream: BinaryIO) -> None:
    head = {
        "format": FORMAT,
        "names": model.names,
        "context": CONTEXT if model.second else (),
        "blend": model.blend,
        "comment_scale": model.comment_scale,
        "second_blend": model.second.blend if model.second else None,
        "card": model.card,
    }
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    trees = {name: getattr(model, name) for name in ("named", "plain", "comments")}
    trees |= {"second": model.second.trees} if model.second else {}
    np.savez_compressed(
        stream,
        head=text,
        weights=model.weights.names,
        phrases=model.weights.phrases,
        **{
            f"{which}_{name}": values
            for which, its_trees in trees.items()
            for name, values in arrays(its_trees).items()
        },
    )


PACKAGED = ("default.npz", "forums.npz")
"""Models that come with the package: for all pages but those of forums, and for these."""


def load_model(path: str, *, for_forums: bool = False) -> Model:
    """The model in a file; "" is one that comes with the package.

    Raises:
        UsageError: the file is missing, damaged, of another version, or has other features.
    """
    try:
        return _load(path, PACKAGED[for_forums], _version(path))
    except DAMAGE as e:
        detail = " ".join(str(e).split()) or type(e).__name__
        raise UsageError(
            f"{path or 'the default model'} is not a valid model file: {detail}"
        ) from e


def model_digest(path: str) -> str:
    """Return twelve hexadecimal digits that tell two model files apart; "" are those that come with the package."""
    digest = sha256()
    for packaged in PACKAGED[:1] if path else PACKAGED:
        with _open(path, packaged) as stream:
            digest.update(stream.read())
    return digest.hexdigest()[:12]


def _open(path: str, packaged: str) -> IO[bytes]:
    if path:
        return cast("IO[bytes]", open_stored(path))
    return files("dbce.boilerplate").joinpath("models", packaged).open("rb")


def _version(path: str) -> str:
    """Return what changes with a stored file; "" for those that come with the package."""
    if not path:
        return ""
    filesystem, place = filesystem_of(path)
    return str(filesystem.ukey(place))


@lru_cache(maxsize=4)
def _load(path: str, packaged: str, _version: str) -> Model:
    """Model in a file; its version makes the cache read a changed file again."""
    with _open(path, packaged) as stream:
        check_declared(cast("BinaryIO", stream))
        stored = np.load(stream, allow_pickle=False)
        head = json.loads(stored["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(_format_mismatch(head["format"]))
        model = Model(
            names=tuple(head["names"]),
            weights=Weights(stored["weights"], stored["phrases"]),
            named=_trees(stored, "named"),
            plain=_trees(stored, "plain"),
            comments=_trees(stored, "comments"),
            blend=_numbers(head, "blend", 3),
            comment_scale=_numbers(head, "comment_scale", 2),
            card=dict(head["card"]),
            second=_second(stored, head),
        )
    _check(model)
    return model


def _second(stored: Any, head: dict[str, Any]) -> Second | None:
    if head["second_blend"] is None:
        return None
    if tuple(head["context"]) != CONTEXT:
        raise ValueError(_feature_mismatch(head["card"]))
    return Second(_trees(stored, "second"), _numbers(head, "second_blend", 3))


def _format_mismatch(number: object) -> str:
    mismatch = f"it has format {number}, this dbce ({dbce.__version__}) reads {FORMAT}"
    is_later = isinstance(number, int) and number > FORMAT
    return (
        f"{mismatch}; {'a later dbce may read it' if is_later else 'train it again (dbce train)'}"
    )


def _feature_mismatch(card: dict[str, Any]) -> str:
    return (
        f"it has other features, being of dbce {card.get('version')}, and this is "
        f"{dbce.__version__}; train it again (dbce train)"
    )


def _check(model: Model) -> None:
    features = feature_names()
    if model.names != (*features, *LEARNED):
        raise ValueError(_feature_mismatch(model.card))
    shapes = model.weights.names.shape, model.weights.phrases.shape
    kinds = {of.dtype for of in model.weights}
    if shapes != ((2, tokens.NAME_SLOTS), (tokens.PHRASE_SLOTS,)) or kinds != {
        np.dtype(np.float32)
    }:
        raise ValueError("its weights of names or phrases are not what they must be")
    check(model.named, len(model.names))
    check(model.plain, len(features))
    check(model.comments, len(model.names))
    if model.second is not None:
        check(model.second.trees, len(CONTEXT))


def _trees(stored: Any, name: str) -> Trees:
    return Trees(**{field: stored[f"{name}_{field}"] for field in Trees.__dataclass_fields__})


def _numbers(head: dict[str, Any], name: str, count: int) -> Any:
    values = head[name]
    if not isinstance(values, list) or len(values) != count or not np.isfinite(values).all():
        raise ValueError(f"its {name} must be {count} numbers")
    return tuple(map(float, values))


def write(model: Model, path: Path | str) -> None:
    stream = BytesIO()
    save(model, stream)
    write_file(str(path), stream.getvalue())


# Chances of lines, and the second stage: each line is judged again, by what the first says of the
# lines around it.

NONE = 1e-15  # probability below which there is none that a float64 tells from 1 on the other side


class Chances(NamedTuple):
    """Probability of every line of a page to be content, and to be a comment of a user."""

    content: Doubles
    comment: Doubles


def with_comments(of: Chances) -> Doubles:
    """Probability of every line to be content or a comment."""
    return 1 - (1 - of.content) * (1 - of.comment)


class Second(NamedTuple):
    """Boosted trees over rows of context; `blend` weighs the first stage's log-odds and theirs, and has the intercept."""

    trees: Trees
    blend: tuple[float, float, float]


def second_votes(trees: Trees, first: Chances, rows: Floats) -> Doubles:
    """Log-odds of content by the first stage and by the trees of the second, by `context_rows`; shape (lines, 2)."""
    return np.column_stack([odds_of(first.content, NONE), raw_scores(rows, trees)[0]])


def second_stage_chances(second: Second, first: Chances, rows: Floats) -> Chances:
    return blend_votes(second_votes(second.trees, first, rows), second.blend, first)


def blend_votes(votes: Doubles, blend: tuple[float, float, float], first: Chances) -> Chances:
    """Chances of lines by the votes of both stages; those to be a comment are the first stage's."""
    of_first, of_second, intercept = blend
    # Not as a product of matrices, whose last bits depend on how many lines there are.
    log_odds = of_first * votes[:, 0] + of_second * votes[:, 1] + intercept
    return Chances(expit(log_odds), first.comment)


# Sizes that the arrays of a model file declare, compared with those that the file can hold.
#
# numpy believes a header and makes room for the array before it reads a value.

LARGEST = 256 * 1024 * 1024
"""Bytes of all arrays together; the model that comes with dbce has a third of a million."""

_RATIO = 1032  # bytes that deflate makes of one at most (https://zlib.net/zlib_tech.html)
_PACKED = {ZIP_STORED: 1, ZIP_DEFLATED: _RATIO}
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def check_declared(stream: BinaryIO) -> None:
    """Look through a file of arrays (`.npz`) without making room for one: a ValueError if one declares a size that it cannot have."""
    with ZipFile(stream) as stored:
        members = stored.infolist()
        if sum(member.file_size for member in members) > LARGEST:
            raise ValueError(f"its arrays declare more than {LARGEST:,} bytes")
        for member in members:
            if member.file_size > member.compress_size * _PACKED.get(member.compress_type, 0):
                raise ValueError(f"{member.filename} declares more than the file can hold")
            with stored.open(member) as array:
                _check_array(member, array)
    stream.seek(0)


def _check_array(member: ZipInfo, array: IO[bytes]) -> None:
    version = npy.read_magic(array)
    if version not in _HEADERS:
        raise ValueError(f"{member.filename} is an array of version {version}")
    shape, _, kind = _HEADERS[version](array)
    # Objects are pickled, whatever size that has; numpy refuses them.
    size = math.prod(shape) * kind.itemsize
    if not kind.hasobject and size != member.file_size - array.tell():
        raise ValueError(f"{member.filename} declares another size than it has in the file")
