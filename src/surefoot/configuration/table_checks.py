"""Whether a score table can answer what its study asks, before any job runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.errors import HintedError
from surefoot.questions.coverage.settings import Settings as Coverage
from surefoot.questions.false_alarm_rates.settings import Settings as FalseAlarmRates
from surefoot.questions.game_intervals.settings import Settings as GameIntervals
from surefoot.questions.registry import questions
from surefoot.questions.run_plans.settings import Settings as RunPlans
from surefoot.questions.sequential_comparison.settings import Settings as SequentialComparison
from surefoot.questions.settings import QuestionSettings
from surefoot.scales.scaling import scaled
from surefoot.scales.settings import ScoreScale
from surefoot.sources.score_table.read import check_runs
from surefoot.statistics.comparison.differences import check_raised, lift_percent
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.metrics.recipes import recipe
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import scores_of

_WHOLE_RUNS = ("subsamples", "subsample_densities", "differences", "lifts", "protocols", "trimmed_errors")
_ONE_TABLE = ("coverages", "task_coverages", "run_effects", "protocols", "trimmed_errors")
_SPREAD = ("aggregates", "profiles")


def check_axes_of_table(runs: pd.DataFrame, where: str) -> None:
    """Whether the rows of the table look like runs, neither like tasks nor like episodes of the same run.

    Raises
    ------
    InputError
    """
    from surefoot.sources.plausibility import check_axes, looks_transposed

    exchanged = "are the columns run and environment exchanged? If not, set axes: as_given"
    if _are_numbers(runs["environment"]) and not _are_numbers(runs["run"]):
        what = f"environments are numbered ({runs['environment'].iloc[0]}) and runs are named ({runs['run'].iloc[0]})"
        raise InputError(where, what, exchanged)
    for algorithm, rows in runs.groupby("algorithm", sort=False):
        columns = [scores.to_numpy() for _, scores in rows.groupby("environment", sort=False)["score"]]
        try:
            check_axes(where, str(algorithm), columns, exchanged, "set axes: as_given")
        except HintedError as error:
            raise InputError(error.where, error.what, error.hint) from None
    wide = runs.pivot_table(index="run", columns=["algorithm", "environment"], values="score", aggfunc="first")
    if wide.notna().all(axis=None) and looks_transposed(wide.to_numpy()):
        environments = runs["environment"].nunique()
        what = f"the {len(wide)} runs of all algorithms and {environments} environments differ as tasks do"
        raise InputError(where, what, exchanged)


def _are_numbers(names: pd.Series) -> bool:
    return bool(pd.to_numeric(names, errors="coerce").notna().all())


def check_questions(runs: pd.DataFrame, study: Study, source: str, where: str) -> None:
    """Whether the scales of a source can be made of these runs, and all that is asked of it be answered.

    Parameters
    ----------
    runs : the run table
    source : its name in the study
    where : how errors name the study

    Raises
    ------
    InputError
        for scales that the runs do not have, unknown algorithms, metrics and intervals that are undefined for so many
        runs
    """
    scaled_runs = {}
    for name, settings in study.questions.items():
        place = f"{where}.questions.{name}"
        if isinstance(settings, QuestionSettings):
            for key in settings.scores:
                scale = study.scales[key]
                if scale.source != source or not isinstance(scale, ScoreScale):
                    continue
                if key not in scaled_runs:
                    scaled_runs[key] = _on_scale(runs, key, scale, where)
                if isinstance(settings, RunPlans | SequentialComparison | FalseAlarmRates):
                    _check_pilot(scaled_runs[key], settings.plain(), place)
                else:
                    _check_analysis(scaled_runs[key], settings.plain(), place)
        elif isinstance(settings, GameIntervals) and settings.source == source:
            check_runs(runs, settings.methods, settings.bounds or study.sources[source].known_bounds(), place)
        elif isinstance(settings, Coverage) and settings.source == source and settings.design == "cut":
            _check_cut(runs, settings, f"{place}.design")


def _on_scale(runs: pd.DataFrame, name: str, scale: ScoreScale, where: str) -> pd.DataFrame:
    try:
        return scaled({"runs": runs}, {name: scale})
    except InputError as error:
        raise InputError(f"{where}.{error.where}", error.what, error.hint) from None


def _check_cut(runs: pd.DataFrame, settings: Coverage, where: str) -> None:
    """Data sets are cut in the order of the runs' numbers, which begin with 0."""
    if not pd.api.types.is_integer_dtype(runs["run"]):
        what = f"data sets are cut by the numbers of runs, and these have names such as {runs['run'].iloc[0]}"
        raise InputError(where, what, "number the runs from 0 on, or choose resample")
    needed = sum(size * number for size, number in zip(settings.sizes, settings.numbers_of_datasets(), strict=True))
    found = runs[runs["run"].between(0, needed - 1)].groupby(["algorithm", "environment"], observed=True).size()
    pairs = runs[["algorithm", "environment"]].drop_duplicates()
    found = found.reindex(pd.MultiIndex.from_frame(pairs), fill_value=0)
    if found.min() < needed:
        pair = " / ".join(map(str, found.idxmin()))
        what = f"runs 0 to {needed - 1} are needed to cut all data sets, and {pair} has {found.min()} of them"
        raise InputError(where, what, "fewer data sets, or choose resample")


