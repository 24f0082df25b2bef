"""Model files: what is written is read back, and nothing else is."""

import io
import json
import os
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.lib import format as npy
from scipy.special import expit, logit

from dbce import html
from dbce.boilerplate.classify import load_model
from dbce.boilerplate.classify.context import CONTEXT, context_rows
from dbce.boilerplate.classify.features import batch_features, feature_names
from dbce.boilerplate.classify.model import (
    LARGEST,
    Chances,
    Model,
    chances,
    second_votes,
    with_comments,
    write,
)
from dbce.boilerplate.classify.trees import arrays
from dbce.model import Limits, UsageError
from dbce.train.run import add_second
from tests.runs import refusal
from tests.site import snapshots, stored
from tests.training import HOSTS, commented_pages

SETS = ("named", "plain", "comments")
"""The sets of trees of a model."""

REMARKS = [page for host in HOSTS for page in commented_pages(host)]
"""Pages of eight sites, with comments of readers."""


def contents(path: Path) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as found:
        return dict(found)


def rewritten(path: Path, out: Path, **changed: object) -> Path:
    """The file with some of its arrays changed; `head` as a dict of what is different in it."""
    parts = contents(path)
    if "head" in changed:
        head = json.loads(parts["head"].tobytes()) | changed.pop("head")
        parts["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez(out, **(parts | changed))
    return out


def refused(path: Path) -> str:
    """Why a file is refused, in one sentence that names it."""
    with pytest.raises(UsageError) as caught:
        load_model(str(path))
    said = str(caught.value)
    assert said.startswith(f"{path} is not a valid model file: ")
    assert "\n" not in said
    return said


def test_a_model_comes_back(reader, tmp_path):
    write(replace(reader, blend=(0.9, 0.3, -0.1), comment_scale=(0.8, 0.2)), tmp_path / "m.npz")
    back = load_model(str(tmp_path / "m.npz"))
    assert (back.blend, back.comment_scale) == ((0.9, 0.3, -0.1), (0.8, 0.2))
    for name in ("names", "card"):
        assert getattr(back, name) == getattr(reader, name)
    assert all(map(np.array_equal, back.weights, reader.weights))
    for which in SETS:
        theirs = arrays(getattr(back, which))
        for name, values in arrays(getattr(reader, which)).items():
            assert np.array_equal(theirs[name], values), (which, name)
            assert theirs[name].dtype == values.dtype


def test_a_model_that_knows_no_comments_comes_back(tiny, tiny_file):
    assert tiny.comments.starts.tolist() == [0]
    assert load_model(str(tiny_file)).comments.baseline == tiny.comments.baseline


@pytest.fixture(scope="module")
def twice(reader, with_remarks) -> Model:
    """The model with a second stage that learned from what the first says."""
    held = [chances(reader, example.features) for example in with_remarks]
    model, _ = add_second(reader, with_remarks, held, folds=2, seed=1, progress=lambda _: None)
    return model


def test_a_second_stage_judges_what_the_first_says(twice, reader, with_remarks):
    page = with_remarks[0].features
    first, both = chances(reader, page), chances(twice, page)
    assert np.array_equal(first.comment, both.comment)
    votes = second_votes(twice.second.trees, first, context_rows(page, *first))
    of_first, of_second, intercept = twice.second.blend
    expected = expit(of_first * logit(first.content) + of_second * votes[:, 1] + intercept)
    np.testing.assert_allclose(both.content, expected, rtol=1e-9)
    assert not np.array_equal(first.content, both.content)


def test_both_stages_say_the_same_of_a_page_whatever_is_judged_with_it():
    """With the model of the package; a batch is one row of pages, as in a run."""
    annotated = [(html.load(one.payload, "text/html", Limits()).page, None) for one, *_ in REMARKS]
    model = load_model("")
    together = chances(model, batch_features(annotated))
    alone = [chances(model, batch_features([page])).content for page in annotated]
    assert np.array_equal(np.concatenate(alone), together.content)


def test_a_second_stage_comes_back(twice, with_remarks, tmp_path):
    write(twice, tmp_path / "m.npz")
    back = load_model(str(tmp_path / "m.npz"))
    for page in (example.features for example in with_remarks):
        assert np.array_equal(chances(twice, page).content, chances(back, page).content)


def test_a_second_stage_of_other_features_or_with_trees_that_ask_for_others_is_refused(
    twice, tmp_path
):
    write(twice, tmp_path / "m.npz")
    asked = np.full_like(contents(tmp_path / "m.npz")["second_feature"], len(CONTEXT))
    for changed, said in (
        ({"head": {"context": ["odds"]}}, "it has other features"),
        ({"second_feature": asked}, "its trees are not what they must be"),
    ):
        assert said in refused(rewritten(tmp_path / "m.npz", tmp_path / "other.npz", **changed))


def test_each_line_has_both_chances(reader, with_remarks):
    for page in (example.features for example in with_remarks):
        found = chances(reader, page)
        assert found.content.shape == found.comment.shape == (len(page.matrix),)


def test_scale_and_blend_calibrate(reader, with_remarks):
    page = with_remarks[0].features
    raw = chances(reader, page)
    other = chances(replace(reader, blend=(0.5, 0.4, 1.0), comment_scale=(0.7, -1.0)), page)
    comment = 0.7 * logit(raw.comment) - 1.0
    np.testing.assert_allclose(logit(other.comment), comment, rtol=1e-6)
    content = 0.5 * logit(raw.content) + 0.4 * np.log(1 - expit(comment)) + 1.0
    np.testing.assert_allclose(logit(other.content), content, rtol=1e-6)


CHANCE = st.lists(st.floats(0, 1), min_size=5, max_size=5).map(np.array)


@given(CHANCE, CHANCE)
def test_content_or_a_comment_is_at_least_as_likely_as_either(content, comment):
    both = with_comments(Chances(content, comment))
    assert (both >= np.maximum(content, comment) - 1e-12).all()
    assert (both <= 1).all()
    assert np.array_equal(with_comments(Chances(content, 0 * comment)) >= 0.5, content >= 0.5)


def test_the_model_is_read_again_when_its_file_has_changed(tiny, tmp_path):
    path = tmp_path / "model.npz"
    write(tiny, path)
    assert load_model(str(path)) is load_model(str(path))
    write(replace(tiny, card={"version": "another"}), path)
    os.utime(path, ns=(0, 0))
    assert load_model(str(path)).card == {"version": "another"}
    assert load_model(str(path), for_forums=True).card == {"version": "another"}


def test_a_file_that_is_missing_is_named(tmp_path):
    assert "No such file" in refused(tmp_path / "none.npz")
    refused(tmp_path)


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"no model", b"\x93NUMPY\1\0", b"\0" * 99])
def test_a_file_of_another_kind_is_refused(tmp_path, data):
    path = tmp_path / "model.npz"
    path.write_bytes(data)
    refused(path)


