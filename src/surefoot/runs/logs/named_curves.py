"""Combine the curves that were read into one table of all points, with the names of their runs."""

from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, listed, nearest, shown
from surefoot.runs.columns.numbers import with_steps
from surefoot.runs.columns.run_names import refuse_bad_names
from surefoot.runs.logs.account import (
    AVERAGED,
    entries_of_rows,
)
from surefoot.runs.logs.log_files import job_configuration
from surefoot.runs.logs.logged_curves import Curve, Reading
from surefoot.runs.logs.naming import (
    NAMES,
    Naming,
    compiled,
    flat,
    guess,
    is_name,
    matched,
    names_of,
    pairs_in_path,
    refuse_unmatched,
    refuse_unnamed,
)

_LISTED = 4
_IN_COLUMNS = "\0"
"""Placeholder for a name that differs between the points of a table."""
Configurations = tuple[Mapping[str, Any], ...]
"""Configuration of a run, of the Hydra job that started it, and pairs of keys and values in its path."""


def given_names(pattern: str | None, keys: Mapping[str, str] | None, given: Mapping[str, object]) -> Naming:
    """Return the names and patterns that the user specifies.

    Raises
    ------
    InputError
        if a key or the pattern is invalid, or a name is specified twice
    """
    names = {{"seed": "run"}.get(name, name): key for name, key in (keys or {}).items()}
    for name in names.keys() - set(NAMES):
        raise InputError("names_from", f'"{name}" does not identify runs', nearest(name, NAMES))
    fixed = {name: value for name, value in given.items() if isinstance(value, str)}
    in_pattern = compiled(pattern)[1] if pattern is not None else ()
    for name in NAMES:
        ways = [f"--{name} {fixed[name]}"] if name in fixed else []
        ways += [f'--pattern "{pattern}"'] if name in in_pattern else []
        ways += [f"--name-from {name}={names[name]}"] if name in names else []
        if len(ways) > 1:
            what = f"the {name} is given twice, by {ways[0]} and by {ways[1]}"
            raise InputError(
                "pattern" if name in in_pattern else "names_from", what, f"leave out {ways[1]} or {ways[0]}"
            )
    return Naming(pattern, names, fixed)


def named_points(curves: Sequence[Curve], naming: Naming, reading: Reading) -> pd.DataFrame:
    """Return one row per run and step of each curve, or one row per score if there are no steps.

    Scores are averaged over the episodes of a step.

    Returns
    -------
    a table with the columns score, episodes, step if the curves have steps, curve (its number) and the requested
    hyperparameters; and, as categories, since there may be a million runs: algorithm, environment, run, kind, metric,
    source and place (the path of the run)

    Raises
    ------
    InputError
        if names of runs cannot be inferred, or points have no step
    """
    configurations = [
        (flat(curve.config), flat(job_configuration(curve.source, reading.root)), pairs_in_path(curve.place))
        for curve in curves
    ]
    pairs = list(zip(curves, configurations, strict=True))
    # The columns of a table are checked where they are read.
    of_runs = [config for curve, own in pairs if "run" not in curve.points for config in own]
    if of_runs:
        _refuse_unused_keys(of_runs, reading)
    names = _names(curves, configurations, naming, reading)
    points = _with_names(_joined_points(curves, reading), curves, names, reading)
    for name in reading.hyperparameters:
        if name not in points:
            values = pd.Series([_hyperparameter(name, *pair, reading) for pair in pairs], dtype=object)
            points[name] = values.take(points["curve"]).to_numpy()
        as_numbers = pd.to_numeric(points[name], errors="coerce")
        points[name] = points[name].astype(str) if as_numbers.isna().any() else as_numbers
    if "step" not in points:
        return points
    return _averaged(with_steps(str(reading.root), points), reading)


