"""`python -m tests.fuzz TARGET FOLDER [LIBFUZZER OPTION...]`: fuzzes a target, guided by coverage.

Targets are `containers`, `pages` and `frames`. Seeds and what was found worth mutating stay in
FOLDER, and so does an input that ends in an exception, as `FOLDER/crash-...`.
"""

import sys
from pathlib import Path

import atheris

OPTIONS = ("-max_len=16384", "-timeout=60", "-rss_limit_mb=2048")
"""Largest input in bytes; beyond so many seconds or megabytes an input counts as a finding."""


def main() -> None:
    """Runs one target until its time is up or something is found."""
    program, target, folder, *options = sys.argv
    with atheris.instrument_imports(include=["dbce", "warcio"]):
        from tests.fuzz.targets import TARGETS, write
    corpus = write(Path(folder))[target]
    artifacts = f"-artifact_prefix={folder}/"
    atheris.Setup([program, str(corpus), artifacts, *OPTIONS, *options], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
