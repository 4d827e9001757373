"""Two algorithms compared after every run."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.sequential_comparison.settings import Settings
from surefoot.statistics.run_effects import running_inflation
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of
from surefoot.statistics.sequential import (
    confidence_sequence,
    evidence,
    ordinary_limits,
    round_bets,
    round_outcomes,
)


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Two algorithms compared after every run, in the order in which the runs were collected.

    Round n is run n of both in every task; a task that is ahead waits.

    Returns
    -------
    columns x, y, round, wins (fraction of its tasks that x wins), value (mean so far), low, high (confidence sequence),
        evidence (e-value against no difference), ordinary_low, ordinary_high (percentile interval of this look alone),
        decided (whether the confidence sequence has left 0.5), left_out (runs of the task that is furthest ahead),
        apart (whether the tasks of this round counted as separate outcomes), inflation, inflation_low, inflation_high
        (of the outcomes so far; see `surefoot.statistics.run_effects.running_inflation`), tasks
    """
    (table,) = sets.values()
    x, y = algorithms_of(table, settings.compare)
    samples = [scores_of(table, name) for name in (x, y)]
    sizes = [len(column) for sample in samples for column in sample]
    first, second = (np.array([column[: min(sizes)] for column in sample]).T for sample in samples)
    outcomes = round_outcomes(first, second)
    bets = round_bets(outcomes, settings.tasks_independent)
    low, high = confidence_sequence(bets, shared.confidence)
    ordinary = ordinary_limits(first, second, shared.replicates, shared.confidence, shared.seed)
    rounds, wins = np.arange(1, len(first) + 1), outcomes.mean(axis=1)
    columns = {"x": x, "y": y, "round": rounds, "wins": wins, "value": np.cumsum(wins) / rounds}
    columns |= {"low": low, "high": high, "evidence": evidence(bets)}
    columns |= {"ordinary_low": ordinary[0], "ordinary_high": ordinary[1], "decided": (low > 0.5) | (high < 0.5)}
    spread = dict(zip(("inflation", "inflation_low", "inflation_high"), running_inflation(outcomes), strict=True))
    columns |= {"apart": np.isfinite(bets).all(axis=1)} | spread
    return pd.DataFrame(columns).assign(left_out=max(sizes) - min(sizes), tasks=outcomes.shape[1])
