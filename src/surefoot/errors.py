"""What is wrong with something that was given: of what, what, and a hint. An error keeps the three apart."""

import reprlib
from collections.abc import Sequence

LONGEST_VALUE = 200
"""Characters of a value that a message shows."""
_LONGEST = {"where": 500, "what": 1500, "hint": 3000}
"""Characters of the parts of a message, whatever they show: the names in them are the user's too."""
_CUT = " [...] "
_REPR = reprlib.Repr()
_REPR.maxlevel = 4
_REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = _REPR.maxset = 24
_REPR.maxlong = _REPR.maxstring = _REPR.maxother = LONGEST_VALUE


def shown(value: object) -> str:
    """The value as Python writes it, cut where that is long; what aliases of YAML repeat is not written out."""
    return shortened(_REPR.repr(value))


def shortened(text: str, longest: int = LONGEST_VALUE) -> str:
    """The text, without its middle where it is longer."""
    if len(text) <= longest:
        return text
    kept = longest - len(_CUT)
    return text[: kept - kept // 4] + _CUT + text[len(text) - kept // 4 :]


def listed(texts: Sequence[str], most: int = 5, separator: str = ", ") -> str:
    """The first few of some texts, and how many more there are."""
    more = len(texts) - most
    return separator.join(texts[:most]) + (f" and {more} more" if more > 0 else "")


def printable(text: str, kept: str = "") -> str:
    """The text with control characters written out, which a terminal would obey, but for those that are kept."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in kept else letter.encode("unicode_escape").decode()
        for letter in text
    )


class Remark(UserWarning):
    """What whoever uses runs should know of how they were read or scored."""


class HintedError(ValueError):
    """Something that was given is wrong.

    Parameters
    ----------
    where : what it was given as, such as ``scores``, ``metric`` or the path of a file; may be empty
    what : what is wrong, with the value
    hint : the allowed values or the nearest name
    """

    def __init__(self, where: str, what: str, hint: str):
        self.where, self.what, self.hint = (
            shortened(printable(text, "\n\t"), _LONGEST[name])
            for name, text in (("where", where), ("what", what.rstrip(".")), ("hint", hint))
        )
        super().__init__(self.where, self.what, self.hint)

    @property
    def sentence(self) -> str:
        """Where and what, without the hint."""
        return f"{self.where}: {self.what}" if self.where else self.what

    def __str__(self) -> str:
        return f"{self.sentence}. Hint: {self.hint}"
