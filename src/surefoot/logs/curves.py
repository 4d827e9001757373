"""Types that readers return, the learning curve of a run and its files, and the choice of metrics and steps."""

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
from surefoot.columns import STEPS, as_floats, numbers, refuse_other_kinds, score_array
from surefoot.errors import shown
from surefoot.logs.account import LEFT_OUT, NO_SCORE, NOT_LOGGED, Entry
from surefoot.logs.file_kinds import EVALUATION_WORDS, runs_of_files, without_kind_folder
from surefoot.rounding import counted

KINDS = ("eval", "train", "absolute")
"""Kinds of scores: evaluation episodes, training episodes, and a final evaluation of the selected best policy."""
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
        *("Train/mean_reward", "rewards/step", "Reward / Total reward (mean)"),  # rsl_rl, rl_games and skrl
    ),
}
"""Names under which tools log the return of an episode, by kind; the first that is present is used."""
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
    "train_episode_lengths": "agent steps",  # of Dopamine, added up
    "iteration": "iterations",
    "Train/mean_reward": "iterations",
}
"""Unit of steps, by the name of the steps, or by metric in event files, whose steps are unnamed.

Other names, such as step and global_step, do not determine the unit.
"""
_WORDS = re.compile(
    r"(?:(?:mean|avg|average|ep|episode|episodic|eval|evaluation|evaluator|test|validation|train|training|rollout)[_./]?)*"
    r"(?:return|reward|score|rew|ret)s?(?:[_./]?mean|[_./]?avg)?"
)
"""Common names of the return of an episode, in lower case."""

_LISTED = 12
NOT_A_NUMBER = "not a number"
"""Reason for leaving out a cell of a score with a text."""
Floats = npt.NDArray[np.float64]


class Place(NamedTuple):
    """Unit of reading: the files of a run, or a file with several runs.

    name : path of the run below the folder that is read, matched against patterns
    paths : files in reading order
    kind : kind of the scores, if the names of files or folders show it
    """

    name: str
    paths: tuple[Path, ...]
    kind: str = ""


