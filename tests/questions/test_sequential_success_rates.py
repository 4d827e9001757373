"""Success rates that are compared after every trial."""

import math

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.errors import HintedError
from surefoot.statistics.comparison.success_rate_differences import pair_evidence

RNG = np.random.default_rng


def table_of(**outcomes):
    rows = [(name, "maze", trial, one) for name, each in outcomes.items() for trial, one in enumerate(each)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def written_out(x, y):
    """The evidence that x succeeds more often, pair by pair, as the formula of the question has it."""
    ways = [0.4 * 15 ** (step / 7) for step in range(8)]
    capital, found, successes = [1.0] * 8, [], 0
    for number, (u, v) in enumerate(zip(x, y, strict=True)):
        rate = (successes + 1) / (2 * number + 2)
        odds = math.log(rate / (1 - rate))
        for place, way in enumerate(ways):
            a, b = (1 / (1 + math.exp(-(odds + sign * way / 2))) for sign in (1, -1))
            m = (a + b) / 2
            capital[place] *= (a / m if u else (1 - a) / (1 - m)) * (b / m if v else (1 - b) / (1 - m))
        successes += u + v
        found.append(sum(capital) / 8)
    return found


def test_evidence_is_as_it_is_written():
    rng = RNG(0)
    x, y = (rng.random(60) < 0.7).astype(int), (rng.random(60) < 0.4).astype(int)
    assert pair_evidence(x, y) == pytest.approx(written_out(x, y), rel=1e-10)
    found = surefoot.sequential_success_rates(table_of(x=x, y=y)).table().iloc[0]
    best = max(*written_out(x, y), *written_out(y, x))
    assert found["p_value"] == pytest.approx(min(2 / best, 1), rel=1e-10) and found["trials"] == 60
    both = np.maximum(written_out(x, y), written_out(y, x))
    assert found["decided"] == np.argmax(both >= 40) + 1 and found["separated"]


def test_several_policies_hold_together():
    rng = RNG(1)
    outcomes = {name: (rng.random(40) < rate).astype(int) for name, rate in (("a", 0.1), ("b", 0.9), ("c", 0.9))}
    pair = surefoot.sequential_success_rates(table_of(**outcomes), algorithms=["a", "b"]).table().iloc[0]
    outcomes["c"] = outcomes["c"][:25]
    answer = surefoot.sequential_success_rates(table_of(**outcomes))
    table = answer.table().set_index(["algorithm", "baseline"])
    assert table.loc[("a", "b"), "p_value"] == pytest.approx(3 * pair["p_value"])
    assert table["separated"].tolist() == [True, True, False]
    assert table["left_out"].tolist() == [0, 15, 15] and pd.isna(table.loc[("b", "c"), "decided"])
    assert "2 of 3 pairs decided" in answer.finding()


def test_runs_of_several_trials_are_refused():
    rows = pd.DataFrame([("a", "maze", 0, 3, 5), ("b", "maze", 0, 4, 5)])
    rows.columns = ["algorithm", "environment", "run", "successes", "trials"]
    with pytest.raises(HintedError, match="a run has 5 trials"):
        surefoot.sequential_success_rates(rows)
    with pytest.raises(HintedError, match="no environment has trials of at least two"):
        surefoot.sequential_success_rates(rows.assign(environment=["maze", "cliff"]))
