"""Ctrl-C while modules are loaded: they hold nothing that is half-written, so the process may end at once.

Python's own handler raises KeyboardInterrupt wherever it happens to be, also where an import swallows it and goes on.
"""

import os
import signal

SENTENCE = (
    "interrupted",
    "nothing is left half-written",
    "run the same command again: it goes on where this one stopped",
)
"""Where, what, and the hint, as of any error."""


def end_at_once() -> None:
    """Let Ctrl-C end this process with one sentence and the exit status 130, unless it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, so that work can be cleaned up."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, frame: object) -> None:
    where, what, hint = SENTENCE
    os.write(2, f"surefoot: {where}: {what}. Hint: {hint}\n".encode())
    os._exit(130)
