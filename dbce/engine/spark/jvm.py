"""The Java process of a Spark driver: it starts quietly, and is gone when we are stopped.

pyspark leaves it to Java to find out that nobody is there any more, which takes seconds while it starts,
and names the process to nobody before it answers.
"""

import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from socketserver import BaseServer
from subprocess import PIPE, STDOUT, Popen, TimeoutExpired
from threading import Thread
from types import SimpleNamespace
from typing import IO, Any

from pyspark import SparkConf, SparkContext, accumulators, java_gateway
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from dbce.model import UsageError, print_above_status

PATIENCE = 3
"""Seconds that a Java which is told to end may take, to tell executors and to remove its files."""

KEPT = 20  # lines of what Java says at its start that are kept, to be told if it fails


class JavaOutput:
    """Output of Java: kept while it starts, shown while it works, dropped once it is ended."""

    def __init__(self) -> None:
        self.early: deque[str] = deque(maxlen=KEPT)
        self.early_is_over = False
        self.all_is_over = False

    def follow(self, stream: IO[str]) -> None:
        with stream:
            for line in map(str.rstrip, stream):
                if not self.early_is_over:
                    self.early.append(line)
                elif not self.all_is_over:
                    print_above_status(line)


class _Java:
    """The processes that were started, and what they say."""

    processes: list[Popen[str]] = []  # noqa: RUF012 - there is one of it
    output = JavaOutput()


def is_there() -> bool:
    """Return whether Java runs already, started by spark-submit or an earlier session."""
    return "PYSPARK_GATEWAY_PORT" in os.environ or SparkContext._gateway is not None  # noqa: SLF001


def start(settings: Mapping[str, str]) -> None:
    """Start Java with settings of Spark, where sessions of this process will find it.

    Raises UsageError: it ends at once; the message has what it said last.
    """
    _Java.output = output = JavaOutput()
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    options: dict[str, Any] = {"stdout": PIPE, "stderr": STDOUT, "text": True, "errors": "replace"}
    try:
        with _recording_processes(output):
            # A session of its own: it is ended with all that it has started, and is out of reach of a
            # Ctrl-C, which would interrupt what it does for us.
            launch: Any = java_gateway.launch_gateway
            gateway = launch(conf, options | {"start_new_session": True})
    except PySparkRuntimeError as e:
        last = next((line for line in reversed(output.early) if line), str(e))
        raise UsageError(
            f"Spark does not start: {last.strip()}; fix that, or run with --master none"
        ) from e
    SparkContext._ensure_initialized(gateway=gateway)  # noqa: SLF001 - no other way leads there


@contextmanager
def _recording_processes(output: JavaOutput) -> Iterator[None]:
    """Record the processes that pyspark starts in the block, and follow their output."""

    class RecordedProcess(Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            _Java.processes.append(self)
            super().__init__(*arguments, **options)
            Thread(target=output.follow, args=(self.stdout,), daemon=True).start()

    module: Any = java_gateway
    original, module.Popen = module.Popen, RecordedProcess
    try:
        yield
    finally:
        module.Popen = original


@contextmanager
def ctrl_c_is_ours() -> Iterator[None]:
    """Keep pyspark from handling Ctrl-C itself within the block, and silence py4j's messages about one.

    It would ask Java to cancel all jobs, in the middle of asking it something else.
    """
    logging.getLogger().addFilter(_not_py4j)
    logging.getLogger(
        "py4j"
    ).propagate = False  # what its own loggers say passes no filter above them
    module: Any = sys.modules[SparkContext.__module__]
    original = module.signal
    module.signal = SimpleNamespace(SIGINT=signal.SIGINT, signal=lambda *_: None)
    try:
        yield
    finally:
        module.signal = original


def _not_py4j(record: logging.LogRecord) -> bool:
    """Return whether a record is not from py4j, which also logs the errors that it raises."""
    return "py4j" not in record.pathname


def end_startup() -> None:
    _Java.output.early_is_over = True


def end() -> None:
    """End every Java that was started here, whatever it does, and all that it has started."""
    _Java.output.early_is_over = _Java.output.all_is_over = True
    for server in vars(accumulators).values():
        if isinstance(server, type) and issubclass(server, BaseServer):
            server.handle_error = _pass_over  # type: ignore[method-assign, assignment]
    running = [process for process in _Java.processes if getattr(process, "pid", None)]
    _Java.processes.clear()
    for process in running:
        _end(process, at_once=False)
    for process in running:
        with suppress(TimeoutExpired):
            process.wait(PATIENCE)
        _end(process, at_once=True)
        process.wait()
    # The next session starts another, and takes neither context nor session of this one for its own.
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None  # noqa: SLF001
    SparkSession._instantiatedSession = None  # noqa: SLF001


def _pass_over(*_: object) -> None:
    """Ignore a number that breaks off because Java has ended, instead of the server's handler."""


def _end(process: Popen[str], *, at_once: bool) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL if at_once else signal.SIGTERM)
        elif at_once:  # Windows, where pyspark ends at exit what the process has started
            process.kill()
        else:
            process.terminate()
