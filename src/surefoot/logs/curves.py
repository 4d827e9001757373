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
from surefoot.columns import STEPS, score_array
from surefoot.logs.account import LEFT_OUT, NO_SCORE, Entry
from surefoot.logs.file_kinds import EVALUATION_WORDS, runs_of_files, without_kind_folder

KINDS = ("eval", "train", "absolute")
"""Kinds of scores: of episodes played apart for evaluation, of the policy while it learns, and of the selected best
policy, evaluated again."""
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
        *("Train/mean_reward", "rewards/step", "Reward / Total reward (mean)"),  # of rsl_rl, rl_games and skrl
    ),
}
"""Names under which tools log the return of an episode, by kind; the first that is there counts."""
ENVIRONMENT_STEPS = "environment steps"
_COUNTED = (
    *("env_step", "env_steps", "environment_steps", "total_env_steps", "num_env_steps", "TotalEnvInteracts"),
    *("total_timesteps", "time/total_timesteps", "timesteps", "timestep"),
    # Stable-Baselines3 and CleanRL count the steps of these metrics in their event files.
    *("eval/mean_reward", "rollout/ep_rew_mean", "charts/episodic_return", "eval/episodic_return"),
)
UNITS: Mapping[str, str] = {
    **dict.fromkeys(_COUNTED, ENVIRONMENT_STEPS),
    **dict.fromkeys(("frames", "frame", "total_frames"), "frames"),
    "agent_steps": "agent steps",
    "Train/mean_reward": "iterations",
}
"""What steps count, by the name under which they are logged, or by that of a metric in event files, whose steps have no
name. Of others, such as step and global_step, nothing says it."""
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
    kind : of the scores, where the names of files or folders tell it
    """

    name: str
    paths: tuple[Path, ...]
    kind: str = ""


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
    part : which part of a log whose steps begin anew it is, from 1, if these are runs of their own; else 0
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
    part: int = 0


@dataclass
class Reading:
    """A folder that is read: what is asked for, and what reading finds beside the curves.

    root : the folder, or the single file
    asked : names of the metrics that are wanted, or None
    hyperparameters : dotted keys of the runs' configurations that become columns
    step : the name under which steps are logged, where the user gives one
    tasks : names of environments in their order, where the user gives some, for files that name none
    wide : "tasks" or "algorithms", if those of a table are in columns
    keys : columns or keys of configurations that the user names for algorithm, environment and run
    fixed : names that the user gives for all runs
    continued : "join" or "separate", what a training that seems to go on in another log is; None refuses it
    remarks : sentences for the user, each once
    metrics : names of metrics that the files have
    metric_of : the metric of each environment, where these differ
    units : what steps count, by their names; "" where these do not say it
    kind_is_guessed : whether nothing in the files says of what kind the scores are
    points_are_numbered : whether the files have no steps, so that these are numbers of points
    without_scores : places of runs that began and left no score
    configurations : those of such runs that a file of several runs tells, by place
    pattern : by which names are read from the paths, where nobody gives one and the paths show it
    stated : what a table that `surefoot read` wrote keeps of the logs that it was read from
    entries : what became of files and rows that are not points of the table, for the account
    names : algorithm, environment and run by place, where a place is of a single run
    full_names : paths of runs by file, with the words for kinds that are no part of the run's name
    place_kind : the kind that the names of the files that are read at the moment tell
    """

    root: Path
    asked: Sequence[str] | None = None
    hyperparameters: Sequence[str] = ()
    step: str | None = None
    tasks: Sequence[str] = ()
    continued: str | None = None
    wide: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)
    metrics: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    metric_of: Mapping[str, str] = field(default_factory=dict)
    stated: dict[str, Any] = field(default_factory=dict)
    without_scores: list[str] = field(default_factory=list)
    configurations: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    pattern: str | None = None
    entries: list[Entry] = field(default_factory=list)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    full_names: dict[Path, str] = field(default_factory=dict)
    place_kind: str = ""
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

    def run_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return a place for each folder that has some of the files; one called ``eval`` is of the run around it."""
        found: list[Place] = []
        for place in self.places(paths):
            kind, rest = without_kind_folder(place.name) if place.paths[0].parent != self.root else ("", place.name)
            self.full_names |= dict.fromkeys(place.paths, place.name)
            found.append(Place(rest or self.below(self.root), place.paths, kind))
        return found

    def file_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return a place for each file; files that tell nothing but a kind are of the run in whose folder they lie."""
        files = list(paths)
        names = [self.below(path.with_suffix("")) for path in files]
        self.full_names |= dict(zip(files, names, strict=True))
        runs = runs_of_files(files, names)
        return [Place(run.place or self.below(self.root), (path,), run.kind) for path, run in runs.items()]

    def single_places(self, paths: Iterable[Path]) -> list[Place]:
        """A place for each file, which goes by its path without the suffix."""
        return [Place(self.below(path.with_suffix("")), (path,)) for path in paths]

    def remark(self, text: str) -> None:
        """Keep a sentence, where there is one."""
        if text:
            self.remarks[text] = None

    def leave_out(
        self, path: Path, reason: str, remark: str = "", *, rows: int | None = None, place: str = "", metric: str = ""
    ) -> None:
        """Account for a file, or for some of its rows, that could have been used and is not.

        Parameters
        ----------
        reason : in a few words, the same for the same reason
        remark : a sentence for the user
        rows : how many; None for the whole file
        """
        self.entries.append(Entry(self.below(path), LEFT_OUT, reason, place, metric=metric, rows=rows))
        self.remark(remark)

    def without_score(self, path: Path, reason: str, remark: str = "", place: str = "") -> None:
        """Account for a job that began and left no score."""
        self.entries.append(Entry(self.below(path), NO_SCORE, reason, place))
        self.remark(remark)

    def run_without_score(self, curve: Curve) -> None:
        """Account for a run that has no value of the score, in a file of several runs."""
        self.configurations[curve.place] = curve.config
        self.without_scores.append(curve.place)
        remark = f"{curve.place}: a run began and left no score"
        self.without_score(curve.source, "a run without a value of the score", remark, curve.place)

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
    told = kind or reading.place_kind
    reading.kind_is_guessed |= not told and any(name not in stated and not says_kind(name) for name in chosen)
    return [(name, kind or kinds.get(name) or kind_of_metric(name)) for name in chosen]


def of_place(curve: Curve, place: Place, reading: Reading) -> Curve:
    """Return the curve with the kind that the names of its files tell, unless its metric tells another; and with its
    points numbered, if they have no steps but 0."""
    points = curve.points
    if len(points) > 1 and "run" not in points and "step" in points and (points["step"] == 0).all():
        reading.remark(
            f"{curve.place}: all {len(points):,} points of {curve.metric} are at step 0, as if no step had been "
            "logged; they are numbered in the order in which they were written"
        )
        reading.points_are_numbered = True
        curve = curve._replace(points=points.assign(step=np.arange(len(points), dtype=np.float64)))
    if curve.kind == "train" and place.kind == "eval" and not curve.metric.lower().startswith(("train", "rollout")):
        return curve._replace(kind="eval")
    return curve


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


def steps_among(available: Sequence[str], reading: Reading, shown: str) -> str:
    """Return the name under which a log has the steps, and keep what these count.

    Raises
    ------
    InputError
        where it has none, or not the one that is asked for
    """
    asked = reading.step
    found = next((name for name in ((asked,) if asked else STEPS) if name in available), None)
    if found is None:
        there = ", ".join(map(str, available[:_LISTED]))
        what = f'no column "{asked}" among {there}' if asked else f"no column of steps among {there}"
        raise InputError(shown, what, f"--step one of {there}" if asked else "name it by --step")
    reading.units.add(UNITS.get(found, ""))
    return found


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
