"""spark-submit jobs/evaluate.py DIR... --gold FILE: the arguments of `dbce evaluate`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["evaluate", *sys.argv[1:]], job=sys.argv[0]))
