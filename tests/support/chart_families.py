"""Charts of every family, made from stand-in data for any number of algorithms."""

import functools
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from support.drawings import drawn
from support.stand_in_tables import analyses, coverage_tables, settings, stand_in_tables
from support.study_answers import function_of

from surefoot.charts import theme
from surefoot.charts.game_charts import views_chart
from surefoot.charts.published_numbers import z_chart
from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.results import Result
from surefoot.registry import function_named
from surefoot.runs.result_tables import read_table
from surefoot.statistics.comparison.paired_plays import VIEWS
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS

PLACES = ["chain_10_deterministic", "gridworld_5_stochastic"]
SIZES = (3, 8)
MOST_LOOKED_AT = 7
"""Largest number of algorithms in a group-sequential comparison."""


def names(count: int) -> list[str]:
    """Return names of algorithms."""
    return [f"agent {place:02d}" for place in range(count)]


@functools.cache
def scores(count: int) -> dict[str, np.ndarray]:
    """Return six runs of each algorithm on four tasks. Algorithms are not ordered by their scores."""
    random = np.random.default_rng(3)
    means = np.linspace(0.2, 0.8, count)[(np.arange(count) * 7) % count]
    return dict(
        zip(names(count), np.clip(means[:, None, None] + random.normal(0, 0.1, (count, 6, 4)), 0, 1), strict=True)
    )


def curves(count: int) -> dict[str, np.ndarray]:
    """Return learning curves with seven evaluations that end at `scores`."""
    return {name: runs[:, :, None] * np.linspace(0.3, 1, 7) for name, runs in scores(count).items()}


def long_curves(count: int) -> pd.DataFrame:
    rows = [
        (name, f"task {task}", run, 1000 * (step + 1), value)
        for name, runs in curves(count).items()
        for (run, task, step), value in np.ndenumerate(runs[:, :2])
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])


def outcomes(count: int) -> pd.DataFrame:
    random = np.random.default_rng(3)
    rows = [
        (name, "pick", run, trial, int(random.random() < 0.2 + 0.6 * (place * 7 % count) / count))
        for place, name in enumerate(names(count))
        for run, trial in product(range(3), range(20))
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "trial", "score"])


ASKED: dict[str, tuple[Any, dict[str, Any]]] = {
    "aggregate_metrics": (scores, {"n_resamples": 50}),
    "performance_profiles": (scores, {"thresholds": np.linspace(0, 1, 41), "n_resamples": 50}),
    "probability_of_improvement": (scores, {"n_resamples": 50}),
    "rank_probabilities": (scores, {}),
    "pairwise_differences": (scores, {}),
    "multiple_comparisons": (scores, {}),
    "subsample_metrics": (scores, {"sizes": [2, 3, 4], "datasets": 20, "metrics": ["iqm"]}),
    "group_sequential": (lambda count: dict(list(scores(count).items())[:MOST_LOOKED_AT]), {"group_size": 3}),
    "sample_efficiency": (curves, {"n_resamples": 50}),
    "curve_differences": (curves, {"n_resamples": 50}),
    "run_curves": (long_curves, {}),
    "steps_to_threshold": (long_curves, {"threshold": 0.4}),
    "success_rate_differences": (outcomes, {}),
}
"""For each question, the function that makes its data, and its arguments."""
OF_STUDIES = {
    "scores": ("study", "scores"),
    "weights": ("study", "weights"),
    "means": ("study", "means"),
    "distributions": ("study", "distributions"),
    "exploits": ("jordan2020", "figure_normalizations"),
    "tuning": ("jordan2020", "figure_procedures"),
    "best_of_candidates": ("jordan2020", "figure_tuning"),
}
"""Entries of the catalogue for families that are drawn in studies."""
FAMILIES = (*ASKED, *OF_STUDIES, "views")
OF_ONE_SIZE = ("coverage", "differences", "pooled", "misses")
"""Families whose charts have no algorithms, or always the same ones."""


@functools.cache
def study(count: int) -> dict[str, pd.DataFrame]:
    tables = stand_in_tables(names(count), PLACES, 10)
    views = pd.DataFrame({"algorithm": names(count), "estimate": np.linspace(0.1, 0.9, count), "runs": 20})
    views = views.assign(rank=range(count, 0, -1), low=views["estimate"] - 0.1, high=views["estimate"] + 0.1)
    both = pd.concat([views.assign(view=view, n_resamples=10) for view in VIEWS[1:]], ignore_index=True)
    return tables | analyses(tables) | {"estimate/views": both}


@functools.cache
def answer(family: str, count: int) -> Result:
    data, options = ASKED[family]
    result: Result = function_of(family)(data(count), **options)
    return result


@functools.cache
def specification(family: str, count: int) -> dict[str, Any]:
    """Return the Vega-Lite of a family's chart with `count` algorithms. Other tests validate charts."""
    if family in ASKED:
        return answer(family, count).chart().to_dict(validate=False)
    if family in OF_STUDIES:
        return drawn(*OF_STUDIES[family], study(count), settings())[0].to_dict(validate=False)
    if family == "views":
        return views_chart(study(count)["estimate/views"]).to_dict(validate=False)
    tables = {"trust/drawn_kinds": read_table(TRUST_RECORDS / "drawn_kinds.csv")}
    group, name = ("trust", "figure_pooled") if family == "pooled" else ("home", "misses")
    if family == "coverage":
        tables = study(3) | coverage_tables()
        group, name = "jordan2020", "figure_coverage"
    elif family == "differences":
        told = {"title": names(count), "environment_title": "here", "z": np.linspace(-2, 2, count), "published": 1.0}
        told |= {"ours": 1.1, "standard_error": 0.1, "verdict": "reproduced"}
        return theme.finish(z_chart(pd.DataFrame(told), 4.0), "Differences").to_dict(validate=False)
    return drawn(group, name, tables, settings())[0].to_dict(validate=False)


def title(family: str, count: int) -> str:
    """Return the title above the chart on a page: its own title, or the finding."""
    own = specification(family, count).get("usermeta", {}).get("finding")
    if own is not None:
        return str(own)
    if family in ASKED:
        return answer(family, count).finding()
    finding = questions()[family].finding if family in questions() else ""
    return str(function_named(finding)(study(count)[f"aggregate/{family}"])) if finding else ""
