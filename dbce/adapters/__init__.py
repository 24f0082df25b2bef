"""Export of runs to other tools: corpora, search engines, archives."""

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.adapters.targets import Wish, export

TARGETS = {
    "huggingface": "Parquet shards and a data set card",
    "datatrove": "JSON lines that its JsonlReader reads",
    "chunks": "JSON lines with the chunks of each text",
    "links": "tables of the links on judged pages",
    "solr": "JSON lines with the fields of webarchive-discovery",
    "wet": "WET files with their CDXJ",
    "wacz": "WACZ with main texts in their lists of pages",
    "bag": "BagIt, with all of the run as it was written",
}
"""Forms that a run is written in, by name."""

__getattr__ = lazily(__name__)
