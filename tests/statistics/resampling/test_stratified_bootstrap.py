"""Metrics and their stratified bootstrap, beside plain numpy; intervals and accelerations that do not exist."""

import numpy as np
import pytest
from support.naive_formulas import cut_of, mean_between

from surefoot.statistics.metrics.metric_catalogue import METRICS, Metric, metric
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.streams import stream_key

ALL = [*METRICS, "trimmed_mean(0.1)", "trimmed_mean(0)", "trimmed_mean(0.5)", "difficulty_progress(0.5)"]


WRITTEN_OUT = {
    "mean": lambda columns: np.mean([column.mean() for column in columns]),
    "median": lambda columns: np.median([column.mean() for column in columns]),
    "iqm": lambda columns: mean_between(columns, cut_of(columns, 0.25), 1 - cut_of(columns, 0.25)),
    "exact_iqm": lambda columns: mean_between(columns, 0.25, 0.75),
    "trimmed_mean(0.1)": lambda columns: mean_between(columns, cut_of(columns, 0.1), 1 - cut_of(columns, 0.1)),
    "run_median": lambda columns: mean_between(columns, 0.5 - 1e-6, 0.5 + 1e-6),
    "optimality_gap": lambda columns: np.mean([np.maximum(1.0 - column, 0.0).mean() for column in columns]),
    "difficulty_progress": lambda columns: mean_between(columns, 0.0, cut_of(columns, 0.25)),
    "probability_above(0.2)": lambda columns: np.mean([(column > 0.2).mean() for column in columns]),
}
"""Metrics of tasks with unequal numbers of runs, by their definitions."""
UNEQUAL = [(2, 3, 6), (3, 10, 3, 10, 7), (1, 1, 1, 4), (5, 5, 5, 5, 4)]


@pytest.mark.parametrize("sizes", UNEQUAL)
def test_every_task_has_the_same_weight(sizes):
    rng = np.random.default_rng([1, *sizes])
    columns = [rng.normal(task, 1.0, size) for task, size in enumerate(sizes)]
    expected = [of_columns(columns) for of_columns in WRITTEN_OUT.values()]
    assert metric_values(columns, list(WRITTEN_OUT)) == pytest.approx(expected, rel=1e-9)
    named = [f"{name} weighted by tasks" for name in WRITTEN_OUT]
    assert metric_values(columns, named).tobytes() == metric_values(columns, list(WRITTEN_OUT)).tobytes()


def test_equal_runs_are_cut_as_whole_scores():
    """Bit by bit, whatever they are weighted by: the definition of rliable, of which scipy has the mean."""
    from scipy.stats import trim_mean

    rng = np.random.default_rng(3)
    for runs, tasks in ((1, 7), (3, 5), (5, 10), (10, 26)):
        scores = rng.normal(size=(runs, tasks))
        names = [name for name in ALL if name != "difficulty_progress" or runs * tasks > 4]
        by_runs = [f"{name} weighted by runs" for name in names]
        assert metric_values(scores, names).tobytes() == metric_values(scores, by_runs).tobytes()
        same = [replicate_metrics(scores, metrics, 70, seed=1).tobytes() for metrics in (names, by_runs)]
        assert same[0] == same[1]
        assert metric_values(scores, ["iqm"])[0] == pytest.approx(trim_mean(scores, 0.25, axis=None), rel=1e-12)


def test_runs_pooled_by_name():
    columns = [np.array([0.0, 1.0]), np.array([5.0, 6.0, 7.0, 8.0, 9.0, 10.0])]
    pooled = np.concatenate(columns)
    found = metric_values(columns, ["iqm weighted by runs", "run_median weighted by runs"])
    assert found == pytest.approx([np.sort(pooled)[2:6].mean(), np.median(pooled)])


def test_lost_runs_do_not_move_the_cut():
    """Tasks whose runs are equal: what is left of a task after a loss says as much as all of it."""
    columns = [np.full(5, float(2**task)) for task in range(10)]
    lost = [column[:3] if task in (0, 7) else column for task, column in enumerate(columns)]
    assert metric_values(lost, ALL) == pytest.approx(metric_values(columns, ALL), rel=1e-12)


def test_every_index_is_equally_probable():
    """Chi-squared of a million draws each; the test fails falsely about once in a million times (6 sigma, 4 sizes)."""
    for size in (1, 7, 256, 257):
        counts = np.bincount(draw_indices(stream_key(3, "indices"), size, size, 1_000_000), minlength=size)
        assert counts.size == size
        expected = 1_000_000 / size
        statistic = ((counts - expected) ** 2 / expected).sum()
        assert abs(statistic - (size - 1)) <= 6 * np.sqrt(2 * size)


def moments(columns, draws, resample):
    """Mean and variance of the mean of task means of resamples, by their formulas."""
    tasks = len(columns)
    means, variances = np.array([c.mean() for c in columns]), np.array([c.var() for c in columns])
    if resample == "whole_runs":
        return means.mean(), np.mean(columns, axis=0).var() / draws[0]
    within = (variances / draws).mean() / tasks
    return means.mean(), within + (means.var() / tasks if resample == "tasks_and_runs" else 0.0)


