"""Results of the questions about the number of runs, for a small study."""

import numpy as np
import pandas as pd
from support.study_answers import ask

from surefoot.runs.scales.min_max import MinMax

OPTIONS = {
    "metrics": ["iqm", "median"],
    "sizes": [3, 5, 10],
    "lifts": [0.0, 10.0, 25.0],
    "confidence_level": 0.95,
    "datasets": 20,
    "n_resamples": 60,
    "seed": 4,
    "algorithms": ["q", "r"],
    "tasks_independent": "auto",
    "rounds": 5,
}
SETTINGS = {
    "titles": {"q": "Q(λ)"},
    "confidence_level": 0.95,
    "scale": MinMax.phrase,
    "n_resamples": OPTIONS["n_resamples"],
    "datasets": OPTIONS["datasets"],
}


def run_number_tables() -> dict[str, pd.DataFrame]:
    random = np.random.default_rng(2)
    rows = [
        (algorithm, task, run, random.normal(10.0 + 2.0 * (algorithm == "q"), 2.0))
        for algorithm in "qr"
        for task in "abcd"
        for run in range(25)
    ]
    scores = {"s": pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])}
    alarms = ask("false_alarm_rates", scores, OPTIONS | {"rounds": 20})
    answers = {"numbers/plan_runs": ask("plan_runs", scores, OPTIONS | {"algorithms": ["q"]})}
    answers |= {
        "numbers/sequential_comparison": ask("sequential_comparison", scores, OPTIONS),
        "numbers/false_alarm_rates": alarms,
    }
    return answers | {"recorded/false_alarm_rates": alarms}
