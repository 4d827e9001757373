"""Failure rates of intervals in simulated data sets, and tests of the counts against a promised level.

For many kinds of studies, the module computes quantiles of the failure rates, and how much of their spread is noise:
the worst of K counted rates is high even if all true rates are equal. Three numbers put it into perspective: the
maximum to be expected if every kind missed exactly as often as promised; the number of kinds that fail significantly
after Bonferroni's correction; and the rate of the worst kind, shrunk towards the others by a beta distribution of true
rates that has the same two moments as the counts (empirical Bayes; Efron and Morris, JASA 70, 1975).
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

    Two successes and two failures are added (Agresti and Coull, The American Statistician 52, 1998), so that a fraction
    of 0 or 1 does not count as exact.
    """
    middle = (np.asarray(fraction, np.float64) * count + 2.0) / (count + 4.0)
    return np.sqrt(middle * (1.0 - middle) / (count + 4.0))


def binomial_limits(successes: npt.ArrayLike, failures: npt.ArrayLike, tail: float) -> tuple[Floats, Floats]:
    """Compute exact limits (low, high) of a probability, each of which misses with a probability of at most `tail`.

    The numbers of successes and failures need not be integers (Clopper and Pearson, Biometrika 26, 1934).
    """
    won = np.asarray(successes, np.float64)
    lost = np.asarray(failures, np.float64)
    # The parameters of the beta distribution must be positive; if one is not, the limit is 0 or 1.
    low = np.where(won > 0.0, betaincinv(np.where(won > 0.0, won, 1.0), lost + 1.0, tail), 0.0)
    high = np.where(lost > 0.0, betaincinv(won + 1.0, np.where(lost > 0.0, lost, 1.0), 1.0 - tail), 1.0)
    return low, high


CONFIDENCE = 0.95
HOLDS = "holds"
"""The true rate is below the nominal rate."""
OPEN = "open"
"""The true rate may be on either side of the nominal rate."""
FAILS = "fails"
"""The true rate is above the nominal rate."""


class Study(NamedTuple):
    """Study of how often intervals miss the truth.

    cells : the simulated cases, small dictionaries with a unique "name"
    cover : function (cell, datasets, replicates, seed) that simulates this many data sets of a case, with this many
        resamples each, and returns a `failure_table` that counts how often each method misses the truth
    """

    cells: list[dict[str, Any]]
    cover: Callable[[dict[str, Any], int, int, int], pd.DataFrame]


def tally(
    outcomes: Sequence[tuple[Any, ...]],
    recommended: Callable[[dict[str, Any]], bool] = lambda row: False,
    unremarked: bool = False,
) -> list[dict[str, Any]]:
    """Count failures and average widths over data sets, by method and target in the order of their first data set.

    Parameters
    ----------
    outcomes : sequence of tuple
        (method, target, True if the truth is missed, width, remark as displayed to the user) for each interval of each
        data set.
    recommended : callable
        Function of the other keys that returns whether the interval is recommended.
    unremarked : bool, default False
        Also count the data sets without a remark.

    Returns
    -------
    list of dict
        Keys method, target, failures, width, recommended and remark (the most frequent one); if `unremarked`, remarked
        (fraction of the data sets with a remark) and failures_unremarked (failures in data sets without one).
    """
    rows = []
    table = pd.DataFrame(outcomes, columns=["method", "target", "missed", "width", "remark"])
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
    """Return the most frequent remark; among ties, the last in alphabetical order."""
    return max(set(remarks), key=lambda text: (remarks.count(text), text))


_COLUMNS = ["subject", "cell", "data", "runs", "tasks", "algorithms", "method", "target", "nominal", "datasets"]
_COLUMNS += ["failures", "width", "recommended", "remark"]


