"""Whether tasks share the runs of an algorithm, by a test or as declared."""

import numpy as np
import pandas as pd
import pytest

from surefoot.statistics.runs.shared_run_findings import shared_runs


def _scores(draw, runs, tasks, correlation):
    shared = draw.normal(size=(runs, 1))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * draw.normal(size=(runs, tasks))


def _table(**algorithms):
    parts = [
        pd.DataFrame(scores).melt(ignore_index=False, var_name="environment", value_name="score").assign(algorithm=name)
        for name, scores in algorithms.items()
    ]
    return pd.concat(parts).rename_axis("run").reset_index()


def test_what_is_said_of_runs():
    draw = np.random.default_rng(2)
    shared, apart = _scores(draw, 10, 26, 0.5), _scores(draw, 10, 26, 0.0)
    assert shared_runs(_table(a=shared, b=apart)) == {"a": "found", "b": "found"}  # together
    assert shared_runs(_table(b=apart)) == {"b": "cannot tell"}
    assert shared_runs(_table(b=_scores(draw, 30, 26, 0.0))) == {"b": "not found"}
    assert shared_runs(_table(b=apart[:3])) == {"b": "cannot tell"}
    assert shared_runs(_table(a=shared), declared=False) == {"a": "excluded"}
    assert shared_runs(_table(a=apart[:3]), declared=True) == {"a": "declared"}
    assert shared_runs(_table(a=shared[:, :1])) == {"a": "excluded"}
    other_names = _table(a=shared)
    other_names["run"] = other_names["run"].astype(str) + other_names["environment"].astype(str)
    assert shared_runs(other_names) == {"a": "other names"}
    with pytest.raises(ValueError, match="no run of a has scores on all tasks; at least two are needed"):
        shared_runs(other_names, declared=True)
