"""Scores and times of Bayesian agents, and bootstrap views of run tables."""

import pandas as pd

from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Checked, Confidence, Seed
from surefoot.runs.sections import Count, Names


@question(stage="aggregate", needs="plays", page_table="surefoot.charts.study_tables:agents_table")
def agents(
    runs: pd.DataFrame,
) -> Result:
    r"""Compute the score and the times of each Bayesian agent in each environment.

    There is one row for each algorithm, setting of its parameters, and environment.

    Parameters
    ----------
    runs : DataFrame
        Plays of Bayesian agents, as a study with a source of kind plays collects them.

    Returns
    -------
    Result
        `table()` has columns variant, environment, algorithm, parameters, estimate (mean score), standard_error, low,
        high (normal 95 % limits), runs, failures, seconds_offline, seconds_decision (mean online time of a decision),
        the means of the columns decision_* if there are any, and best (True for the best agent of the algorithm in this
        variant and environment). The estimate is missing if the agent failed on any MDP.

    Notes
    -----
    formula : The mean score $\bar x \mp 1.96\, s / \sqrt N$ over $N$ MDPs (the paper prints $2\, s / N$), missing if
        the agent failed on any MDP; the mean time before the first decision; and the mean time per decision, which is
        the mean time of all decisions on an MDP divided by their mean number.
    assumes : MDPs are drawn independently and played once each.
    guarantee : Asymptotic in the number of MDPs, for each agent separately.
    not for : Comparing agents on the same MDPs: `paired_z` removes the effect of the MDPs.

    References
    ----------
    Castronovo et al. 2016, sections 2.3 and 3.2
    """
    from surefoot.statistics.comparison import paired_plays

    return Result(paired_plays.agent_table(runs))


@question(stage="estimate", needs="plays")
def paired_z(
    runs: pd.DataFrame,
) -> Result:
    r"""Test whether agents that played the same MDPs differ.

    A paired Z-test compares the best agents of every pair of algorithms, in each environment.

    Parameters
    ----------
    runs : DataFrame
        Plays of Bayesian agents, as a study with a source of kind plays collects them.

    Returns
    -------
    Result
        `table()` has columns variant, environment, algorithm, opponent, runs (number of MDPs that both played),
        difference (mean over these MDPs, at least 0), z, differs_two_sided (not z < 1.96, as in the published figures,
        where equal scores on all MDPs count as different), differs_one_sided (z > 1.645, as in the text of the paper).

    Notes
    -----
    formula : $z = \bar d\, \sqrt N / s_d$ of the differences $d$ on the $N$ MDPs that both agents played, with the
        better agent first. Each algorithm is represented by its agent with the highest mean. Two agents count as
        different unless $z < 1.96$, as in the paper's figures. The one-sided test of the paper's text, $z > 1.645$, is
        also reported.
    assumes : MDPs are independent, and many enough for a normal mean.
    guarantee : Asymptotically a level of 5 % for agents chosen beforehand. Agents chosen by the same scores are found
        to differ more often; agents with equal scores on all MDPs count as different; there is no correction for
        multiple tests.
    not for : Claims about all pairs at once.

    References
    ----------
    Castronovo et al. 2016, section 5 and appendix C
    """
    from surefoot.statistics.comparison import paired_plays

    return Result(paired_plays.paired_z(runs))


@question(stage="aggregate", needs="plays")
def time_bounds(
    runs: pd.DataFrame,
    *,
    left_out: Names = ("formula",),
) -> Result:
    """For each pair of bounds on offline and online time, find the best algorithms within these bounds.

    Parameters
    ----------
    runs : DataFrame
        Plays of Bayesian agents, as a study with a source of kind plays collects them.
    left_out : tuple of str, default ("formula",)
        Agents to leave out, because their offline time is incomplete: for the agent "formula", it does not include the
        search for the formula.

    Returns
    -------
    Result
        `table()` has columns variant, environment, milliseconds_online (bound on the time of a trajectory),
        milliseconds_offline, agents (number of agents that meet both bounds), algorithms (names in order from the best,
        up to the first that differs significantly, which is left out; joined by ", ").

    Notes
    -----
    formula : For each pair of bounds on the offline time and on the time of all decisions (0.01 ms, 0.05 ms, and so on,
        each five times the previous one): the algorithms in the order of their best agents within the bounds, up to
        but not including the first one that a [paired test](#sec-question-paired_z) distinguishes from the best.
    assumes : Times were measured on one machine.
    guarantee : The guarantee of each paired test, for agents chosen by the same scores.
    not for : Times of other machines or languages.

    References
    ----------
    Castronovo et al. 2016, section 5
    """
    from surefoot.statistics.comparison import paired_plays

    return Result(paired_plays.time_bounds(runs[~runs["algorithm"].isin(left_out)]))


@question(
    stage="estimate",
    needs="runs",
    chart="surefoot.charts.game_charts:views_chart",
)
def views(
    runs: pd.DataFrame,
    *,
    n_resamples: Count = 2000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    """Compute the IQM and the probability of improvement of each algorithm, with percentile intervals.

    The IQM uses scores normalized to [0, 1] by the lowest and the highest score of each environment; equal scores of an
    environment become 1/2. The probability of improvement is over a random run of another algorithm.

    Parameters
    ----------
    runs : DataFrame or dict
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict {algorithm:
        array of runs x tasks}.
    n_resamples : int, default 2000
        Number of resamples for the intervals.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns view ("iqm" or "probability_of_improvement"), algorithm, estimate, low, high, rank (1 is
        best), runs (the smallest number in an environment), n_resamples. The table is empty if there are fewer than two
        algorithms.

    Notes
    -----
    formula : For each algorithm, the IQM on the scale `min_max` (1/2 in an environment where all scores are equal), and
        the mean of its probabilities of improvement over the other algorithms, with percentile intervals from the
        stratified bootstrap.
    assumes : Runs are independent, within a task and across tasks.
    guarantee : Asymptotic: percentile intervals from few runs miss the truth too often.
    interval : percentile intervals of the bootstrap
    not for : Choosing the view that favours an algorithm: decide beforehand.

    References
    ----------
    Jordan et al. 2020, section 4; Agarwal et al. 2021, section 4.3
    """
    from surefoot.statistics.comparison.paired_plays import bootstrapped_views

    return Result(bootstrapped_views(runs, n_resamples, seed, confidence_level))
