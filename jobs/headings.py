"""spark-submit jobs/headings.py DIR: the arguments of `dbce headings`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["headings", *sys.argv[1:]], job=sys.argv[0], master=None))
