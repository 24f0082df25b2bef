# PYTHON_ARGCOMPLETE_OK
"""The script `dbce`, and `python -m dbce COMMAND ...`: the command line, also where Ctrl-C comes before it is loaded."""

import sys

try:
    from dbce.cli import main
except KeyboardInterrupt:
    sys.stderr.write("dbce: stopped by Ctrl-C\n")
    raise SystemExit(130) from None

if __name__ == "__main__":
    sys.exit(main())
