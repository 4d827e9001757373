"""How processes end: Ctrl-C and SIGTERM end one at once, whatever it is doing, and no process waits for timers.

While modules are imported, nothing is half-written, so the process can end at once. Python's own handler would raise
KeyboardInterrupt at an arbitrary place, possibly inside an import that suppresses it and continues. SIGTERM, which
batch systems and containers send, has the same effect here. Python calls no handler while a compiled kernel runs, which
can take hours, so a thread ends the process.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Collection

SENTENCE = (
    "interrupted",
    "nothing is left half-written",
    "run the same command again: it continues where this one stopped",
)
"""Message about an interrupt, with location, description and hint as in any error."""


def hear_signals(act: Callable[[int], None]) -> None:
    """Start a thread that calls `act` with the number of each signal that has a Python handler."""
    signals, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)

    def wait() -> None:
        while True:
            act(os.read(signals, 1)[0])

    threading.Thread(target=wait, name="interrupts", daemon=True).start()


def end_at_once(before: Callable[[], None] | None = None) -> None:
    """Let Ctrl-C and SIGTERM end this process at once, with one sentence and the exit status 130 or 143.

    Nothing is changed if Ctrl-C is ignored.

    Parameters
    ----------
    before : called before the process ends
    """
    ends = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        ends.append(signal.SIGINT)
    for number in ends:
        signal.signal(number, _leave_to_the_thread)

    def end(number: int) -> None:
        if number in ends:
            if before is not None:
                before()
            where, what, hint = SENTENCE
            os.write(2, f"surefoot: {where}: {what}. Hint: {hint}\n".encode())
            os._exit(128 + number)  # at once: Python would wait for threads, and free its memory piece by piece

    hear_signals(end)


def _leave_to_the_thread(number: int, frame: object) -> None:
    """Do nothing: Python only notifies the thread of a signal if the signal has a handler."""


def end_children() -> None:
    """Let SIGTERM end the child processes, present or future, so that this process ends by itself.

    If there are no child processes, and nothing else handles the signal, SIGTERM ends this process.
    """
    import psutil

    signal.signal(signal.SIGTERM, _leave_to_the_thread)

    def end(number: int) -> None:
        while number == signal.SIGTERM:
            children = psutil.Process().children(recursive=True)
            for child in children:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.terminate()
            if not children and signal.getsignal(signal.SIGTERM) is _leave_to_the_thread:
                os._exit(128 + number)
            time.sleep(_BETWEEN_SIGNALS)

    hear_signals(end)


_BETWEEN_SIGNALS = 0.5
"""Seconds until SIGTERM is sent again, to child processes that were started in the meantime."""


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, so that work can be cleaned up."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is _leave_to_the_thread:
            signal.set_wakeup_fd(-1)
            signal.signal(number, usual)


def cancel_timers(others: Collection[threading.Thread]) -> None:
    """Cancel the timers of this process, for which it would wait at its end.

    Snakemake starts a timer with each job (see `max-jobs-per-timespan` in profiles/default), and has no use for it once
    all jobs are done. It does not cancel them itself.

    Parameters
    ----------
    others : threads that are left alone, such as those of a program that calls Snakemake
    """
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer) and thread not in others:
            thread.cancel()
