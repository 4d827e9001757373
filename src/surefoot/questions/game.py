"""Scores of the two-player game of algorithms and environments (Jordan et al. 2020)."""

import pandas as pd

from surefoot.questions.registry import question
from surefoot.questions.results import Table
from surefoot.questions.settings import GameScores
from surefoot.questions.types import Checked, Confidence, FurtherTable, Seed, Sizes


@question(
    stage="aggregate",
    needs="runs",
    section=GameScores,
    more=("weights",),
    chart="surefoot.charts.game:game_scores_chart",
)
def game_scores(
    runs: pd.DataFrame,
    *,
    normalized: FurtherTable = None,
    checked: Checked = False,
) -> Table:
    r"""The scores of the two-player game, and the weight of each environment and opponent in them.

    The aggregate score of every algorithm, and its mean score in each environment.

    Parameters
    ----------
    runs
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict
        {algorithm: array of runs x tasks}.
    normalized
        Performance percentiles of the runs, as the scale of that name makes them; computed where they are left out.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Table
        `table()` has columns aggregate ("game_score", or "mean" of the raw scores of an environment), algorithm,
        environment, value, standard_error, runs, rank; `tables()["weights"]` has the columns environment, opponent,
        weight

    Notes
    -----
    formula : $\sum_{j,k} q_{jk}\, z_{ijk}$, where $z_{ijk}$ is the share of pairs of a run of algorithm $i$ and one of
        $k$ in environment $j$ in which the first scores at least as much; 1/2 against itself. One player picks an
        algorithm and is paid $z_{ijk}$; the other picks environment and opponent and is paid $-z_{ijk}$. The weights
        $q$ are the other player's marginal of the solution $d$ of $(I - \gamma C)^\top d = \frac{1-\gamma}{|S|} \mathbf
        1$, with $\gamma = 1 - 1/|S|$ and $|S| = n \cdot nm$; in $C$ a player moves to each better strategy with
        probability $\eta = 1 / (n + nm - 2)$, and to each equal one with $\eta / 50$.
    assumes : Only the order of scores within an environment counts.
    guarantee : None: point values, whose intervals `game_intervals` computes.
    in a paper : We rank algorithms by their scores in a two-player game, in which one player picks an algorithm and the
        other an environment and an opponent.
    not for : Comparing scores across papers: they depend on the other algorithms.

    References
    ----------
    jordan2020, section 4 and appendix B; omidshafiei2019

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import game_scores
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> table = game_scores(scores).table()
    >>> table[table["aggregate"] == "game_score"][["algorithm", "value", "rank"]].round(2)
      algorithm  value  rank
    0         a   0.56     1
    1         b   0.06     2
    """
    from surefoot.statistics.game.percentile import aggregate, payoff_table

    values, weights = aggregate(runs, payoff_table(runs) if normalized is None else normalized)
    return Table(values, {"weights": weights})


@question(stage="estimate", needs="runs")
def sample_distributions(
    runs: pd.DataFrame,
    *,
    algorithm: str,
    environment: str,
    sizes: Sizes,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> Table:
    r"""The distribution of one algorithm in one environment, from samples of several sizes.

    The distribution of each sample, each with its own band.

    Parameters
    ----------
    runs
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict
        {algorithm: array of runs x tasks}.
    algorithm
        Name of the algorithm.
    environment
        Name of the environment.
    sizes
        Numbers of runs that are drawn with replacement; those that are not below the number of all runs are left
        out.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Table
        `table()` has columns algorithm, environment, size, probability, score, low, high, confidence, runs (all that
        there are); the last size is that of all runs

    Notes
    -----
    formula : The empirical distribution function of $N$ runs, with the band $\mp \sqrt{\ln(2 / \delta) / (2 N)}$, cut
        at 0 and 1.
    assumes : Runs are independent.
    guarantee : Theorem: each whole band holds for any distribution and any number of runs.
    interval : bands of whole distributions (Dvoretzky, Kiefer and Wolfowitz)
    in a paper : We show the distribution of the scores of {algorithm} in {environment}, from all runs and from samples
        of [{sizes} runs] drawn with replacement, with {intervals}.
    not for : Comparing bands, each of which holds alone.

    References
    ----------
    jordan2020, figure 4; dvoretzky1956; massart1990
    """
    from surefoot.statistics.intervals.distributions import subsample_bands

    return Table(subsample_bands(runs, algorithm, environment, sizes, confidence, seed))
