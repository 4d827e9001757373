"""Percentiles of single runs: against brute force, and their mean against the aggregate score."""

import numpy as np
import pandas as pd
import pytest

from surefoot.questions import game
from surefoot.questions.coverage import coverage
from surefoot.statistics.game.percentile import aggregate, payoff_table, percentile_quantiles, run_percentiles


@pytest.fixture
def weighted(random_runs):
    """Runs of four algorithms in three environments, their scores, and the weights of the game."""
    runs = random_runs(4, 3, 25, seed=91)
    values, weights = aggregate(runs, payoff_table(runs))
    return runs, values[values["aggregate"] == "game_score"].set_index("algorithm")["value"], weights


def test_a_tie_in_spite_of_rounding_counts_whichever_of_the_two_is_the_smaller_number(run_table):
    runs = run_table({("a", "x"): [0.1 + 0.2, 0.7], ("b", "x"): [0.3, 0.2]})
    weights = pd.DataFrame({"environment": "x", "opponent": ["a", "b"], "weight": [1.0, 0.0]})
    assert run_percentiles(runs, weights)["percentile"].tolist() == [0.5, 1.0, 0.5, 0.0]


def test_the_weighted_mean_of_the_percentiles_is_the_score_but_for_the_comparison_with_itself(weighted):
    """Against itself a run stands at (N + 1)/2N in the mean, where the score takes one half."""
    runs, scores, weights = weighted
    table = percentile_quantiles(runs, weights).set_index("algorithm")
    sizes = runs.groupby(["environment", "algorithm"]).size()
    q = weights.set_index(["environment", "opponent"])["weight"]
    own = (q / (2 * sizes.reindex(q.index))).groupby("opponent").sum()
    expected = scores + own
    assert table["mean"].to_dict() == pytest.approx(expected[table.index].to_dict())
    quantiles = table.filter(like="quantile")
    assert (np.diff(quantiles.to_numpy(), axis=1) >= 0).all()


def test_tasks_of_arrays_have_numbers_for_names():
    runs = {name: np.random.default_rng(place).normal(size=(12, 2)) for place, name in enumerate("ab")}
    assert game.run_percentiles(runs, checked=True).table()["algorithm"].tolist() == ["a", "b"]
    sample = {"algorithm": "a", "environment": "1", "sizes": [3]}
    assert set(game.sample_distributions(runs, checked=True, **sample).table()["size"]) == {3, 12}
    cut = coverage(runs, checked=True, sizes=[2, 3], datasets=2, design="cut", methods=["pbp"])
    assert cut.table()["size"].tolist() == [2, 3]
