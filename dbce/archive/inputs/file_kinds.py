"""Kinds of input files by how they are called, and the sentence that refuses one that cannot be read."""

from __future__ import annotations

from dbce.archive.inputs import wacz
from dbce.archive.inputs.uri import path_of

ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_ARCHIVES = (*ENDINGS, wacz.ENDING)
KINDS = ".warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz file"
ACCEPTED = (
    f"give a {KINDS}, a folder or glob of them, a .cdx, .cdxj or .parquet index, @list.txt, one "
    ".html file, or - for what comes on standard input"
)
TEXTS = (".wet", ".wet.gz")  # plain texts: records without pages


def is_archive(uri: str) -> bool:
    """True if the file is called like an archive."""
    return path_of(uri).endswith(_ARCHIVES)


def is_texts(uri: str) -> bool:
    """True if the file is called like one of plain texts."""
    return path_of(uri).endswith(TEXTS)


def refusal(uri: str) -> str:
    """One sentence on why a file of no kind that can be read is refused."""
    if path_of(uri).endswith(".lz4"):
        return lz4_sentence(uri)
    if is_texts(uri):
        return (
            f"{uri} holds plain texts (WET) and no pages; give the WARC that they were made of "
            "(dbce check takes both)"
        )
    return f"{uri} is not a supported file type: {ACCEPTED}"


def lz4_sentence(what: str) -> str:
    """One sentence on a file that is compressed with LZ4."""
    name = what if what.endswith(".lz4") else "FILE.warc.lz4"
    return f"{what} is compressed with LZ4, which is not read; unpack it on the way: lz4 -dc {name} | dbce run - ..."
