"""What a reader returns: the learning curve of a run, and remarks on the files that it was read from."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.columns import STEPS, numbers, score_array

KINDS = ("eval", "train", "absolute")
"""Kinds of scores: of episodes played apart for evaluation, of the policy while it learns, and of the selected best
policy, evaluated again."""
EVALUATION_WORDS = ("eval", "evaluation", "evaluator", "test", "validation")
"""First words of the names of metrics of evaluations, such as ``eval/mean_reward``."""
RETURNS = {
    "eval": (
        "eval/mean_reward",
        "eval/episodic_return",
        "eval/episode_return",
        "evaluator/episode_return",
        "test/returns_stat/mean",
        "test/reward",
        "AverageTestEpRet",
    ),
    "train": (
        "charts/episodic_return",
        "rollout/ep_rew_mean",
        "charts/episode_return",
        "train/episode_return",
        "AverageEpRet",
    ),
}
"""Names under which tools log the return of an episode, by kind; the first that is there counts."""
_WORDS = re.compile(
    r"(?:(?:mean|avg|average|ep|episode|episodic|eval|evaluation|evaluator|test|validation|train|training|rollout)[_./]?)*"
    r"(?:return|reward|score|rew|ret)s?(?:[_./]?mean|[_./]?avg)?"
)
"""Names that people give to the return of an episode, in lower case."""

_LISTED = 12
Floats = npt.NDArray[np.float64]


class Place(NamedTuple):
    """What is opened at once: the files of a run, or a file of several runs.

    name : path of the run below the folder that is read, which patterns are matched with
    paths : the files, in the order in which they are read
    """

    name: str
    paths: tuple[Path, ...]


class Curve(NamedTuple):
    """Scores of a run along its training; or those of all runs of a table, which has too many for an object each.

    place : path of the run below the folder that is read
    source : the file, or the first of several
    kind : one of `KINDS`
    metric : the name under which the tool logs the score
    points : one row for each score, in the order in which they were written, with the columns score, step (environment
        steps, as far as the tool counts those; left out where it logs none) and episodes (over how many each score is
        the mean; left out where each is of a single one). Of a table also algorithm, environment, run, as categories,
        and its columns of hyperparameters
    labels : the names that the files state: algorithm, environment, run
    config : the configuration of the run as its files have it, nested or with dotted keys
    remark : what whoever uses these scores should know
    """

    place: str
    source: Path
    kind: str = ""
    metric: str = ""
    points: pd.DataFrame = pd.DataFrame({"score": []})
    labels: Mapping[str, str] = {}
    config: Mapping[str, Any] = {}
    remark: str = ""


@dataclass
class Reading:
    """A folder that is read: what is asked for, and what reading finds beside the curves.

    root : the folder, or the single file
    asked : names of the metrics that are wanted, or None
    hyperparameters : dotted keys of the runs' configurations that become columns
    step : the name under which steps are logged, where the user gives one
    tasks : names of environments in their order, where the user gives some, for files that name none
    remarks : sentences for the user, each once
    metrics : names of metrics that the files have
    kind_is_guessed : whether nothing in the files says of what kind the scores are
    points_are_numbered : whether the files have no steps, so that these are numbers of points
    without_scores : places of runs that began and left no score
    pattern : by which names are read from the paths, where nobody gives one and the paths show it
    stated : what a table that `surefoot read` wrote keeps of the logs that it was read from
    """

    root: Path
    asked: Sequence[str] | None = None
    hyperparameters: Sequence[str] = ()
    step: str | None = None
    tasks: Sequence[str] = ()
    remarks: list[str] = field(default_factory=list)
    metrics: set[str] = field(default_factory=set)
    stated: dict[str, Any] = field(default_factory=dict)
    without_scores: list[str] = field(default_factory=list)
    pattern: str | None = None
    kind_is_guessed: bool = False
    points_are_numbered: bool = False

    def below(self, path: Path) -> str:
        """The path as patterns and remarks have it: relative to the folder that is read, with slashes.

        The folder itself goes by its own name. Bytes that are no UTF-8 become question marks.
        """
        folder = self.root.parent if self.root.is_file() else self.root
        relative = path.relative_to(folder) if path.is_relative_to(folder) else path
        text = relative.as_posix() if relative.parts else folder.resolve().name
        return os.fsencode(text).decode("utf-8", "replace")

    def places(self, paths: Iterable[Path], above: str = "") -> list[Place]:
        """A place for each folder that has some of the files, or for the one around it where it is called `above`."""
        found: dict[Path, list[Path]] = {}
        for path in paths:
            folder = path.parent
            found.setdefault(folder.parent if folder.name == above and folder != self.root else folder, []).append(path)
        return [Place(self.below(folder), tuple(inside)) for folder, inside in found.items()]

    def single_places(self, paths: Iterable[Path]) -> list[Place]:
        """A place for each file, which goes by its path without the suffix."""
        return [Place(self.below(path.with_suffix("")), (path,)) for path in paths]

    def remark(self, text: str) -> None:
        """Keep a sentence, where there is one."""
        if text and text not in self.remarks:
            self.remarks.append(text)

    def grouped(self) -> list[str]:
        """The sentences; those that are said of several files or runs, which come before a colon, once."""
        places: dict[str, list[str]] = {}
        for text in self.remarks:
            place, colon, said = text.partition(": ")
            places.setdefault(said if colon else text, []).append(place if colon else "")
        several = {said: f"{of[0]} and {len(of) - 1:,} more" if len(of) > 1 else of[0] for said, of in places.items()}
        return [f"{which}: {said}" if which else said for said, which in several.items()]


def says_kind(metric: str) -> bool:
    """Whether the name of a metric says of what kind its scores are: it is that of a tool, or begins as
    ``eval/return`` and ``train/return`` do."""
    of_tools = any(metric in names for names in RETURNS.values())
    return of_tools or kind_of_metric(metric) == "eval" or metric.lower().startswith(("train", "rollout"))


def kind_of_metric(metric: str) -> str:
    """The kind of the scores that a tool logs under this name: by its first word, ``eval/...`` or ``test_...``."""
    words = metric.lower().replace("_", "/").replace(".", "/").split("/")
    return "eval" if words[0] in EVALUATION_WORDS else "train"


def chosen_metrics(
    available: Iterable[str], reading: Reading, known: Mapping[str, Sequence[str]] | None = None, kind: str = ""
) -> list[tuple[str, str]]:
    """The metrics that are read, each with its kind: those that are asked for, else the first known one of each kind.

    Parameters
    ----------
    available : names that the files have
    known : names of returns by kind, the first that is there counts; by default those of a log that any tool may have
        written
    kind : of all scores, where the format tells it
    """
    available = list(available)
    reading.metrics.update(available)
    returns = returns_among(available) if known is None else known
    kinds = {name: of_kind for of_kind, names in returns.items() for name in names}
    firsts = (next((name for name in names if name in available), None) for names in returns.values())
    chosen = [name for name in firsts if name is not None]
    if reading.asked is not None:
        chosen = [name for name in reading.asked if name in available]
    stated = kinds if known is not None else ()
    reading.kind_is_guessed |= not kind and any(name not in stated and not says_kind(name) for name in chosen)
    return [(name, kind or kinds.get(name) or kind_of_metric(name)) for name in chosen]


def returns_among(available: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The names by kind under which a log has the returns of episodes: those of tools, else the only one that is named
    as a return; none where several are."""
    of_tools = {name: kind for kind, names in RETURNS.items() for name in names if name in available}
    others = [name for name in available if _WORDS.fullmatch(name.lower()) and name not in of_tools]
    found: dict[str, tuple[str, ...]] = {}
    for kind in RETURNS:
        named = tuple(name for name in others if kind_of_metric(name) == kind)
        known = tuple(name for name in of_tools if of_tools[name] == kind)
        found[kind] = known or (named if len(named) == 1 else ())
    return found