class Curve(NamedTuple):
    """Scores of one run along training, or of all runs of a table, which has too many for one object per run.

    place : path of the run below the folder that is read
    source : the file, or the first of several
    kind : one of `KINDS`
    metric : name under which the tool logs the score
    points : one row per score, in the order written, with the columns score, step (environment steps if the tool counts
        them; absent if no steps are logged) and episodes (number of episodes averaged; absent if 1). For a table also
        algorithm, environment, run, as categories, and its columns of hyperparameters
    labels : names stated in the files: algorithm, environment, run
    config : configuration of the run in its files, nested or with dotted keys
    part : number of the part, from 1, if the steps of a log restart and its parts are separate runs; else 0
    remark : a caveat for users of these scores
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
    """State of reading a folder: the options, and findings in addition to the curves.

    root : folder or single file
    asked : names of the requested metrics, or None
    hyperparameters : dotted keys of the runs' configurations that become columns
    step : name under which steps are logged, if the user specifies one
    tasks : names of environments, in order, if the user specifies them for files without names
    wide : "tasks" or "algorithms", if a table has them in columns
    keys : columns or configuration keys that the user specifies for algorithm, environment and run
    fixed : names that the user specifies for all runs
    invalid_scores : "drop" to leave out cells of a score that are not numbers; "error" to refuse them
    continued : "join" or "separate", how to treat a training that seems to continue in another log; None: an error
    remarks : sentences for the user, without duplicates
    metrics : names of metrics in the files
    metric_of : metric of each environment, if they differ
    units : units of steps, inferred from their names; "" if unknown
    kind_is_guessed : True if nothing in the files states the kind of the scores
    points_are_numbered : True if the files have no steps, so that points are numbered instead
    without_scores : places of runs that began and left no score
    configurations : configurations of such runs in a file of several runs, by place
    pattern : pattern inferred from the paths, if the user specifies none
    stated : information on the original logs in a table that `surefoot read` wrote
    entries : entries of the account for files and rows that are not points of the table
    names : algorithm, environment and run by place, for places that hold a single run
    full_names : paths of runs by file, including words for kinds that are not part of the run's name
    place_kind : kind shown by the names of the files being read
    """

    root: Path
    asked: Sequence[str] | None = None
    hyperparameters: Sequence[str] = ()
    step: str | None = None
    tasks: Sequence[str] = ()
    continued: str | None = None
    invalid_scores: str = "error"
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
        """Return a path relative to the folder that is read, with slashes, for patterns and remarks.

        The folder itself is represented by its name. Bytes that are not UTF-8 become question marks.
        """
        folder = self.root.parent if self.root.is_file() else self.root
        relative = path.relative_to(folder) if path.is_relative_to(folder) else path
        text = relative.as_posix() if relative.parts else folder.resolve().name
        return os.fsencode(text).decode("utf-8", "replace")

    def places(self, paths: Iterable[Path], above: str = "") -> list[Place]:
        """Return one place per folder that has some of the files, or per parent of folders named `above`."""
        found: dict[Path, list[Path]] = {}
        for path in paths:
            folder = path.parent
            found.setdefault(folder.parent if folder.name == above and folder != self.root else folder, []).append(path)
        return [Place(self.below(folder), tuple(inside)) for folder, inside in found.items()]

    def run_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return one place per folder that has some of the files; ``eval`` belongs to the run of its parent."""
        found: list[Place] = []
        for place in self.places(paths):
            kind, rest = without_kind_folder(place.name) if place.paths[0].parent != self.root else ("", place.name)
            self.full_names |= dict.fromkeys(place.paths, place.name)
            found.append(Place(rest or self.below(self.root), place.paths, kind))
        return found

    def file_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return one place per file; files named only after a kind belong to the run of their folder."""
        files = list(paths)
        names = [self.below(path.with_suffix("")) for path in files]
        self.full_names |= dict(zip(files, names, strict=True))
        runs = runs_of_files(files, names)
        return [Place(run.place or self.below(self.root), (path,), run.kind) for path, run in runs.items()]

    def single_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return one place per file, named by its path without the suffix."""
        return [Place(self.below(path.with_suffix("")), (path,)) for path in paths]

    def remark(self, text: str) -> None:
        """Keep a sentence unless it is empty."""
        if text:
            self.remarks[text] = None

    def leave_out(
        self, path: Path, reason: str, remark: str = "", *, rows: int | None = None, place: str = "", metric: str = ""
    ) -> None:
        """Account for a file, or for some of its rows, that could have been used but was not.

        Parameters
        ----------
        reason : a few words, always the same for the same reason
        remark : a sentence for the user
        rows : number of rows; None for the whole file
        """
        self.entries.append(Entry(self.below(path), LEFT_OUT, reason, place, metric=metric, rows=rows))
        self.remark(remark)

    def without_score(self, path: Path, reason: str, remark: str = "", place: str = "") -> None:
        """Account for a job that began and left no score."""
        self.entries.append(Entry(self.below(path), NO_SCORE, reason, place))
        self.remark(remark)

    def empty_cells(self, curve: Curve, rows: int) -> None:
        """Account for rows of a log that have no value of the metrics that are read, only of other columns."""
        if rows:
            entry = Entry(self.below(curve.source), NOT_LOGGED, "other columns only", curve.place, rows=rows)
            self.entries.append(entry)

    def run_without_score(self, curve: Curve) -> None:
        """Account for a run that has no value of the score, in a file of several runs."""
        self.configurations[curve.place] = curve.config
        self.without_scores.append(curve.place)
        remark = f"{curve.place}: a run began and left no score"
        self.without_score(curve.source, "a run without a value of the score", remark, curve.place)

    def grouped(self) -> list[str]:
        """Return the remarks; the same remark on several files or runs, which precede a colon, appears once."""
        places: dict[str, list[str]] = {}
        for text in self.remarks:
            place, colon, sentence = text.partition(": ")
            places.setdefault(sentence if colon else text, []).append(place if colon else "")
        several = {
            sentence: f"{of[0]} and {len(of) - 1:,} more" if len(of) > 1 else of[0] for sentence, of in places.items()
        }
        return [f"{which}: {sentence}" if which else sentence for sentence, which in several.items()]


def says_kind(metric: str) -> bool:
    """Check whether the name of a metric shows the kind of its scores.

    It does if it is a name used by a tool, or begins like ``eval/return`` or ``train/return``.
    """
    of_tools = any(metric in names for names in RETURNS.values())
    return of_tools or kind_of_metric(metric) == "eval" or metric.lower().startswith(("train", "rollout"))


def kind_of_metric(metric: str) -> str:
    """Return the kind of the scores under this name, by its first word: ``eval/...`` or ``test_...``."""
    words = metric.lower().replace("_", "/").replace(".", "/").split("/")
    return "eval" if words[0] in EVALUATION_WORDS else "train"


