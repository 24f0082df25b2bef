"""What a run gives of the sample archive, for tools of others to judge."""

import json
import sys
from pathlib import Path

import pytest

from tests.gate import first
from tests.runs import ROOT, ended, process

TYPES = first(["conversion", "response"])


@pytest.fixture(scope="session", params=TYPES)
def kind(request) -> str:
    """The type of the records that a run writes."""
    return request.param


@pytest.fixture(scope="session")
def finished(kind, sample, tmp_path_factory) -> Path:
    """The folder of a run on the sample with records of that type."""
    out = tmp_path_factory.mktemp("accepted") / kind
    more = ["--wet", "--wacz", "--record-type", kind]
    assert ended("run", sample, "--out", out, "--master", "none", *more) == 0
    return out


def judged(run: Path) -> int:
    """How many pages of a run have verdicts, by its own account."""
    captures = json.loads((run / "run.json").read_text())["captures"]
    found = captures["annotated"] + captures["single"]
    assert found > 90
    return found


def environment(tool: str) -> Path:
    """The folder of a tool's own environment; skips the calling test where it cannot be made."""
    made = process(ROOT / "scripts/setup/tools.sh", tool, code=None, PYTHON=sys.executable)
    if made.returncode:
        last = (made.stderr.strip().splitlines() or ["no reason given"])[-1]
        pytest.skip(f"{tool} cannot be installed: {last}")
    return Path(made.stdout.strip())
