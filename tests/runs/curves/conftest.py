"""Learning curves that tests of several modules share."""

import numpy as np
import pandas as pd
import pytest
from support.learning_curves import curve


@pytest.fixture(scope="module")
def random_curves():
    """Runs of unequal steps and episodes that all begin at 0 and end between 960 and 1000."""
    rng = np.random.default_rng(1)
    parts = []
    for name in "ab":
        for run in range(4):
            steps = np.unique(np.concatenate([[0], rng.integers(1, 960, 30), [rng.integers(960, 1001)]]))
            episodes = rng.integers(1, 6, steps.size)
            parts.append(curve(rng.normal(size=steps.size), steps, name, run=run, episodes=episodes))
    return pd.concat(parts).sample(frac=1.0, random_state=3)  # the order of the rows does not matter


@pytest.fixture
def unequal():
    """One run that ends at 40 of 100 steps, and one at 98, which is not short."""
    whole = curve(np.arange(1.0, 11.0))
    almost = curve(np.arange(1.0, 11.0), [*range(10, 100, 10), 98], run=1)
    return pd.concat([whole, almost, curve([5.0, 6.0, 7.0, 8.0], run=2)])