def _check_analysis(table: pd.DataFrame, analysis: Mapping[str, Any], where: str) -> None:
    known = list(dict.fromkeys(table["algorithm"]))
    chosen = analysis.get("algorithms", known)
    for name in chosen:
        _check_known(name, known, where)
    for name in (one for pair in analysis.get("pairs", []) for one in pair):
        _check_known(name, chosen if analysis["kind"] == "improvement" else known, where)
    _check_number_of_algorithms(analysis, chosen, where)
    counts = table.groupby(["algorithm", "environment"], sort=False).size()
    counts = counts[counts.index.get_level_values("algorithm").isin(chosen)]
    kind, resampled = analysis["kind"], analysis.get("resampled")
    if kind in _ONE_TABLE and counts.groupby("algorithm").nunique().max() > 1:
        what = f"{kind} draws whole runs, and there are {counts.min()} to {counts.max()} runs of a task"
        raise InputError(where, what, "give each task equally many runs, or set first_runs on the scale")
    _check_sizes(kind, analysis, counts, where)
    if (kind in _WHOLE_RUNS and resampled in (None, "whole_runs")) or resampled == "whole_runs":
        unequal = counts.groupby("algorithm", sort=False).nunique() > 1
        if unequal.any():
            what = f"whole runs are drawn, and {unequal.idxmax()} has unequal numbers of runs of its tasks"
            raise InputError(where, what, "resampled: runs")
    if kind in _SPREAD and resampled != "tasks_and_runs":
        most = counts.groupby("algorithm", sort=False).max()
        if most.min() < 2:
            what = f"{most.idxmin()} has one run of each task, which cannot be resampled"
            raise InputError(where, what, "add runs; or resampled: tasks_and_runs, if the tasks are a sample of tasks")
    _check_intervals(counts, analysis, where)
    if kind == "coverages" and "levels" in analysis and "percentile" not in analysis.get("methods", []):
        what = "levels are of the percentile interval, which methods leaves out"
        raise InputError(where, what, "methods: [percentile]")
    for written in analysis.get("metrics", []):
        _check_metric(written, table[table["algorithm"].isin(chosen)], where)
    if kind == "lifts":
        _check_lifts(table, chosen, analysis, where)


def _check_number_of_algorithms(analysis: Mapping[str, Any], chosen: Sequence[str], where: str) -> None:
    kind = analysis["kind"]
    if getattr(questions()[kind], "one_algorithm", False) and len(chosen) > 1:
        raise InputError(
            where, f"{kind} takes one algorithm, and there are {len(chosen)}", f"algorithms: [{chosen[0]!r}]"
        )
    if kind == "improvement" and len(chosen) < 2:
        raise InputError(where, f"improvement is of two algorithms, and {chosen[0]} is one", "add another")


