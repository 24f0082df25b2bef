"""Arrays of a model file that declare more than the file can hold."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.lib import format as npy

from dbce.boilerplate.classify.model import LARGEST, check_declared
from dbce.cli import main
from tests.site import snapshots, stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
def test_a_model_that_declares_more_than_it_has_is_wrong_use(
    tiny_file, tmp_path, capsys, hostile
) -> None:
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    (tmp_path / "hostile.npz").write_bytes(hostile(tiny_file).getvalue())
    options = ["--out", str(tmp_path / "out"), "--master", "none"]
    model = str(tmp_path / "hostile.npz")
    assert main(["run", str(tmp_path / "a.warc.gz"), *options, "--model", model]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"dbce: {model} is not a valid model file: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_sound_file_is_left_at_its_beginning(tiny_file) -> None:
    with tiny_file.open("rb") as stream:
        check_declared(stream)
        assert stream.tell() == 0
        assert "head" in np.load(stream)
