"""Choices by name: an unknown one is an error that lists the known ones. And confidences and counts."""

from collections.abc import Sequence
from numbers import Integral, Real


def check_choice(stage: str, choice: str, choices: Sequence[str]) -> None:
    """Raise a ValueError where a choice is not among those that there are."""
    if choice not in choices:
        raise ValueError(f'{stage}: "{choice}" is not known. Hint: one of {", ".join(choices)}.')


def check_confidence(stage: str, confidence) -> None:
    """Raise a ValueError where a confidence is not a number between 0 and 1."""
    if isinstance(confidence, Real) and 0.0 < confidence < 1.0:
        return
    shown = repr(confidence) if isinstance(confidence, str) else confidence
    raise ValueError(f"{stage}: a confidence of {shown}. Hint: a number between 0 and 1, such as 0.95.")


def is_count(number) -> bool:
    """Whether it is a whole number of at least 1; True is none, though Python takes it for 1."""
    return isinstance(number, Integral) and not isinstance(number, bool) and number >= 1
