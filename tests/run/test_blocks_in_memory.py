"""A run that compares holds the sketches of one block, and no annotation that it has found already."""

import gc
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from dbce.cli import main
from dbce.model import Annotation, Sketch


def alive(kind: type) -> int:
    gc.collect()
    return sum(type(one) is kind for one in gc.get_objects())


@pytest.mark.slow
@pytest.mark.nightly
def test_what_is_compared_leaves_memory(sample, tmp_path, monkeypatch):
    before = alive(Sketch), alive(Annotation)
    comparing = import_module("dbce.boilerplate.compare")
    compare_block = comparing.compare_block
    blocks, yielded = [], 0

    def watched(block: list[Sketch], *arguments: Any) -> Iterator[Annotation]:
        nonlocal yielded
        blocks.append((len(block), alive(Sketch) - before[0], alive(Annotation) - before[1]))
        for annotation in compare_block(block, *arguments):
            yielded += 1
            yield annotation

    monkeypatch.setattr(comparing, "compare_block", watched)
    assert main(["run", str(sample), "--out", str(tmp_path / "out"), "--master", "none"]) == 0
    assert len(blocks) == 4, "of a site each"
    assert yielded > 50
    for captures, sketches, found in blocks:
        assert sketches == captures
        assert found <= 1, "that which was found last"
