"""Types of arrays by what they hold; docstrings say their shapes.

Choices by name: an unknown one is an error that lists the known ones. And confidences and counts.
"""

from collections.abc import Collection
from numbers import Real

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError, shortened, shown

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


def check_choice(stage: str, choice: str, choices: Collection[str]) -> None:
    """Raise a ValueError where a choice is not among those that there are."""
    if choice not in choices:
        raise HintedError(stage, f'"{shortened(str(choice))}" is not known', f"one of {', '.join(choices)}")


def check_confidence(stage: str, confidence: object) -> None:
    """Raise a ValueError where a confidence is not a number between 0 and 1."""
    if isinstance(confidence, Real) and confidence < 1.0 and not confidence <= 0.0:
        return
    raise HintedError(stage, f"a confidence of {shown(confidence)}", "a number between 0 and 1, such as 0.95")
