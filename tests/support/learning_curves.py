"""Make learning curves of runs, and go through them."""

import numpy as np
import pandas as pd


def curve(scores, steps=None, name="a", environment="x", run=0, episodes=1):
    steps = np.arange(1, len(scores) + 1) * 10 if steps is None else steps
    names = {"algorithm": name, "environment": environment, "run": run}
    points = {"step": steps, "score": np.asarray(scores, float), "episodes": episodes}
    return pd.DataFrame(names | points)


def each(curves):
    for _, rows in curves.groupby(["algorithm", "environment", "run"]):
        yield rows.sort_values("step")
