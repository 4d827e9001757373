"""Several algorithms compared after every group of runs."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.statistics.comparison.group_sequential import group_sequential

ADASTOP = Path(__file__).parents[4] / "shared" / "data" / "adastop2023"


def test_the_first_look_at_two_is_the_exact_permutation_test():
    """Beside brute force over all 252 assignments: at most the spent share of them differs more than the boundary."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        x, y = rng.normal(0.9, 1, 5), rng.normal(0, 1, 5)
        pool = np.concatenate([x, y])
        sums = np.array([pool[list(chosen)].sum() for chosen in combinations(range(10), 5)])
        greater = np.sum(np.abs(2 * sums - pool.sum()) >= abs(x.sum() - y.sum()) - 1e-9)
        for planned in (1, 2, 5):
            found = group_sequential(np.array([[x], [y]]), planned, 0.9)
            # The observed one and its mirror image are among the greater ones.
            assert bool(found.separated[0]) == (greater <= int(0.1 / planned * 252 + 1e-9))


def test_the_second_look_at_two_is_exact_and_counts_what_the_first_has_spent():
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


@pytest.mark.parametrize(("algorithms", "groups", "draws"), [(2, 1, 600), (3, 2, 100)])
def test_equal_algorithms_are_separated_in_at_most_five_percent(algorithms, groups, draws):
    """Skewed scores; four standard errors more than 5 % at the most, which a level of 11 % exceeds in more than 99.9 %
    of sets of 600 draws."""
    rng = np.random.default_rng(3)
    false = sum(
        group_sequential(rng.lognormal(size=(algorithms, groups, 5)), groups, seed=draw).separated.any()
        for draw in range(draws)
    )
    assert false <= draws * 0.05 + 4 * np.sqrt(draws * 0.05 * 0.95)


def test_the_two_equal_ones_of_three_are_not_separated_because_the_third_is_better():
    """60 draws, at most 5 % and four standard errors."""
    rng, false, power = np.random.default_rng(4), 0, 0
    for draw in range(60):
        scores = rng.normal(size=(3, 3, 5))
        scores[2] += 3.0
        found = group_sequential(scores, 3, seed=draw)
        false += bool(found.separated[0])
        power += bool(found.separated[1] and found.separated[2])
    assert false <= 3 + 4 * np.sqrt(2.85) and power > 50


def test_what_no_design_has_is_refused():
    rng = np.random.default_rng(7)
    with pytest.raises(ValueError, match="3 groups of runs, 2 planned"):
        surefoot.group_sequential({name: rng.normal(size=(15, 2)) for name in "ab"}, looks=2, checked=True)
    with pytest.raises(ValueError, match=r"2 runs of a task, and a group 5\. Hint: collect more runs$"):
        surefoot.group_sequential({name: np.zeros((2, 1)) for name in "ab"}, checked=True)
    with pytest.raises(ValueError, match="4 runs of a task, and a group 5"):
        surefoot.group_sequential({name: rng.normal(size=(4, 2)) for name in "ab"}, checked=True)


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
