"""The kind of a body by its first bytes: HTML, or surely no HTML."""

from __future__ import annotations

import re

# Mostly those of https://mimesniff.spec.whatwg.org/, section 6, and of file(1). None of them begins a
# text in any charset: those that are printable are long, or go on with bytes that no text has.
_SIGNATURES = (
    ("image/png", rb"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", rb"\xff\xd8\xff"),
    ("image/gif", rb"GIF8[79]a"),
    ("image/webp", rb"RIFF.{4}WEBP"),
    ("image/bmp", rb"BM.{4}\0{4}"),
    ("image/tiff", rb"II\*\0|MM\0\*"),
    ("image/x-icon", rb"\0\0[\x01\x02]\0"),
    ("image/vnd.adobe.photoshop", rb"8BPS\0"),
    ("image/vnd.djvu", rb"AT&TFORM"),
    ("application/pdf", rb"\s*%PDF-\d"),
    ("application/postscript", rb"%!PS-Adobe-"),
    ("application/rtf", rb"\{\\rtf\d"),
    ("application/zip", rb"PK(?:\x03\x04|\x05\x06)"),
    ("application/gzip", rb"\x1f\x8b\x08"),
    ("application/x-bzip2", rb"BZh[1-9]1AY&SY"),
    ("application/x-xz", rb"\xfd7zXZ\0"),
    ("application/zstd", rb"\x28\xb5\x2f\xfd"),
    ("application/x-rar", rb"Rar!\x1a\x07"),
    ("application/x-7z-compressed", rb"7z\xbc\xaf\x27\x1c"),
    ("application/x-ole-storage", rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("application/x-shockwave-flash", rb"[FCZ]WS[\x01-\x30].{2}"),
    ("application/x-executable", rb"\x7fELF|MZ[\x90\x50]\0"),
    ("application/java-vm", rb"\xca\xfe\xba\xbe"),
    ("application/wasm", rb"\0asm"),
    ("font/woff", rb"wOF[F2][\0\x01OTt]"),
    ("font/sfnt", rb"\0\x01\0\0\0|OTTO\0"),
    ("audio/mpeg", rb"ID3[\x02-\x04]\0|\xff[\xf2\xf3\xfb]"),
    ("audio/wav", rb"RIFF.{4}WAVE"),
    ("audio/flac", rb"fLaC\0"),
    ("audio/midi", rb"MThd\0"),
    ("application/ogg", rb"OggS\0"),
    ("video/mp4", rb"\0.{3}ftyp"),
    ("video/webm", rb"\x1a\x45\xdf\xa3"),
    ("video/x-msvideo", rb"RIFF.{4}AVI "),
    ("video/mpeg", rb"\0\0\x01[\xba\xb3]"),
    ("video/x-flv", rb"FLV\x01"),
    ("video/x-ms-asf", rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
)
_ANY = re.compile(b"|".join(rb"(%s)" % pattern for _, pattern in _SIGNATURES), re.DOTALL)
_SNIFFED = 1024  # bytes that tell HTML

# The tags that browsers take for HTML: https://mimesniff.spec.whatwg.org/, section 7.1.
_HTML = re.compile(
    rb"<(?:!doctype html|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)\b"
    rb"|!--|\?xml[^>]*>\s*(?:<!--.*?-->\s*)*<(?:!doctype )?html\b)",
    re.IGNORECASE | re.DOTALL,
)
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def binary_type(body: bytes) -> str:
    """The media type of a body that is no text; "" where its first bytes do not tell."""
    match = _ANY.match(body)
    return _SIGNATURES[match.lastindex - 1][0] if match and match.lastindex else ""


def looks_html(body: bytes) -> bool:
    """True if a body of no telling media type is HTML by its first kilobyte."""
    head = body[:_SNIFFED].removeprefix(_UTF8_BOM)
    if head.startswith(_UTF16_BOMS):
        head = head[2:].replace(b"\x00", b"")
    return _HTML.match(head.lstrip()) is not None
