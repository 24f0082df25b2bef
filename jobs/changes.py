"""spark-submit jobs/changes.py DIR: the arguments of `dbce changes`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["changes", *sys.argv[1:]], job=sys.argv[0], master=None))
