"""Functions as metrics: the same values and intervals as the metrics by name, as far as both are defined alike."""

import numpy as np
import pytest

import surefoot
from surefoot.errors import HintedError

RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(mean, 0.5, (6, 4)) for name, mean in (("ours", 1.0), ("base", 0.5))}


def by_metric(result):
    return result.table().set_index(["algorithm", "metric"])


@pytest.mark.parametrize("resample", ["runs", "whole_runs", "tasks_and_runs"])
def test_a_function_has_the_interval_of_the_metric_by_name(resample):
    """Quantiles of 4,000 resamples differ by some 0.03 of the width; a tenth is more than three times that."""
    asked = {"methods": ["percentile"], "n_resamples": 4000, "resample": resample, "shared_runs": False}
    found = by_metric(surefoot.aggregate_metrics(SCORES, metrics="mean", **asked))
    ours = by_metric(surefoot.aggregate_metrics(SCORES, metrics={"average": np.mean}, **asked))
    for name in SCORES:
        one, other = found.loc[name, "mean"], ours.loc[name, "average"]
        assert one["estimate"] == pytest.approx(other["estimate"])
        width = one["high"] - one["low"]
        assert other["low"] == pytest.approx(one["low"], abs=0.1 * width)
        assert other["high"] == pytest.approx(one["high"], abs=0.1 * width)


def test_functions_are_named_and_stand_beside_metrics():
    found = surefoot.aggregate_metrics(SCORES, metrics=["iqm", np.max, lambda scores: 7.0], n_resamples=50)
    table = by_metric(found)
    assert set(table.index.get_level_values("metric")) == {"iqm", "max", "<lambda>"}
    assert table.loc["ours", "max"]["estimate"] == SCORES["ours"].max()
    assert table.loc["ours", "<lambda>"][["low", "high"]].tolist() == [7.0, 7.0]
    alone = surefoot.aggregate_metrics(SCORES, metrics=np.max, n_resamples=50)
    assert set(alone.table()["metric"]) == {"max"} and alone.finding() and alone.chart().to_dict()


def test_unequal_runs_and_no_numbers_are_refused():
    unequal = {name: [scores[:, 0], scores[:3, 1]] for name, scores in SCORES.items()}
    with pytest.raises(HintedError, match="ours has 3 to 6 runs per task, but functions take arrays"):
        surefoot.aggregate_metrics(unequal, metrics=np.max)
    with pytest.raises(HintedError, match=r"<lambda> returned nan, not a finite number\. Hint: use a function"):
        surefoot.aggregate_metrics(SCORES, metrics=lambda scores: np.nan)
