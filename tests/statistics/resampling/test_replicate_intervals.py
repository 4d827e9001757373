"""Intervals of replicates that do not exist are refused."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats
from support.naive_formulas import between_weights, cut_weight, quantile

from surefoot.statistics.resampling.jackknife import row_acceleration, standard_errors, stratified_acceleration
from surefoot.statistics.resampling.replicate_intervals import METHODS, interval, student_interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "BCa"}, '"BCa" is not known. Hint: use one of percentile'),
        ({"method": "bc", "estimate": 9.0}, "bc is not available: all replicates are below"),
        ({"method": "bc", "estimate": 0.0}, "bc is not available: no replicates are below"),
        ({"method": "bca", "acceleration": 9.0}, "acceleration 9 is too great"),
    ],
)
def test_intervals_that_do_not_exist_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        interval(**({"replicates": np.arange(9.0), "estimate": 4.5} | arguments))


NORMAL = NormalDist()


class Study:
    """A metric of some tasks, its replicates, and the level."""

    def __init__(self, metric, sizes, confidence_level):
        draw = np.random.default_rng(len(sizes))
        self.metric, self.confidence_level, self.sizes = metric, confidence_level, sizes
        self.tasks = [draw.exponential(1.0, size) for size in sizes]
        self.value = metric_values(self.tasks, [metric])[0]
        self.n_resamples = replicate_metrics(self.tasks, [metric], 501, seed=3)[:, 0]
        self.tails = ((1 - confidence_level) / 2, (1 + confidence_level) / 2)

    def of(self, tasks):
        return metric_values(tasks, [self.metric])[0]

    def without(self, m, n):
        tasks = [np.delete(task, n) if k == m else task for k, task in enumerate(self.tasks)]
        if len({*self.sizes}) > 1:
            if self.metric != "iqm":
                return self.of(tasks)
            cut = cut_weight(self.tasks, "1/4")  # it stays that of all runs
            return between_weights(tasks, cut, 1 - cut)
        # Where all tasks have the same number of runs, whole scores are cut, each with the same weight.
        return metric_values(tasks, [f"{self.metric} weighted by runs"])[0]

    def deviation(self):
        middle = math.fsum(self.n_resamples) / len(self.n_resamples)
        return math.sqrt(math.fsum((r - middle) ** 2 for r in self.n_resamples) / (len(self.n_resamples) - 1))

    def at(self, *fractions):
        return [quantile(self.n_resamples, fraction) for fraction in fractions]


def below_the_mean(values):
    middle = math.fsum(values) / len(values)
    return [middle - value for value in values]


def acceleration(influences):
    return math.fsum(u**3 for u in influences) / (6 * math.fsum(u**2 for u in influences) ** 1.5)


def acceleration_of_rows(study):
    return acceleration(
        below_the_mean([study.of([np.delete(task, n) for task in study.tasks]) for n in range(study.sizes[0])])
    )


def acceleration_of_tasks(study):
    influences = []
    for m, size in enumerate(study.sizes):
        if size > 1:
            parts = below_the_mean([study.without(m, n) for n in range(size)])
            influences += [(size - 1) / size * part for part in parts]
    return acceleration(influences)


def corrected(study, a):
    z0 = NORMAL.inv_cdf(sum(replicate < study.value for replicate in study.n_resamples) / len(study.n_resamples))
    moved = [z0 + NORMAL.inv_cdf(tail) for tail in study.tails]
    return study.at(*(NORMAL.cdf(z0 + z / (1 - a * z)) for z in moved))


def percentile(study):
    return study.at(*study.tails)


def basic(study):
    low, high = percentile(study)
    return [2 * study.value - high, 2 * study.value - low]


def normal(study):
    reach = study.deviation() * NORMAL.inv_cdf(study.tails[1])
    return [study.value - reach, study.value + reach]


def student_spread(study):
    """(c, degrees of freedom)."""
    parts, sizes = [], [size for size in study.sizes if size > 1]
    for m, size in enumerate(study.sizes):
        if size > 1:
            distances = below_the_mean([study.without(m, n) for n in range(size)])
            parts.append((size - 1) / size * math.fsum(d**2 for d in distances))
    shrunk = math.fsum((size - 1) / size * part for size, part in zip(sizes, parts, strict=True))
    known = math.fsum(part**2 / (size + 1) for size, part in zip(sizes, parts, strict=True))
    return math.sqrt(math.fsum(parts) / shrunk), max(math.fsum(parts) ** 2 / known - 2, min(sizes) - 1)


def student(study):
    c, degrees = student_spread(study)
    enlarged, z = c * stats.t.ppf(study.tails[1], degrees), stats.norm.ppf(study.tails[1])
    low, high = percentile(study)
    below, above = (max(study.deviation(), reach / z) for reach in (study.value - low, high - study.value))
    return [study.value - enlarged * below, study.value + enlarged * above]


RESAMPLED_FORMULAS = {
    "percentile": percentile,
    "basic": basic,
    "bc": lambda study: corrected(study, 0.0),
    "bca": lambda study: corrected(study, acceleration_of_rows(study)),
    "bca_stratified": lambda study: corrected(study, acceleration_of_tasks(study)),
    "normal": normal,
    "student": student,
}
ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}


def test_every_interval_of_resampled_runs_has_its_formula_here():
    assert RESAMPLED_FORMULAS.keys() == set(METHODS)


# The method bca leaves out one run of all tasks, which must have equally many.
RUNS = [(4, 4, 4), (9, 9), (3, 1, 6, 2)]
RESAMPLED = [(method, sizes) for method in METHODS for sizes in RUNS if method != "bca" or len({*sizes}) == 1]


@pytest.mark.parametrize(("method", "sizes"), RESAMPLED)
@pytest.mark.parametrize(("metric", "confidence_level"), [("mean", 0.95), ("iqm", 0.9), ("optimality_gap", 0.95)])
def test_an_interval_of_resampled_runs_is_what_its_formula_says(method, metric, confidence_level, sizes):
    study = Study(metric, sizes, confidence_level)
    given = ACCELERATIONS[method](study.tasks, [metric])[0] if method in ACCELERATIONS else None
    if method == "student":
        errors, degrees = standard_errors(study.tasks, [metric], "runs", study.n_resamples[:, None])
        found = student_interval(study.value, errors[0], degrees[0], confidence_level, study.n_resamples)
    else:
        found = interval(study.n_resamples, study.value, method, confidence_level, given)
    assert [found.low, found.high] == pytest.approx(RESAMPLED_FORMULAS[method](study), rel=1e-9, abs=1e-12)
