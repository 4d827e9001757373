"""What a study of fewer runs would have found: subsamples of many runs (Agarwal et al. 2021, section 3, appendix A.2).

Whole runs are drawn with replacement, the same numbers of runs in all tasks, as the authors do; or runs of each task on
their own. Where a table has unequal numbers of runs, only the latter is possible.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.statistics.analyses.samples_of_tasks import algorithms_of, scores_of, tasks_of
from surefoot.statistics.comparisons import check_raised, difference, lift_percent, raised
from surefoot.statistics.metrics import Metric
from surefoot.statistics.protocols import best_setting_means
from surefoot.statistics.stratified_bootstrap import metric_values, replicate_metrics

Sets = Mapping[str, pd.DataFrame]
_POINTS = 200
_TAILS = (0.025, 0.975)


def subsamples(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Mean, spread and 95 % range of metrics of N runs.

    Returns
    -------
    columns algorithm, size, metric, value (the mean), mean_error (Monte Carlo), deviation, low, high, whole (the metric
        of all runs)
    """
    (table,) = sets.values()
    rows = []
    for algorithm in algorithms_of(table, options):
        whole = metric_values(scores_of(table, algorithm), options["metrics"])
        for size in options["sizes"]:
            drawn = _drawn(table, algorithm, size, options)
            for place, name in enumerate(options["metrics"]):
                own = drawn[:, place]
                deviation = own.std(ddof=1)
                error = deviation / np.sqrt(own.size)
                numbers = (own.mean(), error, deviation, *np.quantile(own, _TAILS), whole[place])
                rows.append((algorithm, size, name, *numbers))
    columns = ["algorithm", "size", "metric", "value", "mean_error", "deviation", "low", "high", "whole"]
    return pd.DataFrame(rows, columns=columns)


