"""spark-submit jobs/render.py INPUT... --out DIR: the arguments of `dbce render`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["render", *sys.argv[1:]], job=sys.argv[0], master=None))
