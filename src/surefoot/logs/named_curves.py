"""All points of the curves that were read, with the names of their runs: those of one kind, checked against each other,
as one table."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.columns import refuse_bad_names
from surefoot.errors import listed, shown
from surefoot.logs.curves import IN_COLUMNS, KINDS, Counts, Curve, Reading
from surefoot.logs.files import job_configuration
from surefoot.logs.naming import (
    NAMES,
    Naming,
    named_by_paths,
    names_of,
    plain_run,
    refuse_unmatched,
    refuse_unnamed,
    value_at,
)

COLUMNS = ("algorithm", "environment", "run", "step", "score", "kind", "episodes", "source")
_RUN = list(NAMES)
_LISTED = 4


def named_points(curves: Sequence[Curve], naming: Naming, pattern: str | None, reading: Reading) -> pd.DataFrame:
    """One row for each run and step of each curve, the mean over its episodes; of curves without steps, for each score.

    Returns
    -------
    score, episodes, step where the curves have steps, curve (its number), hyperparameters that were asked for, and as
    categories, since there may be a million runs: algorithm, environment, run, kind, metric, source and place

    Raises
    ------
    InputError
        for runs whose names cannot be told, and for points without a step
    """
    names = _names(curves, naming, pattern, reading)
    sizes = [curve.scores.size for curve in curves]
    columns: dict[str, Any] = {
        "score": np.concatenate([curve.scores for curve in curves]),
        "episodes": np.concatenate([_episodes(curve) for curve in curves]),
        "curve": np.repeat(np.arange(len(curves)), sizes),
        "kind": _by_point([curve.kind for curve in curves], sizes),
        "metric": _by_point([curve.metric for curve in curves], sizes),
        "source": _by_point([reading.below(curve.source) for curve in curves], sizes),
        "place": _by_point([curve.place for curve in curves], sizes),
    }
    for name in NAMES:
        values = [
            curve.runs[name].to_numpy(object) if curve.runs is not None and own[name] == IN_COLUMNS else own[name]
            for curve, own in zip(curves, names, strict=True)
        ]
        distinct = dict.fromkeys(np.concatenate([np.atleast_1d(np.asarray(value, object)) for value in values]))
        refuse_bad_names(str(reading.root), name, pd.Series(list(distinct), dtype=object))
        columns[name] = _by_point(values, sizes)
    for name in reading.hyperparameters:
        columns[name] = _hyperparameter(curves, name, reading)
    if any(curve.steps.size for curve in curves):
        for curve in curves:
            if curve.steps.size != curve.scores.size:
                what = "it has scores without steps, and other files have steps"
                raise InputError(reading.below(curve.source), what, "read the files apart")
        steps = np.concatenate([curve.steps for curve in curves])
        bad = ~(np.isfinite(steps) & (steps >= 0))
        if bad.any():
            source = reading.below(curves[columns["curve"][bad][0]].source)
            what = f"{int(bad.sum()):,} scores have no step, the first {steps[bad][0]:g}"
            raise InputError(source, what, "environment steps from 0, one for each score")
        columns["step"] = steps.astype(np.int64) if (steps % 1 == 0).all() else steps
        return _averaged(pd.DataFrame(columns), reading.hyperparameters)
    return pd.DataFrame(columns)


def _episodes(curve: Curve) -> Counts:
    return np.ones(curve.scores.size, np.int64) if curve.episodes is None else curve.episodes


def _hyperparameter(curves: Sequence[Curve], name: str, reading: Reading) -> pd.Series:
    """The value of a hyperparameter at each point, as numbers where all values are.

    It stands in the table that has the runs, in the configuration of a run, or in Hydra's around it.

    Raises
    ------
    InputError
        for a run without it
    """
    parts: list[pd.Series] = []
    for curve in curves:
        if curve.runs is not None and name in curve.runs:
            parts.append(curve.runs[name])
            continue
        configurations = [curve.config, job_configuration(curve.source, reading.root)]
        for config in configurations:
            try:
                found = value_at(config, name)
                break
            except KeyError:
                continue
        else:
            known = [key for config in configurations for key in pd.json_normalize(dict(config)).columns]
            what = f'{curve.place} has no hyperparameter "{name}"'
            hint = nearest(name, known) if known else "its configuration beside it, such as .hydra/config.yaml"
            raise InputError(reading.below(curve.source), what, hint)
        plain = found if isinstance(found, int | float) and not isinstance(found, bool) else str(found)
        parts.append(pd.Series([plain]).repeat(curve.scores.size))
    values = pd.concat(parts, ignore_index=True)
    as_numbers = pd.to_numeric(values, errors="coerce")
    return values.astype(str) if as_numbers.isna().any() else as_numbers


def _averaged(points: pd.DataFrame, hyperparameters: Sequence[str]) -> pd.DataFrame:
    """One point for each step of a run in a curve: the mean over all episodes of the step, and their number."""
    keys = [*_RUN, *hyperparameters, "curve", "step"]
    again = points.duplicated(keys)
    if not again.any():
        return points
    place = points.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    episodes = np.bincount(place, points["episodes"]).astype(np.int64)
    scores = np.bincount(place, points["score"] * points["episodes"]) / episodes
    return points[~again].assign(score=scores, episodes=episodes).reset_index(drop=True)


def _names(curves: Sequence[Curve], naming: Naming, pattern: str | None, reading: Reading) -> list[Mapping[str, str]]:
    """The names of each curve, each `IN_COLUMNS` where it differs between the points of a table."""
    if naming.pattern and pattern:
        refuse_unmatched(list(dict.fromkeys(curve.place for curve in curves)), naming.pattern, pattern)
    labels: dict[str, dict[str, str]] = {}
    sources = dict.fromkeys(curve.source for curve in curves)
    jobs = {source: job_configuration(source, reading.root) for source in sources}
    for curve in curves:  # of the same run, one kind of files may tell what others do not
        labels[curve.place] = {**curve.labels, **labels.get(curve.place, {})}
    found: list[Mapping[str, str]] = [
        names_of(naming, curve.place, {**labels[curve.place], **curve.labels}, curve.config, jobs[curve.source])
        for curve in curves
    ]
    places = [curve.place for curve in curves]
    lacking = {place: own for place, own in zip(places, found, strict=True) if {*NAMES[:2]} - set(own)}
    if lacking and not naming.pattern:
        by_paths = named_by_paths(list(lacking), list(lacking.values()), reading)
        found = [{**by_paths.get(place, {}), **own} for place, own in zip(places, found, strict=True)]
    for name in NAMES[:2]:
        lacking = {place: own for place, own in zip(places, found, strict=True) if name not in own}
        if lacking:
            refuse_unnamed(str(reading.root), name, list(lacking), list(lacking.values()))
    for curve, own in zip(curves, found, strict=True):
        _refuse_merging(curve, own)
    # A folder is a run: where no seed is known, the run goes by the folder's name.
    return [{"run": place, **own} for place, own in zip(places, found, strict=True)]


def _refuse_merging(curve: Curve, names: Mapping[str, str]) -> None:
    """Raise an InputError where one name is given for all rows of a table whose column has several."""
    if curve.runs is None:
        return
    for name in NAMES:
        there = list(curve.runs[name].unique())
        if names[name] != IN_COLUMNS and len(there) > 1:
            what = f"all are to have the {name} {shown(names[name])}, and its column says {listed(there, _LISTED)}"
            hint = f"leave the {name} out: the table names it"
            raise InputError(str(curve.source), what, hint)


def _by_point(values: Sequence[str | npt.NDArray[Any]], sizes: Sequence[int]) -> pd.Categorical:
    """The values of the points of each curve, or one for all of them."""
    parts = [np.full(size, value, dtype=object) for value, size in zip(values, sizes, strict=True)]
    return pd.Categorical(np.concatenate(parts))


def of_one_kind(points: pd.DataFrame, kind: str | None, reading: Reading) -> pd.DataFrame:
    """The points of the kind that is asked for; else of evaluations where all runs have them, of training where none
    has; and where no kind is common to all runs, that of each algorithm."""
    kinds = list(points["kind"].unique())
    if kinds == [kind or kinds[0]]:
        return points
    runs = points.drop_duplicates([*_RUN, "kind"]).set_index(_RUN)["kind"]
    there = pd.DataFrame({name: (runs == name).groupby(level=_RUN, observed=True, sort=False).any() for name in kinds})
    counted = ", ".join(f"{name} of {there[name].sum():,} runs" for name in kinds)
    if kind is not None and kind not in kinds:
        raise InputError("kind", f'no scores of the kind "{kind}": there are {counted}', f"one of {', '.join(kinds)}")
    algorithms = there.index.get_level_values("algorithm")
    common = kind or _common_kind(there)
    wanted = {name: common or _common_kind(there[algorithms == name]) for name in algorithms.unique()}
    if None in wanted.values():
        what = f"runs of different kinds are not compared: {counted}"
        raise InputError("kind", what, "ask for one: " + " or ".join(f"--kind {name}" for name in kinds))
    of_run = algorithms.map(wanted).to_numpy()
    for name in kinds:
        if aside := int((there[name] & (of_run != name)).sum()):
            reading.remark(f"scores of the kind {name} of {aside:,} runs are left aside (--kind {name} reads them)")
    missing = len(there) - int(sum((there[name] & (of_run == name)).sum() for name in kinds))
    if missing:
        reading.remark(f"{missing:,} of {len(there):,} runs have no scores of the kind {kind} and are left out")
    chosen = points["algorithm"].map(wanted).astype(str) == points["kind"].astype(str)
    return points[chosen].reset_index(drop=True)


def _common_kind(there: pd.DataFrame) -> str | None:
    """The first kind of which all these runs have scores."""
    return next((name for name in KINDS if name in there and there[name].all()), None)


def refuse_unlike_metrics(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError where an algorithm has scores of several names; between algorithms they are unlike
    protocols."""
    for _, each in points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False):
        if len(each) > 1:
            what = " and ".join(f"{row.metric} ({row.place})" for row in each[:2].itertuples())
            what = f"runs log their returns under different names: {what}"
            raise InputError(str(reading.root), what, "ask for one by --metric")


