"""A progress bar for long calls, in terminals and notebooks."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

_AFTER = 3.0
"""Seconds before a bar appears."""
_WIDTH = 30
CALL: ContextVar[str] = ContextVar("call", default="")
"""Name of the function called by the user, whose outermost loop shows its progress; empty in jobs."""


def followed(items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items of a loop; in the outermost loop of a call, show the progress after three seconds."""
    name = CALL.get()
    if not name or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        yield from items
        return
    outer = CALL.set("")
    started = time.monotonic()
    shown = ""
    try:
        for done, item in enumerate(items):
            if time.monotonic() - started > _AFTER:
                filled = _WIDTH * done // len(items)
                shown = f"{name} [{'#' * filled}{' ' * (_WIDTH - filled)}] {100 * done // len(items):3d} %"
                print(f"\r{shown}", end="", file=sys.stderr, flush=True)
            yield item
    finally:
        CALL.reset(outer)
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)
