"""Sentences for the page of a study that combine several questions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.aggregate_charts import (
    aggregate_metrics_caption,
    aggregate_metrics_finding,
    task_means_caption,
    task_means_finding,
)
from surefoot.charts.difference_charts import pairwise_differences_finding
from surefoot.charts.multiple_comparison_charts import multiple_comparisons_finding
from surefoot.charts.names import METHODS, Titles, titles_of
from surefoot.charts.profile_charts import performance_profiles_finding
from surefoot.charts.selection import score_intervals
from surefoot.charts.sentences import QUESTION, failure_item, item, percent, remarks_of, run_items, score_items
from surefoot.errors import listed
from surefoot.runs.columns.run_tables import UNFINISHED, unfinished_runs
from surefoot.runs.protocol_card import SHORT_RUNS
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, LEFT_OUT, REMARKS
from surefoot.runs.sources.checks import single_runs


def verdict(
    comparisons: pd.DataFrame | None = None,
    differences: pd.DataFrame | None = None,
    aggregates: pd.DataFrame | None = None,
    profiles: pd.DataFrame | None = None,
    runs: pd.DataFrame | None = None,
    points: pd.DataFrame | None = None,
    intervals: pd.DataFrame | None = None,
    task_means: pd.DataFrame | None = None,
    plays: pd.DataFrame | None = None,
    other_runs: pd.DataFrame | None = None,
    other_comparisons: pd.DataFrame | None = None,
    *,
    question: str = "",
    directions: Sequence[str] = (),
    scales: Mapping[str, str] | None = None,
    titles: Titles = None,
    environment_titles: Titles = None,
    confidence_level: float = 0.95,
    variant: str = "corrected",
    margin: float | None = None,
    short_runs: str = "error",
    other_short_runs: str = "error",
) -> pd.DataFrame:
    """Tabulate the sentences and counts on the page of a study, with columns item, text, value.

    Parameters
    ----------
    comparisons, differences, aggregates, profiles : results of `multiple_comparisons`, `pairwise_differences`,
        `aggregate_metrics` and `performance_profiles`
    runs, plays : tables of runs and of plays
    points, intervals, task_means : results of `evaluation_game_scores`, `evaluation_game_intervals` and `task_means`
    other_runs, other_comparisons : the runs under another treatment of short runs, and their comparisons
    question : question that the study answers
    directions : sentences on whether lower scores are better
    scales : description of each scale by its name
    titles, environment_titles : titles of algorithms and environments by name
    confidence_level : confidence level of the intervals
    variant : variant of the intervals of scores
    margin : margin of the comparisons
    short_runs, other_short_runs : treatment of runs that ended early in `runs` and in `other_runs`
    """
    told: dict[str, Any] = {"titles": titles, "confidence_level": confidence_level}
    rows = [item("confidence_level", percent(confidence_level), confidence_level)]
    texts = {
        "question": question or QUESTION,
        "direction": " ".join(dict.fromkeys(directions)),
        "scale_note": _scale_note(scales or {}),
    }
    if runs is not None:
        answers = (comparisons, differences, aggregates, profiles, other_comparisons)
        if task_means is not None and all(answer is None for answer in answers):
            texts["single_runs"] = _single_runs(runs, task_means, titles, environment_titles)
        if runs.attrs.get(UNFINISHED):
            texts["short_runs"] = _short_runs(runs, other_runs, short_runs, titles, environment_titles)
            if comparisons is not None and other_comparisons is not None:
                other = _other_verdict(comparisons, other_comparisons, **told)
                texts["short_runs"] += f" {_OTHER_POLICY[other_short_runs]}, the verdict is {other}"
        rows += run_items(runs)
        texts |= {key: " ".join(runs.attrs.get(key, ())) for key in (LEFT_OUT, REMARKS)}
        texts["account"] = runs.attrs.get(ACCOUNT_SUMMARY, {}).get("sentence", "")
        if points is not None:
            rows += score_items(score_intervals(points, intervals), titles=titles, variant=variant)
    if task_means is not None:
        texts["table_caption"] = task_means_caption(task_means)
    if plays is not None:
        rows.append(failure_item(plays))
    if aggregates is not None:
        texts |= _metric_texts(aggregates, runs, titles)
    if differences is not None:
        texts["metrics_best"] = pairwise_differences_finding(differences, **told, environment_titles=environment_titles)
        texts["differences_caption"] = remarks_of(differences)
    if comparisons is not None:
        texts["metrics_best"] = multiple_comparisons_finding(comparisons, **told, margin=margin)
    if profiles is not None:
        texts["dominance"] = performance_profiles_finding(profiles, titles=titles)
    return pd.DataFrame([*rows, *(item(name, text) for name, text in texts.items() if text)])


def _scale_note(scales: Mapping[str, str]) -> str:
    """Return the descriptions of scales, with their names if there are several."""
    are_alike = len(set(scales.values())) == 1
    return " ".join(dict.fromkeys(text if are_alike else f"{name}: {text}" for name, text in scales.items()))


def _single_runs(runs: pd.DataFrame, task_means: pd.DataFrame, titles: Titles, environment_titles: Titles) -> str:
    """Report the means, with a warning about single runs; an empty string for several algorithms with several runs."""
    said = single_runs(runs.replace({"algorithm": dict(titles or {})}))
    is_said = said or runs["algorithm"].nunique() == 1
    means = task_means_finding(task_means, titles=titles, environment_titles=environment_titles)
    return f"{means} {said}".rstrip() if is_said else ""


_OTHER_POLICY = {"drop": "With these left out", "worst_score": "With the worst score of the environment in their place"}
"""Phrases for the alternative treatment of runs that ended early or left no score."""


def _short_runs(
    runs: pd.DataFrame, other_runs: pd.DataFrame | None, policy: str, titles: Titles, environment_titles: Titles
) -> str:
    """Return a sentence on the runs that ended early or left no score, and on their treatment."""
    unfinished = runs.attrs[UNFINISHED]
    algorithms = titles_of((algorithm for algorithm, *_ in unfinished), titles)
    environments = titles_of((environment for _, environment, *_ in unfinished), environment_titles)
    total = max(len(runs), len(runs if other_runs is None else other_runs))
    became = SHORT_RUNS.get(policy, "")
    texts = []
    for happened, which in unfinished_runs(runs.attrs).items():
        names = [f"{algorithms[one]} in {environments[where]}, run {run}" for one, where, run in which]
        texts.append(f"{len(names):,} of {total:,} runs {happened} ({listed(names, separator='; ')})")
    return f"{'; '.join([*texts, became])}."


def _other_verdict(comparisons: pd.DataFrame, others: pd.DataFrame, **told: Any) -> str:
    """Return "the same." if the comparisons under the other treatment have the same verdicts, else their finding."""
    if _verdicts(comparisons) == _verdicts(others):
        return "the same."
    return f"another: {multiple_comparisons_finding(others, **told, alone=True)}"


def _verdicts(compared: pd.DataFrame) -> dict[str, Any]:
    column = "tied_with_best" if "tied_with_best" in compared else "verdict"
    return dict(zip(compared["algorithm"], compared[column], strict=True))


def _metric_texts(aggregates: pd.DataFrame, runs: pd.DataFrame | None, titles: Titles) -> dict[str, str]:
    """Return the finding on the metrics, a caption, and the method of the drawn intervals."""
    return {
        "metrics_best": aggregate_metrics_finding(aggregates, titles=titles),
        "metrics_caption": aggregate_metrics_caption(aggregates, runs),
        "metrics_method": METHODS.get(aggregates["method"].iloc[0], ""),
    }
