"""python jobs/train.py --data ARCHIVE GOLD ... --out MODEL: the arguments of `dbce train`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["train", *sys.argv[1:]], job=sys.argv[0]))
