"""`python -m tests.fuzz TARGET FOLDER [LIBFUZZER OPTION...]`: fuzzes a target, guided by coverage.

Targets are the modules `containers`, `pages` and `frames`. Seeds and what was found worth mutating stay in
FOLDER, and so does an input that ends in an exception, as `FOLDER/crash-...`.
"""

import sys
from importlib import import_module
from pathlib import Path

import atheris

OPTIONS = ("-max_len=16384", "-timeout=60", "-rss_limit_mb=2048")
"""Largest input in bytes; beyond so many seconds or megabytes an input counts as a finding."""


def main() -> None:
    """Runs one target until its time is up or something is found."""
    program, target, folder, *options = sys.argv
    with atheris.instrument_imports(include=["dbce", "warcio"]):
        check = import_module(f"tests.fuzz.{target}").check
        from tests.fuzz.seeds import write
    corpus = write(Path(folder))[target]
    artifacts = f"-artifact_prefix={folder}/"
    atheris.Setup([program, str(corpus), artifacts, *OPTIONS, *options], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
