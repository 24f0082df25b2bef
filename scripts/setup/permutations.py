"""Write dbce/boilerplate/models/permutations.npz: those of datasketch for the default signature.

python -m scripts.setup.permutations
"""

import sys
from pathlib import Path

import numpy as np

from dbce.boilerplate.sketch import FILE, make_permutations
from dbce.model import Config

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Writes the file."""
    config = Config()
    np.savez(
        ROOT / "dbce/boilerplate/models" / FILE,
        permutations=make_permutations(config.num_perm, config.seed % 2**32),
        seed=np.uint32(config.seed % 2**32),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
