"""Scores and times of agents that play the same numbered MDPs (Castronovo et al. 2016, sections 2.3, 5.1, Appendix C).

A table of plays has one row per trajectory, with the columns algorithm, variant, parameters, environment, run (the
number of the MDP), score (missing for a failure), seconds_offline, seconds_online (of the trajectory) and decisions
(number of decisions in the trajectory). An *agent* is an algorithm with its parameters. The variant ``""`` means that
the agent is the same in all variants.

The module also computes two of three views of a run table. The game score weights environments and opponents by the
equilibrium of a game (Jordan et al. 2020), the IQM uses all runs of all environments on one scale (Agarwal et al. 2021,
section 4.3), and the probability of improvement is how often a run beats a run of another algorithm, with equal weights
for all environments (ibid.).
"""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, margin, rank_values
from surefoot.statistics.comparison.probability_of_improvement import probability_of_improvement, replicate_improvement
from surefoot.statistics.metrics.metric_catalogue import cut_alike
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.score_arrays import least_and_greatest, normalize_scores

AGENT = ["variant", "environment", "algorithm", "parameters"]

NORMAL_QUANTILE = 1.96
"""Normal quantile for the intervals, and for the two-sided test of the published figures."""

ONE_SIDED_QUANTILE = 1.645
"""Normal quantile for the one-sided test in the paper's text."""

BOUND_START = 0.01
BOUND_FACTOR = 5.0
"""First value of the grids of time bounds, 0.01, 0.05, 0.25, ... milliseconds, and ratio of successive values."""


