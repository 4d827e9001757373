"""How often intervals fail, as counted in simulated data sets, and what the counts say of a promised level.

Of many kinds of studies, quantiles of the rates are stated, and how much of them is noise. The worst of K counted rates
is high even if all true rates are equal. Three numbers say how high it is in truth: the greatest count to be expected
if every kind missed exactly as often as promised; how many kinds fail significantly after Bonferroni's correction; and
the rate of the worst kind as shrunk towards the others, by a beta distribution of true rates whose two moments are
those of the counts (empirical Bayes; Efron and Morris, JASA 70, 1975).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import bdtr, bdtrc, betaincinv, stdtrit

from surefoot.statistics.arrays import Floats, Integers


def fraction_error(fraction: float, count: int) -> Any:
    """Standard error of a fraction of `count` independent events, of one number or an array.

    Two events of either kind are added (Agresti and Coull, The American Statistician 52, 1998), so that a fraction of 0
    or 1 is not taken to be exact.
    """
    middle = (np.asarray(fraction, np.float64) * count + 2.0) / (count + 4.0)
    return np.sqrt(middle * (1.0 - middle) / (count + 4.0))


def binomial_limits(successes: npt.ArrayLike, failures: npt.ArrayLike, tail: float) -> tuple[Floats, Floats]:
    """Exact limits (low, high) of a probability, each wrong with a probability of at most `tail` (Clopper and Pearson,
    Biometrika 26, 1934); numbers of successes and failures need not be whole."""
    won, lost = np.asarray(successes, np.float64), np.asarray(failures, np.float64)
    # The beta distribution's parameters must be positive; where they are not, the limit is an end of [0, 1].
    low = np.where(won > 0.0, betaincinv(np.where(won > 0.0, won, 1.0), lost + 1.0, tail), 0.0)
    high = np.where(lost > 0.0, betaincinv(won + 1.0, np.where(lost > 0.0, lost, 1.0), 1.0 - tail), 1.0)
    return low, high


CONFIDENCE = 0.95
HOLDS, OPEN, FAILS = "holds", "open", "fails"
"""What a count says of the nominal rate: the true rate is below it, may be on either side, is above it."""


class Study(NamedTuple):
    """A study of how often intervals miss the truth.

    cells : its cases, small dictionaries with a unique "name"
    cover : cover(cell, datasets, replicates, seed) simulates that many data sets of a case and counts how often each
        method misses the truth, with so many resamples of each: a `failure_table`
    """

    cells: list[dict[str, Any]]
    cover: Callable[[dict[str, Any], int, int, int], pd.DataFrame]


def tally(
    outcomes: Sequence[tuple[Any, ...]],
    recommended: Callable[[dict[str, Any]], bool] = lambda row: False,
    unremarked: bool = False,
) -> list[dict[str, Any]]:
    """Failures and mean widths of intervals over data sets, by method and target in the order of their first data set.

    Parameters
    ----------
    outcomes : (method, target, whether the truth is missed, width, remark as its user would read it) of each interval
        of each data set
    recommended : whether an interval is, by the other keys
    unremarked : whether to count what has no remark

    Returns
    -------
    keys method, target, failures, width, recommended and remark, the one of most data sets; if `unremarked`, remarked
    (fraction of the data sets with a remark) and failures_unremarked (failures in data sets without one)
    """
    rows = []
    table = pd.DataFrame(outcomes, columns=["method", "target", "missed", "width", "remark"])
    for (method, target), group in table.groupby(["method", "target"], sort=False):
        missed, bare = group["missed"].to_numpy(bool), group["remark"].to_numpy() == ""
        row = {"method": method, "target": target, "failures": int(missed.sum()), "width": group["width"].mean()}
        row |= {"remark": usual(group["remark"].tolist())}
        if unremarked:
            row |= {"remarked": 1.0 - bare.mean(), "failures_unremarked": int((missed & bare).sum())}
        rows.append(row | {"recommended": recommended(row)})
    return rows


def usual(remarks: Sequence[str]) -> str:
    """The remark of most data sets; of several, the last by the alphabet."""
    return max(set(remarks), key=lambda text: (remarks.count(text), text))


_COLUMNS = ["subject", "cell", "data", "runs", "tasks", "algorithms", "method", "target", "nominal", "datasets"]
_COLUMNS += ["failures", "width", "recommended", "remark"]


def failure_table(
    subject: str, cell: Mapping[str, Any], datasets: int, rows: Iterable[dict[str, Any]], **about: Any
) -> pd.DataFrame:
    """A table of counted failures, whose first columns are those of all subjects.

    Parameters
    ----------
    cell : what was simulated: its name, runs and tasks
    rows : method, target, failures, recommended and further columns of each interval; without a width it is NaN, and
        without a remark it is empty
    about : data, algorithms, and others that are the same in all rows, unless a row has its own
    """
    same = {"subject": subject, "cell": cell["name"], "runs": cell.get("runs"), "tasks": cell.get("tasks")}
    same |= {"nominal": 1.0 - CONFIDENCE, "datasets": datasets, "width": np.nan, "remark": ""} | about
    table = pd.DataFrame([same | row for row in rows])
    return table[sorted(table, key=lambda name: _COLUMNS.index(name) if name in _COLUMNS else len(_COLUMNS))]


def with_failure_rates(counts: pd.DataFrame) -> pd.DataFrame:
    """The table with the failure rates behind its counts, their limits, and what they say of the nominal rate.

    Parameters
    ----------
    counts : columns failures, datasets and nominal, the failure rate that the interval promises not to exceed

    Returns
    -------
    the same with the columns failure_rate, failure_rate_low and failure_rate_high (limits of the true rate at 95 %,
    each exact and wrong in at most 2.5 % of simulations: Clopper and Pearson, Biometrika 26, 1934), and outcome:
    "holds" where the upper limit is at most the nominal rate, "fails" where the lower one exceeds it, "open" between
    """
    failures, datasets = counts["failures"].to_numpy(float), counts["datasets"].to_numpy(float)
    low, high = binomial_limits(failures, datasets - failures, (1.0 - CONFIDENCE) / 2.0)
    rates = counts.assign(failure_rate=failures / datasets, failure_rate_low=low, failure_rate_high=high)
    outcome = pd.Series(OPEN, counts.index)
    outcome = outcome.mask(rates["failure_rate_high"] <= counts["nominal"], HOLDS)
    return rates.assign(outcome=outcome.mask(rates["failure_rate_low"] > counts["nominal"], FAILS))


_NOMINAL = 0.05
LEVEL = 0.05
"""Probability that a kind is called failing where none is, shared by all kinds."""


class KindQuantiles(NamedTuple):
    """Quantiles over the kinds that have data sets.

    kinds : how many; median, upper, worst : the counted rates' median, 90 % quantile and maximum
    chance : the expected maximum if all kinds missed exactly as often as promised
    shrunk : the true rate of the worst kind, by empirical Bayes
    failing : kinds that miss significantly more often than promised
    """

    kinds: int
    median: float
    upper: float
    worst: float
    chance: float
    shrunk: float
    failing: int


def kind_quantiles(failures: Integers, datasets: Integers) -> KindQuantiles:
    """The quantiles of one interval's failure rates over kinds, which are promised not to exceed 5 %.

    Parameters
    ----------
    failures, datasets : int64[kinds]; kinds without data sets are left out
    """
    counted = datasets > 0
    failures, datasets = failures[counted], datasets[counted]
    if not failures.size:
        return KindQuantiles(0, np.nan, np.nan, np.nan, np.nan, np.nan, 0)
    rates = failures / datasets
    median, upper, worst = np.quantile(rates, [0.5, 0.9, 1.0]).tolist()
    # By exact binomial tests at `LEVEL` / kinds each; bdtrc(k, n, p) is the probability of more than k.
    chances = bdtrc(np.maximum(failures - 1.0, 0.0), datasets, _NOMINAL)
    failing = int(((failures > 0) & (chances <= LEVEL / len(failures))).sum())
    # The expected maximum of rates of binomial counts with the nominal probability: the integral of the chance that
    # some rate exceeds x.
    x = np.linspace(0.0, 1.0, 2_001)[:-1]
    below = bdtr(np.floor(x[:, None] * datasets + 1e-9), datasets, _NOMINAL).prod(axis=1)
    chance, shrunk = float((1.0 - below).mean()), float(shrunk_rates(failures, datasets).max())
    return KindQuantiles(len(rates), median, upper, worst, chance, shrunk, failing)


def pooled_rate(failures: Integers, datasets: Integers) -> tuple[float, float, float]:
    """The failure rate over all data sets of all kinds, with 95 % limits (rate, low, high).

    Data sets of a kind share its true rate, so that the kinds are what is counted: the standard error is that of a
    ratio of means over kinds (Cochran, Sampling Techniques, 1977, equation 6.13), with Student's distribution.

    Parameters
    ----------
    failures, datasets : int64[kinds], of two or more kinds
    """
    kinds, total = len(failures), datasets.sum()
    rate = failures.sum() / total
    error = np.sqrt(np.sum((failures - rate * datasets) ** 2) * kinds / (kinds - 1)) / total
    reach = stdtrit(kinds - 1, 0.975) * error
    return float(rate), max(float(rate - reach), 0.0), min(float(rate + reach), 1.0)


def shrunk_rates(failures: Integers, datasets: Integers) -> Floats:
    """True rates float64[kinds] as expected, by a beta distribution with the moments of the counts."""
    mean = failures.sum() / datasets.sum()
    if not 0.0 < mean < 1.0:
        return np.full(failures.size, mean)
    noise = mean * (1.0 - mean) / datasets
    between = max(float(np.mean((failures / datasets - mean) ** 2 - noise)), 0.0)
    if between == 0.0:
        return np.full(failures.size, mean)
    strength = max(mean * (1.0 - mean) / between - 1.0, 1e-6)
    return np.asarray((failures + strength * mean) / (datasets + strength))
