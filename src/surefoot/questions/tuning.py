"""Effects of tuning on results: sensitivity to hyperparameters, effective dimension, and choosing one setting."""

from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Algorithms, Checked, Confidence, Seed
from surefoot.questions.hyperparameters import (
    Hyperparameters,
    check_hyperparameters,
    hyperparameter_columns,
    settings_tried,
)


@question(
    stage="estimate",
    needs="settings",
    chart="surefoot.charts.tuning_charts:hyperparameter_sensitivity_chart",
    finding="surefoot.charts.tuning_charts:hyperparameter_sensitivity_finding",
    check=check_hyperparameters,
)
def hyperparameter_sensitivity(
    runs: pd.DataFrame,
    *,
    hyperparameters: Hyperparameters | None = None,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute how much of a score depends on tuning in each environment.

    The result compares the best setting of each environment (tuned) with the best single setting for all environments
    (cross). The difference is the sensitivity to hyperparameters. Limits account for the selection of the best setting.

    The greatest of several noisy means is too high on average, so the sensitivity computed from means is too high, even
    if settings have no effect. The held-out values avoid this, since they are scores of settings that were chosen with
    other runs.

    Parameters
    ----------
    runs : DataFrame
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score, and a
        column for each hyperparameter. Runs that share a seed have the same value of run in all settings. Failed runs
        need an explicit score; settings that were not tried, or always fail, have no rows.
    hyperparameters : list of str, optional
        Columns of the hyperparameters. Default: the columns declared when the runs were read, or else all columns
        except algorithm, environment, run and score.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, quantity ("tuned", "cross" or "sensitivity"), estimate (from the means of all
        runs, as in publications), held_out, low, high (each interval separately; empty if a setting has one score in an
        environment), setting (the best setting with runs in all environments), runs (the smallest number of a setting
        in an environment), settings (number of settings), complete_settings (number of settings with runs in all
        environments), remark (a caveat about the interval).

    Raises
    ------
    ValueError
        If there is only one environment, if a column or a value of a hyperparameter is missing, if a run has two
        scores, or if no setting has runs in all environments.

    Notes
    -----
    formula : With the mean $\mu_{eh}$ of setting $h$ in environment $e$, tuned is $T = \frac{1}{E} \sum_e \max_h
        \mu_{eh}$ over all settings of $e$, cross is $C = \max_h \frac{1}{E} \sum_e \mu_{eh}$ over the settings of all
        environments, and the sensitivity is $T - C$. Runs are split at random into halves. $\hat T$ and $\hat C$ are
        the means, in one half, of the settings that are best in the other half, averaged over both halves. With the
        means $\bar\mu_{eh}$ of both halves, their errors $s$, and Student's quantile $t$ for $E(n - 1)$ degrees of
        freedom,
        the limits are $\hat T - \max_h \left( \frac{1}{E} \sum_e \bar\mu_{eh} + t s_h \right)$ and $\max_v \left(
        \frac{1}{E} \sum_e \bar\mu_{e v_e} + t s_v \right) - \hat C$, with $v$ any choice of a setting in each
        environment; the limits of $T$ are $\hat T - t s$ and the same maximum, and the limits of $C$ are analogous. The
        variance of a setting is at least the mean variance of its environment. All values are means over ten splits.
    assumes : Runs of a setting are independent and their means nearly normal. Runs of several settings may share a
        seed, and then have the same value of run.
    guarantee : Held-out values are unbiased for the chosen settings, which are at most as good as the best ones. The
        upper limit is for the best setting without knowing which one it is, so the intervals are wide if many settings
        are nearly equal. At 95 %, the sensitivity was missed in at most 3 of 100 simulated data sets of each of 108
        kinds, and in 0.1 % of all data sets: 2 or 5 environments, 4 or 64 settings, 2 to 10 runs, all settings equal or
        not, with normal, skewed or failing runs. Percentiles of resampled runs missed it in 48 % of all data sets.
        Tuned and cross were missed in at most 4 of 100 without a remark, and in up to 24 with one: no interval of a
        mean can account for rare failures that did not occur.
    interval : held-out limits with half of the runs
    not for : Scores of different environments without a common scale. Inference from the means of all runs: only their
        value is reported, as in publications, and it is too high.

    References
    ----------
    Adkins et al. 2024

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import hyperparameter_sensitivity
    >>> rows = [
    ...     ("ppo", place, run, step, 1 - worth * abs(step - at) + 0.01 * (run % 2))
    ...     for place, worth, at in (("maze", 1.0, 0.1), ("cliff", 2.0, 0.3))
    ...     for run in range(4)
    ...     for step in (0.1, 0.3)
    ... ]
    >>> scores = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "learning_rate", "score"])
    >>> table = hyperparameter_sensitivity(scores, hyperparameters=["learning_rate"]).table()
    >>> table[["quantity", "estimate", "low", "high", "setting"]].round(3)
          quantity  estimate    low   high            setting
    0        tuned     1.005  1.000  1.010  learning_rate=0.3
    1        cross     0.905  0.900  0.910  learning_rate=0.3
    2  sensitivity     0.100  0.095  0.105  learning_rate=0.3
    """
    from surefoot.statistics.comparison.hyperparameter_sensitivity import limits_remark, sensitivity

    rows = []
    for algorithm, tried in settings_tried(runs, hyperparameters, algorithms):
        limits = sensitivity(tried.scores, confidence_level, seed, algorithm)
        for quantity in ("tuned", "cross", "sensitivity"):
            row = {"algorithm": algorithm, "quantity": quantity} | getattr(limits, quantity)._asdict()
            row |= {"setting": tried.names[limits.best]} | tried.counts()
            rows.append(row | {"remark": limits_remark(row["runs"], len(tried.scores), quantity != "sensitivity")})
    return Result(pd.DataFrame(rows))


@question(
    stage="estimate",
    needs="settings",
    chart="surefoot.charts.tuning_charts:effective_dimension_chart",
    finding="surefoot.charts.tuning_charts:effective_dimension_finding",
    check=check_hyperparameters,
)
def effective_dimension(
    runs: pd.DataFrame,
    *,
    hyperparameters: Hyperparameters | None = None,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute how many hyperparameters have to be tuned separately in each environment.

    For each number of hyperparameters, the result has the score of the best subset if only this subset is tuned in each
    environment and all others keep the values of the best common setting. The effective dimension is the smallest
    number that reaches 95 % of the score with all hyperparameters tuned.

    Parameters
    ----------
    runs : DataFrame
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score, and a
        column for each hyperparameter. Settings must form a grid, since no two settings chosen at random would differ
        in a single hyperparameter. Runs that share a seed have the same value of run in all settings.
    hyperparameters : list of str, optional
        Columns of the hyperparameters. Default: the columns declared when the runs were read, or else all columns
        except algorithm, environment, run and score.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has a row for each algorithm and number of hyperparameters: columns algorithm, size, hyperparameters
        (the best subset of this size), estimate (score of the best subset), share (of the tuned score). For each
        algorithm, it has columns dimension (from the means of all runs, as in publications), held_out (for settings
        chosen with other runs), low, high (empty if a setting has one score in an environment), interpolated (the size
        at which linear interpolation reaches 95 %), runs, settings, complete_settings, remark (see
        `hyperparameter_sensitivity`). The dimension is empty if the tuned score is not positive.

    Raises
    ------
    ValueError
        As for `hyperparameter_sensitivity`, and if there are more than ten hyperparameters.

    Notes
    -----
    formula : With the best setting $h^*$ of all environments, a subset $S$ of the hyperparameters reaches $f(S) =
        \frac{1}{E} \sum_e \max \mu_{eh}$ over the complete settings $h$ that equal $h^*$ outside of $S$. The
        dimension is the least $k$ with $\max_{|S| = k} f(S) \ge 0.95\, T$, where $T$ is the tuned score, and at most
        the number of hyperparameters. The lower limit is the least $k$ at which an upper limit of $\max f(S) - 0.95\,
        T$ is not negative. The upper limit is the least $k$ such that no lower limit for $k$ or more hyperparameters is
        negative. Each is computed from held-out values and from the greatest upper limits of settings, as in
        [hyperparameter_sensitivity](#sec-question-hyperparameter_sensitivity).
    assumes : As for hyperparameter_sensitivity. Scores have a meaningful zero, so that 95 % of a score is meaningful.
    guarantee : The limits are for the dimension around the setting chosen from all runs. At 95 %, they missed
        it in at most 1 of 100 simulated data sets of each of 108 kinds, as for hyperparameter_sensitivity. If scores
        are noisy, they often span nearly all numbers, since 5 % of a score is a small difference.
    interval : held-out limits with half of the runs
    not for : Settings that were drawn at random. Inference from the means of all runs: only their value is reported.

    References
    ----------
    Adkins et al. 2024

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import effective_dimension
    >>> rows = [
    ...     ("ppo", place, run, step, entropy, 9 - 2 * abs(step - at) - entropy + 0.01 * (run % 2))
    ...     for place, at in (("maze", 1), ("cliff", 2))
    ...     for run in range(4)
    ...     for step in (1, 2)
    ...     for entropy in (0, 1)
    ... ]
    >>> scores = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "entropy", "score"])
    >>> effective_dimension(scores).table()[["size", "hyperparameters", "share", "dimension", "low", "high"]].round(3)
       size hyperparameters  share  dimension  low  high
    0     0                  0.889        1.0  1.0   1.0
    1     1            step  1.000        1.0  1.0   1.0
    2     2   step, entropy  1.000        1.0  1.0   1.0
    """
    from surefoot.statistics.comparison.hyperparameter_sensitivity import effective_dimension as dimension_of
    from surefoot.statistics.comparison.hyperparameter_sensitivity import limits_remark

    rows = []
    for algorithm, tried in settings_tried(runs, hyperparameters, algorithms):
        curve = dimension_of(tried.scores, tried.settings, confidence_level, seed, algorithm)
        names = hyperparameter_columns(runs, hyperparameters)
        size = curve.size
        about: dict[str, Any] = {
            "dimension": size.estimate,
            "held_out": size.held_out,
            "low": size.low,
            "high": size.high,
        }
        about |= {"interpolated": curve.interpolated} | tried.counts()
        about |= {"remark": limits_remark(about["runs"], len(tried.scores), of_mean=False)}
        for count, (value, subset) in enumerate(zip(curve.values, curve.subsets, strict=True)):
            row = {"algorithm": algorithm, "size": count, "hyperparameters": ", ".join(names[one] for one in subset)}
            rows.append(row | {"estimate": value, "share": value / curve.values[-1]} | about)
    return Result(pd.DataFrame(rows))


