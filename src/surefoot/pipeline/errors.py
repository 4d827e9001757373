"""The one error that a user is meant to read: what is wrong, where, and a hint."""

import difflib
from collections.abc import Iterable


class InputError(Exception):
    """Something the user gave is wrong.

    Parameters
    ----------
    where : the file and the key, such as ``config/config.yaml: studies.jordan2020.trials``
    what : what is wrong, with the value
    hint : the allowed values or the nearest name
    """

    def __init__(self, where: str, what: str, hint: str):
        self.where, self.what, self.hint = where, what, hint
        super().__init__(f"{where}: {what.rstrip('.')}. Hint: {hint}")


def what_and_hint(error: object) -> tuple[str, str]:
    """The two parts of a message that ends in ``Hint:``; the hint is empty where there is none."""
    what, _, hint = str(error).partition(" Hint: ")
    return what, hint


def nearest(name: str, allowed: Iterable[str]) -> str:
    """A hint that names the nearest of the allowed names, or all of them where none is near."""
    allowed = list(allowed)
    close = difflib.get_close_matches(str(name), allowed, n=1, cutoff=0.6)
    if close:
        return f'did you mean "{close[0]}"?'
    longer = [known for known in allowed if str(name) and str(name) in known]
    if longer:
        return "did you mean " + " or ".join(f'"{known}"' for known in longer) + "?"
    return "allowed: " + ", ".join(allowed)
