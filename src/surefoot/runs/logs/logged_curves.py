"""Types used by readers: the learning curve of a run, its files, and the state of reading a folder."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import printable
from surefoot.runs.logs.account import LEFT_OUT, NO_SCORE, NOT_LOGGED, Entry
from surefoot.runs.logs.file_kinds import runs_of_files, without_kind_folder

KINDS = ("eval", "train", "absolute")
"""Kinds of scores: evaluation episodes, training episodes, and a final evaluation of the selected best policy."""
Floats = npt.NDArray[np.float64]


class Place(NamedTuple):
    """Files that are read together: the files of a run, or a file with several runs.

    name : path of the run below the folder that is read, matched against patterns
    paths : files in reading order
    kind : kind of the scores, if the names of files or folders show it
    """

    name: str
    paths: tuple[Path, ...]
    kind: str = ""


class Curve(NamedTuple):
    """Scores of one run over training, or of all runs of a table, which may have too many for one object per run.

    place : path of the run below the folder that is read
    source : the file, or the first of several
    kind : one of `KINDS`
    metric : name under which the tool logs the score
    points : one row per score, in the order written, with the columns score, step (environment steps if the tool counts
        them; absent if no steps are logged) and episodes (number of episodes averaged; absent if 1). For a table also
        algorithm, environment, run, as categories, and its columns of hyperparameters
    labels : names stated in the files: algorithm, environment, run
    config : configuration of the run in its files, nested or with dotted keys
    part : number of the part, starting at 1, if the steps of a log restart and its parts are separate runs; otherwise 0
    remark : a caveat for users of the scores
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
    wide : "tasks", "algorithms" or "runs", if a table has one column of scores for each
    named_in_paths : names that the user's pattern extracts from paths
    keys : columns or configuration keys that the user specifies for algorithm, environment and run
    fixed : names that the user specifies for all runs
    invalid_scores : "drop" to leave out cells of a score that are not numbers; "error" to reject them
    continued : "join" or "separate", how to treat a training that seems to continue in another log; None: an error
    has_continued : True if a training seems to continue, so that `continued` has an effect
    remarks : sentences for the user, without duplicates
    metrics : names of metrics in the files
    places_by_axis : paths of runs by the name of the step column, in files of one run each
    metric_of : metric of each environment, if they differ
    units : units of steps, inferred from their names; "" if unknown
    kind_is_guessed : True if nothing in the files states the kind of the scores
    points_are_numbered : True if the files have no steps, so points are numbered instead
    without_scores : paths of runs that began but left no score
    configurations : configurations of runs without a score in a file of several runs, by path of the run
    pattern : pattern inferred from the paths, if the user specifies none
    stated : information on the original logs in a table that `surefoot read` wrote
    entries : entries for `surefoot.reading_account`: files and rows that did not become points of the table
    names : algorithm, environment and run by path of the run, for paths with a single run
    full_names : paths of runs by file, including words for kinds that are not part of the run's name
    place_kind : kind shown by the names of the files being read
    """

    root: Path
    asked: Sequence[str] | None = None
    hyperparameters: Sequence[str] = ()
    step: str | None = None
    tasks: Sequence[str] = ()
    continued: str | None = None
    has_continued: bool = False
    invalid_scores: str = "error"
    wide: str | None = None
    named_in_paths: Sequence[str] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    remarks: dict[str, None] = field(default_factory=dict)
    metrics: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    places_by_axis: dict[str, list[str]] = field(default_factory=dict)
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

        The folder itself is represented by its name. Bytes that are not UTF-8 become question marks, and control
        characters are escaped.
        """
        folder = self.root.parent if self.root.is_file() else self.root
        relative = path.relative_to(folder) if path.is_relative_to(folder) else path
        text = relative.as_posix() if relative.parts else folder.resolve().name
        return printable(os.fsencode(text).decode("utf-8", "replace"))

    def places(self, paths: Iterable[Path], above: str = "") -> list[Place]:
        """Return a `Place` for each folder that has some of the files, or for the parent of a folder named `above`."""
        found: dict[Path, list[Path]] = {}
        for path in paths:
            folder = path.parent
            found.setdefault(folder.parent if folder.name == above and folder != self.root else folder, []).append(path)
        return [Place(self.below(folder), tuple(inside)) for folder, inside in found.items()]

    def run_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return a `Place` for each folder with some of the files; a folder ``eval`` belongs to the run above it."""
        found: list[Place] = []
        for place in self.places(paths):
            kind, rest = without_kind_folder(place.name) if place.paths[0].parent != self.root else ("", place.name)
            self.full_names |= dict.fromkeys(place.paths, place.name)
            found.append(Place(rest or self.below(self.root), place.paths, kind))
        return found

    def file_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return a `Place` for each file; a file named only after a kind of scores belongs to the run of its folder."""
        files = list(paths)
        names = [self._name_of(path) for path in files]
        self.full_names |= dict(zip(files, names, strict=True))
        runs = runs_of_files(files, names)
        return [Place(run.place or self.below(self.root), (path,), run.kind) for path, run in runs.items()]

    def single_places(self, paths: Iterable[Path]) -> list[Place]:
        """Return a `Place` for each file, named by the path without the suffix."""
        return [Place(self._name_of(path), (path,)) for path in paths]

    def _name_of(self, path: Path) -> str:
        return self.below(path.with_name(path.name.removesuffix(".gz")).with_suffix(""))

    def remark(self, text: str) -> None:
        """Add a remark, unless it is empty."""
        if text:
            self.remarks[text] = None

    def leave_out(
        self, path: Path, reason: str, remark: str = "", *, rows: int | None = None, place: str = "", metric: str = ""
    ) -> None:
        """Record a file, or some of its rows, as left out: they could have been used, but were not.

        Parameters
        ----------
        reason : a short phrase, identical for equal reasons
        remark : a sentence for the user
        rows : number of rows; None for the whole file
        """
        self.entries.append(Entry(self.below(path), LEFT_OUT, reason, place, metric=metric, rows=rows))
        self.remark(remark)

    def without_score(self, path: Path, reason: str, remark: str = "", place: str = "") -> None:
        """Record a job that began but left no score."""
        self.entries.append(Entry(self.below(path), NO_SCORE, reason, place))
        self.remark(remark)

    def empty_cells(self, curve: Curve, rows: int) -> None:
        """Record rows of a log that have no values of the metrics that are read, only of other columns."""
        if rows:
            entry = Entry(self.below(curve.source), NOT_LOGGED, "other columns only", curve.place, rows=rows)
            self.entries.append(entry)

    def run_without_score(self, curve: Curve) -> None:
        """Record a run without a score in a file of several runs."""
        self.configurations[curve.place] = curve.config
        self.without_scores.append(curve.place)
        remark = f"{curve.place}: a run began but left no score"
        self.without_score(curve.source, "a run without a score", remark, curve.place)

    def grouped(self) -> list[str]:
        """Return the remarks; a remark that several files or runs share is listed once."""
        places: dict[str, list[str]] = {}
        for text in self.remarks:
            place, colon, sentence = text.partition(": ")
            places.setdefault(sentence if colon else text, []).append(place if colon else "")
        several = {
            sentence: f"{of[0]} and {len(of) - 1:,} more" if len(of) > 1 else of[0] for sentence, of in places.items()
        }
        return [f"{which}: {sentence}" if which else sentence for sentence, which in several.items()]


def of_place(curve: Curve, place: Place, reading: Reading) -> Curve:
    """Set the kind of a curve to the kind in its file names, unless the name of its metric shows another kind.

    If all steps of a curve are 0, its points are numbered instead.
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