def metric_names(points: pd.DataFrame) -> dict[str, str]:
    """The name under which each algorithm logs its score; of several names, all of them."""
    each = points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False)
    return {str(name): ", ".join(metrics) for name, metrics in each["metric"]}


def refuse_doubles(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError for a run (with the same hyperparameters, where these are read) that two curves are of."""
    if points["curve"].iloc[0] == points["curve"].iloc[-1]:
        return
    keys = [*_RUN, *reading.hyperparameters, "metric"]
    each = points.drop_duplicates([*keys, "curve"])
    for row in each[each.duplicated(keys)][:1].itertuples():
        first = each[(each[keys] == [getattr(row, key) for key in keys]).all(axis=1)].iloc[0]
        what = f"{row.algorithm} in {row.environment} has run {row.run} twice: {first['source']} and {row.source}"
        hint = (
            "move the one that does not count out of the folder, or tell them apart by --pattern with {run}, or by "
            "--hyperparameters where these differ"
        )
        raise InputError(str(reading.root), what, hint)


def run_table(points: pd.DataFrame, several: bool, hyperparameters: Sequence[str]) -> pd.DataFrame:
    """The table of all points, by the order of their names; with the metric where there are several, and columns of
    hyperparameters."""
    run = points["run"].map(plain_run)
    if points.assign(plain=run).drop_duplicates(_RUN).duplicated([*_RUN[:2], "plain"]).any():
        run = points["run"]
    are_numbers = all(name.isascii() and name.isdigit() and len(name) < 19 for name in run.unique())
    of_curves = ["kind", "source", *(["metric"] if several else [])]
    keys = [*_RUN, *of_curves[2:], *hyperparameters, *(["step"] if "step" in points else [])]
    table = points.assign(run=run.astype(np.int64 if are_numbers else str))
    table = table.sort_values(keys, kind="stable", ignore_index=True)
    table = table[[name for name in (*COLUMNS, *of_curves[2:], *hyperparameters) if name in table]]
    return table.astype(dict.fromkeys([*_RUN[:2], *of_curves], str))
