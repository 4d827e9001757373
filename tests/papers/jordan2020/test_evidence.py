"""Spreads of the paper's trials, as its printed intervals tell them: no scattered mean of ours widens a tolerance."""

import numpy as np
import pandas as pd
import pytest

from surefoot.papers.jordan2020.evidence import with_spreads
from surefoot.statistics.reproduction.published_comparison import compare, critical_value


def test_scattered_means_hardly_widen_the_tolerance(recorded):
    """Means of the record, spread 100 times as far: what the printed intervals make likely limits the tolerances."""
    published = recorded["published"]
    means = recorded["record"][recorded["record"]["item"].str.startswith("mean/")]
    ours = means[["item", "ours", "standard_error"]].assign(runs=means["trials"].astype(float))
    wider = [compare(with_spreads(published, ours.assign(standard_error=f * ours["standard_error"]), None), ours)
             for f in (1.0, 100.0)]  # fmt: skip
    growth = wider[1]["tolerance"] / wider[0]["tolerance"]
    assert len(growth) == 165
    assert growth.mean() < 1.5 and (growth > 2.0).sum() < 15


def test_a_printed_interval_bounds_the_spread_of_a_score(recorded):
    """game_score of 200 trials of each pair: by hand 0.001354 sqrt(10000/200) = 0.0096 beside the printed 0.001354. A
    bootstrap whose spread grew with a fault must not widen the tolerance beyond that, nor the spread of few trials
    make it smaller."""
    item = "game_score/sarsa_parl2"
    known = recorded["published"].set_index("item").loc[item]
    critical = critical_value(1)
    most = critical * known["standard_error"] * np.sqrt(1.0 + 10_000 / 200)

    def judged_with(error, shift, runs):
        ours = pd.DataFrame({"item": [item], "ours": [known["published"] - shift], "standard_error": error})
        ours = ours.assign(runs=float(runs))
        return compare(with_spreads(recorded["published"], ours, None), ours).iloc[0]

    small, implied, faulty = (judged_with(error, 0.1, 200) for error in (0.002, 0.5, 50.0))
    assert small["tolerance"] == pytest.approx(critical * np.hypot(0.002, known["standard_error"]))
    assert implied["tolerance"] == faulty["tolerance"] == pytest.approx(most)
    assert faulty["verdict"] == "differs"
    few = judged_with(1e-6, 0.05, 20)
    assert few["tolerance"] == pytest.approx(critical * known["standard_error"] * np.sqrt(1.0 + 10_000 / 20))
