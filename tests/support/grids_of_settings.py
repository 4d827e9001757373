"""Score tables with several hyperparameter settings."""

import pandas as pd


def table_of(scores):
    rows = [
        (f"a{a}", f"e{e}", run, setting, value)
        for a, of_algorithm in enumerate(scores)
        for e, of_environment in enumerate(of_algorithm)
        for setting, runs in enumerate(of_environment)
        for run, value in enumerate(runs)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
