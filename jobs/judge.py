"""spark-submit jobs/judge.py INPUT... --out DIR: stage 3 of `dbce run`, with its arguments."""

import sys

from dbce.cli import main
from dbce.model import Stage

if __name__ == "__main__":
    sys.exit(main(["run", *sys.argv[1:]], job=sys.argv[0], master=None, stage=Stage.JUDGE))
