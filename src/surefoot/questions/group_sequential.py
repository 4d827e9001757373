"""Several algorithms compared after every group of runs, to stop training as soon as it is decided."""

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked, check_scores
from surefoot.questions.registry import question
from surefoot.questions.results import Sets, Table
from surefoot.questions.types import Algorithms, Checked, Confidence, Seed
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.tables import algorithms_of, scores_of

FEWEST_OF_GROUP = 3  # runs


def check_group_sequential(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    from surefoot.statistics.comparison.group_sequential import MOST_ALGORITHMS

    check_scores(table, settings, where)
    chosen = algorithms_asked(table, settings)
    if not 2 <= len(chosen) <= MOST_ALGORITHMS:
        raise InputError(where, f"{len(chosen)} algorithms", f"name 2 to {MOST_ALGORITHMS} of them as `algorithms`")
    for algorithm in chosen:
        fewest = int(table[table["algorithm"] == algorithm].groupby("environment").size().min())
        if fewest < settings.group_size:
            what = f"{algorithm} has {fewest} runs of a task, and a group {settings.group_size}"
            smaller = f", or `group_size: {fewest}` if no look was made yet" if fewest >= FEWEST_OF_GROUP else ""
            raise InputError(where, what, f"collect more runs{smaller}")


@question(
    stage="estimate",
    chart="surefoot.charts.multiple_comparisons:group_sequential_chart",
    finding="surefoot.charts.multiple_comparisons:group_sequential_finding",
    check=check_group_sequential,
)
def group_sequential(
    runs: Sets,
    *,
    group_size: Annotated[int, Field(ge=FEWEST_OF_GROUP, le=50)] = 5,
    looks: Annotated[int, Field(ge=1, le=50)] = 5,
    algorithms: Algorithms | None = None,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    checked: Checked = False,
) -> Table:
    r"""Several algorithms compared after every group of runs, to stop training those that are decided.

    State the design before the first run: the runs of a group, and how many looks there will be. Train a group of runs
    of each algorithm, ask; train the next group of those algorithms that are not separated from all others, ask again.

    Runs are taken in the order in which they were collected: the natural order of their names (run2 before run10). A
    run counts with its mean over the tasks.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    group_size
        Runs of each task that are added between two looks.
    looks
        How many looks are planned, before the first run.
    algorithms
        The algorithms to take; all of them by default.
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
        `table()` has columns x, y, value (difference of the means of the runs that were used), separated, look (at
        which the pair was separated; empty if it was not), runs_x, runs_y (that were used, of each task), looks (that
        were made), planned, group_size

    Raises
    ------
    ValueError
        for fewer than two or more than seven algorithms, or more groups of runs than looks

    Notes
    -----
    formula : The statistic of a pair is the absolute difference of the sums of its runs until this look. A hypothesis
        says which algorithms are equal; its statistic is the greatest of theirs, and is compared with those of
        all, or 20,000 random, assignments of the runs of each look to its algorithms. Until look $k$ of $K$ at most
        $\alpha k / K$ of the assignments are rejected. A pair is separated once every hypothesis is rejected in which
        its two are equal.
    assumes : Runs of an algorithm are independent, and of equal algorithms have the same distribution; the runs of
        different tasks may depend on each other.
    guarantee : Theorem (permutation test, closed testing): the chance of separating any two algorithms whose runs have
        the same distribution is at most $\alpha$, over all looks and all pairs.
    interval : group-sequential permutation tests
    in a paper : We compare {algorithms} after every {group_size} runs, at most {looks} times, with {intervals}.
    not for : How far two algorithms are apart: ask `pairwise_differences`. Looks that nobody planned: ask
        `sequential_comparison`.

    References
    ----------
    mathieu2024

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import group_sequential
    >>> a, b = [0.9, 0.8, 0.7, 0.9, 0.8], [0.1, 0.2, 0.1, 0.3, 0.2]
    >>> scores = {"a": np.array(a)[:, None], "b": np.array(b)[:, None]}
    >>> group_sequential(scores, checked=True).table()[["x", "y", "value", "separated", "look", "runs_x"]].round(2)
       x  y  value  separated  look  runs_x
    0  a  b   0.64       True     1       5
    """
    from surefoot.statistics.comparison.group_sequential import group_sequential as decide

    (table,) = runs.values()
    names = algorithms_of(table, algorithms)
    counted = [_groups(scores_of(table, name), group_size) for name in names]
    groups = max(len(own) for own in counted)
    scores = np.full((len(names), groups, group_size), np.nan)
    for place, own in enumerate(counted):
        scores[place, : len(own)] = own
    found = decide(scores, looks, confidence, seed)
    used = group_size * found.groups
    columns = {
        "x": [names[x] for x in found.x],
        "y": [names[y] for y in found.y],
        "value": found.value,
        "separated": found.separated > 0,
        "look": pd.array(np.where(found.separated > 0, found.separated, -1), "Int64"),
        "runs_x": used[found.x],
        "runs_y": used[found.y],
    }
    answer = pd.DataFrame(columns).assign(looks=found.looks, planned=looks, group_size=group_size)
    return Table(answer.assign(look=answer["look"].mask(~answer["separated"])))


def _groups(samples: list[Floats], group: int) -> Floats:
    """The means over tasks of the runs of each whole group, float64[groups, group]."""
    whole = min(len(scores) for scores in samples) // group * group
    means: Floats = np.mean([scores[:whole] for scores in samples], axis=0)
    return means.reshape(-1, group)
