"""After how many steps runs reach a score: by brute force, with a threshold for each environment."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import surefoot

STEPS = np.arange(1, 11) * 100
RUN = ["algorithm", "environment", "run"]


def curves(reaching, environment="maze"):
    """Runs {algorithm: steps at which each reaches 1, or None}, of scores that are 0 before and 1 or 0.5 after."""
    rows = [
        (name, environment, run, step, 0.0 if at is None or step < at else 1.0 - 0.5 * (step > at))
        for name, steps in reaching.items()
        for run, at in enumerate(steps)
        for step in STEPS
    ]
    return pd.DataFrame(rows, columns=[*RUN, "step", "score"])


MAZE = curves({"fast": [100, 200, 200, 300, None], "slow": [500, None, None, None, 1000]})


def test_shares_and_medians_count_the_runs_that_never_reach_the_score():
    found = surefoot.steps_to_threshold(MAZE.sample(frac=1, random_state=1), threshold=1)
    table = found.table().set_index("algorithm")
    assert table[["runs", "reached"]].values.tolist() in ([[5, 4], [5, 2]], [[5, 2], [5, 4]])
    fast, slow = table.loc["fast"], table.loc["slow"]
    exact = stats.binomtest(4, 5).proportion_ci(0.95, "exact")
    assert (fast["share"], fast["low"], fast["high"]) == pytest.approx((0.8, exact.low, exact.high))
    assert fast["median"] == 200 and fast["last_step"] == 1000
    assert slow["share"] == pytest.approx(0.4) and np.isnan(slow["median"]) and slow["median_low"] == 0
    curve = found.tables()["curves"].query("algorithm == 'fast'")
    assert curve["step"].tolist() == [0, 100, 200, 300, 1000]
    assert curve["share"].tolist() == pytest.approx([0, 0.2, 0.6, 0.8, 0.8])


def test_each_environment_may_have_a_threshold_of_its_own():
    both = pd.concat(
        [MAZE, curves({"fast": [100] * 5, "slow": [200] * 5}, "pole").assign(score=lambda t: 9 * t["score"])]
    )
    found = surefoot.steps_to_threshold(both, threshold={"maze": 1, "pole": 9})
    assert found.table().groupby("environment")["reached"].sum().to_dict() == {"maze": 6, "pole": 10}
    said = found.finding()
    assert said.startswith("Fewest steps to the score, by medians: fast in 2 of 2 environments.")
    assert said.endswith("It was reached by 9 of 10 runs of fast and 7 of 10 runs of slow.")
    with pytest.raises(ValueError, match=r'threshold: no curves of the environment "pol"\. Hint: did you mean "pole"'):
        surefoot.steps_to_threshold(both, threshold={"maze": 1, "pol": 9})
    with pytest.raises(ValueError, match=r"no score that is to be reached in pole\. Hint: pole: a score, or"):
        surefoot.steps_to_threshold(both, threshold={"maze": 1})
