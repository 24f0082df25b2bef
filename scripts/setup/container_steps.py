"""The steps of Containerfile, run one by one in a fresh root, where there is no builder of containers.

    python scripts/setup/container_steps.py [ROOT]      (as root; needs debootstrap)

The steps are read from Containerfile, and one that is not known here stops all. debootstrap makes the
base. The trial has this machine's settings of network, certificates and pip beside it; they are no part
of an image. Then the image's user and one without an account run dbce on the sample, and the
web page is asked for. The root goes afterwards, unless it was named.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING
from urllib.request import HTTPCookieProcessor, build_opener

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROJECT = Path(__file__).resolve().parents[2]

STEP = re.compile(r"([A-Z]+)\s+(.+)")

CERTIFICATES = "etc/ssl/certs/of-this-machine.crt"
"""Place for this machine's certificates in the root, beside those of the base."""

STRANGER = "12345"
"""A user without an account, as `podman run --userns keep-id` and `docker run --user` have one."""

PORT = 8329


@dataclass
class Image:
    """A root that is being made, and what is set for the steps that follow."""

    root: Path
    environment: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    )
    user: str = "root"
    folder: str = "/"
    start: tuple[str, ...] = ()

    def command(self, arguments: Sequence[str], *, user: str = "") -> list[str]:
        """The command line, for this machine, that runs another in the root as one of its users."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        group = ""
        if user == STRANGER:
            group, settings = user, [*settings, "HOME=/"]
        change = ["chroot", f"--userspec={user or self.user}:{group}", str(self.root)]
        inside = [
            "env",
            "--ignore-environment",
            f"--chdir={self.folder}",
            *_of_machine(),
            *settings,
        ]
        return [*change, *inside, *arguments]

    def run(self, *arguments: str, user: str = "") -> str:
        """What a command in the root prints; all stops where it fails."""
        run = subprocess.run(
            self.command(arguments, user=user), stdout=subprocess.PIPE, text=True, check=False
        )
        if run.returncode:
            sys.exit(
                f"{run.stdout}\nthe command ended with {run.returncode}: {' '.join(arguments)}"
            )
        return run.stdout


def steps(text: str) -> list[tuple[str, str]]:
    """The steps of a Containerfile, a name and what it is about; lines that go on are joined.

    Raises:
        ValueError: a line is no step.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    found = []
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        step = STEP.fullmatch(line)
        if not step:
            raise ValueError(f"this is no step of a Containerfile: {line}")
        found.append((step[1], step[2]))
    return found


def take(image: Image, step: str, about: str) -> None:
    """Does what one step says.

    Raises:
        ValueError: the step is not known here.
    """
    print(step, about, flush=True)
    match step:
        case "FROM":
            base(image.root, about)
        case "RUN":
            image.run("/bin/sh", "-c", about)
        case "COPY":
            copy(image.root, about)
        case "ENV":
            name, _, value = about.partition("=")
            image.environment[name] = value
        case "USER":
            image.user = about
        case "WORKDIR":
            image.folder = about
            (image.root / about.strip("/")).mkdir(parents=True, exist_ok=True)
        case "ENTRYPOINT":
            image.start = tuple(json.loads(about))
        case "CMD":
            print(image.run(*image.start, *json.loads(about)).splitlines()[0])
        case _:
            raise ValueError(f"the step {step} is not known here")


def copy(root: Path, about: str) -> None:
    """Copies files of the project, named by patterns, into a folder of the root."""
    *patterns, place = about.split()
    folder = root / place.strip("/")
    folder.mkdir(parents=True, exist_ok=True)
    for source in (path for pattern in patterns for path in sorted(PROJECT.glob(pattern))):
        shutil.copy(source, folder)