def agent_table(plays: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean score of each agent, with its interval, and its mean times.

    Returns
    -------
    columns variant, environment, algorithm, parameters, estimate (mean score), standard_error, low, high (normal 95 %
    limits), runs, failures, seconds_offline, seconds_decision (mean online time of a decision), the means of any
    columns decision_*, and best (True for the best agent of the algorithm in this variant and environment). The
    estimate is missing if the agent failed on any MDP.
    """
    groups = plays.groupby(AGENT, sort=False)
    table = groups["score"].agg(estimate="mean", spread=lambda scores: scores.std(ddof=1), runs="size")
    table["failures"] = groups["failed"].sum()
    table.loc[table["failures"] > 0, ["estimate", "spread"]] = np.nan
    table["standard_error"] = table.pop("spread") / np.sqrt(table["runs"])
    for name, sign in (("low", -1.0), ("high", 1.0)):
        table[name] = table["estimate"] + sign * NORMAL_QUANTILE * table["standard_error"]
    table["seconds_offline"] = groups["seconds_offline"].mean()
    table["seconds_decision"] = groups["seconds_online"].mean() / groups["decisions"].mean()
    for column in (name for name in plays if name.startswith("decision_")):
        table[column] = groups[column].mean()
    table = table.reset_index()
    table["best"] = False
    table.loc[table.dropna(subset="estimate").groupby(AGENT[:3], sort=False)["estimate"].idxmax(), "best"] = True
    first = [*AGENT, "estimate", "standard_error", "low", "high", "runs", "failures"]
    return table[[*first, *(column for column in table if column not in first)]]


def agent_names(agents: pd.DataFrame) -> pd.Series:
    """Return names of agents, such as "opps_ds(formulas=2, budget=50)", from the columns algorithm and parameters."""
    return agents["algorithm"] + "(" + agents["parameters"] + ")"


def read_agent_names(names: pd.Series) -> pd.DataFrame:
    """Split names made by `agent_names` into the columns algorithm and parameters."""
    return names.str.extract(r"^(?P<algorithm>[^(]+)\((?P<parameters>.*)\)$")


def best_runs(plays: pd.DataFrame, variant: str, environments: list[str]) -> pd.DataFrame:
    """Return a run table with the best agent of each algorithm in each environment.

    Returns
    -------
    columns algorithm, environment, run, score, cell, parameters, seconds_offline, seconds_online. Algorithms without a
    best agent in every environment are left out.

    Raises
    ------
    ValueError : if no algorithm is left
    """
    wanted = plays[plays["variant"].isin(["", variant])]
    table = agent_table(wanted)
    table = table[table["best"]]
    complete = table.groupby("algorithm")["environment"].nunique() == len(environments)
    parts = dict(list(wanted.merge(table[AGENT], on=AGENT).groupby(["algorithm", "environment"], sort=False)))
    order = [name for name in wanted["algorithm"].unique() if complete.get(name, False)]
    if not order:
        what = "no algorithm played in all environments without failures, so a run table cannot be made"
        raise HintedError("plays", what, "see the failures in the log of `simulate`")
    runs = pd.concat([parts[name, environment] for name in order for environment in environments])
    columns = ["algorithm", "environment", "run", "score", "cell", "parameters", "seconds_offline", "seconds_online"]
    return runs.assign(cell=runs["algorithm"])[columns].reset_index(drop=True)


def paired_z(plays: pd.DataFrame) -> pd.DataFrame:
    """Compute paired Z-tests between the best agents of all algorithms, for each variant and environment.

    Returns
    -------
    columns variant, environment, algorithm, opponent, runs (number of MDPs that both played), difference (mean over
    these MDPs, at least 0), z, differs_two_sided (not z < 1.96, as in the published figures, where equal scores on all
    MDPs count as different), differs_one_sided (z > 1.645, as in the text of the paper)
    """
    names = ["variant", "environment", "algorithm", "opponent"]
    values = ["runs", "difference", "z", "differs_two_sided", "differs_one_sided"]
    rows = []
    for variant, environment, table, scores in _places(plays):
        best = table[table["best"]].sort_values("estimate", ascending=False, kind="stable")
        for leader, other in combinations(best.index, 2):
            difference, z, runs = _z(scores, leader, other)
            pair = table.loc[[leader, other], "algorithm"].tolist()
            if difference < 0.0:  # the leader has a higher mean only because of MDPs that the other did not play
                pair = pair[::-1]
                difference = -difference
                z = -z
            tests = (not z < NORMAL_QUANTILE, bool(z > ONE_SIDED_QUANTILE))
            rows.append((variant, environment, *pair, runs, difference, z, *tests))
    return pd.DataFrame(rows, columns=[*names, *values])


def time_bounds(plays: pd.DataFrame) -> pd.DataFrame:
    """Find the best algorithms whose offline and online times meet bounds, for each pair of bounds on a grid.

    Returns
    -------
    columns variant, environment, milliseconds_online (bound on the time of a trajectory), milliseconds_offline, agents
    (number of agents that meet both bounds), algorithms (names in order from the best, up to the first that differs
    significantly, which is left out; joined by ", ")
    """
    rows = []
    for variant, environment, table, scores in _places(plays):
        decisions = plays.loc[plays["environment"] == environment, "decisions"].iloc[0]
        online = table["seconds_decision"].to_numpy() * decisions * 1e3
        offline = table["seconds_offline"].to_numpy() * 1e3
        for x, y in product(_grid(online.max()), _grid(offline.max())):
            allowed = table[(online <= x) & (offline <= y)]
            bound = {"milliseconds_online": x, "milliseconds_offline": y, "agents": len(allowed)}
            names = ", ".join(_not_different(allowed, scores))
            rows.append({"variant": variant, "environment": environment} | bound | {"algorithms": names})
    return pd.DataFrame(rows)


def _places(plays: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame, Floats]]:
    """Yield the agents without failures and their scores, for each variant and environment in which there are any.

    Yields
    ------
    variant, environment : str
    agents : DataFrame, rows of `agent_table`
    scores : float64[agents, runs], NaN for MDPs that an agent did not play
    """
    variants = [name for name in plays["variant"].unique() if name] or [""]
    for variant in variants:
        for environment in plays["environment"].unique():
            chosen = plays[plays["variant"].isin(["", variant]) & (plays["environment"] == environment)]
            table = agent_table(chosen)
            table = table[table["failures"] == 0].reset_index(drop=True)
            if table.empty:
                continue
            names = pd.MultiIndex.from_frame(chosen[AGENT])
            places = pd.MultiIndex.from_frame(table[AGENT]).get_indexer(names)
            played = chosen.assign(place=places)[places >= 0]
            scores = played.pivot(index="run", columns="place", values="score").to_numpy().T
            yield variant, environment, table, scores


def _z(scores: Floats, leader: int, other: int) -> tuple[float, float, int]:
    """Return the mean difference, z, and the number of MDPs that two agents both played; z is NaN for equal scores."""
    difference = scores[leader] - scores[other]
    difference = difference[~np.isnan(difference)]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = difference.std(ddof=1) if difference.size > 1 else np.nan
        z = difference.mean() / (spread / np.sqrt(difference.size)) if difference.size else np.nan
    return difference.mean() if difference.size else np.nan, float(z), difference.size


def _not_different(allowed: pd.DataFrame, scores: Floats) -> Iterator[str]:
    """Yield algorithms in order from the best, and stop before the first that differs significantly from the best."""
    if allowed.empty:
        return
    best = allowed.loc[allowed.groupby("algorithm", sort=False)["estimate"].idxmax()]
    best = best.sort_values("estimate", ascending=False, kind="stable")
    leader = best.index[0]
    yield best.at[leader, "algorithm"]
    for other in best.index[1:]:
        # If z is below 0, this agent is better on the MDPs that both played, so it is yielded too.
        if not _z(scores, leader, other)[1] < NORMAL_QUANTILE:
            return
        yield best.at[other, "algorithm"]


def _grid(largest: float) -> list[float]:
    """Return the bounds in ascending order, up to the first one that all agents meet."""
    bounds = [BOUND_START]
    while bounds[-1] < largest:
        bounds.append(bounds[-1] * BOUND_FACTOR)
    return bounds


VIEWS = ("game_score", "iqm", "probability_of_improvement")
COLUMNS = ["view", "algorithm", "estimate", "low", "high", "rank", "runs", "n_resamples"]


def bootstrapped_views(
    runs: pd.DataFrame, n_resamples: int = 2_000, seed: int = 0, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Compute the IQM and the probability of improvement of each algorithm, with percentile intervals.

    The IQM uses scores normalized to [0, 1] by the lowest and the highest score of each environment; equal scores of an
    environment become 1/2. The probability of improvement is over a random run of another algorithm.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score; all algorithms must have the same environments

    Returns
    -------
    columns view ("iqm" or "probability_of_improvement"), algorithm, estimate, low, high, rank (1 is best), runs (the
    smallest number in an environment), n_resamples. The table is empty if there are fewer than two algorithms
    """
    several = runs.groupby("environment")["score"].transform("nunique") > 1
    ends = least_and_greatest(runs[several])
    scaled = pd.concat(
        [
            normalize_scores(runs[several], ends, "leave out environments in which all scores are equal"),
            runs[~several].assign(score=0.5),
        ]
    )
    algorithms = list(dict.fromkeys(runs["algorithm"]))
    tasks = list(dict.fromkeys(runs["environment"]))
    if len(algorithms) < 2:
        return pd.DataFrame(columns=COLUMNS)
    groups = scaled.groupby(["algorithm", "environment"], sort=False)["score"]
    scores = {a: [groups.get_group((a, task)).to_numpy(np.float64) for task in tasks] for a in algorithms}
    chosen = cut_alike(["iqm"], scores.values())
    iqm = {a: float(metric_values(scores[a], chosen, tasks)[0]) for a in algorithms}
    drawn = {a: replicate_metrics(scores[a], chosen, n_resamples, seed, a, tasks)[:, 0] for a in algorithms}
    above = dict.fromkeys(algorithms, 0.0)
    drawn_above = {a: np.zeros(n_resamples) for a in algorithms}
    share = 1.0 / (len(algorithms) - 1)
    for x, y in combinations(algorithms, 2):
        value = probability_of_improvement(scores[x], scores[y]).probability
        resampled_improvement = replicate_improvement(scores[x], scores[y], n_resamples, seed, (x, y), tasks)
        for winner, part, parts in ((x, value, resampled_improvement), (y, 1.0 - value, 1.0 - resampled_improvement)):
            above[winner] += share * part
            drawn_above[winner] += share * parts
    rows = []
    for view, values, resample in ((VIEWS[1], iqm, drawn), (VIEWS[2], above, drawn_above)):
        for algorithm in algorithms:
            low, high = interval(resample[algorithm], values[algorithm], "percentile", confidence_level)
            fewest = min(map(len, scores[algorithm]))
            rows.append((view, algorithm, values[algorithm], float(low), float(high), fewest, n_resamples))
    table = pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "rank"])
    # Number of accurate decimals of normalized scores, which is small if scores are large but differ little.
    magnified = np.maximum(np.abs(ends[0]), np.abs(ends[1])) / (ends[1] - ends[0])
    decimals = int(np.floor(-np.log10(margin(max(1.0, magnified.max(initial=1.0))))))
    table["rank"] = (
        table.groupby("view")["estimate"].transform(lambda values: rank_values(values, decimals)).astype(int)
    )
    return table[COLUMNS]
