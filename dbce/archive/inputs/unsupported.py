"""What is called like an archive and is none that pages can be read from, and what to give instead."""

from __future__ import annotations

from dbce.archive.inputs.uri import path_of

TEXTS = (".wet", ".wet.gz")
"""How files of plain texts end (WET): records without pages."""


def is_texts(uri: str) -> bool:
    """Whether a file is called like one of plain texts."""
    return path_of(uri).endswith(TEXTS)


def refusal(uri: str, accepted: str) -> str:
    """Why a file of no kind that can be read is refused, in one sentence."""
    if path_of(uri).endswith(".lz4"):
        return lz4_sentence(uri)
    if is_texts(uri):
        return (
            f"{uri} holds plain texts (WET) and no pages; give the WARC that they were made of "
            "(dbce check takes both)"
        )
    return f"{uri} is not of a kind that can be read: {accepted}"


def lz4_sentence(what: str) -> str:
    """What is said of a file that is compressed with LZ4."""
    name = what if what.endswith(".lz4") else "FILE.warc.lz4"
    return f"{what} is compressed with LZ4, which is not read; unpack it on the way: lz4 -dc {name} | dbce run - ..."