def chosen_metrics(
    available: Iterable[str], reading: Reading, known: Mapping[str, Sequence[str]] | None = None, kind: str = ""
) -> list[tuple[str, str]]:
    """Return the metrics to read, with their kinds: the requested ones, or else the first known one per kind.

    Parameters
    ----------
    available : names in the files
    known : names of returns by kind, in order of preference; by default the names of `returns_among`
    kind : kind of all scores, if the format determines it
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
    stated_kind = kind or reading.place_kind
    reading.kind_is_guessed |= not stated_kind and any(name not in stated and not says_kind(name) for name in chosen)
    return [(name, kind or kinds.get(name) or kind_of_metric(name)) for name in chosen]


def of_place(curve: Curve, place: Place, reading: Reading) -> Curve:
    """Return the curve with the kind shown by the names of its files, unless its metric shows another.

    Points whose steps are all 0 are numbered.
    """
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
    """Return the names of episode returns in a log, by kind.

    Names used by tools take precedence; otherwise the only name that looks like a return is used, and nothing if
    there are several.
    """
    of_tools = {name: kind for kind, names in RETURNS.items() for name in names if name in available}
    others = [name for name in available if _WORDS.fullmatch(name.lower()) and name not in of_tools]
    by_kind: dict[str, tuple[str, ...]] = {}
    for kind in RETURNS:
        named = tuple(name for name in others if kind_of_metric(name) == kind)
        of_kind = tuple(name for name in of_tools if of_tools[name] == kind)
        by_kind[kind] = of_kind or (named if len(named) == 1 else ())
    return by_kind


def steps_among(available: Sequence[str], reading: Reading, shown: str) -> str:
    """Return the name under which a log has the steps, and record their unit.

    Raises
    ------
    InputError
        if there is none, or not the requested one
    """
    asked = reading.step
    steps_name = next((name for name in ((asked,) if asked else STEPS) if name in available), None)
    if steps_name is None:
        there = ", ".join(map(str, available[:_LISTED]))
        what = f'no column "{asked}" among {there}' if asked else f"no column of steps among {there}"
        raise InputError(shown, what, f"--step one of {there}" if asked else "name it by --step")
    reading.units.add(UNITS.get(steps_name, ""))
    return steps_name


def curves_of_episodes(
    curve: Curve,
    rows: Sequence[tuple[float, Mapping[str, Any]]],
    reading: Reading,
    known: Mapping[str, Sequence[str]],
) -> Iterator[Curve]:
    """Yield curves from a log with lists of episode scores; each point is the mean of a list.

    Parameters
    ----------
    curve : attributes that the curves share, with a kind if it applies to all
    rows : (step, {metric: scores of the episodes}) of each evaluation
    known : names of returns by kind, as in `chosen_metrics`
    """
    available = dict.fromkeys(name for _, logged in rows for name in logged)
    for metric, kind in chosen_metrics(available, reading, known, curve.kind):
        lists = [(step, logged[metric]) for step, logged in rows if logged.get(metric)]
        of_metric = curve._replace(kind=kind, metric=metric)
        arrays = [(step, _array_of_episodes(of_metric, episodes, reading)) for step, episodes in lists]
        means = [(step, scores.mean(), scores.size) for step, scores in arrays]
        points = pd.DataFrame(means, columns=["step", "score", "episodes"])
        yield of_metric._replace(points=points)


def score_numbers(curve: Curve, column: pd.Series, reading: Reading) -> pd.Series:
    """Return the scores in a column as float64, keeping missing values; texts are left out and accounted for.

    Raises
    ------
    InputError
        as `without_texts`
    """
    scores = without_texts(curve, column, reading)
    if texts := len(column) - len(scores):
        reading.leave_out(curve.source, NOT_A_NUMBER, rows=texts, place=curve.place, metric=curve.metric)
    return scores


def without_texts(curve: Curve, column: pd.Series, reading: Reading) -> pd.Series:
    """Return the scores in a column as float64, without texts, which a remark counts.

    Raises
    ------
    InputError
        if there are texts and the user does not drop invalid scores
    """
    where = str(curve.source)
    if column.dtype.kind in "fiu":
        return numbers(where, column)
    refuse_other_kinds(where, column, str(column.name))
    floats = as_floats(column)
    is_text = floats.isna() & column.notna()
    if not is_text.any():
        return floats
    texts = column[is_text]
    if reading.invalid_scores != "drop":
        try:
            numbers(where, texts)
        except InputError as error:
            hint = f"{error.hint}; or --invalid-scores drop, which leaves such a row out"
            raise InputError(error.where, error.what, hint if floats.notna().any() else error.hint) from None
    what = f"{counted(len(texts), 'row')} of {curve.metric} without a number, such as {shown(texts.iloc[0])}, left out"
    reading.remark(f"{curve.place}: {what}")
    return floats[~is_text]


def _array_of_episodes(curve: Curve, episodes: Any, reading: Reading) -> Floats:
    """Return the scores of episodes as float64; texts among numbers are treated as in `score_numbers`."""
    if isinstance(episodes, list) and any(isinstance(score, str) for score in episodes):
        column = pd.Series(episodes, dtype=object, name=curve.metric)
        return np.asarray(score_numbers(curve, column, reading), np.float64)
    return score_array(str(curve.source), curve.metric, episodes)
