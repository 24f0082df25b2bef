"""`make docs`: writes what mkdocs builds the site from.

python -m scripts.setup.site FOLDER

FOLDER is made anew: docs/ and the documents beside it, with links as the site has them, notebooks as pages, and the
reference, which follows from declarations and docstrings.
"""

import shutil
import sys
from pathlib import Path

from scripts.setup.site import documents, reference


def main(folder: Path) -> None:
    """Writes all pages of the site, and what they show, into a folder of their own."""
    shutil.rmtree(folder, ignore_errors=True)
    written = documents.pages() | reference.pages()
    for path, content in written.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    print(f"{folder}: {sum(path.endswith('.md') for path in written)} pages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
