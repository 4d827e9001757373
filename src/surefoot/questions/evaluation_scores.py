"""Scores of models over a sample of items, such as the questions of a benchmark."""

import math
from numbers import Real
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import HintedError, InputError, counted, shown
from surefoot.questions._framework.checking import check_algorithms
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Algorithms, Checked, Confidence, Items
from surefoot.runs.columns.argument_names import names_checked
from surefoot.runs.sections import EACH_ONCE, UNIQUE
from surefoot.statistics.runs.score_arrays import algorithms_of

Attempts = Annotated[
    Items[Annotated[int, Field(ge=2)]], EACH_ONCE, Field(json_schema_extra=UNIQUE, examples=["[2, 4]"])
]


def check_evaluation_scores(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if scores or samples do not allow the requested numbers of attempts."""
    chosen = check_algorithms(table, settings, where)
    if not settings.attempts:
        return
    where = f"{where}.attempts"
    chosen_rows = table[table["algorithm"].isin(chosen)]
    if not chosen_rows["score"].isin((0.0, 1.0)).all():
        other = chosen_rows.loc[~chosen_rows["score"].isin((0.0, 1.0)), "score"].iloc[0]
        raise InputError(where, f"attempts require scores of 0 and 1, but a score is {other:g}", "leave attempts out")
    samples = chosen_rows.groupby(["algorithm", "environment"], sort=False).size()
    if max(settings.attempts) > samples.min():
        fewest = " / ".join(map(str, samples.idxmin()))
        what = f"{max(settings.attempts)} attempts require as many samples, but {fewest} has {samples.min()}"
        hint = f"use at most {counted(int(samples.min()), 'attempt')}, or add samples of each item"
        raise InputError(where, what, hint)


@question(
    stage="estimate",
    needs="runs",
    finding="surefoot.charts.difference_charts:evaluation_scores_finding",
    check=check_evaluation_scores,
)
def evaluation_scores(
    runs: pd.DataFrame,
    *,
    attempts: Attempts = (),
    use_clusters: bool = False,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    skip_checks: Checked = False,
) -> Result:
    r"""Estimate the mean score of each model over items such as questions, with clustered standard errors.

    The items are treated as a sample of all items of interest. Each environment is an item, and each run is one sample
    of an answer to it. The samples of an item are averaged first, so that they do not count as separate items. With
    several attempts, the result also has pass^k and pass@k. To compare models on the same items, use
    `multiple_comparisons` with random tasks.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    attempts : list of int, optional
        Numbers of attempts k, for scores of 0 and 1. The result then also has the probability that all of k attempts at
        an item succeed (pass^k), and the probability that at least one succeeds (pass@k).
    use_clusters : bool, default False
        If True, tasks whose names agree up to the last slash, such as "text 3/question 1" and "text 3/question 2", form
        a cluster of dependent tasks. A table may have a column cluster instead.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, metric (mean, pass^k or pass@k), estimate, standard_error (clustered, as in
        Miller 2024, without a factor for few clusters), low, high (each interval separately; empty for a single
        cluster), items, clusters, samples (the smallest number for any item), remark (a caveat about the interval).

    Raises
    ------
    ValueError
        If attempts are given but scores are not all 0 or 1, or if an item has fewer samples than attempts.

    Notes
    -----
    formula : The mean $\bar x$ of the means of $N$ items; its standard error is $\frac{1}{N} \sqrt{\sum_c \left(
        \sum_{i \in c} (x_i - \bar x) \right)^2}$ over the clusters $c$, and $s$ is that times $\sqrt{G / (G - 1)}$ for
        $G$ clusters. For scores from 0 to 1, the limits are Clopper and Pearson's for $n \bar x$ successes in $n = \bar
        x (1 - \bar x) / s^2 \cdot (z / t_{G-1})^2$ trials, at most as many as there are samples, or $G$ where all items
        have the same score; for other scores, they are $\bar x - s\, h(\pm t_{G-1})$ with Hall's $h(t) = \tfrac{3}{a}
        \left( (1 + a (t - a / 6))^{1/3} - 1 \right)$, where $a$ is the skewness of the clusters' sums of $x_i - \bar
        x$, divided by $\sqrt G$. pass^k is the mean of $\binom{c}{k} / \binom{m}{k}$ over items with $c$ successes in
        $m$ samples, and pass@k that of $1 - \binom{m - c}{k} / \binom{m}{k}$; both are unbiased.
    assumes : Items, or clusters of items, are independent and a sample of the items of interest.
    guarantee : Approximate, for each mean separately. At 95 %, limits without a remark missed in 2 % of simulated
        evaluations of rates from .5 to .97 with at least 10 items or 5 clusters, at worst in 9 %. With clusters of very
        different sizes, they missed in 6 %, at worst in 12 %; a remark says so. In the evaluations without a remark,
        the mean plus and minus 1.96 of Miller's standard errors missed in 16 %, at worst in 75 %. For unbounded scores,
        limits with 10 and 20 items missed in 4 to 5 % if the scores are normal, in 5 to 7 % if exponential, and in 8 to
        12 % if log-normal, where Student's interval misses in 12 to 18 %; with 50 log-normal items in 7 to 8 %. With 5
        to 50 clusters of log-normal items they missed in 6 to 13 %.
    interval : limits of Korn and Graubard for rates of clustered items, Hall's for other scores
    not for : Conclusions about these items only: `aggregate_metrics` treats tasks as fixed. Comparing models by whether
        their intervals overlap: use `multiple_comparisons`.

    References
    ----------
    Miller 2024; Korn and Graubard 1998; Hall 1992; Chen and others 2021; Yao et al. 2024

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import evaluation_scores
    >>> right = {"q1": (1, 1), "q2": (1, 0), "q3": (0, 0), "q4": (1, 1)}
    >>> rows = [("model", item, sample, one) for item, each in right.items() for sample, one in enumerate(each)]
    >>> answers = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    >>> evaluation_scores(answers, attempts=[2]).table()[["metric", "estimate", "standard_error", "items"]].round(3)
       metric  estimate  standard_error  items
    0    mean     0.625           0.207      4
    1  pass^2     0.500           0.250      4
    2  pass@2     0.750           0.217      4
    """
    from surefoot.statistics.intervals.rate_limits import all_of, cluster_remark, item_mean

    rows = []
    for algorithm in algorithms_of(runs, algorithms):
        of_items = runs[runs["algorithm"] == algorithm].groupby("environment", sort=False, observed=True)["score"]
        items = of_items.agg(["mean", "sum", "size"])
        values = {"mean": items["mean"].to_numpy(np.float64)}
        for count in attempts:
            values[f"pass^{count}"] = all_of(items["sum"], items["size"], count)
            values[f"pass@{count}"] = 1.0 - all_of(items["size"] - items["sum"], items["size"], count)
        clusters = clusters_of(list(items.index), use_clusters)
        for name, of_item in values.items():
            answers = int(items["size"].sum()) if name == "mean" else len(items)
            found = item_mean(of_item, clusters, answers, confidence_level)
            remark = cluster_remark(found.clusters, found.alike)
            row = {
                "algorithm": algorithm,
                "metric": name,
                "estimate": found.value,
                "standard_error": found.standard_error,
            }
            row |= {"low": found.low, "high": found.high, "items": len(items), "clusters": found.clusters}
            rows.append(row | {"samples": int(items["size"].min()), "remark": remark})
    return Result(pd.DataFrame(rows))


def clusters_of(items: list[str], use_clusters: bool) -> list[str]:
    """Return the cluster of each item: its name up to the last slash if clusters are used, otherwise the whole name."""
    return [str(item).rpartition("/")[0] or str(item) if use_clusters else str(item) for item in items]


@names_checked
def minimum_detectable_difference(
    items: int,
    samples: int = 1,
    rate: float = 0.5,
    consistency: float = 1.0,
    correlation: float = 0.0,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> float:
    """Compute the smallest difference between the success rates of two models that an evaluation can detect.

    No pilot is needed. The test is a paired z test on independent items, which approximates `multiple_comparisons` with
    random tasks. The defaults are the worst case. If items in clusters of equal size have correlation r, divide the
    number of items by 1 + (size - 1) r. For p pairs of models, use the confidence level 1 - 0.05 / p.

    Parameters
    ----------
    items : int
        Number of items that both models answer.
    samples : int, default 1
        Number of samples of each item and model.
    rate : float, default 0.5
        Success rate of both models, between 0 and 1; 0.5 is the worst case.
    consistency : float, default 1.0
        Correlation of two samples of an item. It is 0 if another sample is worth as much as another item, and 1 if all
        samples of an item are equal.
    correlation : float, default 0.0
        Correlation between the success rates of both models over items, from 0 to 1; for similar models, 0.3 to 0.7.
    power : float, default 0.8
        Probability of finding the difference.
    confidence_level : float, default 0.95
        Confidence level of the test.

    Returns
    -------
    float
        Difference of the rates.

    Raises
    ------
    ValueError
        If there are no items or samples, if a rate, power or confidence level is not between 0 and 1, or if a
        consistency or correlation is not from 0 to 1.

    References
    ----------
    Miller 2024, section 5

    Examples
    --------
    >>> from surefoot import minimum_detectable_difference
    >>> round(minimum_detectable_difference(200), 3)
    0.14
    >>> round(minimum_detectable_difference(200, samples=10, consistency=0.3, correlation=0.5), 3)
    0.066
    """
    from scipy.special import ndtri

    for name, value in (("confidence_level", confidence_level), ("power", power), ("rate", rate)):
        if not (isinstance(value, Real) and 0.0 < value < 1.0):
            where = f"minimum_detectable_difference: {name}"
            raise HintedError(where, f"got {shown(value)}", "use a number between 0 and 1")
    if not all(isinstance(count, Real) and count >= 1 for count in (items, samples)):
        what = f"got items={shown(items)} and samples={shown(samples)}"
        raise HintedError("minimum_detectable_difference", what, "use a number of at least 1 for both")
    for name, value in (("consistency", consistency), ("correlation", correlation)):
        if not (isinstance(value, Real) and 0.0 <= value <= 1.0):
            where = f"minimum_detectable_difference: {name}"
            raise HintedError(where, f"got {shown(value)}", "use a number from 0 to 1")
    of_items = consistency * (1.0 - correlation) + (1.0 - consistency) / samples
    error = math.sqrt(2.0 * rate * (1.0 - rate) * of_items / items)
    return float((ndtri((1.0 + confidence_level) / 2.0) + ndtri(power)) * error)
