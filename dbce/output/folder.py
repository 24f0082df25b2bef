"""A folder on any file system that fsspec knows, where files appear whole or not at all."""

from __future__ import annotations

import glob
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

import fsspec

if TYPE_CHECKING:
    from collections.abc import Iterator


class Folder:
    """A folder by its path or URI; names are relative to it."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.fs, self.path = fsspec.url_to_fs(uri)

    def at(self, name: str) -> str:
        """The full path of a name, as the file system wants it."""
        return f"{self.path.rstrip('/')}/{name}"

    @property
    def hadoop_uri(self) -> str:
        """The folder as Spark names it, which reads s3 with the file system called s3a."""
        if self.fs.protocol == "file" or "file" in self.fs.protocol:
            return f"file://{self.path}"
        return self.uri.replace("s3://", "s3a://", 1)

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        """A stream to a new file that takes its name when the block ends without an error.

        Until then it has a name with a leading dot, which readers of Parquet folders pass over.
        """
        folder, _, base = self.at(name).rpartition("/")
        draft = f"{folder}/.{base}.draft"
        self.fs.makedirs(folder, exist_ok=True)
        try:
            with self.fs.open(draft, "wb") as stream:
                yield cast("BinaryIO", stream)
        except BaseException:
            if self.fs.exists(draft):
                self.fs.rm_file(draft)
            raise
        self.fs.mv(draft, self.at(name))

    def write(self, name: str, data: bytes) -> None:
        """A whole file at once."""
        with self.create(name) as stream:
            stream.write(data)

    def read(self, name: str) -> bytes:
        """All bytes of a file.

        Raises:
            OSError: it is missing or cannot be read.
        """
        return cast("bytes", self.fs.cat_file(self.at(name)))

    def names(self, pattern: str) -> list[str]:
        """The names that match a glob pattern, sorted; drafts are not among them."""
        found = self.fs.glob(f"{glob.escape(self.path.rstrip('/'))}/{pattern}")
        start = len(self.path.rstrip("/")) + 1
        return sorted(name[start:] for name in found if "/." not in name[start - 1 :])

    def is_possible(self) -> bool:
        """Whether this is a folder, or can be made one: no file stands in its place or above it."""
        place = self.path.rstrip("/")
        while place and not self.fs.exists(place):
            place = place.rpartition("/")[0]
        return not place or bool(self.fs.isdir(place))

    def is_empty(self) -> bool:
        """Whether there is nothing here, or no such folder."""
        return not self.fs.exists(self.path) or not self.fs.ls(self.path, detail=False)

    def remove(self, name: str) -> None:
        """Removes a file or a whole folder, if it is there."""
        if self.fs.exists(self.at(name)):
            self.fs.rm(self.at(name), recursive=True)