def _joined_points(curves: Sequence[Curve], reading: Reading) -> pd.DataFrame:
    """Return the points of all curves, with the index of the curve and the number of averaged episodes.

    Raises
    ------
    InputError
        if some curves have steps and others do not
    """
    without_steps = [curve for curve in curves if "step" not in curve.points]
    if 0 < len(without_steps) < len(curves):
        what = "it has scores without steps, but other files have steps"
        raise InputError(reading.below(without_steps[0].source), what, "read the files separately")
    points = pd.concat([curve.points for curve in curves], ignore_index=True)
    points["curve"] = np.repeat(np.arange(len(curves)), [len(curve.points) for curve in curves])
    points["episodes"] = points["episodes"].fillna(1).astype(np.int64) if "episodes" in points else 1
    return points


def _with_names(
    points: pd.DataFrame, curves: Sequence[Curve], names: Sequence[Mapping[str, str]], reading: Reading
) -> pd.DataFrame:
    """Add columns with the names of the runs, and with the kind, metric, source and path of the curves.

    Raises
    ------
    InputError
        if a name is missing or not printable, or two look the same
    """
    of_curves = [(curve.kind, curve.metric, reading.below(curve.source), curve.place) for curve in curves]
    about = pd.DataFrame(of_curves, columns=["kind", "metric", "source", "place"], dtype=object)
    about = about.join(pd.DataFrame(names, dtype=object))
    for name in NAMES:
        there = about[name] if name in about else points[name]
        refuse_bad_names(str(reading.root), name, pd.Series(there.unique(), dtype=object))
    for name in about:
        points[name] = pd.Categorical(about[name]).take(points["curve"])
    return points.astype(dict.fromkeys(NAMES, "category"))


