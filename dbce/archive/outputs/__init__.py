"""What is written, and looked at again: annotated WARC, WET and WACZ."""

from dbce.archive.outputs.package import PackagedPage, verify_package, write_package
from dbce.archive.outputs.screenshots import ScreenshotWriter
from dbce.archive.outputs.verify import verify
from dbce.archive.outputs.wet import PlainText, TextWriter, write_wet
from dbce.archive.outputs.write import Annotated, AnnotatedWriter, read_annotated, read_annotated_at

__all__ = [
    "Annotated",
    "AnnotatedWriter",
    "PackagedPage",
    "PlainText",
    "ScreenshotWriter",
    "TextWriter",
    "read_annotated",
    "read_annotated_at",
    "verify",
    "verify_package",
    "write_package",
    "write_wet",
]
