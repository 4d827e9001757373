"""Errors that are reported in one sentence: mistakes of users, system errors such as a full disk, and Ctrl-C."""

import errno
import sys
from pathlib import Path

from surefoot.errors import InputError
from surefoot.workflow.interrupts import SENTENCE

MACHINE_ERRORS = frozenset(
    (
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENAMETOOLONG, errno.EROFS, errno.EACCES, errno.EPERM),
        *(errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EIO, errno.ESTALE),
    )
)
"""Numbers of system errors that a user can resolve, such as a full disk or a missing permission."""
_HINT = (
    "resolve this, or work in another folder (--directory), and run the same command again: it continues where this "
    "one stopped"
)

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
        where = str(error.filename2 or error.filename or Path.cwd())
        return InputError(where, f"the system reports: {error.strerror}", _HINT)
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
