"""Input data and arguments for every question."""

import numpy as np
import pandas as pd
from support.stand_in_plays import plays
from support.two_algorithms import TABLE

from surefoot.questions._framework.question_registry import questions

GRID = {"from": 0.5, "to": 4, "count": 8}
CURVES = pd.concat([TABLE.assign(step=step, score=TABLE["score"] * step) for step in (1, 2, 4)], ignore_index=True)
MEANS = TABLE.groupby(["algorithm", "environment"], sort=False)["score"].agg(["mean", "std", "size"]).reset_index()
MEANS = MEANS.set_axis(["algorithm", "environment", "score", "deviation", "runs"], axis=1)
TIMES = {"ours": [1.0, 2.0, 4.0], "base": [2.0, np.nan, 4.0]}
SETTINGS = pd.concat([TABLE.assign(step=step, score=TABLE["score"] + step) for step in (1, 2)], ignore_index=True)
ASKED = {
    "aggregate_metrics": {"metrics": ["median", "iqm", "mean"], "methods": ["percentile", "student", "bca"]},
    "interval_coverage": {
        "metrics": ["iqm"],
        "methods": ["bca"],
        "sizes": [3, 5],
        "replacement": [True],
        "datasets": 9,
    },
    "curve_differences": {"metric": "mean"},
    "differences": {"metrics": ["iqm"], "pairs": [["ours", "base"]], "sizes": [3, 5], "datasets": 9},
    "effective_dimension": {},
    "false_alarm_rates": {"algorithms": ["ours", "base"], "rounds": 3, "datasets": 4},
    "gap_curve": {"thresholds": GRID},
    "group_sequential": {"group_size": 3},
    "histograms": {"bins": 4},
    "hyperparameter_selection": {},
    "hyperparameter_sensitivity": {"hyperparameters": ["step"]},
    "probability_of_improvement": {"pairs": [["ours", "base"]]},
    "lifts": {"metrics": ["iqm"], "lifts": [0, 10], "sizes": [3, 5], "datasets": 9},
    "multiple_comparisons": {"metric": "mean", "margin": 0.5},
    "pairwise_differences": {"metrics": ["iqm", "mean"]},
    "performance_profiles": {
        "thresholds": GRID,
        "distributions": ["run_scores", "average_scores"],
        "ticks": [1.0],
    },
    "protocols": {"metrics": ["iqm"], "sizes": [3, 5], "settings": 3, "runs_of_setting": 2, "datasets": 9},
    "published_intervals": {},
    "rank_profile": {"thresholds": GRID},
    "rank_probabilities": {},
    "shared_run_test": {"size": 4},
    "plan_runs": {"sizes": [3, 5], "datasets": 4},
    "sample_efficiency": {"metrics": ["iqm", "mean"]},
    "sequential_comparison": {"algorithms": ["ours", "base"]},
    "subsample_densities": {"metric": "iqm", "algorithms": ["ours"], "sizes": [3], "datasets": 9},
    "subsample_metrics": {"metrics": ["iqm"], "sizes": [3, 5], "datasets": 9},
    "task_coverages": {"sizes": [3, 5], "datasets": 9},
    "time_profiles": {"thresholds": {"from": 1.5, "to": 2.5, "count": 2}},
    "trimmed_errors": {"fractions": [0, 0.25], "size": 4, "datasets": 9},
    "welch_differences": {"algorithms": ["ours", "base"]},
    "welch_profile": {"algorithms": ["ours", "base"], "thresholds": GRID},
    "agents": {},
    "best_of_candidates": {"candidates": [1, 2]},
    "coverage": {"sizes": [3], "datasets": 2, "methods": ["pbp"]},
    "exploits": {"copies": 2},
    "evaluation_game_intervals": {"methods": ["pbp", "bootstrap", "anderson", "dkw"]},
    "evaluation_game_scores": {},
    "paired_z": {},
    "run_curves": {},
    "steps_to_threshold": {"threshold": 3.0},
    "task_means": {},
    "sample_distributions": {"algorithm": "ours", "environment": "task 1", "sizes": [3]},
    "time_bounds": {},
    "evaluation_scores": {},
    "sequential_success_rates": {},
    "success_rate_differences": {"pool_environments": True},
    "success_rates": {},
    "tuning": {"candidates": 2, "tuning_runs": 1, "reported_runs": 2, "repetitions": 3},
    "views": {},
}
SAME = pd.DataFrame(
    [(name, "maze", one, run, one + 0.1 * run) for name in ("a", "b") for one in range(3) for run in range(4)],
    columns=["algorithm", "environment", "candidate", "run", "score"],
)
OUTCOMES = pd.DataFrame(
    [
        (name, "maze", run, wins / 4, 4)
        for name, more in (("ours", 1), ("base", 0))
        for run, wins in enumerate((3, more, 2))
    ],
    columns=["algorithm", "environment", "run", "score", "trials"],
)
RUNS = {"scores": TABLE, "curves": CURVES, "means": MEANS, "times": TIMES, "settings": SETTINGS}
RUNS |= {"runs": TABLE, "same_hyperparameters": SAME, "outcomes": OUTCOMES, "evaluations": CURVES}
RUNS |= {"plays": plays()}
"""Input data by the kind of data that a question needs."""


def runs_of(question):
    """Return the input data of a question."""
    given = RUNS[questions()[question].needs]
    return given.assign(score=given["score"].round(), trials=1) if question == "sequential_success_rates" else given


def asked(question):
    """Return the keyword arguments of a question."""
    one = getattr(questions()[question], "one_algorithm", False)
    return ASKED[question] | ({"algorithms": ["ours"]} if one else {})
