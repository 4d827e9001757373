"""Choices by name: an unknown one is an error that lists the known ones."""

from collections.abc import Sequence


def check_choice(stage: str, choice: str, choices: Sequence[str]) -> None:
    """Raise a ValueError where a choice is not among those that there are."""
    if choice not in choices:
        raise ValueError(f'{stage}: "{choice}" is not known. Hint: one of {", ".join(choices)}.')
