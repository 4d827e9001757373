"""Whether the runs of a study are shared by its tasks: one agent trained on all of them, or one checkpoint evaluated on
all.

Runs with the same name then do well or badly on all tasks alike. It is looked for by permutations of the runs within
each task, which are exact whatever the scores and their ties, with two statistics: Friedman's of one algorithm, and the
sum of those of all algorithms, since how a study was run concerns all of them. Runs count as shared where either
p-value is at most `LEVEL`.

How often they do, in percent of 200 normal data sets, by the correlation between tasks (0 is a false alarm, which makes
the interval wider, by the factor of the last column):

algorithms x runs   26 tasks: 0, .1, .3, .5    5 tasks: 0, .1, .3, .5    factor
1 x 3               6   33   71   84           4    6   19   35          1.8
1 x 5               6   50   90   99           4   10   45   66          1.25
1 x 10              6   84   98  100           6   16   69   92          1.1
3 x 3               6   72   96   99           6   18   46   70          1.8
3 x 5               8   90  100  100          12   30   76   94          1.25
5 x 3               6   84  100  100           6   18   56   88          1.8
5 x 10              8  100  100  100          13   57  100  100          1.1

At a level of 1 %, the first columns would be 1 to 3 %, and of one algorithm's 5 runs of 26 tasks with a correlation of
.1, where separate tasks miss the truth in 26 %, 36 % would be found instead of 50; at 10 %, 60 % with false alarms in 9
to 24 %.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.run_effects import centred_ranks, inflation_of, permuted_inflations
from surefoot.statistics.runs.tables import algorithms_of, matched_scores
from surefoot.streams import stream_key

LEVEL = 0.05
"""The level of each of the two tests."""
_ENOUGH = 9
"""Degrees of freedom, N - 1 of each algorithm's N runs, from which sharing that matters is mostly found; see above."""

DECLARED, FOUND, EXCLUDED, NOT_FOUND, CANNOT_TELL = ("declared", "found", "excluded", "not found", "cannot tell")
UNMATCHED = "other names"
"""Where fewer than two runs have the same name in all tasks, so that nothing tells which belong together."""
RESAMPLED = "resampled"
"""Where whole runs, or tasks, are resampled, so that nothing is asked."""
SHARED = (DECLARED, FOUND)


def shared_runs(table: pd.DataFrame, declared: bool | str = "auto", seed: int = 0) -> dict[str, str]:
    """What is known of each algorithm of a table of scores: "declared" or "found" where its runs are shared by the
    tasks; "excluded" where they are declared not to be, or where there is one task; else "not found", or "cannot tell"
    where so few runs would not show it, and "other names" where runs of different tasks have no names in common.

    Parameters
    ----------
    table : columns algorithm, environment, run, score; runs of different tasks with the same name belong together
    declared : what is said of the study, or "auto"; seed : of the permutations

    Raises
    ------
    ValueError : runs that are declared to be shared, and of which no two are in all tasks
    """
    algorithms = algorithms_of(table, None)
    if declared is False or (declared is not True and table["environment"].nunique() < 2):
        return dict.fromkeys(algorithms, EXCLUDED)
    matched = {name: matched_scores(table, name) for name in algorithms}
    if declared is True:
        for name, scores in matched.items():
            if len(scores) < 2:
                raise HintedError(
                    "shared_runs",
                    f"{len(scores)} runs of {name} are in all tasks",
                    "runs are matched by their names; with `shared_runs=False`, each task has runs of its own",
                )
        return dict.fromkeys(algorithms, DECLARED)
    alone, together = sharing_p_values(matched, seed)
    enough = sum(max(len(scores) - 1, 0) for scores in matched.values()) >= _ENOUGH
    otherwise = NOT_FOUND if enough else CANNOT_TELL
    runs = table.groupby(["algorithm", "environment"], sort=False, observed=True).size().groupby("algorithm").min()
    found = {name: FOUND if min(alone[name], together) <= LEVEL else otherwise for name in algorithms}
    return {name: UNMATCHED if len(matched[name]) < 2 <= runs[name] else one for name, one in found.items()}


def unit_of_errors(resampled: str, sharing: str) -> str:
    """The unit of `jackknife.standard_errors`, by what is resampled and what is known of whether runs are shared."""
    return "whole_runs" if resampled == "runs" and sharing in SHARED else resampled


def least_known(findings: Sequence[str]) -> str:
    """What is to be said of several algorithms together: that runs are shared where those of any are."""
    order = (FOUND, DECLARED, UNMATCHED, CANNOT_TELL, NOT_FOUND, EXCLUDED, RESAMPLED)
    return min(findings, key=order.index)


def sharing_sentence(findings: Iterable[str], runs: int, method: str = "student", what: str = "intervals") -> str:
    """What is to be said beside the intervals of several algorithms; empty if nothing.

    findings : of `shared_runs`; runs : the fewest of a task; method : of the intervals; what : they are called
    """
    found = least_known(list(findings))
    if found in SHARED:
        why = "Runs do alike on all tasks" if found == FOUND else "Tasks share runs"
        if method != "student":
            return f"{why}, which these {what} do not allow for."
        return f"{why}, so the {what} take whole runs."
    if found == UNMATCHED:
        return f"The {what} take tasks as independent: runs have other names in each task, so nothing shows otherwise."
    if found == CANNOT_TELL:
        return f"The {what} take tasks as independent, which {runs} runs cannot show."
    return ""


def sharing_p_values(
    matched: Mapping[str, Floats], seed: int = 0, permutations: int = 999
) -> tuple[dict[str, float], float]:
    """Probabilities of at least so much agreement of the tasks if they were independent: of each algorithm, and of all
    algorithms together.

    Parameters
    ----------
    matched : float64[runs, tasks] of each algorithm; a row is one run on all tasks
    seed, permutations : of the runs of each task
    """
    alone, observed, drawn = {}, 0.0, np.zeros(permutations)
    for name, scores in matched.items():
        ranks = centred_ranks(scores) if min(scores.shape) > 1 else np.zeros((0, 0))
        if not ranks.any():
            alone[name] = 1.0
            continue
        found = inflation_of(ranks)
        permuted = permuted_inflations(ranks, permutations, stream_key(seed, "sharing", name, *scores.shape))
        alone[name] = _p_value(found, permuted)
        # Friedman's statistic, so that algorithms with many runs weigh more.
        observed, drawn = observed + (len(ranks) - 1) * found, drawn + (len(ranks) - 1) * permuted
    return alone, _p_value(observed, drawn) if observed else 1.0


def _p_value(observed: float, permuted: Floats) -> float:
    return (1 + int((permuted >= observed * (1.0 - 1e-9)).sum())) / (len(permuted) + 1)
