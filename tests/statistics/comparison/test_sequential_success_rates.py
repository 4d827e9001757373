"""Two success rates compared after every pair of trials: evidence by its definition, its level, when it decides."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import surefoot
from surefoot.errors import HintedError
from surefoot.pipeline.drawing_jobs import TRUST_RECORDS
from surefoot.result_tables import read_table
from surefoot.statistics.comparison.success_rates import pair_evidence

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


@pytest.mark.parametrize(("rate", "other"), [(0.5, 0.5), (0.05, 0.05), (0.97, 0.97), (0.3, 0.5)])
def test_evidence_is_at_most_1_on_average_after_any_pair(rate, other):
    """Exactly, over all outcomes of four pairs, where x has no higher rate; so it is the first step of a theorem."""
    numbers = np.arange(256)
    bits = (numbers[:, None] >> np.arange(8)) & 1
    x, y = bits[:, :4], bits[:, 4:]
    chance = np.prod(np.where(x, rate, 1 - rate), axis=1) * np.prod(np.where(y, other, 1 - other), axis=1)
    assert ((chance @ pair_evidence(x, y)) <= 1 + 1e-12).all()


def test_several_policies_hold_together_and_trials_that_wait_are_counted():
    rng = RNG(1)
    outcomes = {name: (rng.random(40) < rate).astype(int) for name, rate in (("a", 0.1), ("b", 0.9), ("c", 0.9))}
    pair = surefoot.sequential_success_rates(table_of(**outcomes), algorithms=["a", "b"]).table().iloc[0]
    outcomes["c"] = outcomes["c"][:25]
    answer = surefoot.sequential_success_rates(table_of(**outcomes))
    table = answer.table().set_index(["x", "y"])
    assert table.loc[("a", "b"), "p_value"] == pytest.approx(3 * pair["p_value"])
    assert table["separated"].tolist() == [True, True, False]
    assert table["left_out"].tolist() == [0, 15, 15] and pd.isna(table.loc[("b", "c"), "decided"])
    assert "2 of 3 pairs decided" in answer.finding()


def test_runs_of_several_trials_are_refused():
    rows = pd.DataFrame([("a", "maze", 0, 3, 5), ("b", "maze", 0, 4, 5)])
    rows.columns = ["algorithm", "environment", "run", "successes", "trials"]
    with pytest.raises(HintedError, match="a run has 5 trials"):
        surefoot.sequential_success_rates(rows)
    with pytest.raises(HintedError, match="no environment has trials of two"):
        surefoot.sequential_success_rates(rows.assign(environment=["maze", "cliff"]))


@pytest.mark.parametrize("name", ["sequential_success_rates", "group_sequential"])
def test_recorded_decisions_hold_their_level(name):
    """Over all cases, and each alone at 1 % divided by their number."""
    table = read_table(TRUST_RECORDS / f"{name}.csv")
    assert stats.binom.sf(table["failures"].sum() - 1, table["datasets"].sum(), 0.05) > 0.01
    assert (stats.binom.sf(table["failures"] - 1, table["datasets"], 0.05) > 0.01 / len(table)).all()
