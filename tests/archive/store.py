"""Stores on loopback: an S3 server process, an HTTP server with and without ranges."""

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, counts the bytes of its answers and notes what it is asked for."""

    def log_message(self, *_: Any) -> None:
        self.server.asked.append(self.path)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        self.server.sent += len(data)
        outputfile.write(data)


class _Ranged(Quiet):
    """The same with ranges, which Python's own server does not know."""

    def do_GET(self) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not asked:
            super().do_GET()
            return
        with open(self.translate_path(self.path), "rb") as file:  # noqa: PTH123 - as its base does
            data = file.read()
        first, last = (int(number) for number in asked.groups())
        part = data[first : last + 1]
        self.server.sent += len(part)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class Served(ThreadingHTTPServer):
    """A running server; `sent` counts the bytes of files that it has sent, `asked` are the paths it was asked for."""

    sent = 0

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def served(
    folder: Path, *, ranges: bool, handler: type[SimpleHTTPRequestHandler] | None = None
) -> Iterator[Served]:
    """Serves a folder over HTTP while the block lasts."""
    kind = handler or (_Ranged if ranges else Quiet)
    with Served(("127.0.0.1", 0), partial(kind, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def s3_server(folder: Path) -> Iterator[str]:
    """An S3 server in a process of its own; its URL. It logs every request to `folder`/s3.log."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "s3.log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        _wait(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the S3 server did not start: {log.read_text()}")
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the S3 server does not answer")
