"""Trials with two outcomes, which are no runs: each run's score is the rate of its successes."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, shortened, shown

KEYS = ["algorithm", "environment", "run"]
_HINT = (
    "1 for a success and 0 for a failure; where the score is a rate already, columns: {trials: ...} names their number"
)
_WHOLE = 0.05
"""How far a rate times the number of trials may be from a whole number, as rates are rounded."""


def runs_of_outcomes(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row a run, of rows that are trials, or that are rates of a number of trials.

    Parameters
    ----------
    outcomes : columns algorithm, environment, run, score (1 or true for a success, 0 or false for a failure); with a
        column trials, score is the rate of so many trials

    Returns
    -------
    columns algorithm, environment, run, score (the rate), trials, and others as in the first row of the run

    Raises
    ------
    HintedError
        for outcomes that are neither 0 nor 1, rates that are none of so many trials, and runs of one trial each
    """
    scores = pd.to_numeric(outcomes["score"].map(_as_number), errors="coerce").astype(float)
    if "trials" in outcomes:
        trials = pd.to_numeric(outcomes["trials"], errors="coerce").astype(float)
        bad = ~(np.isfinite(trials) & (trials >= 1) & (trials == np.round(trials)))
        _refuse(outcomes, bad, "trials", "a whole number of trials, at least 1")
        successes = scores * trials
        bad = ~((scores >= 0) & (scores <= 1) & (np.abs(successes - np.round(successes)) <= _WHOLE))
        _refuse(outcomes, bad, "score", "the rate of successes in the trials of the row, from 0 to 1")
    else:
        _refuse(outcomes, ~scores.isin([0.0, 1.0]), "score", _HINT)
        trials, successes = pd.Series(1.0, index=outcomes.index), scores
    counted = outcomes.assign(trials=trials.astype(np.int64), successes=np.round(successes).astype(np.int64))
    groups = counted.groupby(KEYS, sort=False)
    runs = groups.first().drop(columns=["score", "trials", "successes"])
    totals = groups[["trials", "successes"]].sum()
    if (totals["trials"] == 1).all():
        what = f"each of the {len(totals)} runs has a single trial"
        raise HintedError("outcomes", what, "all trials of a run have its number; episodes are no runs")
    runs = runs.assign(score=totals["successes"] / totals["trials"], trials=totals["trials"])
    return runs.reset_index()


def _as_number(value: object) -> object:
    if isinstance(value, str):
        return {"true": 1, "false": 0}.get(value.strip().lower(), value)
    return int(value) if isinstance(value, bool | np.bool_) else value


def _refuse(outcomes: pd.DataFrame, bad: "pd.Series[bool]", column: str, hint: str) -> None:
    if bad.any():
        row = outcomes[bad].iloc[0]
        where = shortened(f"{row['algorithm']} / {row['environment']} / run {row['run']}")
        raise HintedError("outcomes", f"{where}: {column} {shown(row[column])} ({int(bad.sum())} such rows)", hint)
