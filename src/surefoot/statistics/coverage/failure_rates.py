"""Failure rates of intervals in simulated data sets, and tests of these rates against the nominal level.

An interval fails on a data set if it misses the truth. For many kinds of studies, the module computes quantiles of the
failure rates over the kinds. The worst of K observed rates is high even if all true rates are equal, so three numbers
put it into perspective: the expected maximum if every kind failed exactly at the nominal rate; the number of kinds that
fail significantly more often after Bonferroni's correction; and the rate of the worst kind, shrunk towards the others
by a beta distribution of true rates that has the same two moments as the counts (empirical Bayes; Efron and Morris,
JASA 70, 1975).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import bdtr, bdtrc, betaincinv, stdtrit

from surefoot.statistics.arrays import Floats, Integers


def fraction_error(fraction: float, count: int) -> Any:
    """Compute the standard error of a fraction of `count` independent events.

    Two successes and two failures are added (Agresti and Coull, The American Statistician 52, 1998), so that the error
    of a fraction of 0 or 1 is not 0.
    """
    middle = (np.asarray(fraction, np.float64) * count + 2.0) / (count + 4.0)
    return np.sqrt(middle * (1.0 - middle) / (count + 4.0))


def binomial_limits(successes: npt.ArrayLike, failures: npt.ArrayLike, tail: float) -> tuple[Floats, Floats]:
    """Compute Clopper and Pearson's limits (low, high) of a probability (Biometrika 26, 1934).

    Each limit misses with a probability of at most `tail`. The numbers of successes and failures need not be integers.
    """
    won = np.asarray(successes, np.float64)
    lost = np.asarray(failures, np.float64)
    # The parameters of the beta distribution must be positive; if one is not, the limit is 0 or 1.
    low = np.where(won > 0.0, betaincinv(np.where(won > 0.0, won, 1.0), lost + 1.0, tail), 0.0)
    high = np.where(lost > 0.0, betaincinv(won + 1.0, np.where(lost > 0.0, lost, 1.0), 1.0 - tail), 1.0)
    return low, high


CONFIDENCE = 0.95
HOLDS = "holds"
"""Conclusion that the true rate is below the nominal rate."""
OPEN = "open"
"""Conclusion that the true rate may be on either side of the nominal rate."""
FAILS = "fails"
"""Conclusion that the true rate is above the nominal rate."""


class Study(NamedTuple):
    """Study of how often intervals miss the truth.

    cells : the simulated cases, dictionaries with a unique "name"
    cover : function cover(cell, datasets, n_resamples, seed) that simulates data sets of a case, and returns a
        `failure_table` that counts how often each method misses the truth
    """

    cells: list[dict[str, Any]]
    cover: Callable[[dict[str, Any], int, int, int], pd.DataFrame]


class Outcome(NamedTuple):
    """Outcome of an interval in a data set.

    Parameters
    ----------
    method : method of the interval
    target : what it is an interval of
    missed : True if it misses the truth
    width : its width
    remark : remark on the interval, or ""
    """

    method: str
    target: str
    missed: bool | np.bool
    width: float | np.floating[Any]
    remark: str


def tally(
    outcomes: Sequence[Outcome],
    recommended: Callable[[dict[str, Any]], bool] = lambda row: False,
    unremarked: bool = False,
) -> list[dict[str, Any]]:
    """Count failures and average widths over data sets, by method and target.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One for each interval of each data set.
    recommended : callable
        Function of a row without the key recommended that returns True if its interval is recommended.
    unremarked : bool, default False
        If True, also count the data sets without a remark.

    Returns
    -------
    list of dict
        Keys method, target, failures, width, recommended and remark (the most frequent one); if `unremarked`, remarked
        (fraction of the data sets with a remark) and failures_unremarked (failures in data sets without one).
    """
    rows = []
    table = pd.DataFrame(outcomes, columns=list(Outcome._fields))
    for (method, target), group in table.groupby(["method", "target"], sort=False):
        missed = group["missed"].to_numpy(bool)
        bare = group["remark"].to_numpy() == ""
        row = {"method": method, "target": target, "failures": int(missed.sum()), "width": group["width"].mean()}
        row |= {"remark": usual(group["remark"].tolist())}
        if unremarked:
            row |= {"remarked": 1.0 - bare.mean(), "failures_unremarked": int((missed & bare).sum())}
        rows.append(row | {"recommended": recommended(row)})
    return rows


def usual(remarks: Sequence[str]) -> str:
    """Return the most frequent remark; in case of ties, the last in alphabetical order."""
    return max(set(remarks), key=lambda text: (remarks.count(text), text))


_COLUMNS = ["subject", "cell", "data", "runs", "tasks", "algorithms", "method", "target", "nominal", "datasets"]
_COLUMNS += ["failures", "width", "recommended", "remark"]


def failure_table(
    subject: str, cell: Mapping[str, Any], datasets: int, rows: Iterable[dict[str, Any]], **about: Any
) -> pd.DataFrame:
    """Create a table of failures, with the columns common to all subjects first.

    Parameters
    ----------
    subject : str
        Name of the study.
    cell : mapping
        Simulated case, with its name, runs and tasks.
    datasets : int
        Number of data sets.
    rows : iterable of dict
        Columns method, target, failures, recommended and others of each interval. A missing width becomes NaN, a
        missing remark "".
    about
        Columns that are the same for all intervals, such as data and algorithms; a row may override them.
    """
    same = {"subject": subject, "cell": cell["name"], "runs": cell.get("runs"), "tasks": cell.get("tasks")}
    same |= {"nominal": 1.0 - CONFIDENCE, "datasets": datasets, "width": np.nan, "remark": ""} | about
    table = pd.DataFrame([same | row for row in rows])
    return table[sorted(table, key=lambda name: _COLUMNS.index(name) if name in _COLUMNS else len(_COLUMNS))]


def with_failure_rates(counts: pd.DataFrame) -> pd.DataFrame:
    """Add failure rates, their 95 % limits, and their comparison with the nominal rate to a table of failures.

    Parameters
    ----------
    counts : DataFrame
        Columns failures, datasets and nominal (the failure rate that the interval should not exceed).

    Returns
    -------
    DataFrame
        The table with the columns failure_rate, failure_rate_low, failure_rate_high (Clopper and Pearson's limits) and
        outcome: "holds" if the upper limit is at most the nominal rate, "fails" if the lower limit exceeds it, else
        "open".
    """
    failures = counts["failures"].to_numpy(float)
    datasets = counts["datasets"].to_numpy(float)
    low, high = binomial_limits(failures, datasets - failures, (1.0 - CONFIDENCE) / 2.0)
    rates = counts.assign(failure_rate=failures / datasets, failure_rate_low=low, failure_rate_high=high)
    outcome = pd.Series(OPEN, counts.index)
    outcome = outcome.mask(rates["failure_rate_high"] <= counts["nominal"], HOLDS)
    return rates.assign(outcome=outcome.mask(rates["failure_rate_low"] > counts["nominal"], FAILS))


_NOMINAL = 0.05
LEVEL = 0.05
"""Probability that any kind is found to fail although no kind fails."""


class KindQuantiles(NamedTuple):
    """Quantiles of failure rates over kinds of studies; see the module docstring.

    kinds : number of kinds with data sets
    median, upper, worst : median, 90 % quantile and maximum of the observed rates
    chance : expected maximum if all kinds failed exactly at the nominal rate
    shrunk : estimated true rate of the worst kind, by empirical Bayes
    failing : number of kinds that fail significantly more often than the nominal rate
    """

    kinds: int
    median: float
    upper: float
    worst: float
    chance: float
    shrunk: float
    failing: int


def kind_quantiles(failures: Integers, datasets: Integers) -> KindQuantiles:
    """Compute quantiles of the failure rates of an interval in several kinds of studies, for a nominal rate of 5 %.

    Parameters
    ----------
    failures, datasets : int64[kinds]
        Numbers of failures and of data sets. Kinds without data sets are left out.
    """
    counted = datasets > 0
    failures = failures[counted]
    datasets = datasets[counted]
    if not failures.size:
        return KindQuantiles(0, np.nan, np.nan, np.nan, np.nan, np.nan, 0)
    rates = failures / datasets
    median, upper, worst = np.quantile(rates, [0.5, 0.9, 1.0]).tolist()
    # Exact binomial tests at `LEVEL` / kinds each; bdtrc(k, n, p) is the probability of more than k.
    chances = bdtrc(np.maximum(failures - 1.0, 0.0), datasets, _NOMINAL)
    failing = int(((failures > 0) & (chances <= LEVEL / len(failures))).sum())
    # The expected maximum is the integral over x of the probability that any rate exceeds x.
    x = np.linspace(0.0, 1.0, 2_001)[:-1]
    below = bdtr(np.floor(x[:, None] * datasets + 1e-9), datasets, _NOMINAL).prod(axis=1)
    chance = float((1.0 - below).mean())
    shrunk = float(shrunk_rates(failures, datasets).max())
    return KindQuantiles(len(rates), median, upper, worst, chance, shrunk, failing)


def pooled_rate(failures: Integers, datasets: Integers) -> tuple[float, float, float]:
    """Return the failure rate over all data sets of all kinds, and its 95 % limits, as (rate, low, high).

    Data sets of a kind share its true rate, so the kinds are the sampling units. The standard error is the one of a
    ratio of means over kinds (Cochran, Sampling Techniques, 1977, equation 6.13), with Student's distribution.

    Parameters
    ----------
    failures, datasets : int64[kinds]
        Numbers of failures and of data sets of at least two kinds.
    """
    kinds = len(failures)
    total = datasets.sum()
    rate = failures.sum() / total
    error = np.sqrt(np.sum((failures - rate * datasets) ** 2) * kinds / (kinds - 1)) / total
    reach = stdtrit(kinds - 1, 0.975) * error
    return float(rate), max(float(rate - reach), 0.0), min(float(rate + reach), 1.0)


def shrunk_rates(failures: Integers, datasets: Integers) -> Floats:
    """Return estimates of the true failure rates, float64[kinds], by empirical Bayes; see the module docstring."""
    mean = failures.sum() / datasets.sum()
    if not 0.0 < mean < 1.0:
        return np.full(failures.size, mean)
    noise = mean * (1.0 - mean) / datasets
    between = max(float(np.mean((failures / datasets - mean) ** 2 - noise)), 0.0)
    if between == 0.0:
        return np.full(failures.size, mean)
    strength = max(mean * (1.0 - mean) / between - 1.0, 1e-6)
    return np.asarray((failures + strength * mean) / (datasets + strength))
