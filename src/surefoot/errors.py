"""Errors in user input, with three separate parts: where, what, and a hint."""

import contextlib
import difflib
import reprlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

LONGEST_VALUE = 200
"""Maximum number of characters of a value in a message."""
_LONGEST = {"where": 500, "what": 1500, "hint": 3000}
"""Maximum number of characters of each part of a message, since names may come from the user."""
_CUT = " [...] "
_REPR = reprlib.Repr()
_REPR.maxlevel = 4
_REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = _REPR.maxset = 24
_REPR.maxlong = _REPR.maxstring = _REPR.maxother = LONGEST_VALUE


def shown(value: object) -> str:
    """Return the repr of a value, limited in depth and length, since YAML aliases can repeat a value very often."""
    return shortened(_REPR.repr(value))


def shortened(text: str, longest: int = LONGEST_VALUE) -> str:
    """Return the text, with its middle cut out if it is too long."""
    if len(text) <= longest:
        return text
    kept = longest - len(_CUT)
    return text[: kept - kept // 4] + _CUT + text[len(text) - kept // 4 :]


def listed(texts: Sequence[str], most: int = 5, separator: str = ", ") -> str:
    """List the first few strings, and the number of remaining strings."""
    more = len(texts) - most
    return separator.join(texts[:most]) + (f" and {more} more" if more > 0 else "")


def printable(text: str, kept: str = "", keep_spaces: bool = True) -> str:
    """Escape control characters, line ends and changes of text direction in text from outside.

    Every name, path and message that comes from files passes through this function before it is displayed or stored.
    Characters in `kept` are unchanged, and so are spaces of any width unless `keep_spaces` is False: in a message, an
    unusual space may be the error.
    """
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or letter in kept or (keep_spaces and unicodedata.category(letter) == "Zs")
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


class Remark(UserWarning):
    """A caveat on how runs were read or scored."""


class HintedError(ValueError):
    """Invalid input.

    Parameters
    ----------
    where : location of the error, such as ``scores``, ``metric`` or the path of a file; may be empty
    what : description of the error, with the value
    hint : the allowed values or the nearest name
    """

    def __init__(self, where: str, what: str, hint: str):
        self.where, self.what, self.hint = (
            shortened(printable(text, "\n\t", keep_spaces=False), _LONGEST[name])
            for name, text in (("where", where), ("what", what.rstrip(".")), ("hint", hint))
        )
        super().__init__(self.where, self.what, self.hint)

    @property
    def sentence(self) -> str:
        """Return the location and the description, without the hint."""
        return f"{self.where}: {self.what}" if self.where else self.what

    def __str__(self) -> str:
        """Return the sentence and the hint."""
        return f"{self.sentence}. Hint: {self.hint}"


class InputError(HintedError):
    """Error in user input that needs no traceback.

    Parameters
    ----------
    where : the file and the key, such as ``config/config.yaml: studies.jordan2020.trials``
    what : description of the error, with the value
    hint : the allowed values or the nearest name
    """


class CombinedInputError(InputError):
    """Several problems with one input, reported together.

    problems : the individual errors
    """

    problems: Sequence[InputError] = ()


@contextlib.contextmanager
def noted(problems: list[InputError]) -> Iterator[None]:
    """Collect an InputError raised in the block, so that a user sees all problems at once."""
    try:
        yield
    except CombinedInputError as several:
        problems.extend(several.problems)
    except InputError as error:
        problems.append(error)


def raise_all(where: str, problems: Sequence[InputError]) -> None:
    """Raise the collected errors as one error; do nothing if there are none."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        what = "".join(f"\n  {number}. {problem.what}" for number, problem in enumerate(problems, 1))
        hint = "".join(f"\n  {number}. {problem.hint}" for number, problem in enumerate(problems, 1))
        several = CombinedInputError(where, f"{len(problems)} things have to be decided first:{what}", hint)
        several.problems = problems
        raise several


_FEWEST_LETTERS = 3
_SINGULAR = {"are": "is", "have": "has"}


def counted(number: int, noun: str) -> str:
    """Format a number with its noun, such as "1 run" or "2 runs"."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def conjugated(verb: str, number: int) -> str:
    """Return the form of "are" or "have" for a number of subjects, such as "is" for 1."""
    return _SINGULAR[verb] if number == 1 else verb


def one_of(names: Sequence[str]) -> str:
    """Return "one of a, b" for several names, and the name itself for a single one."""
    return f"{'one of ' if len(names) > 1 else ''}{', '.join(names)}"


def near(name: str, allowed: Iterable[str]) -> list[str]:
    """Return the allowed name most similar to `name`; if none is similar, all allowed names that contain `name`.

    A name of one or two letters is not searched for inside other names.
    """
    small = {str(known).casefold(): known for known in allowed}
    name = str(name)[:LONGEST_VALUE].casefold()
    close = difflib.get_close_matches(name, small, n=1, cutoff=0.6)
    found = close or [known for known in small if len(name) >= _FEWEST_LETTERS and name in known]
    return [small[known] for known in found]


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Return a hint that names the nearest of the allowed names, or all of them if none is near."""
    allowed = list(allowed)
    if found := near(name, allowed):
        return "did you mean " + " or ".join(f'"{known}"' for known in found) + "?"
    if not allowed:
        return "there are no names to choose from"
    return f"use {one_of(allowed)}"
