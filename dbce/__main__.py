"""`python -m dbce COMMAND ...`: the command line where the script `dbce` is not on the path."""

import sys

from dbce.cli import main

if __name__ == "__main__":
    sys.exit(main())
