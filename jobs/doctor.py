"""spark-submit jobs/doctor.py [--json]: what driver and executors have, and what differs."""

import sys

from dbce.engine.spark import main

if __name__ == "__main__":
    sys.exit(main())