class Trap:
    """Leaves a trace when it is unpickled."""

    def __reduce__(self) -> object:
        return os.mkdir, ("unpickled",)


@pytest.mark.parametrize("name", ["head", "weights", "phrases", "named_value", "comments_value"])
def test_a_pickle_inside_is_refused_and_not_opened(tiny_file, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "trap.npz"
    parts = contents(tiny_file) | {name: np.array([Trap()], dtype=object)}
    np.savez(path, **parts)
    assert "allow_pickle=False" in refused(path)
    assert not (tmp_path / "unpickled").exists()
    with np.load(path, allow_pickle=True) as found:  # the trap is one
        found[name]
    assert (tmp_path / "unpickled").exists()


def test_another_format_is_named_with_ours(tiny_file, tmp_path):
    said = refused(rewritten(tiny_file, tmp_path / "m.npz", head={"format": 99}))
    assert "format 99" in said


def test_a_model_with_other_features_names_both_versions(tiny, tiny_file, tmp_path):
    for names in (tiny.names[1:], tiny.names[::-1], (*tiny.names, "x")):
        head = {"names": names, "card": {"version": "0.0.7"}}
        said = refused(rewritten(tiny_file, tmp_path / "m.npz", head=head))
        assert "other features" in said
        assert "0.0.7" in said
        assert tiny.card["version"] in said


@pytest.mark.parametrize(
    "head", [{"blend": []}, {"names": 3}, {"card": None}, {"card": "x"}, {"format": None}]
)
def test_a_head_that_does_not_say_what_it_must_is_refused(tiny_file, tmp_path, head):
    refused(rewritten(tiny_file, tmp_path / "m.npz", head=head))


@pytest.mark.parametrize("name", ["blend", "comment_scale"])
@pytest.mark.parametrize(
    "value",
    [None, 1.0, [1.0], [1.0] * 4, "123", "12", {"a": 1, "b": 2, "c": 3}, [[1.0], [0.0], [0.0]]]
    + [[1.0] * some + [odd] for some in (1, 2) for odd in ("steep", None, np.nan, np.inf)],
    ids=str,
)
def test_what_does_not_calibrate_is_refused(tiny_file, tmp_path, name, value):
    refused(rewritten(tiny_file, tmp_path / "m.npz", head={name: value}))


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000])
def test_a_head_that_is_no_object_is_refused(tiny_file, tmp_path, text):
    parts = contents(tiny_file) | {"head": np.frombuffer(text, dtype=np.uint8)}
    np.savez(tmp_path / "m.npz", **parts)
    refused(tmp_path / "m.npz")


