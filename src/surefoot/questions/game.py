"""The evaluation game: scores of algorithms, intervals of the scores, and distributions of samples."""

from typing import Annotated, Any, Literal

import pandas as pd

from surefoot.errors import InputError, listed, shortened
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.question_settings import GameScores, OfOnePair, QuestionOfRuns
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Checked, Confidence, FurtherTable, ItemsOnce, Role, Seed, Sizes, Threads
from surefoot.runs.sections import SeveralRuns, one_of
from surefoot.statistics.intervals.estimation import estimate
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS, INTERVAL_METHODS


@question(
    stage="aggregate",
    needs="runs",
    section=GameScores,
    more=("weights",),
    chart="surefoot.charts.game_charts:evaluation_game_scores_chart",
)
def evaluation_game_scores(
    runs: pd.DataFrame,
    *,
    normalized: FurtherTable = None,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute the scores of algorithms in the evaluation game, with the weights of environments and opponents.

    The result also has the mean score of each algorithm in each environment.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    normalized : DataFrame, optional
        Performance percentiles, from the scale `performance_percentile`. Default: computed from the runs.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns aggregate ("game_score", or "mean" for the mean raw score in an environment), algorithm,
        environment, estimate, standard_error, runs, rank. `tables()["weights"]` has columns environment, opponent,
        weight.

    Notes
    -----
    formula : $\sum_{j,k} q_{jk}\, z_{ijk}$, where $z_{ijk}$ is the share of pairs of a run of algorithm $i$ and a run
        of $k$ in environment $j$ in which $i$ scores at least as much; it is 1/2 for $k = i$. One player picks an
        algorithm and is paid $z_{ijk}$; the other picks environment and opponent and is paid $-z_{ijk}$. The weights
        $q$ are the other player's marginal of the solution $d$ of $(I - \gamma C)^\top d = \frac{1-\gamma}{|S|} \mathbf
        1$, with $\gamma = 1 - 1/|S|$ and $|S| = n \cdot nm$; in $C$ a player moves to each better strategy with
        probability $\eta = 1 / (n + nm - 2)$, and to each equal one with $\eta / 50$.
    assumes : Only the order of scores within an environment counts.
    guarantee : None: point values, whose intervals `evaluation_game_intervals` computes.
    not for : Comparing scores across papers: they depend on the other algorithms.

    References
    ----------
    Jordan et al. 2020, section 4 and appendix B; Omidshafiei et al. 2019

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import evaluation_game_scores
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = evaluation_game_scores(scores).table()
    >>> table[table["aggregate"] == "game_score"][["algorithm", "estimate", "rank"]].round(2)
      algorithm  estimate  rank
    0         a      0.56     1
    1         b      0.06     2
    """
    from surefoot.statistics.game.percentile import aggregate, payoff_table

    values, weights = aggregate(runs, payoff_table(runs) if normalized is None else normalized)
    return Result(values, {"weights": weights})


@question(stage="estimate", needs="runs", section=OfOnePair)
def sample_distributions(
    runs: pd.DataFrame,
    *,
    algorithm: str,
    environment: str,
    sizes: Sizes,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute distribution functions of the scores of one algorithm in one environment, for several numbers of runs.

    Each distribution function has a simultaneous band.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    algorithm : str
        Name of the algorithm.
    environment : str
        Name of the environment.
    sizes : list of int
        Numbers of runs to draw with replacement. Only numbers below the total number of runs are used.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, environment, size, probability, score, low, high, confidence_level, runs (the
        total number). The last size is the total number of runs.

    Notes
    -----
    formula : The empirical distribution function of $N$ runs, with the band $\mp \sqrt{\ln(2 / \delta) / (2 N)}$, cut
        at 0 and 1.
    assumes : Runs are independent.
    guarantee : Theorem: each band contains the whole distribution with the stated confidence, for any distribution and
        any number of runs.
    interval : bands of whole distributions (Dvoretzky, Kiefer and Wolfowitz)
    not for : Comparing bands, since the confidence is for each band separately.

    References
    ----------
    Jordan et al. 2020, figure 4; Dvoretzky et al. 1956; Massart 1990
    """
    from surefoot.statistics.intervals.distribution_bands import subsample_bands

    return Result(subsample_bands(runs, algorithm, environment, sizes, confidence_level, seed))


_Methods = ItemsOnce[Annotated[str, *one_of(ESTIMATORS)]]


def check_game_intervals(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if an algorithm has a single run in an environment, but a method needs several."""
    needing = [name for name in settings.methods if name in INTERVAL_METHODS and INTERVAL_METHODS[name].min_runs > 1]
    counts = table.groupby(["algorithm", "environment"], sort=False).size()
    single = [f"{algorithm} / {environment}" for (algorithm, environment), count in counts.items() if count == 1]
    if needing and single:
        hint = f"add runs, or leave {' and '.join(needing)} out of methods"
        raise InputError(where, f"only one run for {listed([shortened(one) for one in single], separator='; ')}", hint)


@question(
    stage="estimate",
    needs="runs",
    section=QuestionOfRuns,
    chart="surefoot.charts.game_charts:evaluation_game_intervals_chart",
    drawn_beside=True,
    check=check_game_intervals,
)
def evaluation_game_intervals(
    runs: pd.DataFrame,
    *,
    methods: _Methods = ("pbp_matchings", "pbp", "pbp_t", "bootstrap", "anderson", "dkw"),
    variant: Literal["corrected", "as_published"] = "corrected",
    n_resamples: Annotated[SeveralRuns, Role.OF_STUDY_BY_DEFAULT] = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute intervals of scores of the evaluation game and of means, and bands of distributions.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    methods : list of str, default ["pbp_matchings", "pbp", "pbp_t", "bootstrap", "anderson", "dkw"]
        Methods. For scores of the game: "pbp_matchings", which is recommended and valid for any scores and any number
        of runs; "pbp", which is also valid but wider; "pbp_t" and "bootstrap", which are asymptotic. For the mean score
        in each environment: "anderson". For the distribution of the scores in each environment: "dkw".
    variant : {"corrected", "as_published"}, default "corrected"
        "corrected" follows the text of the paper; "as_published" repeats the program of the published numbers, with its
        errors.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns method, aggregate, algorithm, environment, estimate, low, high, standard_error (of the
        bootstrap, else empty), rank, rank_low, rank_high, confidence_level, runs (the smallest number of any algorithm
        in any environment), n_resamples (of the bootstrap, else empty), and for scores of the game ties (True if two
        runs in one environment have the same score). For "dkw", it has columns method, algorithm, environment,
        probability, score, low, high.

    Notes
    -----
    formula : From limits $Z^-_{ijk} \le z_{ijk} \le Z^+_{ijk}$ of all payoffs, the least $\sum_{j,k} q_{jk} Z^-_{ijk}$
        and the greatest $\sum_{j,k} q_{jk} Z^+_{ijk}$ over all games that the limits allow: where the limits of two
        payoffs overlap, a player moves between the strategies with any probability from 0 to $\eta$. The bootstrap
        instead resamples the runs and solves the game again.
    assumes : Runs are independent; each [interval method](#sec-intervals) adds its own assumptions.
    guarantee : The guarantee of the interval method, for all scores together.
    not for : Other sets of algorithms or environments, since each score depends on the set.

    References
    ----------
    Jordan et al. 2020, section 5 and appendices C and D

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import evaluation_game_intervals
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> intervals = evaluation_game_intervals(scores, methods=["pbp_matchings"]).table()
    >>> intervals[["algorithm", "estimate", "low", "high"]].round(2)
      algorithm  estimate   low  high
    0         a      0.56  0.22  0.94
    1         b      0.06  0.06  0.78
    """
    parts = [estimate(runs, method, confidence_level, seed, n_resamples, variant, threads) for method in methods]
    return Result(parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True))
