"""An installation with fewer packages than this one: those of some extras of dbce, all others blocked at import."""

import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.metadata import distribution, packages_distributions
from threading import Thread
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

from packaging.utils import canonicalize_name

from scripts.setup.packages import needed

OPENED = re.compile(r"Open (http://\S+)")


def packages(extras: Sequence[str]) -> set[str]:
    """Names of all packages that dbce brings with it when some extras are asked for."""
    return {"dbce", *needed(distribution("dbce"), extras)}


class Hiding:
    """A finder of modules to which those are not there that only missing packages bring."""

    def __init__(self, finder: Any, installed: set[str]) -> None:
        self._finder = finder
        self._missing = {
            module
            for module, distributions in packages_distributions().items()
            if not {canonicalize_name(name) for name in distributions} & installed
        }

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)

    def find_spec(self, name: str, *given: Any) -> ModuleSpec | None:
        is_missing = name.partition(".")[0] in self._missing
        return None if is_missing else self._finder.find_spec(name, *given)


class Visitor:
    """Standard output: a server that says where it is gets a visit, and then a Ctrl-C."""

    def __init__(self, out: Any) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        if opened := OPENED.search(text):
            Thread(target=self._visit, args=(opened[1],), daemon=True).start()
        return self._out.write(text)

    def _visit(self, address: str) -> None:
        with build_opener(HTTPCookieProcessor()).open(address) as answer:
            assert answer.status == 200
        os.kill(os.getpid(), signal.SIGINT)


def play(extras: Sequence[str], calls: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Calls commands, each in a folder, in such an installation; standard error has their exit codes."""
    installed = packages(extras)
    sys.meta_path[:] = [Hiding(finder, installed) for finder in sys.meta_path]
    from dbce.cli import main

    sys.stdout = Visitor(sys.stdout)
    for folder, words in calls:
        os.chdir(folder)
        sys.stderr.write(f"CALL {words[0]}\n")
        code = main(words)
        sys.stderr.write(f"EXIT {code}\n")
