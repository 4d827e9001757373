"""One run table through three views: the game-theoretic score, the IQM, and the probability of improvement.

The score weights environments and opponents by the equilibrium of a game (Jordan et al. 2020), the interquartile mean
takes all runs of all environments on one scale (Agarwal et al. 2021, section 4.3), and the probability of improvement
asks how often a run beats one of another algorithm, in all environments alike (the same).
"""

from itertools import combinations

import numpy as np
import pandas as pd

from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.improvement import probability_of_improvement, replicate_improvement
from surefoot.statistics.comparison.ranks import rank_values
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.tables import least_and_greatest, normalize_scores
from surefoot.statistics.ties import margin

VIEWS = ("game_score", "iqm", "probability_of_improvement")
COLUMNS = ["view", "algorithm", "value", "low", "high", "rank", "runs", "replicates"]


def bootstrapped_views(
    runs: pd.DataFrame, replicates: int = 2_000, seed: int = 0, confidence: float = 0.95
) -> pd.DataFrame:
    """The two views that rest on the stratified bootstrap, each algorithm with a percentile interval of its own.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score; all algorithms in the same environments

    Returns
    -------
    columns view ("iqm", of scores from 0, the least of an environment, to 1, the greatest; and
    "probability_of_improvement", over a run of any other algorithm, drawn at random), algorithm, value, low, high,
    rank (1 is best), runs (the fewest of an environment), replicates; no rows of fewer than two algorithms. Scores of
    an environment in which all are equal count 1/2.
    """
    several = runs.groupby("environment")["score"].transform("nunique") > 1
    ends = least_and_greatest(runs[several])
    scaled = pd.concat([normalize_scores(runs[several], ends), runs[~several].assign(score=0.5)])
    algorithms, tasks = list(dict.fromkeys(runs["algorithm"])), list(dict.fromkeys(runs["environment"]))
    if len(algorithms) < 2:
        return pd.DataFrame(columns=COLUMNS)
    groups = scaled.groupby(["algorithm", "environment"], sort=False)["score"]
    scores = {a: [groups.get_group((a, task)).to_numpy(np.float64) for task in tasks] for a in algorithms}
    iqm = {a: float(metric_values(scores[a], ["iqm"], tasks)[0]) for a in algorithms}
    drawn = {a: replicate_metrics(scores[a], ["iqm"], replicates, seed, a, tasks)[:, 0] for a in algorithms}
    above = dict.fromkeys(algorithms, 0.0)
    drawn_above = {a: np.zeros(replicates) for a in algorithms}
    share = 1.0 / (len(algorithms) - 1)
    for x, y in combinations(algorithms, 2):
        value = probability_of_improvement(scores[x], scores[y]).probability
        found = replicate_improvement(scores[x], scores[y], replicates, seed, (x, y), tasks)
        for winner, part, parts in ((x, value, found), (y, 1.0 - value, 1.0 - found)):
            above[winner] += share * part
            drawn_above[winner] += share * parts
    rows = []
    for view, values, resampled in ((VIEWS[1], iqm, drawn), (VIEWS[2], above, drawn_above)):
        for algorithm in algorithms:
            low, high = interval(resampled[algorithm], values[algorithm], "percentile", confidence)[:2]
            fewest = min(map(len, scores[algorithm]))
            rows.append((view, algorithm, values[algorithm], float(low), float(high), fewest, replicates))
    table = pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "rank"])
    decimals = _decimals(*ends)
    table["rank"] = table.groupby("view")["value"].transform(lambda values: rank_values(values, decimals)).astype(int)
    return table[COLUMNS]


def _decimals(zero: Floats, one: Floats) -> int:
    """How many decimals of normalized scores are no rounding: few, where scores are large and differ little."""
    magnified = np.maximum(np.abs(zero), np.abs(one)) / (one - zero)
    return int(np.floor(-np.log10(margin(max(1.0, magnified.max(initial=1.0))))))