@question(
    stage="estimate",
    needs="settings",
    finding="surefoot.charts.tuning_charts:hyperparameter_selection_finding",
    check=check_hyperparameters,
)
def hyperparameter_selection(
    runs: pd.DataFrame,
    *,
    hyperparameters: Hyperparameters | None = None,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Choose one hyperparameter setting for all environments, and estimate its score on held-out runs.

    The chosen setting of each algorithm has the highest mean over environments, where each score is replaced by the
    share of lower scores in the same environment, as in the cross-environment hyperparameter setting benchmark (CHS).

    Report fresh runs of the chosen setting (250 in the benchmark). Until there are any, the held-out value is an
    estimate from runs that were not used to choose the setting.

    Parameters
    ----------
    runs : DataFrame
        Scores, one row per run: a table with the columns algorithm, environment, run, score, and a column for each
        hyperparameter. Scores need no common scale. Runs that share a seed have the same value of run in all settings.
    hyperparameters : list of str, optional
        Columns of the hyperparameters. Default: the columns declared when the runs were read, or else all columns
        except algorithm, environment, run and score.
    algorithms : list of str, optional
        Algorithms to include, which also determine the scale. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, setting (the chosen setting), estimate (mean share of the chosen setting, from
        all runs, which is too high), held_out, low, high (for the best setting; empty if a setting has one score in an
        environment), runs, settings, complete_settings, remark (see `hyperparameter_sensitivity`).

    Raises
    ------
    ValueError
        As for `hyperparameter_sensitivity`.

    Notes
    -----
    formula : A score $x$ in environment $e$ is replaced by the share of an algorithm's scores in $e$ that are below
        $x$, over all settings and runs, averaged over algorithms. The chosen setting has the greatest mean over
        environments of the means of its runs. The held-out value and the limits are defined as for cross in
        [hyperparameter_sensitivity](#sec-question-hyperparameter_sensitivity), on this scale.
    assumes : Runs of a setting are independent. The scale is treated as fixed, although it is computed from the same
        runs.
    guarantee : As for cross in hyperparameter_sensitivity, but on shares, which are bounded, so that failures weigh
        less. The best setting's score, on the scale computed from the runs, was within the limits in 98 % of simulated
        data sets of the same kinds. Without a remark, it was outside in 2 % of all data sets and in at most 8 of 100 of
        a kind.
    interval : held-out limits with half of the runs
    not for : Comparing algorithms, for which fresh runs of the chosen settings are needed.

    References
    ----------
    Patterson et al. 2024

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import hyperparameter_selection
    >>> rows = [
    ...     ("ppo", place, run, step, worth * step + 0.01 * run)
    ...     for place, worth in (("maze", 1.0), ("cliff", 8.0))
    ...     for run in range(4)
    ...     for step in (0.1, 0.3)
    ... ]
    >>> scores = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "learning_rate", "score"])
    >>> hyperparameter_selection(scores).table()[["algorithm", "setting", "estimate"]]
      algorithm            setting  estimate
    0       ppo  learning_rate=0.3    0.6875
    """
    from surefoot.statistics.comparison.hyperparameter_sensitivity import limits_remark, sensitivity, shares_below

    tried = dict(settings_tried(runs, hyperparameters, algorithms))
    rows = []
    shares = shares_below([one.scores for one in tried.values()])
    for (algorithm, one), scores in zip(tried.items(), shares, strict=True):
        limits = sensitivity(scores, confidence_level, seed, algorithm)
        row: dict[str, Any] = {"algorithm": algorithm, "setting": one.names[limits.best]} | limits.cross._asdict()
        row |= {"low": np.maximum(row["low"], 0.0), "high": np.minimum(row["high"], 1.0)}  # shares are in [0, 1]
        row |= one.counts()
        rows.append(row | {"remark": limits_remark(row["runs"], len(scores), of_mean=True)})
    return Result(pd.DataFrame(rows))
