"""spark-submit jobs/nightly.py INPUT... --archive DIR: the arguments of `dbce nightly`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["nightly", *sys.argv[1:]], job=sys.argv[0], master=None))
