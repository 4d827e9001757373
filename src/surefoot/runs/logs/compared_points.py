"""Choose the points to compare: one kind of scores, and one metric for each environment."""

from typing import Any

import pandas as pd

from surefoot.errors import InputError, conjugated, counted, nearest
from surefoot.runs.columns.run_names import named_run, refuse_absent
from surefoot.runs.logs.account import (
    LEFT_OUT,
    NO_SCORE,
    NOT_ASKED,
    WITH_OTHERS,
    Entry,
    entries_of_rows,
)
from surefoot.runs.logs.logged_curves import KINDS, Reading
from surefoot.runs.logs.naming import NAMES

_RUN = list(NAMES)


def of_own_metric(points: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Select the points of the metric that is requested for each environment.

    Raises
    ------
    InputError
        if an environment does not exist, has no metric specified, or has no scores of that metric
    """
    refuse_absent("metric", "environment", reading.metric_of, points)
    environments = points["environment"].astype(str)
    for name in environments.unique():
        if name not in reading.metric_of:
            raise InputError(
                "metric", f"no metric is given for the environment {name}", f'add one, such as "{name}=eval/return"'
            )
    chosen = environments.map(reading.metric_of) == points["metric"].astype(str)
    for name in sorted(set(environments) - set(environments[chosen])):
        there = points.loc[environments == name, "metric"].astype(str).unique()
        what = f"no scores under {reading.metric_of[name]} in {name}"
        raise InputError(str(reading.root), what, nearest(reading.metric_of[name], there))
    reading.entries += entries_of_rows(points[~chosen], NOT_ASKED, "another metric")
    return points[chosen].reset_index(drop=True)


def of_one_kind(points: pd.DataFrame, kind: str | None, reading: Reading) -> pd.DataFrame:
    """Select the points of one kind of scores: the requested kind, by default the kind from `_kinds_by_algorithm`.

    Raises
    ------
    InputError
        if the requested kind does not exist, or the kind is ambiguous
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
            runs_aside = counted(aside, "run")
            reading.remark(f"scores of the kind {name} are not used for {runs_aside} (--score-kind {name} reads them)")
    if kind is not None:
        _account_for_runs_without(kind, points, there, reading)
    chosen = points["algorithm"].map(wanted).astype(str) == points["kind"].astype(str)
    _account_for_other_kinds(points, chosen, NOT_ASKED if kind else LEFT_OUT, reading)
    return points[chosen].reset_index(drop=True)


def _kinds_by_algorithm(there: pd.DataFrame) -> dict[Any, str]:
    """Return the kind of scores to read for each algorithm if the user does not request one.

    This is the first of `KINDS` that any run has. If some runs lack this kind, an error is raised, since silently using
    another kind would score some runs by their training instead of an evaluation. As an exception, algorithms may have
    different kinds if no kind is common to all runs, and all runs of each algorithm have the same kind; such algorithms
    are compared only on request.

    Parameters
    ----------
    there : True if a run has scores of a kind; one row per run, indexed by algorithm, environment and run, and one
        column per kind

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
    """Return the error for runs that lack the preferred kind of scores (`first`)."""
    total = len(there)
    what = f"runs with different kinds of scores are not compared: {_counted_kinds(there)}"
    ways = []
    for name in there:
        without = total - int(there[name].sum())
        rest = f", and counts {without:,} as without a score" if without else ""
        ways.append(f"--score-kind {name} reads {total - without:,} of {total:,} runs{rest}")
    if first is not None:
        lacking = there.index[~there[first]]
        example = named_run(dict(zip(_RUN, lacking[0], strict=True)))
        have = conjugated("have", len(lacking))
        what = f"{len(lacking):,} of {total:,} runs {have} no scores of the kind {first}, for example {example}"
    return InputError("score_kind", what, "; ".join(ways))


def _counted_kinds(there: pd.DataFrame) -> str:
    return ", ".join(f"{name} of {there[name].sum():,} runs" for name in there)


def _refuse_absent_kind(kind: str, there: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if no run has scores of the requested kind, or if the kind is unknown."""
    if reading.kind_is_guessed and len(there.columns) == 1:
        what = f"nothing in these files states the kind of their scores, so {kind} cannot be distinguished from others"
        raise InputError("score_kind", what, "leave --score-kind out")
    if kind not in there:
        what = f'no scores of the kind "{kind}": there are {_counted_kinds(there)}'
        raise InputError("score_kind", what, nearest(kind, there))


def _account_for_runs_without(kind: str, points: pd.DataFrame, there: pd.DataFrame, reading: Reading) -> None:
    """Record runs without scores of the requested kind as runs without a score."""
    lacking = there[~there[kind]]
    if lacking.empty:
        return
    are = conjugated("are", len(lacking))
    reading.remark(f"{len(lacking):,} of {len(there):,} runs without scores of the kind {kind} {are} left out")
    absent = points.merge(lacking.reset_index()[_RUN], on=_RUN).drop_duplicates(_RUN)
    names = absent[_RUN].astype(str).itertuples(index=False, name=None)
    reading.entries += [
        Entry(source, NO_SCORE, f"no scores of the kind {kind}", place, *own)
        for source, place, own in zip(absent["source"], absent["place"], names, strict=True)
    ]


def _account_for_other_kinds(points: pd.DataFrame, chosen: pd.Series, outcome: str, reading: Reading) -> None:
    """Record `outcome` for points of all other kinds, and for secondary files of runs that have only such points."""
    reading.entries += entries_of_rows(points[~chosen], outcome, "another kind")
    read = {
        (str(place), str(name)) for place, name in points.loc[chosen, ["place", "kind"]].drop_duplicates().to_numpy()
    }
    for number, entry in enumerate(reading.entries):
        if entry.reason == WITH_OTHERS and entry.kind and (entry.place, entry.kind) not in read:
            reading.entries[number] = entry._replace(outcome=outcome, reason=f"another kind, {WITH_OTHERS}")


def refuse_unlike_metrics(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if runs of one algorithm log their scores under different names.

    Different names for different algorithms are allowed here; they count as a difference in protocol.
    """
    for _, each in points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False):
        if len(each) > 1:
            what = " and ".join(f"{row.metric} ({row.place})" for row in each[:2].itertuples())
            what = f"runs log their returns under different names: {what}"
            raise InputError(str(reading.root), what, "choose one with --metric")
