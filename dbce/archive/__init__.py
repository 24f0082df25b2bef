"""Bytes in, bytes out: the only package that knows WARC, ARC, CDX, SURT and paths."""