@pytest.mark.parametrize(
    ("resample", "draws"),
    [
        ("runs", None),
        ("runs", 3),
        ("whole_runs", None),
        ("whole_runs", 3),
        ("tasks_and_runs", None),
        ("paired_runs", 3),
    ],
)
def test_the_replicates_have_the_moments_of_the_design(resample, draws):
    """Mean and variance of 40,000 replicates within 5 standard errors: fails falsely less than once in 10^5 times."""
    rng = np.random.default_rng(4)
    columns = [rng.normal(rng.normal(), 1.0, 8) for _ in range(5)]
    found = replicate_metrics(columns, ["mean"], 40_000, seed=5, resample=resample, draws=draws)[:, 0]
    expected, variance = moments(columns, np.full(5, draws or 8), resample)
    assert abs(found.mean() - expected) < 5 * np.sqrt(variance / 40_000)
    fourth = np.sqrt(((found - found.mean()) ** 2).var() / 40_000)
    assert abs(found.var() - variance) < 5 * fourth


@pytest.mark.parametrize("resample", ["runs", "whole_runs", "paired_runs"])
def test_many_draws_of_few_runs_are_all_counted(resample):
    """1,000 draws of one run are that run; of 3 runs, all of 200 means lie within 6 standard errors of the mean of the
    runs: fails falsely about once in 10^6 times."""
    names = ["mean", "iqm", "run_median", "exact_iqm", "probability_above(1)"]
    single = replicate_metrics([[0.5], [2.0]], names, 3, draws=1000, resample=resample)
    assert single == pytest.approx(np.tile([1.25, 1.25, 1.25, 1.25, 0.5], (3, 1)))
    assert replicate_metrics([[0.5], [2.0]], ["mean"], 1, draws=1000, resample=resample)[0, 0] == 1.25
    scores = np.random.default_rng(1).normal(size=(3, 2))
    found = replicate_metrics(scores, ["mean"], 200, draws=1000, resample=resample)
    assert np.abs(found - scores.mean()).max() < 6 * np.sqrt(scores.var(axis=0).max() / 1000)


def test_each_replicate_is_the_metric_of_a_resample():
    """With one task of two runs there are three resamples; all metrics of a replicate belong to the same one."""
    scores = np.array([[0.25], [2.0]])
    names = [name for name in ALL if name != "difficulty_progress"]
    found = replicate_metrics(scores, names, 300, seed=6)
    resamples = [metric_values(np.array(pair)[:, None], names) for pair in ([0.25, 0.25], [0.25, 2.0], [2.0, 2.0])]
    nearest = [min(range(3), key=lambda k: np.abs(row - resamples[k]).sum()) for row in found]
    assert found == pytest.approx(np.array(resamples)[nearest], rel=1e-12)
    assert 100 < nearest.count(1) < 200


def test_weights_by_tasks_in_resamples():
    columns = [np.array([0.0, 1.0]), np.array([5.0]), np.array([2.0, 3.0, 4.0])]
    names = [Metric("probability_above", 1.5, "tasks"), Metric("optimality_gap", 6.0, "tasks"), metric("mean")]
    above, gap, mean = replicate_metrics(columns, names, 50, seed=7).T
    assert above == pytest.approx(np.full(50, 2 / 3)) and gap == pytest.approx(6.0 - mean)


def test_a_replicate_depends_on_its_number_alone():
    rng = np.random.default_rng(8)
    columns = {"pong": rng.normal(size=300), "alien": rng.normal(size=6), "hero": rng.normal(size=11)}
    names = ["iqm", "mean", "run_median"]
    few = replicate_metrics(list(columns.values()), names, 50, 9, "a", list(columns))
    many = replicate_metrics(list(columns.values()), names, 5_000, 9, "a", list(columns), threads=2)
    assert many[:50].tobytes() == few.tobytes()
    assert many.tobytes() == replicate_metrics(list(columns.values()), names, 5_000, 9, "a", list(columns)).tobytes()
    turned = replicate_metrics([c[::-1] for c in columns.values()][::-1], names, 50, 9, "a", list(columns)[::-1])
    assert turned == pytest.approx(few, rel=1e-12)
    assert np.abs(replicate_metrics(list(columns.values()), names, 50, 9, "b", list(columns)) - few).max() > 1e-3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["iqr"]}, '"iqr" is not known. Hint: use one of mean, median'),
        ({"metrics": ["iqm()"]}, "iqm takes none"),
        ({"metrics": ["trimmed_mean(0.6)"]}, "0 to 0.5"),
        (
            {"metrics": ["optimality_gap(1-2)"]},
            r'"1-2" is not a parameter of optimality_gap. Hint: .*optimality_gap\(1\)',
        ),
        ({"metrics": [Metric("optimality_gap", np.nan)]}, '"nan" is not a parameter of'),
        ({"metrics": [Metric("iqm", 0.6)]}, "iqm takes none"),
        ({"metrics": [np.median]}, " instead of a metric. Hint: pass a name"),
        ({"scores": np.ones(3)}, r"shape \(3,\)"),
        ({"scores": [[1.0], [np.nan]]}, "task 1: run 0 has the score nan"),
        ({"scores": [[1.0], [2.0, 3.0]], "resample": "whole_runs"}, '1 to 2 runs. Hint: `resample="runs"`'),
        ({"metrics": ["difficulty_progress"], "draws": 1}, "the lowest 0.25 of 2 scores is less than one"),
    ],
)
def test_what_cannot_be_resampled_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        replicate_metrics(**({"scores": np.ones((3, 2)), "metrics": ["iqm"], "n_resamples": 10} | arguments))