def test_arrays_that_are_missing_or_of_other_shapes_are_refused(tiny_file, tmp_path):
    parts = contents(tiny_file)
    for name in parts:
        path = tmp_path / f"without-{name}.npz"
        np.savez(path, **{n: v for n, v in parts.items() if n != name})
        assert name in refused(path)
    refused(rewritten(tiny_file, tmp_path / "m.npz", weights=parts["weights"][:-1]))
    refused(rewritten(tiny_file, tmp_path / "m.npz", weights=parts["weights"][:, :-1]))
    refused(rewritten(tiny_file, tmp_path / "m.npz", weights=parts["weights"].astype(np.int8)))
    refused(rewritten(tiny_file, tmp_path / "m.npz", named_left=-parts["named_left"]))
    columns = np.full_like(parts["plain_feature"], len(feature_names()))
    refused(rewritten(tiny_file, tmp_path / "m.npz", plain_feature=columns))
    refused(rewritten(tiny_file, tmp_path / "m.npz", comments_starts=np.array([1], np.int32)))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_damaged_file_is_a_model_or_one_sentence(tiny_file, tmp_path_factory, data):
    sound = bytearray(tiny_file.read_bytes())
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    for _ in range(data.draw(st.integers(1, 4))):
        sound[data.draw(st.integers(0, len(sound) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(sound[: data.draw(st.integers(0, len(sound)))])
    os.utime(path, ns=(0, data.draw(st.integers(0, 10**12))))
    with suppress(UsageError):
        load_model(str(path))


# Arrays of a model file that declare more than the file can hold.


def header(*shape: int, version: tuple[int, int] = (1, 0)) -> bytes:
    out = io.BytesIO()
    write = {(1, 0): npy.write_array_header_1_0, (2, 0): npy.write_array_header_2_0}[version]
    write(out, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return out.getvalue()


def with_member(
    sound: Path, name: str, data: bytes, kind: int = zipfile.ZIP_DEFLATED
) -> io.BytesIO:
    """A model file, one array of it replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(sound) as old, zipfile.ZipFile(out, "w", kind) as new:
        for one in old.namelist():
            new.writestr(one, data if one == name else old.read(one))
    return out


def with_size(sound: Path, size: int) -> io.BytesIO:
    """A model file whose directory says that an array has so many bytes."""
    data = bytearray(sound.read_bytes())
    entry = data.index(b"PK\1\2", data.index(b"PK\1\2"))
    data[entry + 24 : entry + 28] = size.to_bytes(4, "little")
    return io.BytesIO(bytes(data))


HOSTILE: dict[str, Callable[[Path], io.BytesIO]] = {
    "an array of a terabyte": lambda path: with_member(path, "weights.npy", header(2**37)),
    "of a second version": lambda path: with_member(
        path, "head.npy", header(2**37, version=(2, 0))
    ),
    "more than there are numbers": lambda path: with_member(path, "head.npy", header(2**70, 2**70)),
    "fewer than none": lambda path: with_member(path, "head.npy", header(-1)),
    "one value more": lambda path: with_member(path, "head.npy", header(2) + bytes(8)),
    "one value less": lambda path: with_member(path, "head.npy", header(1) + bytes(16)),
    "a zip member of 4 GB": lambda path: with_size(path, 2**32 - 2),
    "a zip member of 100 MB": lambda path: with_size(path, 100_000_000),
    "a bomb": lambda path: with_member(path, "head.npy", header(LARGEST // 8) + bytes(LARGEST)),
    "packed as numpy does not": lambda path: with_member(
        path, "head.npy", header(1) + bytes(8), zipfile.ZIP_LZMA
    ),
    "no zip file but one array": lambda _: io.BytesIO(header(2**37)),
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_model_that_declares_more_than_it_has_is_wrong_use(tiny_file, tmp_path, capsys, hostile):
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    (tmp_path / "hostile.npz").write_bytes(hostile(tiny_file).getvalue())
    options = ["--out", tmp_path / "out", "--master", "none", "--model", tmp_path / "hostile.npz"]
    said = refusal(capsys, "run", tmp_path / "a.warc.gz", *options)
    assert said.startswith(f"dbce: {tmp_path}/hostile.npz is not a valid model file: ")
    assert not (tmp_path / "out").exists()