def base(root: Path, name: str) -> None:
    """Makes the root of a Debian, and lays this machine's settings of network and certificates beside it.

    Raises:
        ValueError: the base is not a Debian.
    """
    debian = re.fullmatch(r"docker\.io/library/debian:([a-z]+)-slim", name)
    if not debian:
        raise ValueError(f"only Debian's bases can be made here, not {name}")
    suite = debian[1]
    command = ["debootstrap", "--variant=minbase", suite, str(root)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(
            f"{run.stdout[-2000:]}{run.stderr[-2000:]}\ndebootstrap ended with {run.returncode}"
        )
    for path in map(Path, ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf")):
        if path.exists():
            shutil.copy(path, root / str(path).strip("/"))
    bundle = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
    (root / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(bundle, root / CERTIFICATES)


def _of_machine() -> list[str]:
    """Settings for the trial alone: the certificates of this machine, and the proxy it may have."""
    names = ("http_proxy", "https_proxy", "no_proxy")
    proxies = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
    trusted = [f"{name}=/{CERTIFICATES}" for name in ("PIP_CERT", "SSL_CERT_FILE")]
    return [*trusted, *proxies]


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """A root that has /proc and /dev as a container has."""
    places = [root / "proc", root / "dev"]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(["mount", "-t", "proc", "proc", places[0]], check=True)
        subprocess.run(["mount", "--bind", "/dev", places[1]], check=True)
        yield
    finally:
        for place in reversed(places):
            subprocess.run(["umount", place], check=False, stderr=subprocess.DEVNULL)


def use(image: Image) -> None:
    """Runs dbce as the image's user and as a stranger, each in a volume of theirs, and asks for its page."""
    print(image.run("python3", "--version").strip())
    for user in (image.user, STRANGER):
        volume = image.root / image.folder.strip("/")
        shutil.rmtree(volume)
        volume.mkdir()
        account = (
            image.run("id", "--user", user, user="root").strip() if user == image.user else user
        )
        os.chown(volume, int(account), int(account))
        print(f"as {user}:")
        image.run(*image.start, "sample", "crawl", user=user)
        image.run(*image.start, "run", "crawl", "--out", "clean", "--master", "none", user=user)
        print(f"  {len(image.run(*image.start, 'text', 'clean', user=user).splitlines())} texts")
        print(f"  the web page answers {page_status(image, user)}")


def page_status(image: Image, user: str) -> int:
    """The status of the web page of the run, asked for from outside with the token that is printed.

    It may take its minutes: on a machine that does much else, the first start of a Python is slow.
    """
    every = "0.0.0.0"  # noqa: S104 - a container is asked from outside
    view = [*image.start, "view", "clean", "--host", every, "--port", str(PORT)]
    command = image.command(view, user=user)
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as run,
        closing_time(run),
    ):
        for line in run.stdout or ():
            token = re.search(r"/\?token=\S+", line)
            if token:
                browser = build_opener(HTTPCookieProcessor())
                with browser.open(f"http://127.0.0.1:{PORT}{token[0]}") as page:
                    return int(page.status)
    sys.exit("the web page did not start")


@contextmanager
def closing_time(run: subprocess.Popen[str]) -> Iterator[None]:
    """Ends a server afterwards, and after five minutes in any case."""
    alarm = Timer(300, run.terminate)
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
        run.terminate()


def main(arguments: Sequence[str]) -> None:
    """Takes the steps in a root that is named, or in one that goes afterwards."""
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("only root can do this, and with debootstrap: apt-get install debootstrap")
    if not list(PROJECT.glob("dist/dbce-*.whl")):
        sys.exit("there are no wheels in dist: type make release")
    if arguments and Path(arguments[0]).exists():
        sys.exit(f"{arguments[0]} is there already; name a folder that is not")
    first, *others = steps((PROJECT / "Containerfile").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        image = Image(Path(*arguments[:1]).resolve() if arguments else Path(folder, "root"))
        take(image, *first)
        with mounted(image.root):
            for step, about in others:
                take(image, step, about)
            use(image)


if __name__ == "__main__":
    main(sys.argv[1:])
