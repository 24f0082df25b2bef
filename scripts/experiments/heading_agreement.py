"""Agreement of people who marked headings.

    python -m scripts.experiments.heading_agreement DIR GOLD

DIR is the folder of a run with its rendered pages, GOLD what `dbce label DIR --headings GOLD` wrote of them.
"""

import sys
import tempfile
from pathlib import Path

from dbce.annotate.core.store import AnnotationStore
from dbce.view.run import open_view
from dbce.visual.annotate.headings.desk import HeadingDesk
from dbce.visual.annotate.headings.history import HEADING_GOLD


def main(folder: str, gold: str) -> None:
    """Prints a row for each two people who marked the same pages."""
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room, "gold.jsonl")  # the desk would keep a journal beside the gold
        copy.write_bytes(Path(gold).read_bytes())
        store = AnnotationStore(copy, HEADING_GOLD)
        run = open_view(folder, {})
        print("| | pages | same body | headings | same | same level | F | kappa |")
        print("|---|---|---|---|---|---|---|---|")
        for pair in HeadingDesk(run, store, []).agreements():
            headings = " / ".join(map(str, pair.headings))
            print(
                f"| {pair.one} and {pair.other} | {pair.pages} | {pair.bodies} | {headings} | "
                f"{pair.same} | {pair.same_level} | {pair.f:.3f} | {pair.kappa:.3f} |"
            )
        run.tables.close()
        store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
