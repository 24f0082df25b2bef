"""spark-submit jobs/annotate.py INPUT... --out DIR: the arguments of `dbce run`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["run", *sys.argv[1:]], job=sys.argv[0], master=None))
