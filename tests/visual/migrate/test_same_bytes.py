"""Migration gives the same bytes in every process, whatever seed Python hashes names with."""

import os
import subprocess
import sys

from tests.runs import ROOT

CODE = """
from dbce.visual.migrate import migrate
cell = '<a charset=x coords=1,2 shape=rect methods=m rev=r urn=u datafld=f datasrc=s>a</a>'
image = '<img src=x width=-1 height=zero border=2 hspace=a vspace=b>'
print(migrate(f'<html><body>{cell}<table cols=x cellpadding=y width=q>{image}</table></body></html>', []).html)
"""


def test_no_order_follows_the_seed_of_hashes() -> None:
    pages = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1
