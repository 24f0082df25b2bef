"""What datatrove and datasets make of our outputs, by their own code, as JSON; runs in their environment.

with_corpora.py ARCHIVE EXPORTED OUT: EXPORTED has `datatrove/` and `huggingface/`
"""

import gzip
import json
import sys
from pathlib import Path

import datasets
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import dbce
from dbce.adapters.datatrove import ArchiveReader, CompareAndExtract


def through_its_executor(out: Path, *steps) -> list[dict]:
    """The documents that a pipeline writes."""
    whole = [*steps, JsonlWriter(str(out))]
    LocalPipelineExecutor(whole, tasks=1, logging_dir=str(out / "logs")).run()
    lines = [
        line
        for path in sorted(out.glob("*.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    return [json.loads(line) for line in lines]


def main(archive: str, exported: str, out: str) -> None:
    folder = Path(out)
    pages = [
        {"url": "http://a.example/1", "date": "20160101", "text": "<h1>One</h1><p>ferry and goat"},
        {"url": "http://a.example/2", "date": "20160101", "text": "<h1>Two</h1><p>clock and rope"},
    ]
    (folder / "pages").mkdir(parents=True)
    lines = "\n".join(json.dumps(page) for page in pages)
    (folder / "pages" / "a.jsonl").write_text(lines)
    given = [(page["url"], page["text"], page["date"]) for page in pages]
    told = {
        "read": through_its_executor(folder / "read", ArchiveReader(archive)),
        "again": through_its_executor(folder / "again", JsonlReader(f"{exported}/datatrove")),
        "extracted": through_its_executor(
            folder / "extracted", JsonlReader(str(folder / "pages")), CompareAndExtract()
        ),
        "by_api": [page.text for page in dbce.extract_all(given, "txt")],
        "columns": datasets.load_dataset(f"{exported}/huggingface")["train"].select_columns(
            ["id", "text"]
        )[:],
    }
    (folder / "told.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
