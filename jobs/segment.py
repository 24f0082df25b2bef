"""spark-submit jobs/segment.py DIR: the arguments of `dbce segment`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["segment", *sys.argv[1:]], job=sys.argv[0], master=None))
