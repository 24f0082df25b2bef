"""Archives that are written, and read back: annotated WARC, WET and WACZ."""

from dbce.archive.outputs.package import PackagedPage, add_texts, verify_package, write_package
from dbce.archive.outputs.write import (
    AnnotatedPage,
    AnnotatedWriter,
    CaptureIdentity,
    PlainText,
    ScreenshotWriter,
    TextWriter,
    read_annotated,
    read_annotated_at,
    verify,
    write_wet,
)
