"""What jobs cost, kept in the store: a file for each job that was computed there. No result and no key follows from it.

A file that is damaged, or of another form, counts as missing.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.canonical import canonical_json
from surefoot.build.store import may_only_be_read
from surefoot.build.whole_files import write_whole

_FORM = "1"
"""Of the files, and of the estimates that measured seconds stand beside in them."""


def costs_folder(store: Path) -> Path:
    """The folder of a store that has the files."""
    return store / "costs" / _FORM


def keep_costs(store: Path, key: str, costs: Mapping[str, Any]) -> None:
    """Keep what the job whose result has a key cost; in a store that may only be read, nothing."""
    with may_only_be_read(store):
        write_whole(costs_folder(store) / key, canonical_json(costs))


def read_costs(store: Path) -> Iterator[dict[str, Any]]:
    """All that is kept, the latest first."""
    dated = []
    for path in costs_folder(store).glob("[0-9a-f]*"):
        with contextlib.suppress(OSError):
            dated.append((path.stat().st_mtime, path))
    for _, path in sorted(dated, reverse=True):
        with contextlib.suppress(OSError, ValueError):
            costs = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(costs, dict):
                yield costs
