"""Curves with the names of their runs: those of one kind, checked against each other, as one table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.logs.curves import IN_COLUMNS, KINDS, Curve, Reading
from surefoot.logs.files import job_configuration
from surefoot.logs.naming import (
    NAMES,
    Naming,
    named_by_paths,
    names_of,
    plain_run,
    refuse_unmatched,
    refuse_unnamed,
)

COLUMNS = ("algorithm", "environment", "run", "step", "score", "kind", "episodes", "source")

_Run = tuple[str, str, str]


class NamedCurve(NamedTuple):
    """A curve with its names, each `IN_COLUMNS` where it differs between the points of a table."""

    names: Mapping[str, str]
    curve: Curve

    def categories(self, name: str) -> tuple[npt.NDArray[np.intp], list[str]]:
        """int[points], and the names that these number."""
        if self.curve.runs is None or self.names[name] != IN_COLUMNS:
            return np.zeros(self.curve.scores.size, np.intp), [self.names[name]]
        return pd.factorize(self.curve.runs[name])[0], list(map(str, self.curve.runs[name].unique()))

    def algorithms(self) -> list[str]:
        return self.categories("algorithm")[1]

    def runs(self) -> list[_Run]:
        """The names of its runs: of algorithm, environment and run."""
        if self.curve.runs is None:
            return [(self.names["algorithm"], self.names["environment"], self.names["run"])]
        unlike = (~self.curve.runs.duplicated()).to_numpy()
        columns = [(codes[unlike], names) for codes, names in map(self.categories, NAMES)]
        return list(zip(*(np.array(names, object)[codes].tolist() for codes, names in columns), strict=True))

    def only(self, algorithms: set[str]) -> "NamedCurve":
        """The points of some of its algorithms."""
        codes, names = self.categories("algorithm")
        if self.curve.runs is None or algorithms.issuperset(names):
            return self
        kept = np.isin(codes, [code for code, name in enumerate(names) if name in algorithms])
        one = self.curve
        steps = one.steps[kept] if one.steps.size else one.steps
        runs = self.curve.runs[kept]
        return NamedCurve(
            self.names, one._replace(steps=steps, scores=one.scores[kept], episodes=one.episodes[kept], runs=runs)
        )


def named_curves(curves: Sequence[Curve], naming: Naming, pattern: str | None, reading: Reading) -> list[NamedCurve]:
    """The curves with their names; an InputError where these cannot be told."""
    places = list(dict.fromkeys(curve.place for curve in curves))
    if naming.pattern and pattern:
        refuse_unmatched(places, naming.pattern, pattern)
    told: dict[str, dict[str, str]] = {}
    jobs = {
        source: job_configuration(source, reading.root) for source in dict.fromkeys(curve.source for curve in curves)
    }
    for curve in curves:  # of the same run, one kind of files may tell what others do not
        told[curve.place] = {**curve.told, **told.get(curve.place, {})}
    found = []
    for curve in curves:
        own, around = {**told[curve.place], **curve.told}, jobs[curve.source]
        found.append(NamedCurve(names_of(naming, curve.place, own, curve.config, around), curve))
    lacking = {one.curve.place: one.names for one in found if {"algorithm", "environment"} - set(one.names)}
    if lacking and not naming.pattern:
        by_paths = named_by_paths(list(lacking), list(lacking.values()), reading)
        found = [NamedCurve({**by_paths.get(one.curve.place, {}), **one.names}, one.curve) for one in found]
    for name in ("algorithm", "environment"):
        lacking = {one.curve.place: one.names for one in found if name not in one.names}
        if lacking:
            refuse_unnamed(str(reading.root), name, list(lacking), list(lacking.values()))
    # A folder is a run: where no seed is known, the run goes by the folder's name.
    return [NamedCurve({"run": one.curve.place, **one.names}, one.curve) for one in found]


def of_one_kind(found: Sequence[NamedCurve], kind: str | None, reading: Reading) -> list[NamedCurve]:
    """The curves of the kind that is asked for; else of evaluations where all runs have them, of training where none
    has; and where no kind is common to all runs, that of each algorithm."""
    if {one.curve.kind for one in found} == {kind or found[0].curve.kind}:
        _remarks_of(found, reading)
        return list(found)
    runs_of: dict[str, set[_Run]] = {}
    for one in found:
        runs_of.setdefault(one.curve.kind, set()).update(one.runs())
    everyone = set().union(*runs_of.values())
    counted = ", ".join(f"{name} of {len(runs):,} runs" for name, runs in runs_of.items())
    if kind is not None and kind not in runs_of:
        raise InputError("kind", f'no scores of the kind "{kind}": there are {counted}', f"one of {', '.join(runs_of)}")
    common = kind or _common_kind(runs_of, everyone)
    wanted = {
        name: common or _common_kind(runs_of, {key for key in everyone if key[0] == name})
        for name in dict.fromkeys(key[0] for key in everyone)
    }
    if None in wanted.values():
        what = f"runs of different kinds are not compared: {counted}"
        raise InputError("kind", what, "ask for one: " + " or ".join(f"--kind {name}" for name in runs_of))
    for name, runs in runs_of.items():
        aside = sum(wanted[key[0]] != name for key in runs)
        if aside:
            reading.remark(f"scores of the kind {name} of {aside:,} runs are left aside (--kind {name} reads them)")
    missing = sum(key not in runs_of[wanted[key[0]] or ""] for key in everyone)
    if missing:
        reading.remark(f"{missing:,} of {len(everyone):,} runs have no scores of the kind {kind} and are left out")
    having = {kind: {name for name, own in wanted.items() if own == kind} for kind in runs_of}
    chosen = [one.only(having[one.curve.kind]) for one in found if having[one.curve.kind] & set(one.algorithms())]
    _remarks_of(chosen, reading)
    return chosen


def _remarks_of(found: Sequence[NamedCurve], reading: Reading) -> None:
    for one in found:
        if one.curve.remark:
            reading.remark(one.curve.remark)


def _common_kind(runs_of: Mapping[str, set[_Run]], runs: set[_Run]) -> str | None:
    """The first kind of which all these runs have scores."""
    return next((name for name in KINDS if runs <= runs_of.get(name, set())), None)


def refuse_unlike_metrics(found: Sequence[NamedCurve], reading: Reading) -> None:
    """Within an algorithm; between algorithms they are unlike protocols."""
    first: dict[str, NamedCurve] = {}
    for name, one in ((name, each) for each in found for name in each.algorithms()):
        other = first.setdefault(name, one)
        if other.curve.metric != one.curve.metric:
            what = " and ".join(f"{each.curve.metric} ({each.curve.place})" for each in (other, one))
            raise InputError(
                str(reading.root), f"runs log their returns under different names: {what}", "ask for one by --metric"
            )


def metric_names(found: Sequence[NamedCurve]) -> dict[str, str]:
    """The name under which each algorithm logs its score; of several names, all of them."""
    names: dict[str, dict[str, None]] = {}
    for name, one in ((name, each) for each in found for name in each.algorithms()):
        names.setdefault(_text(name), {})[one.curve.metric] = None
    return {name: ", ".join(metrics) for name, metrics in names.items()}


def refuse_doubles(found: Sequence[NamedCurve], reading: Reading) -> None:
    if len(found) == 1 and set(found[0].names.values()) == {IN_COLUMNS}:
        return
    first: dict[tuple[str, ...], Curve] = {}
    for key, one in (((*run, each.curve.metric), each) for each in found for run in each.runs()):
        if other := first.get(key):
            what = (
                f"{key[0]} in {key[1]} has run {key[2]} twice: {reading.below(other.source)} and "
                f"{reading.below(one.curve.source)}"
            )
            hint = "move the one that does not count out of the folder, or tell them apart by --pattern with {run}"
            raise InputError(str(reading.root), what, hint)
        first[key] = one.curve


def run_table(found: Sequence[NamedCurve], reading: Reading, several: bool) -> pd.DataFrame:
    """The table of all points, by the order of their names; numbers of names until then, as there may be a million
    runs."""
    names = {name: [one.categories(name) for one in found] for name in NAMES}
    runs = {run: plain_run(run) for _, own in names["run"] for run in own}
    if len(set(runs.values())) < len(runs):
        keys = {run for one in found for run in one.runs()}
        if len({(*key[:2], runs[key[2]]) for key in keys}) < len(keys):
            runs = {run: run for run in runs}
    numbers = all(run.isascii() and run.isdigit() and len(run) < 19 for run in runs.values())
    columns = {
        "algorithm": _numbered(names["algorithm"], _text),
        "environment": _numbered(names["environment"], _text),
        "run": _numbered(names["run"], lambda run: int(runs[run]) if numbers else _text(runs[run])),
    }
    sizes = [one.curve.scores.size for one in found]
    sources = {source: reading.below(source) for source in dict.fromkeys(one.curve.source for one in found)}
    constants = {
        "kind": [one.curve.kind for one in found],
        "source": [sources[one.curve.source] for one in found],
        "metric": [one.curve.metric for one in found],
    }
    of_curves = {
        name: _numbered([(np.zeros(size, np.intp), [value]) for size, value in zip(sizes, values, strict=True)], str)
        for name, values in constants.items()
        if several or name != "metric"
    }
    order = [columns[name][0] for name in NAMES] + ([of_curves["metric"][0]] if several else [])
    values: dict[str, npt.NDArray[Any]] = {}
    if any(one.curve.steps.size for one in found):
        for one in found:
            if one.curve.steps.size != one.curve.scores.size:
                what = "it has scores without steps, and other files have steps"
                raise InputError(reading.below(one.curve.source), what, "read the files apart")
            _refuse_bad_steps(one.curve, reading)
        steps = np.concatenate([one.curve.steps for one in found])
        values["step"] = steps.astype(np.int64) if (steps % 1 == 0).all() else steps
        order.append(values["step"])
    values["score"] = np.concatenate([one.curve.scores for one in found])
    values["episodes"] = np.concatenate([one.curve.episodes for one in found])
    rows = np.lexsort(order[::-1])
    made: dict[str, Any] = {name: value[rows] for name, value in values.items()}
    for name, (codes, told) in (columns | of_curves).items():
        made[name] = pd.Series(told).take(codes[rows]).array
    return pd.DataFrame({name: made[name] for name in (*COLUMNS, "metric") if name in made})


def _refuse_bad_steps(curve: Curve, reading: Reading) -> None:
    bad = ~(np.isfinite(curve.steps) & (curve.steps >= 0))
    if bad.any():
        what = f"{int(bad.sum()):,} scores have no step, the first {curve.steps[bad][0]:g}"
        raise InputError(reading.below(curve.source), what, "environment steps from 0, one for each score")


def _numbered(
    parts: Sequence[tuple[npt.NDArray[np.intp], Sequence[str]]], told: Callable[[str], str | int]
) -> tuple[npt.NDArray[np.int32], list[str | int]]:
    """int32[points], and the names in order that these number."""
    names: list[Any] = sorted({told(name) for _, own in parts for name in own})
    place = {name: number for number, name in enumerate(names)}
    codes = [np.array([place[told(name)] for name in own], np.int32)[own_codes] for own_codes, own in parts]
    return np.concatenate(codes), names


def _text(name: str) -> str:
    """The name without what is no Unicode, which no file of a table could hold."""
    return name.encode("utf-8", "replace").decode("utf-8")
