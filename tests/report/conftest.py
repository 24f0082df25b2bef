"""A finished run to report on, made of pages in memory."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from dbce.model import Capture, Config, Reject
from dbce.output.manifest import RunTotals, finish
from dbce.output.unit_writer import write_unit
from dbce.pipeline import annotate
from dbce.storage.folder import Folder


@pytest.fixture
def run(tmp_path) -> Callable[..., Path]:
    """Judges captures and leaves the folder of the run; one input file for each list."""

    def made(*inputs: Iterable[Capture | Reject], name: str = "out", **settings: str) -> Path:
        captures = [one for of_input in inputs for one in of_input]
        results = iter(list(annotate(captures, Config(**settings))))
        folder = Folder(str(tmp_path / name))
        names = [f"part-{n}.warc.gz" for n in range(len(inputs))]
        for file, of_input in zip(names, inputs, strict=True):
            write_unit(folder, file, [next(results) for _ in of_input], Config())
        finish(folder, names, Config(), RunTotals(len(captures), {"read": 0.5, "judge": 1.25}))
        return tmp_path / name

    return made
