"""Combine the curves that were read into one table of all points, with the names of their runs, and check it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.columns import named_run, refuse_absent, refuse_bad_names, with_steps
from surefoot.errors import listed, shown
from surefoot.logs.account import (
    AVERAGED,
    LEFT_OUT,
    NO_SCORE,
    NOT_ASKED,
    WITH_OTHERS,
    Entry,
    entries_of_rows,
)
from surefoot.logs.curves import KINDS, Curve, Reading
from surefoot.logs.files import job_configuration
from surefoot.logs.naming import (
    NAMES,
    Naming,
    flat,
    guess,
    matched,
    names_of,
    plain_run,
    refuse_unmatched,
    refuse_unnamed,
)
from surefoot.logs.options import refuse_one_name_of_several, refuse_unused_keys

COLUMNS = ("algorithm", "environment", "run", "step", "score", "kind", "episodes", "source")
_RUN = list(NAMES)
_LISTED = 4
_IN_COLUMNS = "\0"
"""Placeholder for a name that differs between the points of a table."""
Configurations = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Configuration of a run, and of the Hydra job that started it."""


def named_points(curves: Sequence[Curve], naming: Naming, reading: Reading) -> pd.DataFrame:
    """Return one row per run and step of each curve, or per score if there are no steps.

    Scores are averaged over the episodes of a step.

    Returns
    -------
    score, episodes, step if the curves have steps, curve (its number), the requested hyperparameters, and as
    categories, since there may be a million runs: algorithm, environment, run, kind, metric, source and place

    Raises
    ------
    InputError
        if names of runs cannot be inferred, or points have no step
    """
    configurations = [(flat(curve.config), flat(job_configuration(curve.source, reading.root))) for curve in curves]
    of_runs = [config for curve, own in zip(curves, configurations, strict=True) if "run" not in curve.points
               for config in own]  # fmt: skip
    if of_runs:  # the columns of a table are checked where they are read
        refuse_unused_keys(of_runs, reading)
    names = _names(curves, configurations, naming, reading)
    without_steps = [curve for curve in curves if "step" not in curve.points]
    if 0 < len(without_steps) < len(curves):
        what = "it has scores without steps, and other files have steps"
        raise InputError(reading.below(without_steps[0].source), what, "read the files apart")
    points = pd.concat([curve.points for curve in curves], ignore_index=True)
    points["curve"] = np.repeat(np.arange(len(curves)), [len(curve.points) for curve in curves])
    points["episodes"] = points["episodes"].fillna(1).astype(np.int64) if "episodes" in points else 1
    of_curves = [(curve.kind, curve.metric, reading.below(curve.source), curve.place) for curve in curves]
    about = pd.DataFrame(of_curves, columns=["kind", "metric", "source", "place"], dtype=object)
    about = about.join(pd.DataFrame(names, dtype=object))
    for name in NAMES:
        there = about[name] if name in about else points[name]
        refuse_bad_names(str(reading.root), name, pd.Series(there.unique(), dtype=object))
    for name in about:
        points[name] = pd.Categorical(about[name]).take(points["curve"])
    points = points.astype(dict.fromkeys(NAMES, "category"))
    for name in reading.hyperparameters:
        if name not in points:
            pairs = zip(curves, configurations, strict=True)
            values = pd.Series([_hyperparameter(name, *pair, reading) for pair in pairs], dtype=object)
            points[name] = values.take(points["curve"]).to_numpy()
        as_numbers = pd.to_numeric(points[name], errors="coerce")
        points[name] = points[name].astype(str) if as_numbers.isna().any() else as_numbers
    if "step" not in points:
        return points
    return _averaged(with_steps(str(reading.root), points), reading)