def names_by_place(points: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Return algorithm, environment and run by path of the run, for paths whose points belong to one run."""
    each = points.drop_duplicates(["place", *NAMES])[["place", *NAMES]].astype(str)
    single = each[~each.duplicated("place", keep=False)]
    return {row.pop("place"): row for row in single.to_dict("records")}


def _hyperparameter(name: str, curve: Curve, configurations: Configurations, reading: Reading) -> object:
    """Return a hyperparameter of a run from its configuration, or from the configuration of its Hydra job.

    Raises
    ------
    InputError
        if the hyperparameter is missing
    """
    merged = dict(ChainMap(*map(dict, configurations)))
    if name not in merged:
        hint = (
            nearest(name, merged) if merged else "add its configuration in the same folder, such as .hydra/config.yaml"
        )
        raise InputError(reading.below(curve.source), f'{curve.place} has no hyperparameter "{name}"', hint)
    value = merged[name]
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _averaged(points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Average the episodes of each step of a run in a curve, and count them."""
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
        if a name cannot be inferred, or one name is specified for a table whose column has several names
    """
    places = _paths_for_pattern(curves, naming.pattern, reading)
    labels = _labels_of_runs(curves)
    told = list(zip(places, labels, configurations, strict=True))
    if naming.fixed:
        in_files = naming._replace(fixed={})
        stated = [names_of(in_files, place, of_run, own) for place, of_run, own in told]
        _refuse_one_name_of_several(stated, reading)
    names = []
    for curve, (place, of_run, own) in zip(curves, told, strict=True):
        in_columns = dict.fromkeys(_named_columns(curve), _IN_COLUMNS)
        names.append(names_of(naming, place, {**of_run, **in_columns}, own))
    if naming.pattern is None:
        names = _with_guessed_names(places, names, reading)
    for name in NAMES[:2]:
        lacking = {place: own for place, own in zip(places, names, strict=True) if name not in own}
        if lacking:
            refuse_unnamed(str(reading.root), name, list(lacking), list(lacking.values()))
    of_runs = []
    for curve, place, names_of_run in zip(curves, places, names, strict=True):
        _refuse_other_columns(curve, names_of_run)
        # Without a seed, a run is named after its folder.
        run = names_of_run.get("run", place) + (f"-part{curve.part}" if curve.part else "")
        of_runs.append({name: value for name, value in {**names_of_run, "run": run}.items() if value != _IN_COLUMNS})
    return of_runs


def _paths_for_pattern(curves: Sequence[Curve], pattern: str | None, reading: Reading) -> list[str]:
    """Return, for each curve, the path against which a pattern is matched.

    Raises
    ------
    InputError
        if the pattern does not match
    """
    places = [curve.place for curve in curves]
    if pattern is None:
        return places
    if pattern.endswith("/{}"):
        # The last part of a path, which the pattern ignores, may be a word for a kind of scores, such as eval. Names of
        # runs omit this word, so the full paths are matched if the pattern fits all of them.
        full = [reading.full_names.get(curve.source, curve.place) for curve in curves]
        places = full if all(matched(pattern, place) for place in full) else places
    refuse_unmatched(places, pattern)
    return places


def _labels_of_runs(curves: Sequence[Curve]) -> list[dict[str, str]]:
    """Return the names that the files of each curve state, or that other files of the same run state."""
    by_place: dict[str, dict[str, str]] = {}
    for curve in curves:
        by_place[curve.place] = {**curve.labels, **by_place.get(curve.place, {})}
    return [{**by_place[curve.place], **curve.labels} for curve in curves]


def _with_guessed_names(
    places: Sequence[str], names: Sequence[dict[str, str]], reading: Reading
) -> list[dict[str, str]]:
    """Fill in missing names from the paths, if the paths clearly show them."""
    pairs = list(zip(places, names, strict=True))
    lacking = {place: own for place, own in pairs if {*NAMES[:2]} - set(own)}
    if not lacking:
        return list(names)
    runs = Counter(place for place, _ in {(place, own.get("run")) for place, own in pairs})
    numbers = [runs[place] for place in lacking]
    # A run without a score also counts as a run of its algorithm, if its path has the same form.
    lost = [place for place in dict.fromkeys(reading.without_scores) if place not in runs]
    likely = guess([*lacking, *lost], [*lacking.values(), *({} for _ in lost)], [*numbers, *(1 for _ in lost)])
    if likely is None or not likely.certain:
        likely = guess(list(lacking), list(lacking.values()), numbers)
    if likely is None or not likely.certain:
        return list(names)
    reading.pattern = likely.pattern
    reading.remark(f'names are read from the paths, as with --pattern "{likely.pattern}"')
    by_paths = dict(zip(lacking, likely.names, strict=False))
    return [{**by_paths.get(place, {}), **own} for place, own in pairs]


def _refuse_other_columns(curve: Curve, own: Mapping[str, str]) -> None:
    """Raise an InputError if one name is specified for a table whose column has several names."""
    for name in _named_columns(curve):
        there = list(curve.points[name].unique())
        if own[name] != _IN_COLUMNS and len(there) > 1:
            what = f"the {name} should be {shown(own[name])}, but its column has {listed(there, _LISTED)}"
            raise InputError(str(curve.source), what, f"leave the {name} out: the table has it")


def _named_columns(curve: Curve) -> list[str]:
    return [name for name in NAMES if name in curve.points]


def _refuse_unused_keys(configurations: Sequence[Mapping[str, object]], reading: Reading) -> None:
    """Raise an InputError for a key that is missing from all configurations, which `naming.flat` has flattened."""
    for name, key in reading.keys.items():
        if not any(is_name(config.get(key)) for config in configurations):
            there = list(dict.fromkeys(name for config in configurations for name in config if is_name(config[name])))
            hint = (
                nearest(key, there) if there else "there is no configuration in the folders of the runs; see --pattern"
            )
            raise InputError("names_from", f'no configuration of a run has a name under "{key}" ({name})', hint)


def _refuse_one_name_of_several(stated: Sequence[Mapping[str, str]], reading: Reading) -> None:
    """Raise an InputError if the user specifies one name for all runs, but the files state several names.

    Parameters
    ----------
    stated : names that the files of each run state
    """
    for name, name_for_all in reading.fixed.items():
        several = list(dict.fromkeys(names[name] for names in stated if name in names))
        if len(several) > 1:
            what = f"all runs should have the {name} {shown(name_for_all)}, but their files state {listed(several)}"
            raise InputError(str(reading.root), what, f"leave --{name} out: the files contain it")