def _check_sizes(kind: str, analysis: Mapping[str, Any], counts: pd.Series, where: str) -> None:
    without = kind == "task_coverages" or (kind == "coverages" and not all(analysis["replacement"]))
    if without and max(analysis["sizes"]) > counts.min():
        what = f"{max(analysis['sizes'])} of {counts.min()} runs cannot be drawn without replacement"
        raise InputError(f"{where}.sizes", what, f"at most {counts.min()}")
    if kind == "run_effects" and counts.min() < 3:
        raise InputError(where, f"Friedman's test needs 3 runs, and there are {counts.min()}", "add runs")


def _check_intervals(counts: pd.Series, analysis: Mapping[str, Any], where: str) -> None:
    methods = analysis.get("methods", [])
    by_algorithm = counts.groupby("algorithm")
    for method, enough in (
        ("bca", by_algorithm.min()),
        ("bca_stratified", by_algorithm.max()),
        ("student", by_algorithm.max()),
    ):
        if method in methods and enough.min() < 2:
            what = f"{method} leaves one run out, and {enough.idxmin()} has a single one"
            raise InputError(where, what, "at least two runs of each task, or methods without it, such as percentile")
    if "bca" in methods and counts.groupby("algorithm").nunique().max() > 1:
        what = f"bca leaves out one run of all tasks, and there are {counts.min()} to {counts.max()} runs of a task"
        raise InputError(where, what, "use bca_stratified, which allows unequal numbers")
    for method in ("normal", "student"):
        if method in methods and analysis.get("replicates", 2) < 2:
            what = f"a {method} interval of 1 replicate has no spread"
            raise InputError(where, what, "replicates: 2 or more, better 2000")
    if "student" in methods and analysis.get("resampled", "runs") != "runs":
        what = f"student is of resampled runs, and {analysis['resampled']} are drawn"
        raise InputError(where, what, "resampled: runs, or methods: [percentile]")


def _check_metric(written: str, table: pd.DataFrame, where: str) -> None:
    for algorithm, scores in table.groupby("algorithm", sort=False)["score"]:
        try:
            recipe([metric(written)], np.sort(scores.to_numpy(np.float64)), len(scores))
        except HintedError as error:
            raise InputError(where, f"{algorithm}: {error.told}", error.hint) from None


def _check_lifts(table: pd.DataFrame, algorithms: Sequence[str], analysis: Mapping[str, Any], where: str) -> None:
    for algorithm in algorithms:
        scores = scores_of(table, algorithm)
        try:
            check_raised(scores, analysis["metrics"], analysis["lifts"])
            for value in metric_values(scores, analysis["metrics"]):
                lift_percent(value, value)
        except HintedError as error:
            raise InputError(where, f"{algorithm}: {error.told}", error.hint) from None


def _check_pilot(table: pd.DataFrame, section: Mapping[str, Any], where: str) -> None:
    known = list(dict.fromkeys(table["algorithm"]))
    pilots = section.get("compare") or section.get("algorithms", known[:1])
    for name in pilots:
        _check_known(name, known, where)
    counts = table[table["algorithm"].isin(pilots)].groupby(["algorithm", "environment"], sort=False).size()
    if counts.min() < 2 and section["kind"] == "run_plans":
        what = f"{' / '.join(counts.idxmin())} has one run, and a pilot needs a spread"
        raise InputError(where, what, "at least two runs of each task, better ten")
    for written in section.get("metrics", []):
        _check_metric(written, table[table["algorithm"].isin(pilots)], where)
    for algorithm in pilots if "lifts" in section else []:
        try:
            check_raised(scores_of(table, algorithm), section["metrics"], section["lifts"])
        except HintedError as error:
            raise InputError(f"{where}.lifts", f"{algorithm}: {error.told}", f"{error.hint}; or lifts: [0]") from None


def _check_known(name: str, known: Sequence[str], where: str) -> None:
    if name not in known:
        raise InputError(where, f'no scores of "{name}"', nearest(name, known))
