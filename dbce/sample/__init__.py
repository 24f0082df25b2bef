"""The sample archive that `dbce sample` writes, with the truth about every text in it.

Three invented sites, a news site, a recipe site and a quiet magazine, as a crawler found them five
times between 2013 and 2017, and what else real archives hold.
"""

from dbce.sample.generate import Summary, write

__all__ = ["Summary", "write"]