def steps_among(available: Sequence[str], asked: str | None, shown: str) -> str:
    """The name under which a log has the steps.

    Raises
    ------
    InputError
        where it has none, or not the one that is asked for
    """
    found = next((name for name in ((asked,) if asked else STEPS) if name in available), None)
    if found is None:
        there = ", ".join(map(str, available[:_LISTED]))
        what = f'no column "{asked}" among {there}' if asked else f"no column of steps among {there}"
        raise InputError(shown, what, f"--step one of {there}" if asked else "name it by --step")
    return found


def kept_after_restarts(steps: Floats) -> npt.NDArray[np.bool_]:
    """bool[points]: the points that no later one overwrites.

    A run that is started again from an earlier state logs the same steps anew, and its steps go back: the later writer
    wins, so of what was written before only steps below those written later stay. Points of one step written one after
    the other are no restart.
    """
    restarts = np.full(steps.size + 1, np.inf)
    first = np.flatnonzero(np.diff(steps) < 0) + 1
    restarts[first] = steps[first]
    least_later: Floats = np.minimum.accumulate(restarts[::-1])[::-1][1:]
    return np.asarray(steps < least_later)


def without_restarts(rows: pd.DataFrame, axis: str, shown: str, reading: Reading) -> pd.DataFrame:
    """The rows of a log that no later one overwrites, as `kept_after_restarts`; a remark says how many are left out."""
    kept = kept_after_restarts(rows[axis].to_numpy(np.float64))
    if not kept.all():
        reading.remark(
            f"{shown}: its steps go back, as after a restart; {int((~kept).sum())} rows that were written before and "
            "lie at or after the step of the restart are left out"
        )
    return rows[kept]


