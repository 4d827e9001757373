"""Errors that are reported in one sentence: mistakes of users, system errors such as a full disk, and Ctrl-C."""

import errno
import sys
from pathlib import Path

from surefoot.errors import InputError
from surefoot.workflow.interrupts import SENTENCE

_AGAIN = "and run the same command again: it continues where this one stopped"

_FULL = ("no space is left there", f"free some space, {_AGAIN}")

_PROTECTED = ("nothing can be written there", f"make it writable, or run in another folder (--directory), {_AGAIN}")

_FORBIDDEN = (
    "this user has no permission to read, write or run it",
    f"change its permissions, or run in another folder (--directory), {_AGAIN}",
)

_IN_THE_WAY = ("a file has the name of a required folder, or a folder the name of a file", f"move it away, {_AGAIN}")

_BROKEN = ("the disk cannot be read or written", f"check the disk, {_AGAIN}")

MACHINE_ERRORS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("a file would exceed the size limit of this process", f"raise the limit (ulimit -f), {_AGAIN}"),
    errno.ENAMETOOLONG: ("the name is too long for a file", "use a shorter name"),
    errno.EROFS: _PROTECTED,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EISDIR: _IN_THE_WAY,
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
    errno.EIO: _BROKEN,
    errno.ESTALE: _BROKEN,
}
"""Description and hint of system errors, by error number."""

EXPLAINED = (InputError, OSError, KeyboardInterrupt)
"""Types of errors that may need no traceback."""


def explained(error: BaseException) -> InputError | None:
    """Return the message for a user about wrong input, a system error such as a full disk, or Ctrl-C.

    The result is None for an error that may be a bug of the program, so that its traceback is needed.
    """
    if isinstance(error, InputError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return InputError(*SENTENCE)
    if isinstance(error, OSError) and error.errno in MACHINE_ERRORS:
        what, hint = MACHINE_ERRORS[error.errno]
        return InputError(str(error.filename2 or error.filename or Path.cwd()), f"{what} ({error.strerror})", hint)
    return None


def tell(error: BaseException) -> int:
    """Write the message for a user to standard error, and return the exit status.

    The status is 2 for wrong input, 1 for a system error, and 130 for Ctrl-C.

    Raises
    ------
    BaseException
        the error itself, if it may be a bug of the program
    """
    sentence = explained(error)
    if sentence is None:
        raise error
    print(f"surefoot: {sentence}", file=sys.stderr)
    if isinstance(error, KeyboardInterrupt):
        return 130
    return 2 if isinstance(error, InputError) else 1
