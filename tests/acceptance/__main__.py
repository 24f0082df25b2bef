"""Prints what readers of WARC count in files that are not as they should be, side by side."""

import sys

from tests.acceptance.test_accepted_faults import table

sys.stdout.write(f"{table()}\n")
