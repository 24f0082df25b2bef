"""The folder that a run leaves: tables, annotated WARC files, the run's account."""