def subsample_densities(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Density of a metric of N runs, N as `sizes` has it for each of `algorithms`: columns algorithm, size, score,
    value."""
    (table,) = sets.values()
    parts = []
    for algorithm, size in zip(options["algorithms"], options["sizes_of"], strict=True):
        drawn = _drawn(table, algorithm, size, options)[:, 0]
        score, value = density(drawn)
        parts.append(pd.DataFrame({"algorithm": algorithm, "size": size, "score": score, "value": value}))
    return pd.concat(parts, ignore_index=True)


def density(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian kernel density at 200 points, with Silverman's bandwidth; values are binned first.

    Returns
    -------
    (points, density), float64[200] each
    """
    spread = min(values.std(ddof=1), np.subtract(*np.quantile(values, (0.75, 0.25))) / 1.349) or 1e-9
    bandwidth = 0.9 * spread * values.size**-0.2
    points = np.linspace(values.min() - 3 * bandwidth, values.max() + 3 * bandwidth, _POINTS)
    counts, edges = np.histogram(values, 10 * _POINTS)
    middles = (edges[:-1] + edges[1:]) / 2
    kernel = np.exp(-0.5 * ((points[:, None] - middles) / bandwidth) ** 2)
    return points, kernel @ counts / (values.size * bandwidth * np.sqrt(2 * np.pi))


def differences(sets: Sets, options: Mapping) -> pd.DataFrame:
    """95 % range of the difference of two algorithms of N runs each: columns x, y, size, metric, value, low, high."""
    (table,) = sets.values()
    rows = []
    for x, y in options["pairs"]:
        for size in options["sizes"]:
            one, other = (_drawn(table, algorithm, size, options) for algorithm in (x, y))
            for place, name in enumerate(options["metrics"]):
                found = difference(one[:, place], other[:, place])
                rows.append((x, y, size, name, found.mean(), *np.quantile(found, _TAILS)))
    return pd.DataFrame(rows, columns=["x", "y", "size", "metric", "value", "low", "high"])


def lifts(sets: Sets, options: Mapping) -> pd.DataFrame:
    """95 % range of the observed lift of an algorithm over itself, all its scores raised by l percent.

    A metric that is better when lower, such as an optimality gap, has a negative lift where scores are raised.

    Returns
    -------
    columns algorithm, lift, size, metric, value (the median), low, high

    Raises
    ------
    ValueError : see `comparisons.check_raised` and `comparisons.lift_percent`
    """
    (table,) = sets.values()
    rows = []
    for algorithm in algorithms_of(table, options):
        scores = scores_of(table, algorithm)
        check_raised(scores, options["metrics"], options["lifts"])
        for size in options["sizes"]:
            first = _metrics_of_draws(scores, table, f"{algorithm}/{size}/first", size, options)
            second = [
                _metrics_of_draws(raised(scores, lift), table, f"{algorithm}/{size}/second", size, options)
                for lift in options["lifts"]
            ]
            for place, name in enumerate(options["metrics"]):
                for lift, drawn in zip(options["lifts"], second, strict=True):
                    found = lift_percent(drawn[:, place], first[:, place])
                    rows.append((algorithm, lift, size, name, np.median(found), *np.quantile(found, _TAILS)))
    return pd.DataFrame(rows, columns=["algorithm", "lift", "size", "metric", "value", "low", "high"])


def trimmed_errors(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Mean squared error of trimmed means of N runs, each against its own value on all runs.

    Returns
    -------
    columns algorithm, resampled ("whole_runs" or "runs"), fraction, size, value (mean squared error), value_error
        (Monte Carlo), bias
    """
    (table,) = sets.values()
    (size,) = options["sizes"]
    trimmed = [Metric("trimmed_mean", float(fraction)) for fraction in options["fractions"]]
    rows = []
    for algorithm in algorithms_of(table, options):
        whole = metric_values(scores_of(table, algorithm), trimmed)
        for resampled in ("whole_runs", "runs"):
            drawn = _drawn(table, algorithm, size, options | {"resampled": resampled, "metrics": trimmed})
            squares = (drawn - whole) ** 2
            error = squares.std(axis=0, ddof=1) / np.sqrt(len(drawn))
            for place, fraction in enumerate(options["fractions"]):
                numbers = (squares[:, place].mean(), error[place], drawn[:, place].mean() - whole[place])
                rows.append((algorithm, resampled, fraction, size, *numbers))
    columns = ["algorithm", "resampled", "fraction", "size", "value", "value_error", "bias"]
    return pd.DataFrame(rows, columns=columns)


def protocols(sets: Sets, options: Mapping) -> pd.DataFrame:
    """Metrics of N runs by several protocols: the algorithms of the table, and the best of several settings.

    The last takes, of the first algorithm, on each task the greatest of `settings` means of `runs_of_setting` runs
    each: settings that differ in nothing (Agarwal et al. 2021, figure 5).

    Returns
    -------
    columns protocol, size, metric, value (the mean), low, high
    """
    (table,) = sets.values()
    rows = []
    for algorithm in algorithms_of(table, options):
        for size in options["sizes"]:
            drawn = _drawn(table, algorithm, size, options)
            rows += _summaries(algorithm, size, options["metrics"], drawn)
    first, size = np.array(scores_of(table, algorithms_of(table, options)[0])).T, options["runs_of_setting"]
    best = best_setting_means(first, options["settings"], size, options["datasets"], options["seed"])
    drawn = np.array([metric_values(one[None, :], options["metrics"]) for one in best])
    name = f"{algorithms_of(table, options)[0]}, best of {options['settings']} settings"
    rows += _summaries(name, size, options["metrics"], drawn)
    return pd.DataFrame(rows, columns=["protocol", "size", "metric", "value", "low", "high"])


def _summaries(name, size, metrics, drawn):
    limits = np.quantile(drawn, _TAILS, axis=0)
    return [(name, size, metric, drawn[:, i].mean(), *limits[:, i]) for i, metric in enumerate(metrics)]


def _drawn(table, algorithm, size, options) -> np.ndarray:
    """Metrics of subsamples of an algorithm, float64[datasets, metrics]."""
    return _metrics_of_draws(scores_of(table, algorithm), table, f"{algorithm}/{size}/", size, options)


def _metrics_of_draws(scores, table, name, size, options) -> np.ndarray:
    """Metrics of subsamples of `size` runs, float64[datasets, metrics]; the name keys what is drawn."""
    return replicate_metrics(
        scores,
        options["metrics"],
        options["datasets"],
        options["seed"],
        name,
        tasks_of(table),
        options.get("resampled", "whole_runs"),
        size,
        options["threads"],
    )
