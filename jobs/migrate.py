"""spark-submit jobs/migrate.py RUN --archive INPUT... --out DIR: the arguments of `dbce migrate`."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main(["migrate", *sys.argv[1:]], job=sys.argv[0], master=None))
