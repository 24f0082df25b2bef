"""A trained model: how features of a line become the probability that it is content.

A model file is a zip of plain arrays and a JSON card (numpy's `.npz`), read with pickle forbidden.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import dbce
from dbce.classify.features import feature_names
from dbce.classify.names import SCORES, SIZE, name_scores
from dbce.classify.trees import Trees, arrays, check, raw_scores
from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray

    from dbce.classify.features import Features
    from dbce.classify.lines import Floats

FORMAT = 2
"""Changes whenever a model of an earlier one cannot be used."""

DAMAGE = (
    *(AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError),
    *(struct.error, zipfile.BadZipFile, zlib.error),
)
"""What numpy, zipfile and json raise when a file is not what it should be."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Weights of names, boosted trees and what calibrates them.

    `names` are the features it was trained with, in order, the scores of names last. Two sets of
    trees vote with equal weight: `named` sees the scores of names, `plain` does not. Names say much
    on sites that call things as others do, and mislead on those that do not. `slope` and
    `intercept` map the mean of their log-odds to calibrated ones (Platt 1999). From the probability
    `cut` on a line is content. `card` says how the model was made.
    """

    names: tuple[str, ...]
    weights: Floats
    named: Trees
    plain: Trees
    slope: float
    intercept: float
    cut: float
    card: dict[str, Any]


def probabilities(model: Model, pages: Sequence[Features]) -> list[NDArray[np.float64]]:
    """For each page the probability of every line that it is content; pages are done together."""
    if not pages:
        return []
    log_odds = calibrated_log_odds(
        model, np.vstack([with_names(page, model.weights) for page in pages])
    )
    ends = np.cumsum([len(page.matrix) for page in pages])
    return np.split(1 / (1 + np.exp(-log_odds)), ends[:-1])


def calibrated_log_odds(model: Model, rows: Floats) -> NDArray[np.float64]:
    """The log-odds of lines; rows are features as `with_names` gives them."""
    plain = rows[:, : -len(SCORES)]
    both = raw_scores(model.named, rows) + raw_scores(model.plain, plain)
    return model.slope * both / 2 + model.intercept


def with_names(page: Features, weights: Floats) -> Floats:
    """The features of a page and, as the last columns, the scores of the names around each line."""
    return np.column_stack([page.matrix, name_scores(page.tokens, weights, page.prose)])


def save(model: Model, stream: BinaryIO) -> None:
    """Writes a model file."""
    head = {
        "format": FORMAT,
        "names": model.names,
        "slope": model.slope,
        "intercept": model.intercept,
        "cut": model.cut,
        "card": model.card,
    }
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez_compressed(
        stream,
        head=text,
        weights=model.weights,
        **{f"named_{name}": values for name, values in arrays(model.named).items()},
        **{f"plain_{name}": values for name, values in arrays(model.plain).items()},
    )


def load(path: str) -> Model:
    """The model in a file; "" is the one that comes with the package.

    Raises:
        UsageError: the file is missing, damaged, of another version, or has other features.
    """
    try:
        return _load(path, Path(path).stat().st_mtime_ns if path else 0)
    except DAMAGE as e:
        detail = " ".join(str(e).split()) or type(e).__name__
        raise UsageError(f"{path or 'the default model'} is no sound model file: {detail}") from e


@lru_cache(maxsize=4)
def _load(path: str, _changed: int) -> Model:
    """The model in a file that was last changed at a time."""
    if path:
        with Path(path).open("rb") as stream:
            return _read(stream)
    with files("dbce.models").joinpath("default.npz").open("rb") as stream:
        return _read(stream)


def _read(stream: Any) -> Model:
    with np.load(stream, allow_pickle=False) as stored:
        head = json.loads(stored["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(f"it has format {head['format']}, this dbce reads {FORMAT}")
        model = Model(
            names=tuple(head["names"]),
            weights=stored["weights"],
            named=_trees(stored, "named"),
            plain=_trees(stored, "plain"),
            slope=float(head["slope"]),
            intercept=float(head["intercept"]),
            cut=float(head["cut"]),
            card=dict(head["card"]),
        )
    _check(model)
    return model


def _check(model: Model) -> None:
    own = feature_names()
    if model.names != (*own, *SCORES):
        raise ValueError(
            f"it has other features, being of dbce {model.card.get('version')}, and this is "
            f"{dbce.__version__}; train it again (dbce train)"
        )
    if model.weights.shape != (SIZE,) or model.weights.dtype != np.float32:
        raise ValueError("its weights of names are not what they must be")
    check(model.named, len(model.names))
    check(model.plain, len(own))


def _trees(stored: Any, name: str) -> Trees:
    return Trees(**{field: stored[f"{name}_{field}"] for field in Trees.__dataclass_fields__})


def write(model: Model, path: Path) -> None:
    """Writes a model file to a path."""
    with path.open("wb") as stream:
        save(model, stream)
