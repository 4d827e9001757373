"""Compare success rates of policies after every pair of rollouts, without a planned number of rollouts."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Algorithms, Confidence
from surefoot.questions.success_rates import trials_in_common
from surefoot.statistics.arrays import Floats


def check_sequential_success_rates(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if trials do not allow `sequential_success_rates`."""
    trials = trials_in_common(table, settings, where)
    if trials["trials"].max() > 1:
        what = f"trials are compared in order, but a run has {trials['trials'].max()} trials"
        raise InputError(where, what, "give each trial a row, with its number as run: 0, 1, 2, ...")


@question(
    stage="estimate",
    needs="outcomes",
    finding="surefoot.charts.difference_charts:sequential_success_rates_finding",
    check=check_sequential_success_rates,
)
def sequential_success_rates(
    runs: pd.DataFrame,
    *,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Compare policies after every pair of rollouts, to stop as soon as one succeeds more often.

    You may look after every rollout and stop by any rule. The number of rollouts need not be planned, and the error
    rate is still controlled.

    Trial n of one policy is compared with trial n of the other, in the natural order of the names of runs. Trials of
    one policy without a counterpart are not used until the other policy has as many.

    Parameters
    ----------
    runs : DataFrame
        Outcomes of trials: a table with the columns algorithm, environment, run, score, which is 1 for a success and 0
        for a failure. Each row is one trial, and its run is its number.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns environment, algorithm, baseline, trials (compared trials of each policy), algorithm_rate,
        baseline_rate, estimate (algorithm_rate minus baseline_rate), p_value (valid at any time, and for all rows
        together), separated (True if p_value is at most 1 - confidence_level), decided (number of trials of each policy
        after which the pair was first separated; empty if it was not), left_out (number of trials without a
        counterpart).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, or if a run has several trials.

    Notes
    -----
    formula : Against the hypothesis that x does not succeed more often than y, each pair of outcomes $(u, v)$
        multiplies the evidence by $\frac{f_a(u) f_b(v)}{f_m(u) f_m(v)}$, where $f_p$ is the probability of an outcome
        with the rate $p$, $m = (a + b) / 2$, and $a > b$ are the rates whose log-odds lie $d / 2$ above and below those
        of $(S + 1) / (2n + 2)$, where $S$ is the number of successes of both in the $n$ pairs before. The evidence is
        the mean over eight values of $d$ from 0.4 to 6, each 1.47 times the previous one. With $C$ rows, the p-value is
        $2 C$ divided by the greatest evidence so far, for x over y or for y over x.
    assumes : Trials are independent, and each policy has one rate in each environment.
    guarantee : Theorem (Ville's inequality): the probability that equal rates are ever separated, or any two rates
        in the wrong direction, is at most $\alpha$ over all rows, however often one looks and whenever one stops. With
        up to 500 trials of each, equal rates from .05 to .95 were separated in 1 to 4 % of simulated comparisons at
        5 %.
    interval : e-processes by betting on pairs of outcomes
    not for : A fixed number of trials: `success_rate_differences` needs fewer. The size of the difference: use the same
        function.

    References
    ----------
    Turner et al. 2024; Waudby-Smith and Ramdas 2024

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import sequential_success_rates
    >>> outcomes = {"old": [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0], "new": [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]}
    >>> rows = [(name, "maze", trial, one) for name, each in outcomes.items() for trial, one in enumerate(each)]
    >>> rollouts = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    >>> found = sequential_success_rates(rollouts).table()
    >>> found[["algorithm", "baseline", "trials", "estimate", "p_value", "separated", "decided"]].round(3)
      algorithm baseline  trials  estimate  p_value  separated  decided
    0       old      new      12     -0.75    0.005       True       10
    """
    from surefoot.statistics.comparison.success_rate_differences import pair_evidence

    names = list(algorithms or dict.fromkeys(runs["algorithm"]))
    rows = []
    for environment, own in runs.groupby("environment", sort=False):
        outcomes = {name: _outcomes(own[own["algorithm"] == name]) for name in names}
        for x, y in combinations([name for name in names if len(outcomes[name])], 2):
            trials = min(len(outcomes[x]), len(outcomes[y]))
            first = outcomes[x][:trials]
            second = outcomes[y][:trials]
            evidence = np.maximum.accumulate(np.maximum(pair_evidence(first, second), pair_evidence(second, first)))
            ahead = len(outcomes[x]) + len(outcomes[y]) - 2 * trials
            rows.append((environment, x, y, trials, first.mean(), second.mean(), evidence, ahead))
    columns = [
        "environment",
        "algorithm",
        "baseline",
        "trials",
        "algorithm_rate",
        "baseline_rate",
        "evidence",
        "left_out",
    ]
    table = pd.DataFrame(rows, columns=columns)
    p_values = [np.minimum(2.0 * len(table) / one, 1.0) for one in table["evidence"]]
    separated = [one[-1] <= 1.0 - confidence_level for one in p_values]
    decided = [int((one > 1.0 - confidence_level).sum()) + 1 for one in p_values]
    table = table.assign(
        estimate=table["algorithm_rate"] - table["baseline_rate"], p_value=[one[-1] for one in p_values]
    )
    table = table.assign(separated=separated, decided=pd.Series(decided, dtype="Int64").where(separated))
    return Result(table[[*columns[:6], "estimate", "p_value", "separated", "decided", "left_out"]])


def _outcomes(trials: pd.DataFrame) -> Floats:
    """Return the outcomes of the trials of a policy in the order of the table, 1 for a success and 0 for a failure."""
    won: Floats = trials["score"].abs().to_numpy(np.float64)
    lower_is_better = "direction" in trials and len(trials) > 0 and trials["direction"].iloc[0] < 0
    return 1.0 - won if lower_is_better else won
