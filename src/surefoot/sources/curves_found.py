"""Are the rows of a table the steps of learning curves, where one score for each run is expected?"""

import pandas as pd

_STEPS = (
    *("step", "steps", "_step", "global_step", "env_step", "env_steps", "step_count", "timestep", "timesteps"),
    *("total_timesteps", "num_timesteps", "frame", "frames", "iteration", "iterations", "epoch", "update"),
)
"""What columns of steps are called; in TensorBoard's names behind a slash."""
_RUN = ["algorithm", "environment", "run"]


def curves_found(runs: pd.DataFrame, given: pd.DataFrame) -> str:
    """What to say of rows that are steps of runs, each with a score of its own; empty of scores of runs.

    Parameters
    ----------
    runs : columns algorithm, environment, run
    given : the same rows with all columns that they came with
    """
    if not runs.duplicated(_RUN).any():
        return ""
    for column in given.columns:
        if str(column).lower().rsplit("/", 1)[-1] in _STEPS and str(column) not in _RUN:
            steps = runs[_RUN].assign(step=given[column].to_numpy())
            count = len(runs.drop_duplicates(_RUN))
            if len(steps.drop_duplicates()) > count:
                return f"{len(runs):,} rows of {count:,} runs with a column {column}: learning curves"
    return ""
