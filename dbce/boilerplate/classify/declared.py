"""Sizes that the arrays of a model file declare, compared with those that the file can hold.

numpy believes a header and makes room for the array before it reads a value.
"""

from __future__ import annotations

import math
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from numpy.lib import format as npy

if TYPE_CHECKING:
    from typing import BinaryIO

LARGEST = 256 * 1024 * 1024
"""Bytes of all arrays together; the model that comes with dbce has a third of a million."""

_RATIO = 1032  # bytes that deflate makes of one at most (https://zlib.net/zlib_tech.html)
_PACKED = {ZIP_STORED: 1, ZIP_DEFLATED: _RATIO}
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def check_declared(stream: BinaryIO) -> None:
    """Looks through a file of arrays (`.npz`) without making room for one; leaves it at its beginning.

    Raises:
        ValueError: an array declares another size than it has room for in the file.
        BadZipFile: it is no such file.
    """
    with ZipFile(stream) as stored:
        members = stored.infolist()
        if sum(member.file_size for member in members) > LARGEST:
            raise ValueError(f"its arrays declare more than {LARGEST:,} bytes")
        for member in members:
            if member.file_size > member.compress_size * _PACKED.get(member.compress_type, 0):
                raise ValueError(f"{member.filename} declares more than the file can hold")
            with stored.open(member) as array:
                _check_array(member, array)
    stream.seek(0)


def _check_array(member: ZipInfo, array: IO[bytes]) -> None:
    version = npy.read_magic(array)
    if version not in _HEADERS:
        raise ValueError(f"{member.filename} is an array of version {version}")
    shape, _, kind = _HEADERS[version](array)
    # Objects are pickled, whatever size that has; numpy refuses them.
    size = math.prod(shape) * kind.itemsize
    if not kind.hasobject and size != member.file_size - array.tell():
        raise ValueError(f"{member.filename} declares another size than it has in the file")
