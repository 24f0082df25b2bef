"""Archives that are written, and read back: annotated WARC, WET and WACZ."""
