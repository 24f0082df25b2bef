"""A disk of its own, whose power can be cut: an image with ext4 and its defaults, mounted by who may mount.

The blocks of the image, copied without waiting for anything, are what a power cut leaves of the disk.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZE = 300 << 20


class NoDiskError(Exception):
    """This user, or this machine, cannot have a disk of its own; the message says why."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk, and the folder where its files are."""

    image: Path
    files: Path

    @contextmanager
    def files_after_cut(self) -> Iterator[Path]:
        """The files as they are when the power is back, in another folder."""
        image, place = self.image.with_suffix(".cut"), self.files.with_name("cut")
        self._copy(image)
        mounted(image, place)
        try:
            yield place
        finally:
            subprocess.run(["umount", place], check=True)
            image.unlink()

    def freeze(self) -> None:
        """Note what a cut at this moment leaves; `thaw` puts that in place."""
        self._copy(self.image.with_suffix(".cut"))

    def thaw(self) -> None:
        """Put what a cut has left in the place of the disk; nobody works there any more."""
        subprocess.run(["umount", "--lazy", self.files], check=True)
        self.image.with_suffix(".cut").replace(self.image)
        mounted(self.image, self.files)

    def _copy(self, image: Path) -> None:
        subprocess.run(["cp", "--sparse=always", self.image, image], check=True)


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    """Make a disk in a folder, mounted in its folder `disk`.

    Raises:
        NoDiskError: it cannot be mounted.
    """
    if os.geteuid() or not shutil.which("mkfs.ext4"):
        raise NoDiskError("a disk of its own needs root and mkfs.ext4")
    image, place = folder / "image", folder / "disk"
    with image.open("wb") as file:
        file.truncate(SIZE)
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True)
    mounted(image, place)
    try:
        yield Disk(image, place)
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)
        image.unlink()


def mounted(image: Path, place: Path) -> None:
    """Mount an image.

    Raises:
        NoDiskError: it cannot be mounted.
    """
    place.mkdir(exist_ok=True)
    command = ["mount", "-o", "loop", str(image), str(place)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise NoDiskError(f"a disk of its own needs the right to mount: {run.stderr.strip()}")