def failure_table(
    subject: str, cell: Mapping[str, Any], datasets: int, rows: Iterable[dict[str, Any]], **about: Any
) -> pd.DataFrame:
    """Create a table of counted failures that begins with the columns common to all subjects.

    Parameters
    ----------
    subject : str
    cell : mapping
        The simulated case: its name, runs and tasks.
    datasets : int
    rows : iterable of dict
        method, target, failures, recommended and further columns for each interval. A missing width becomes NaN, a
        missing remark "".
    about
        data, algorithms, and other columns that are the same in all rows, unless a row overrides them.
    """
    same = {"subject": subject, "cell": cell["name"], "runs": cell.get("runs"), "tasks": cell.get("tasks")}
    same |= {"nominal": 1.0 - CONFIDENCE, "datasets": datasets, "width": np.nan, "remark": ""} | about
    table = pd.DataFrame([same | row for row in rows])
    return table[sorted(table, key=lambda name: _COLUMNS.index(name) if name in _COLUMNS else len(_COLUMNS))]


def with_failure_rates(counts: pd.DataFrame) -> pd.DataFrame:
    """Add failure rates, their limits, and the comparison with the nominal rate to counts.

    Parameters
    ----------
    counts : DataFrame
        Columns failures, datasets and nominal, the failure rate that the interval promises not to exceed.

    Returns
    -------
    DataFrame
        The same with the columns failure_rate, failure_rate_low and failure_rate_high (limits of the true rate at 95 %,
        each exact and wrong in at most 2.5 % of simulations: Clopper and Pearson, Biometrika 26, 1934), and outcome:
        "holds" if the upper limit is at most the nominal rate, "fails" if the lower one exceeds it, else "open".
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
"""Probability that some kind is declared failing although none fails."""


class KindQuantiles(NamedTuple):
    """Quantiles of failure rates over all kinds of studies that have data sets.

    kinds : number of kinds
    median, upper, worst : median, 90 % quantile and maximum of the counted rates
    chance : the expected maximum if all kinds missed exactly as often as promised
    shrunk : the true rate of the worst kind, by empirical Bayes
    failing : number of kinds that miss significantly more often than promised
    """

    kinds: int
    median: float
    upper: float
    worst: float
    chance: float
    shrunk: float
    failing: int


def kind_quantiles(failures: Integers, datasets: Integers) -> KindQuantiles:
    """Compute quantiles over kinds of the failure rates of one interval, which should not exceed 5 %.

    Parameters
    ----------
    failures, datasets : int64[kinds]
        Kinds without data sets are left out.
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
    # The expected maximum of rates of binomial counts with the nominal probability: the integral of the probability
    # that some rate exceeds x.
    x = np.linspace(0.0, 1.0, 2_001)[:-1]
    below = bdtr(np.floor(x[:, None] * datasets + 1e-9), datasets, _NOMINAL).prod(axis=1)
    chance = float((1.0 - below).mean())
    shrunk = float(shrunk_rates(failures, datasets).max())
    return KindQuantiles(len(rates), median, upper, worst, chance, shrunk, failing)


def pooled_rate(failures: Integers, datasets: Integers) -> tuple[float, float, float]:
    """Compute the failure rate over all data sets of all kinds, with 95 % limits (rate, low, high).

    Data sets of a kind share its true rate, so the kinds are the sampling units. The standard error is that for a ratio
    of means over kinds (Cochran, Sampling Techniques, 1977, equation 6.13), with Student's distribution.

    Parameters
    ----------
    failures, datasets : int64[kinds]
        At least two kinds.
    """
    kinds = len(failures)
    total = datasets.sum()
    rate = failures.sum() / total
    error = np.sqrt(np.sum((failures - rate * datasets) ** 2) * kinds / (kinds - 1)) / total
    reach = stdtrit(kinds - 1, 0.975) * error
    return float(rate), max(float(rate - reach), 0.0), min(float(rate + reach), 1.0)


def shrunk_rates(failures: Integers, datasets: Integers) -> Floats:
    """Return the expected true rates, float64[kinds], under a beta distribution with the moments of the counts."""
    mean = failures.sum() / datasets.sum()
    if not 0.0 < mean < 1.0:
        return np.full(failures.size, mean)
    noise = mean * (1.0 - mean) / datasets
    between = max(float(np.mean((failures / datasets - mean) ** 2 - noise)), 0.0)
    if between == 0.0:
        return np.full(failures.size, mean)
    strength = max(mean * (1.0 - mean) / between - 1.0, 1e-6)
    return np.asarray((failures + strength * mean) / (datasets + strength))
