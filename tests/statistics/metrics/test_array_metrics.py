"""Metrics of resamples by numpy, beside the definitions of the metrics on scores that are written out."""

import numpy as np
import pytest
from support.counted_resamples import COUNTED, counted, written_out
from support.naive_formulas import mean_between

from surefoot.statistics.metrics.array_metrics import array_metrics, counted_sums

DEFINITIONS = {
    "mean": lambda columns: np.mean([column.mean() for column in columns]),
    "median": lambda columns: np.median([column.mean() for column in columns]),
    "iqm": lambda columns: cut_mean(columns, 0.25),
    "trimmed_mean(0.1)": lambda columns: cut_mean(columns, 0.1),
    "exact_iqm": lambda columns: mean_between([np.concatenate(columns)], 0.25, 0.75),
    "run_median": lambda columns: np.median(np.concatenate(columns)),
    "optimality_gap": lambda columns: np.maximum(1.0 - np.concatenate(columns), 0.0).mean(),
    "difficulty_progress(0.5)": lambda columns: lowest_mean(columns, 0.5),
    "probability_above(0.2)": lambda columns: (np.concatenate(columns) > 0.2).mean(),
}


def cut_mean(columns, share):
    ordered = np.sort(np.concatenate(columns))
    cut = int(share * ordered.size)
    return ordered[cut : ordered.size - cut].mean()


def lowest_mean(columns, share):
    ordered = np.sort(np.concatenate(columns))
    return ordered[: int(share * ordered.size)].mean()


@pytest.mark.parametrize(("sizes", "decimals"), COUNTED)
def test_metrics_are_those_of_scores_that_are_written_out(sizes, decimals):
    """Each resample draws as many scores of every task, so that all of its scores have the same weight."""
    resamples = counted(sizes, decimals, list(DEFINITIONS))
    found = array_metrics(*resamples.arguments)
    for number, row in enumerate(found):
        columns = written_out(resamples, number)
        expected = [definition(columns) for definition in DEFINITIONS.values()]
        assert row == pytest.approx(expected, rel=1e-12, abs=1e-12), number


def test_sums_count_each_value_as_often_as_it_was_drawn():
    counts, values = np.array([[1, 0, 2], [0, 3, 1]]), np.array([0.5, -2.0])
    assert counted_sums(counts, values).tolist() == [0.5, -6.0, -1.0]
    assert counted_sums(counts, np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]])).tolist() == [1.0, 6.0, 5.0]
