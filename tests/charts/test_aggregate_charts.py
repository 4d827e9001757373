"""Charts and findings of aggregate metrics."""

import re

from support.two_algorithms import ARRAYS

import surefoot


def test_a_finding_follows_the_numbers():
    better, worse = (
        surefoot.aggregate_metrics(ARRAYS, n_resamples=40),
        surefoot.aggregate_metrics({"ours": ARRAYS["base"], "base": ARRAYS["ours"]}, n_resamples=40),
    )
    assert re.match(r"The IQM is [\d.]+ \([^)]*\) for ours and ", better.finding())
    assert re.match(r"The IQM is [\d.]+ \([^)]*\) for base and ", worse.finding())
    means = surefoot.aggregate_metrics(ARRAYS, metrics="mean", n_resamples=40)
    assert re.match(r"The mean is [\d.]+ \([^)]*\) for ours and ", means.finding())
    assert means.chart().to_dict()["description"].startswith("Mean of each algorithm")
