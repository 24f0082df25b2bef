"""`rendered.json`: what was laid out, with what, and counts that add up."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dbce.progress import count_of
from dbce.storage import FIXITY, accounts, files_of, index_lines, outcomes_of, seal, tidy
from dbce.visual.render.browser import fonts
from dbce.visual.render.unit import SCREENSHOTS, TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Rendering
    from dbce.storage import Folder

MANIFEST = "rendered.json"

OUTPUTS = (MANIFEST, FIXITY, *TABLES, SCREENSHOTS)
"""Outputs of a rendering, in the order in which another removes them: first what says that it is there."""

PACKAGES = ("dbce", "lxml", "pyarrow", "warcio")

Manifest = dict[str, Any]


def finish(folder: Folder, inputs: Sequence[str], config: Rendering) -> Manifest:
    """Writes the index of the screenshots and, last of all, `rendered.json`; removes what is left over."""
    units = accounts(folder)
    folder.write(f"{SCREENSHOTS}/index.cdxj", "".join(index_lines(units)).encode())
    account = outcomes_of(units)
    status: Counter[str] = Counter()
    for (kind, _), count in account.items():
        status[kind] += count
    manifest = {
        "inputs": list(dict.fromkeys(inputs)),
        "config": dataclasses.asdict(config),
        "config_digest": config.digest(),
        "fonts": fonts(),
        "versions": {package: version(package) for package in PACKAGES},
        "captures": {
            "total": account.total(),
            **{kind: status[kind] for kind in ("rendered", "skipped", "rejected")},
            "reasons": {f"{kind}/{why}": n for (kind, why), n in sorted(account.items()) if why},
        },
    }
    known = files_of(units) | folder.take_digests()
    data = json.dumps(manifest, indent=1).encode()
    seal(folder, OUTPUTS[2:], known, last=MANIFEST, data=data)
    tidy(folder)
    return manifest


def summary(manifest: Manifest, out: str) -> str:
    """Summary of a rendering, in a few lines."""
    captures = manifest["captures"]
    rendered, rejected, skipped = (captures[k] for k in ("rendered", "rejected", "skipped"))
    lines = [
        f"{count_of(rendered, 'page')} rendered, {rejected} rejected; {count_of(skipped, 'record')} skipped"
    ]
    lines += [f"  {count} {why}" for why, count in captures["reasons"].items()]
    what = "tables and screenshots" if manifest["config"]["pictures"] else "tables"
    lines.append(f"{what}: {out.rstrip('/')}/rendered")
    return "\n".join(lines)