def curves_of_rows(
    curve: Curve,
    rows: pd.DataFrame,
    axis: str,
    reading: Reading,
    known: Mapping[str, Sequence[str]] | None = None,
    others: Sequence[str] = (),
) -> Iterator[Curve]:
    """The curves of a log in which a row has the values of what was logged then, and no value of the rest.

    Rows without a step are left out, and so are those that were written before a restart and lie behind it.

    Parameters
    ----------
    curve : what the curves have in common; a kind, where it is that of all
    axis : the column of steps
    known : names of returns by kind, as in `chosen_metrics`
    others : columns of numbers that are no metrics
    """
    where = str(curve.source)
    rows = rows[rows[axis].notna()]
    rows = without_restarts(rows.assign(**{axis: numbers(where, rows[axis])}), axis, curve.place, reading)
    numeric = [name for name in rows if rows[name].dtype.kind in "fiu" and rows[name].notna().any()]
    asked = [name for name in reading.asked or () if name in rows]  # of texts too, which are refused
    available = [name for name in dict.fromkeys([*numeric, *asked]) if name not in (axis, *others)]
    for metric, kind in chosen_metrics(available, reading, known, curve.kind):
        logged = rows[rows[metric].notna()]
        points = pd.DataFrame({"step": logged[axis], "score": numbers(where, logged[metric])})
        yield curve._replace(kind=kind, metric=metric, points=points)


def curves_of_episodes(
    curve: Curve,
    rows: Sequence[tuple[float, Mapping[str, Any]]],
    reading: Reading,
    known: Mapping[str, Sequence[str]],
) -> Iterator[Curve]:
    """The curves of a log that has lists of the scores of episodes, of which each point is the mean.

    Parameters
    ----------
    curve : what the curves have in common; a kind, where it is that of all
    rows : (step, list of the scores of the episodes by metric) of each evaluation
    known : names of returns by kind, as in `chosen_metrics`
    """
    available = dict.fromkeys(name for _, logged in rows for name in logged)
    for metric, kind in chosen_metrics(available, reading, known, curve.kind):
        lists = [(step, logged[metric]) for step, logged in rows if logged.get(metric)]
        arrays = [(step, score_array(str(curve.source), metric, episodes)) for step, episodes in lists]
        means = [(step, scores.mean(), scores.size) for step, scores in arrays]
        points = pd.DataFrame(means, columns=["step", "score", "episodes"])
        yield curve._replace(kind=kind, metric=metric, points=points)
