"""Ctrl-C, which ends a process within seconds, whatever it does.

While modules are loaded the process may end at once: they hold nothing that is half-written, and Python's own handler
would raise KeyboardInterrupt wherever it happens to be, also where an import swallows it and goes on.

While a job works Python's handler lets it clean up. But Python raises nothing as long as a compiled kernel runs, which
can take hours. So a thread ends the process where it is not done with that after a while: what it leaves behind is
swept up by the next one, as after a kill.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import NoReturn

SENTENCE = (
    "interrupted",
    "nothing is left half-written",
    "run the same command again: it goes on where this one stopped",
)
"""Where, what, and the hint, as of any error."""


_came = threading.Event()
_MOMENT = 0.2  # seconds within which the thread that hears of Ctrl-C has run


def has_come() -> bool:
    """Whether Ctrl-C came since `end_within`: of an error that follows, it is the cause, as of one in a callback of the
    compiler, which swallows KeyboardInterrupt."""
    return _came.wait(_MOMENT)


def end_at_once() -> None:
    """Let Ctrl-C end this process with one sentence and the exit status 130, unless it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, so that work can be cleaned up."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_within(seconds: float, before: Callable[[], None]) -> None:
    """Let Ctrl-C end this process after that time at the latest, in seconds, unless it is ignored.

    before : called before it is ended so
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signals, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)

    def wait() -> None:
        while signal.SIGINT not in os.read(signals, 1):
            pass
        _came.set()
        time.sleep(seconds)
        before()
        end_now()

    threading.Thread(target=wait, name="interrupts", daemon=True).start()


def _end(number: int, frame: object) -> None:
    end_now()


def end_now() -> NoReturn:
    """End this process with the sentence that it was interrupted, and the exit status 130.

    At once: Python would wait for its threads, and take its memory to pieces.
    """
    where, what, hint = SENTENCE
    os.write(2, f"surefoot: {where}: {what}. Hint: {hint}\n".encode())
    os._exit(130)
