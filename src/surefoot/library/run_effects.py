"""What the runs of each algorithm share across tasks."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.library.score_tables import ScoreTables, read_scores
from surefoot.statistics.run_effect_findings import FOUND
from surefoot.statistics.run_effects import run_effect


def run_effects(scores, confidence: float = 0.95, permutations: int = 999, seed: int = 0) -> pd.DataFrame:
    """Do runs with the same number do well or badly on all tasks alike?

    Intervals by `resampled="runs"`, bands, P(X > Y) and `sequential_comparison(tasks_independent=True)` take the runs
    of different tasks for independent. Where they are not, those intervals are too narrow, of the mean of all tasks
    by a factor of about sqrt(inflation), and `resampled="whole_runs"` is right.

    Parameters
    ----------
    scores : see `score_tables.read_scores`. Whether rows are runs rather than tasks is not checked here, since run
        effects look alike. Runs are matched across tasks by their names, or, in arrays, by their rows; runs that some
        task lacks are left out
    confidence, permutations, seed : see `statistics.run_effects.run_effect`

    Returns
    -------
    columns algorithm, runs, tasks, finding ("negligible", "found" or "cannot tell"), p_value, correlation,
    correlation_low, correlation_high (mean rank correlation of two tasks with one-sided limits), inflation,
    inflation_low, inflation_high (variance of the run means divided by that of independent tasks)

    Raises
    ------
    ValueError : see both; an algorithm without a run that all tasks have
    """
    tables, rows = read_scores(scores, checked=True), []
    for algorithm in tables.algorithms:
        matched = matched_runs(tables, algorithm)
        if matched.size == 0:
            raise HintedError(
                "run effects",
                f"no run of {algorithm} is in all tasks",
                "runs are matched by their names; where those of different tasks have nothing to do with one another, "
                "there is nothing to ask",
            )
        effect = run_effect(matched, confidence, permutations, seed)
        shown = {name: getattr(effect, name) for name in ("finding", "p_value")}
        for kind in ("correlation", "inflation"):
            shown |= {f"{kind}{end}": getattr(effect, f"{kind}{end}") for end in ("", "_low", "_high")}
        rows.append({"algorithm": algorithm, "runs": effect.runs, "tasks": effect.tasks} | shown)
    return pd.DataFrame(rows)


def run_effect_remark(tables: ScoreTables, algorithm: str) -> str:
    """What to say of an interval that takes tasks for independent: empty unless run effects are found at 1 %."""
    matched = matched_runs(tables, algorithm)
    effect = run_effect(matched, 0.99) if matched.size else None
    if effect is None or effect.finding != FOUND:
        return ""
    return (
        f"runs do alike on all tasks (p = {effect.p_value:.3f}), so the interval may be too narrow, by a factor of "
        f'about {effect.inflation**0.5:.2f} for the mean; resampled="whole_runs" allows for it'
    )


def matched_runs(tables: ScoreTables, algorithm: str) -> np.ndarray:
    """Scores of the runs of an algorithm that all tasks have: float64[runs, tasks], perhaps of no run."""
    columns = tables.of(algorithm)
    if tables.runs is None:
        rows = min(column.size for column in columns)
        return np.array([column[:rows] for column in columns]).T
    names = tables.runs[tables.name(algorithm)]
    series = [pd.Series(column, index=index) for column, index in zip(columns, names, strict=True)]
    return pd.concat(series, axis=1, join="inner").to_numpy(np.float64)
