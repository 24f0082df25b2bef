"""The sample archive that `dbce sample` writes, with the truth about every text in it.

Three invented sites, a news site, a recipe site and a quiet magazine, as a crawler found them five
times between 2013 and 2017, and what else real archives hold. It ships as one compressed file;
`scripts/sample` of a checkout makes it.
"""

import tarfile
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import zstandard

from dbce.storage import Folder

PACKED = "sample.tar.zst"
GOLD, NODES = "sample.gold.jsonl", "sample.nodes.gold.jsonl"
RECORDS = 251
"""WARC records of both archive files, the damaged ones too."""


def write(directory: Path | str) -> str:
    """Write the sample archive with its index and gold labels, and return a sentence that counts them.

    The directory is made if need be. The files have the same bytes at every call and on every
    machine; existing ones are replaced.
    """
    folder = Folder(str(directory))
    sample = unpack(files(__name__).joinpath(PACKED).read_bytes())
    for name, data in sample.items():
        folder.write(name, data)
    archives = sum(name.endswith(".warc.gz") for name in sample)
    pages, runs = (sample[name].count(b"\n") for name in (GOLD, NODES))
    return (
        f"wrote {RECORDS} records in {archives} WARC files to {directory}, "
        f"with their index and the gold labels of {pages} pages ({runs} text runs)"
    )


def unpack(packed: bytes) -> dict[str, bytes]:
    """Return the files of a packed sample by name."""
    data = zstandard.ZstdDecompressor().decompress(packed)
    with tarfile.open(fileobj=BytesIO(data)) as tar:
        members = ((member.name, tar.extractfile(member)) for member in tar)
        return {name: file.read() for name, file in members if file}