def names_by_place(points: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Return the algorithm, environment and run by place, for places whose points belong to one run."""
    each = points.drop_duplicates(["place", *NAMES])[["place", *NAMES]].astype(str)
    single = each[~each.duplicated("place", keep=False)]
    return {row.pop("place"): row for row in single.to_dict("records")}


def _hyperparameter(name: str, curve: Curve, configurations: Configurations, reading: Reading) -> object:
    """Return a hyperparameter of a run from its configuration, or from the one of its Hydra job.

    Raises
    ------
    InputError
        if a run does not have it
    """
    merged = {**configurations[1], **configurations[0]}
    if name not in merged:
        hint = nearest(name, merged) if merged else "its configuration beside it, such as .hydra/config.yaml"
        raise InputError(reading.below(curve.source), f'{curve.place} has no hyperparameter "{name}"', hint)
    value = merged[name]
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _averaged(points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return one point per step of a run in a curve: the mean over all episodes, and their number."""
    keys = [*NAMES, *reading.hyperparameters, "curve", "step"]
    again = points.duplicated(keys)
    if not again.any():
        return points
    reading.entries += entries_of_rows(points[again], AVERAGED, "rows of one step")
    place = points.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    episodes = np.bincount(place, points["episodes"]).astype(np.int64)
    scores = np.bincount(place, points["score"] * points["episodes"]) / episodes
    return points[~again].assign(score=scores, episodes=episodes).reset_index(drop=True)


def _names(
    curves: Sequence[Curve], configurations: Sequence[Configurations], naming: Naming, reading: Reading
) -> list[dict[str, str]]:
    """Return the names of the run of each curve, except for names in columns of its points.

    Raises
    ------
    InputError
        if they cannot be inferred, or one name is specified for a table whose column has several
    """
    places = [curve.place for curve in curves]
    if naming.pattern is not None and naming.pattern.endswith("/{}"):
        # A last part that the pattern ignores may be the word for a kind, which is not part of the run's name.
        full = [reading.full_names.get(curve.source, curve.place) for curve in curves]
        places = full if all(matched(naming.pattern, place) for place in full) else places
    if naming.pattern is not None:
        refuse_unmatched(places, naming.pattern)
    labels: dict[str, dict[str, str]] = {}
    for curve in curves:  # files of one kind may state names that other files of the same run do not
        labels[curve.place] = {**curve.labels, **labels.get(curve.place, {})}
    names = [
        names_of(
            naming,
            place,
            {**labels[curve.place], **curve.labels, **dict.fromkeys(_named_columns(curve), _IN_COLUMNS)},
            of_curve,
        )
        for place, curve, of_curve in zip(places, curves, configurations, strict=True)
    ]
    if naming.fixed:
        told = [
            names_of(naming._replace(fixed={}), place, {**labels[curve.place], **curve.labels}, own)
            for place, curve, own in zip(places, curves, configurations, strict=True)
        ]
        refuse_one_name_of_several(told, reading)
    lacking = {place: own for place, own in zip(places, names, strict=True) if {*NAMES[:2]} - set(own)}
    likely = None
    if lacking and naming.pattern is None:
        runs = {(place, own.get("run")) for place, own in zip(places, names, strict=True)}
        of_places = Counter(place for place, _ in runs)
        likely = guess(list(lacking), list(lacking.values()), [of_places[place] for place in lacking])
    if likely is not None and likely.certain:
        reading.pattern = likely.pattern
        reading.remark(f'names are read from the paths as --pattern "{likely.pattern}" reads them')
        by_paths = dict(zip(lacking, likely.names, strict=True))
        names = [{**by_paths.get(place, {}), **own} for place, own in zip(places, names, strict=True)]
    for name in NAMES[:2]:
        lacking = {place: own for place, own in zip(places, names, strict=True) if name not in own}
        if lacking:
            refuse_unnamed(str(reading.root), name, list(lacking), list(lacking.values()))
    for curve, own in zip(curves, names, strict=True):
        _refuse_other_columns(curve, own)
    # A folder is a run: without a seed, the run has the name of the folder.
    of_runs = [{"run": place, **own} for place, own in zip(places, names, strict=True)]
    for curve, own in zip(curves, of_runs, strict=True):
        own["run"] += f"-part{curve.part}" if curve.part else ""
    return [{name: value for name, value in own.items() if value != _IN_COLUMNS} for own in of_runs]


def _refuse_other_columns(curve: Curve, own: Mapping[str, str]) -> None:
    """Raise an InputError if one name is specified for a table whose column has several."""
    for name in _named_columns(curve):
        there = list(curve.points[name].unique())
        if own[name] != _IN_COLUMNS and len(there) > 1:
            what = f"all are to have the {name} {shown(own[name])}, and its column says {listed(there, _LISTED)}"
            raise InputError(str(curve.source), what, f"leave the {name} out: the table names it")


def _named_columns(curve: Curve) -> list[str]:
    return [name for name in NAMES if name in curve.points]


def of_own_metric(points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return the points of the metric that is requested for each environment.

    Raises
    ------
    InputError
        if an environment does not exist, has no metric specified, or has no scores of that metric
    """
    refuse_absent("metric", "environment", reading.metric_of, points)
    environments = points["environment"].astype(str)
    for name in environments.unique():
        if name not in reading.metric_of:
            raise InputError("metric", f"none is named for the environment {name}", f'such as "{name}=eval/return"')
    chosen = environments.map(reading.metric_of) == points["metric"].astype(str)
    for name in sorted(set(environments) - set(environments[chosen])):
        there = points.loc[environments == name, "metric"].astype(str).unique()
        what = f"no scores under {reading.metric_of[name]} in {name}"
        raise InputError(str(reading.root), what, nearest(reading.metric_of[name], there))
    reading.entries += entries_of_rows(points[~chosen], NOT_ASKED, "another metric")
    return points[chosen].reset_index(drop=True)


def of_one_kind(points: pd.DataFrame, kind: str | None, reading: Reading) -> pd.DataFrame:
    """Return the points of one kind of scores: the requested kind, or else the kind of `_kinds_by_algorithm`.

    Raises
    ------
    InputError
        if the requested kind does not exist, or the kind is open
    """
    kinds = list(points["kind"].unique())
    if kinds == [kind or kinds[0]]:
        return points
    runs = points.drop_duplicates([*_RUN, "kind"]).set_index(_RUN)["kind"]
    there = pd.DataFrame({name: (runs == name).groupby(level=_RUN, observed=True, sort=False).any() for name in kinds})
    if kind is None:
        wanted = _kinds_by_algorithm(there)
    else:
        _refuse_absent_kind(kind, there, reading)
        wanted = dict.fromkeys(there.index.unique("algorithm"), kind)
    of_run = there.index.get_level_values("algorithm").map(wanted).to_numpy()
    for name in kinds:
        if aside := int((there[name] & (of_run != name)).sum()):
            reading.remark(f"scores of the kind {name} of {aside:,} runs are left aside (--kind {name} reads them)")
    if kind is not None:
        _account_for_runs_without(kind, points, there, reading)
    chosen = points["algorithm"].map(wanted).astype(str) == points["kind"].astype(str)
    _account_for_other_kinds(points, chosen, NOT_ASKED if kind else LEFT_OUT, reading)
    return points[chosen].reset_index(drop=True)


def _kinds_by_algorithm(there: pd.DataFrame) -> dict[Any, str]:
    """Return the kind of scores to read for each algorithm if the user does not request one.

    It is the first of `KINDS` that any run has. If some runs lack it, no other kind replaces it silently, since the
    same run would be scored by its training for lack of an evaluation: this is an error. The exception are algorithms
    that have no kind in common and each a kind of its own, which are compared only on request.

    Parameters
    ----------
    there : True where a run has scores of a kind, one row per run, indexed by its names, and one column per kind

    Raises
    ------
    InputError
        if some runs lack the kind
    """
    algorithms = there.index.unique("algorithm")
    first = _first_kind(there)
    if first is not None and there[first].all():
        return dict.fromkeys(algorithms, first)
    if not there.all().any():
        of_each = {name: there.xs(name, level="algorithm") for name in algorithms}
        firsts = {name: _first_kind(runs.loc[:, runs.any()]) for name, runs in of_each.items()}
        if all(first is not None and of_each[name][first].all() for name, first in firsts.items()):
            return {name: str(first) for name, first in firsts.items()}
    raise _open_kind(first, there)


def _first_kind(there: pd.DataFrame) -> str | None:
    """Return the first of `KINDS` that is a column, or None."""
    return next((name for name in KINDS if name in there), None)


def _open_kind(first: str | None, there: pd.DataFrame) -> InputError:
    """Return the error for runs of which some lack the preferred kind of scores, `first`."""
    total = len(there)
    what = f"runs of different kinds are not compared: {_counted_kinds(there)}"
    ways = []
    for name in there:
        without = total - int(there[name].sum())
        rest = f", and counts {without:,} as without a score" if without else ""
        ways.append(f"--kind {name} reads {total - without:,} of {total:,} runs{rest}")
    if first is not None:
        lacking = there.index[~there[first]]
        example = named_run(dict(zip(_RUN, lacking[0], strict=True)))
        has = "has" if len(lacking) == 1 else "have"
        what = f"{len(lacking):,} of {total:,} runs {has} no scores of the kind {first}, such as {example}"
    return InputError("kind", what, "; ".join(ways))


def _counted_kinds(there: pd.DataFrame) -> str:
    return ", ".join(f"{name} of {there[name].sum():,} runs" for name in there)


def _refuse_absent_kind(kind: str, there: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if no run has scores of the requested kind, or nothing shows the kind."""
    if reading.kind_is_guessed and len(there.columns) == 1:
        what = f"nothing in these files says of which kind their scores are, so {kind} cannot be told from others"
        raise InputError("kind", what, "leave --kind out")
    if kind not in there:
        what = f'no scores of the kind "{kind}": there are {_counted_kinds(there)}'
        raise InputError("kind", what, f"one of {', '.join(there)}")


def _account_for_runs_without(kind: str, points: pd.DataFrame, there: pd.DataFrame, reading: Reading) -> None:
    """Account for runs without scores of the requested kind, which count as runs without a score."""
    lacking = there[~there[kind]]
    if lacking.empty:
        return
    reading.remark(f"{len(lacking):,} of {len(there):,} runs have no scores of the kind {kind} and are left out")
    absent = points.merge(lacking.reset_index()[_RUN], on=_RUN).drop_duplicates(_RUN)
    names = absent[_RUN].astype(str).itertuples(index=False, name=None)
    reading.entries += [
        Entry(source, NO_SCORE, f"no scores of the kind {kind}", place, *own)
        for source, place, own in zip(absent["source"], absent["place"], names, strict=True)
    ]


def _account_for_other_kinds(points: pd.DataFrame, chosen: pd.Series, outcome: str, reading: Reading) -> None:
    """Account for points of kinds that are not read, and for files that only belong to such points."""
    reading.entries += entries_of_rows(points[~chosen], outcome, "another kind")
    read = {
        (str(place), str(name)) for place, name in points.loc[chosen, ["place", "kind"]].drop_duplicates().to_numpy()
    }
    for number, entry in enumerate(reading.entries):
        if entry.reason == WITH_OTHERS and entry.kind and (entry.place, entry.kind) not in read:
            reading.entries[number] = entry._replace(outcome=outcome, reason=f"another kind, {WITH_OTHERS}")


def refuse_unlike_metrics(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if an algorithm has scores with several names.

    Different names between algorithms count as different protocols.
    """
    for _, each in points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False):
        if len(each) > 1:
            what = " and ".join(f"{row.metric} ({row.place})" for row in each[:2].itertuples())
            what = f"runs log their returns under different names: {what}"
            raise InputError(str(reading.root), what, "ask for one by --metric")


def metric_names(points: pd.DataFrame) -> dict[str, str]:
    """Return the name under which each algorithm logs its score, or all names if there are several."""
    each = points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False)
    return {str(name): ", ".join(sorted(map(str, metrics))) for name, metrics in each["metric"]}


def refuse_doubles(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if two curves belong to one run (with equal hyperparameters, if they are read)."""
    if points["curve"].iloc[0] == points["curve"].iloc[-1]:
        return
    keys = [*_RUN, *reading.hyperparameters, "metric"]
    each = points.drop_duplicates([*keys, "curve"])
    for row in each[each.duplicated(keys)][:1].itertuples():
        first = each[(each[keys] == [getattr(row, key) for key in keys]).all(axis=1)].iloc[0]
        what = f"{row.algorithm} in {row.environment} has run {row.run} twice: {first['source']} and {row.source}"
        hint = (
            "choose one by --files or move the other out of the folder, or tell them apart by --pattern with {run}, or "
            "by --hyperparameters where these differ"
        )
        raise InputError(str(reading.root), what, hint)


def run_table(points: pd.DataFrame, several: bool, hyperparameters: Sequence[str]) -> pd.DataFrame:
    """Return the table of all points, sorted by name, with hyperparameters, and the metric if there are several."""
    points = points.assign(run=points["run"].cat.remove_unused_categories())
    run = points["run"].map(plain_run)
    if points.assign(plain=run).drop_duplicates(_RUN).duplicated([*_RUN[:2], "plain"]).any():
        run = points["run"]
    # Keep names such as 07 and 7 as texts, since they are distinct.
    are_numbers = all(
        name.isascii() and name.isdigit() and len(name) < 19 and str(int(name)) == name for name in run.unique()
    )
    of_curves = ["kind", "source", *(["metric"] if several else [])]
    keys = [*_RUN, *of_curves[2:], *hyperparameters, *(["step"] if "step" in points else [])]
    table = points.assign(run=run.astype(np.int64 if are_numbers else str))
    table = table.sort_values(keys, kind="stable", ignore_index=True)
    table = table[[name for name in (*COLUMNS, *of_curves[2:], *hyperparameters) if name in table]]
    return table.astype(dict.fromkeys([*_RUN[:2], *of_curves], str))
