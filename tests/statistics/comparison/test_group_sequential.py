"""Group-sequential comparisons: exact second looks, three algorithms, and published runs."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from support.paths import SHARED

from surefoot.statistics.comparison.group_sequential import group_sequential

ADASTOP = SHARED / "data" / "adastop2023"


def test_the_second_look_at_two_is_exact():
    """Beside brute force over 20 x 20 assignments of three runs a look, level 30 % over two looks."""
    rng = np.random.default_rng(2)
    decided = 0
    for _ in range(30):
        scores = rng.normal(size=(2, 2, 3)) + np.array([0.8, 0.0])[:, None, None]
        sums = []
        for look in range(2):
            pool = scores[:, look].ravel()
            sums.append([2 * pool[list(own)].sum() - pool.sum() for own in combinations(range(6), 3)])
        first = np.abs(np.repeat(sums[0], 20))
        both = np.abs(np.add.outer(sums[0], sums[1]).ravel())
        boundary = np.sort(first)[-1 - 60]
        alive = first <= boundary + 1e-9
        wanted = 0 if alive[0] else 1
        if not wanted:
            left = 120 - int((~alive).sum())
            wanted = 2 if both[0] > np.sort(both[alive])[-1 - left] + 1e-9 else 0
        found = group_sequential(scores, 2, 0.7)
        assert found.separated[0] == wanted
        decided += wanted == 2
    assert decided > 0


def test_a_better_third_does_not_separate_equal_ones():
    """60 draws, at most 5 % and four standard errors, which a level of 5 % exceeds once in 1,300 seeds."""
    rng, false, power = np.random.default_rng(4), 0, 0
    for draw in range(60):
        scores = rng.normal(size=(3, 3, 5))
        scores[2] += 3.0
        found = group_sequential(scores, 3, seed=draw)
        false += bool(found.separated[0])
        power += bool(found.separated[1] and found.separated[2])
    assert false <= 3 + 4 * np.sqrt(2.85) and power > 50


@pytest.mark.skipif(not ADASTOP.is_dir(), reason="the folder ../shared with AdaStop's batches is not there")
def test_walker2d_is_decided_as_in_the_paper():
    """All pairs are separated after two looks but for DDPG and TRPO, which 30 runs do not separate."""
    names = ["PPO", "DDPG", "SAC", "TRPO"]
    scores = np.full((4, 6, 5), np.nan)
    for look in range(6):
        batch = pd.read_csv(ADASTOP / f"walker{look + 1}.csv", index_col=0)
        for place, name in enumerate(names):
            if name in batch:
                scores[place, look] = batch[name]
    for seed in range(3):
        found = group_sequential(scores, 6, seed=seed)
        undecided = [(names[x], names[y]) for x, y, at in zip(found.x, found.y, found.separated, strict=True) if not at]
        assert undecided == [("DDPG", "TRPO")]
        assert dict(zip(names, 5 * found.groups, strict=True)) == {"PPO": 10, "SAC": 10, "DDPG": 30, "TRPO": 30}
