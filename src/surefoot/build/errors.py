"""What ends a process with one sentence: what is wrong in what a user gave, what the machine refuses, and Ctrl-C.

Ctrl-C ends a process at once, whatever it does. While modules are loaded they hold nothing that is half-written, and
Python's own handler would raise KeyboardInterrupt wherever it happens to be, also where an import swallows it and goes
on. SIGTERM, by which batch systems and containers end a process, does the same. What a job leaves behind is swept up by
the next one, as after a kill. But Python calls no handler as long as a
compiled kernel runs, which can take hours. So it is a thread that ends the process.
"""

import contextlib
import difflib
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from surefoot.errors import LONGEST_VALUE, HintedError

SENTENCE = (
    "interrupted",
    "nothing is left half-written",
    "run the same command again: it goes on where this one stopped",
)
"""Where, what, and the hint, as of any error."""


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
    """Let Ctrl-C, and SIGTERM, end this process at once with one sentence and the exit status 130 or 143, unless Ctrl-C
    is ignored.

    before : called before it is ended so
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
            os._exit(128 + number)  # at once: Python would wait for its threads, and take its memory to pieces

    hear_signals(end)


def _leave_to_the_thread(number: int, frame: object) -> None:
    """Do nothing: Python tells the thread of signals as long as there is a handler."""


def end_children() -> None:
    """Let SIGTERM end the processes that this one has started, also those to come, so that it comes to its own end;
    and this one where it has started none, and nothing else handles the signal."""
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
"""Seconds after which processes that were started meanwhile are ended."""


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, so that work can be cleaned up."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is _leave_to_the_thread:
            signal.set_wakeup_fd(-1)
            signal.signal(number, usual)


_AGAIN = "and run the same command again: it goes on where this one stopped"
_FULL = ("no space is left there", f"free some, {_AGAIN}")
_PROTECTED = ("nothing can be written there", f"make it writable, or run in another folder (--directory), {_AGAIN}")
_FORBIDDEN = (
    "this user may not read, write or run it",
    f"change its permissions, or run in another folder (--directory), {_AGAIN}",
)
_IN_THE_WAY = ("a file has the name of a folder that is needed, or a folder that of a file", f"move it away, {_AGAIN}")
_BROKEN = ("the disk cannot be read or written", f"look after the disk, {_AGAIN}")
MACHINE_ERRORS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("a file would become larger than this process may write", f"raise the limit (ulimit -f), {_AGAIN}"),
    errno.ENAMETOOLONG: ("the name is too long for a file", "a shorter name"),
    errno.EROFS: _PROTECTED,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EISDIR: _IN_THE_WAY,
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
    errno.EIO: _BROKEN,
    errno.ESTALE: _BROKEN,
}
"""What is wrong, and a hint, by the numbers of the errors that are the machine's."""


class InputError(HintedError):
    """Something in what a user wrote is wrong, who needs no traceback.

    Parameters
    ----------
    where : the file and the key, such as ``config/config.yaml: studies.jordan2020.trials``
    what : what is wrong, with the value
    hint : the allowed values or the nearest name
    """


class CombinedInputError(InputError):
    """Several problems of one thing, of which a user reads at once.

    problems : each of them
    """

    problems: Sequence[InputError] = ()


@contextlib.contextmanager
def noted(problems: list[InputError]) -> Iterator[None]:
    """Keep an InputError for later, so that a user reads of all that is to be decided at once."""
    try:
        yield
    except CombinedInputError as several:
        problems.extend(several.problems)
    except InputError as error:
        problems.append(error)


def raise_all(where: str, problems: Sequence[InputError]) -> None:
    """Raise what was noted, several problems as one; nothing where there is none."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        what = "".join(f"\n  {number}. {problem.what}" for number, problem in enumerate(problems, 1))
        hint = "".join(f"\n  {number}. {problem.hint}" for number, problem in enumerate(problems, 1))
        several = CombinedInputError(where, f"{len(problems)} things are to be decided first:{what}", hint)
        several.problems = problems
        raise several


EXPLAINED = (InputError, OSError, KeyboardInterrupt)
"""The kinds of errors among which are those that need no traceback."""


def explained(error: BaseException) -> InputError | None:
    """What a user is to read of an error: of a mistake in what they gave, of the machine (a full disk), or Ctrl-C; None
    where it may be one of the program, which needs its traceback."""
    if isinstance(error, InputError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return InputError(*SENTENCE)
    if isinstance(error, OSError) and error.errno in MACHINE_ERRORS:
        what, hint = MACHINE_ERRORS[error.errno]
        return InputError(str(error.filename2 or error.filename or Path.cwd()), f"{what} ({error.strerror})", hint)
    return None


def tell(error: BaseException) -> int:
    """Say on standard error what a user is to read of an error; returns the exit status: 2 for a mistake in what they
    gave, 1 for what the machine refused, 130 for Ctrl-C.

    Raises
    ------
    BaseException
        the error itself where it may be one of the program
    """
    sentence = explained(error)
    if sentence is None:
        raise error
    print(f"surefoot: {sentence}", file=sys.stderr)
    if isinstance(error, KeyboardInterrupt):
        return 130
    return 2 if isinstance(error, InputError) else 1


_FEWEST_LETTERS = 3


def near(name: str, allowed: Iterable[str]) -> list[str]:
    """The allowed name that is nearest to a name, or those that it is a part of; none where none is near.

    A name of one or two letters is a part of too many.
    """
    small = {str(known).casefold(): known for known in allowed}
    name = str(name)[:LONGEST_VALUE].casefold()
    close = difflib.get_close_matches(name, small, n=1, cutoff=0.6)
    found = close or [known for known in small if len(name) >= _FEWEST_LETTERS and name in known]
    return [small[known] for known in found]


def nearest(name: str, allowed: Iterable[str]) -> str:
    """A hint that names the nearest of the allowed names, or all of them where none is near."""
    allowed = list(allowed)
    if found := near(name, allowed):
        return "did you mean " + " or ".join(f'"{known}"' for known in found) + "?"
    return "allowed: " + (", ".join(allowed) or "none")
